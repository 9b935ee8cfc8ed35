/** What `wf jobs` and `wf trace --follow` take from a service that sends without end, or says the usual in an unusual way. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type ConsoleResult, documentOf, wf } from "../console.ts";

const FOLLOW = ["trace", "--follow", "--job", "a"];
const CHUNK = "x".repeat(64 * 1024);

let server: Server | null = null;
afterEach(async () => {
  const running = server;
  server = null;
  await new Promise<void>((resolve) => (running === null ? resolve() : running.close(() => resolve())));
});

/** Runs a command against a service that answers every request in this way. */
async function against(answer: (response: ServerResponse) => void, ...argv: string[]): Promise<ConsoleResult> {
  const listening = createServer((_request, response) => answer(response));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const { port } = listening.address() as AddressInfo;
  return wf([...argv, "--json"], { environment: { WF_SERVER: `http://127.0.0.1:${port}` } });
}

/** Sends until the reader stops. `sent`: the number of bytes. */
function endless(begin: string, status = 200): { answer(response: ServerResponse): void; sent(): number } {
  let sent = 0;
  return {
    answer(response) {
      let open = true;
      response.once("close", () => {
        open = false;
      });
      const more = (): void => {
        while (open) {
          sent += CHUNK.length;
          if (!response.write(CHUNK)) return void response.once("drain", more);
        }
      };
      response.writeHead(status);
      response.write(begin);
      more();
    },
    sent: () => sent,
  };
}

describe("a service that sends without end", () => {
  it.each([
    ["an answer", ["jobs", "list"], '{"jobs":"', 200, 64],
    ["a refusal", ["jobs", "cancel", "a"], '{"error":"', 400, 64],
    ["an event", FOLLOW, "data: ", 200, 16],
    ["an event of many lines", FOLLOW, "data: 1\nx".repeat(1000), 200, 16],
  ])("%s is left when it is too large", async (_what, argv, begin, status, mebibytes) => {
    const service = endless(begin, status);
    const result = await against(service.answer, ...argv);
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({ error: "answer_too_large" });
    // What the sockets on the way take counts as sent.
    expect(service.sent()).toBeLessThan(mebibytes * 1024 * 1024);
  });
});

describe("events", () => {
  const STREAM =
    ': hello\n\n\n\nid: 1\nevent: status\ndata: {"status":"running","attempt":1}\n\ndata: no JSON\n\nid: 2\nevent: end\ndata: {"status":"succeeded","ok":true}\n\n';

  it.each([1, 2, 7, 1000])("arrive whole in pieces of %i", async (length) => {
    const result = await against(
      (response) => {
        const pieces = STREAM.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
        const next = (): void => {
          const piece = pieces.shift();
          if (piece === undefined) response.end();
          else response.write(piece, () => setImmediate(next));
        };
        next();
      },
      ...FOLLOW,
    );
    expect(result.code).toBe(0);
    expect(
      result.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).event),
    ).toEqual(["status", "end"]);
  });
});
