/** Connections that are cut at any byte of a request or its answer, by a proxy: nothing is lost, nothing is done twice, and nothing stays open. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type JobServing, servingJobs } from "../serving-jobs.ts";

/** Other work may have the machine. */
const PATIENCE = { timeout: 20_000 };
const ECHO = 'L1:\n  R ext.Echo "a" ->x\n  J x\n';
const BATCH = `# frame: n: number\nL1:\n  R ext.Echo n ->x\n  J x\n`;

type Side = "request" | "answer";
type Way = "reset" | "end";

/** Bytes that one side may still send, and how the connection is cut after them. */
let cut: { side: Side; after: number; way: Way } = { side: "request", after: 0, way: "reset" };

/** What goes through to the other side, up to the cut. */
function forward(from: Socket, to: Socket, side: Side, close: () => void): void {
  const { side: cutSide, after } = cut;
  let left = side === cutSide ? after : Number.POSITIVE_INFINITY;
  from.on("data", (chunk: Buffer) => {
    to.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) close();
  });
  from.on("error", () => undefined);
  from.on("close", () => to.destroy());
}

function cuttingProxy(port: number): Server {
  return createServer((client) => {
    const { way } = cut;
    const server = connect(port, "127.0.0.1");
    const close = (): void => {
      if (way === "end") {
        server.end();
        client.end();
      } else {
        server.resetAndDestroy();
        client.resetAndDestroy();
      }
    };
    forward(client, server, "request", close);
    forward(server, client, "answer", close);
  });
}

let service: JobServing;
let proxy: Server;
const unhandled: unknown[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);

beforeAll(async () => {
  process.on("unhandledRejection", note);
  service = await servingJobs({ variables: { WF_QUEUE_MAX: "10000" } });
  proxy = cuttingProxy(service.port);
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterAll(async () => {
  proxy.close();
  await service.stop();
  process.off("unhandledRejection", note);
});

/** Sends a request through the proxy; resolves with whatever came back when the connection is over. */
async function sent(text: string): Promise<string> {
  const socket = connect((proxy.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += String(chunk);
  });
  socket.on("error", () => undefined);
  const over = new Promise((resolve) => socket.once("close", resolve));
  socket.write(text);
  await over;
  return answer;
}

function post(path: string, body: string, headers = ""): string {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
  return `${head}${headers}\r\n${body}`;
}

const places = (from: number, to: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => Math.round(from + ((to - from) * at) / (count - 1)));

const CUTS: readonly (readonly [Side, Way])[] = [
  ["request", "reset"],
  ["request", "end"],
  ["answer", "reset"],
  ["answer", "end"],
];

describe.each(CUTS)("a connection whose %s is cut (%s)", (side, way) => {
  it("queues its job once when the request is repeated under its key", async () => {
    const body = JSON.stringify({ code: ECHO });
    const ids = new Set<string>();
    for (const [at, after] of places(1, side === "request" ? 330 : 600, 30).entries()) {
      cut = { side, after, way };
      const key = `${side} ${way} ${at}`;
      const type = "Content-Type: application/json\r\n";
      const seen = await sent(post("/enqueue", body, `${type}Idempotency-Key: ${key}\r\n`));
      const known = /"job_id":"([0-9a-f-]{36})"/.exec(seen)?.[1];
      const again = await vi.waitFor(async () => {
        const reply = await service.call("POST", "/enqueue", body, { "idempotency-key": key });
        expect(reply.status).toBe(202);
        return reply.body.job_id;
      }, PATIENCE);
      if (known !== undefined) expect(again).toBe(known);
      ids.add(again);
    }
    expect(ids.size).toBe(30);
    const all = (await service.call("GET", "/jobs?limit=200")).body.jobs.map(
      ({ job_id }: { job_id: string }) => job_id,
    );
    // Those of the cuts before are in the list, too; one that was queued twice would be besides.
    expect(new Set(all).size).toBe(all.length);
    expect(all.length % 30).toBe(0);
    for (const id of ids) expect((await service.over(id)).body.status).toBe("succeeded");
  }, 120_000);

  it.each(["/run", "/batch"])(
    "leaves nothing of a request to %s open",
    async (path) => {
      const frames = Array.from({ length: 20 }, (_, n) => JSON.stringify({ n })).join("\n");
      const stream = post(
        "/batch",
        `${JSON.stringify({ code: BATCH })}\n${frames}\n`,
        "Content-Type: application/x-ndjson\r\n",
      );
      const run = post("/run", JSON.stringify({ code: ECHO }), "Content-Type: application/json\r\n");
      const text = path === "/run" ? run : stream;
      for (const after of places(1, side === "request" ? text.length : 1500, 25)) {
        cut = { side, after, way };
        await sent(text);
      }
      await vi.waitFor(() => expect(service.services.slots.inFlight).toBe(0), PATIENCE);
      await vi.waitFor(async () => {
        const count = await new Promise<number>((resolve) => service.app.server.getConnections((_, n) => resolve(n)));
        expect(count).toBe(0);
      }, PATIENCE);
      expect(unhandled).toEqual([]);
      expect((await service.run({ code: ECHO })).body.out).toBe("a");
      expect(service.log.filter(({ event }) => event === "defect")).toEqual([]);
    },
    120_000,
  );
});
