/** Bodies of many requests at once: together they take at most their memory bound, and further ones are refused. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, serving } from "./serving.ts";

const MIB = 1024 * 1024;
const OK = { code: "L1:\n  J 1\n" };

let service: Serving;
beforeAll(async () => {
  service = await serving({ variables: { WF_MAX_BODY_BYTES: String(MIB), WF_MAX_BODIES_BYTES: String(4 * MIB) } });
});
afterAll(() => service.stop());

type Sender = { readonly socket: Socket; text: string };

/** Sends `bytes` of a body, or of a line, and then nothing more. */
function slowSender(head: string, bytes: number): Sender {
  const socket = connect(service.port, "127.0.0.1");
  const sender: Sender = { socket, text: "" };
  socket.on("data", (chunk) => {
    sender.text += String(chunk);
  });
  socket.on("error", () => undefined);
  socket.write(`POST ${head}\r\nHost: localhost\r\n`);
  socket.write(`Content-Length: ${MIB}\r\n\r\n${"x".repeat(bytes)}`);
  return sender;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe.each([
  ["bodies", "/run HTTP/1.1\r\nContent-Type: application/json"],
  ["first lines", "/batch HTTP/1.1\r\nContent-Type: application/x-ndjson"],
])("many slow senders of large %s", (_, head) => {
  it("are refused above the common limit, while small bodies are still accepted", async () => {
    const senders = Array.from({ length: 40 }, () => slowSender(head, 0.9 * MIB));
    const refused = (): readonly Sender[] => senders.filter(({ text }) => text.includes("\r\n\r\n"));
    // Four hold 3.6 MiB; a fifth does not fit.
    await until(() => refused().length === 36);
    for (const { text } of refused()) {
      expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
      expect(text).toMatch(/\r\nretry-after: 1\r\n/);
      expect(text).toMatch(/\r\nx-trace-id: [0-9a-f]{32}\r\n/);
      expect(text).toContain('"error":"server_busy"');
      expect(text).toContain(`together larger than ${4 * MIB} bytes`);
    }
    expect((await service.run(OK)).status).toBe(200);
    expect((await service.call("GET", "/health")).status).toBe(200);
    const large = { ...OK, frame: { text: "x".repeat(0.9 * MIB) } };
    expect(await service.run(large)).toMatchObject({ status: 503, body: { error: "server_busy" } });
    for (const { socket } of senders) {
      socket.destroy();
      if (!socket.closed) await once(socket, "close");
    }
    // What they held is free once the service has noticed that they are gone.
    let status = 503;
    while (status === 503) status = (await service.run(large)).status;
    expect(status).toBe(200);
  });
});

it("invalid bodies release their share of the limit", async () => {
  for (let at = 0; at < 10; at++) {
    const reply = await service.call("POST", "/run", `{"code": ${"x".repeat(0.9 * MIB)}`);
    expect(reply).toMatchObject({ status: 400, body: { error: "invalid_json" } });
  }
});
