/** How much memory a service takes for bodies that come slowly. `test/service/process.test.ts` counts those that it refuses. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import { endServices, isBuilt, serveProcess } from "../service/jobs/faults/serve-process.ts";
import { exchange } from "../service/serving.ts";

const MIB = 1024 * 1024;

afterAll(endServices);

describe.skipIf(!isBuilt || process.platform !== "linux")("slow large bodies", () => {
  it("take little more memory than their bound", { timeout: 120_000 }, async () => {
    const service = await serveProcess({ WF_MAX_BODIES_BYTES: String(32 * MIB) });
    const resident = (): number => {
      const [, kilobytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8")) ?? [];
      return Number(kilobytes) * 1024;
    };
    const before = resident();
    let refused = 0;
    const body = "x".repeat(3.9 * MIB);
    const senders = Array.from({ length: 80 }, () => {
      const socket = connect(service.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.once("data", (chunk) => {
        if (String(chunk).startsWith("HTTP/1.1 503 ")) refused += 1;
      });
      socket.write(`POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${4 * MIB}\r\n\r\n`);
      socket.write(body);
      return socket;
    });
    while (refused < 72) expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
    expect(resident() - before).toBeLessThan(160 * MIB);
    for (const socket of senders) socket.destroy();
    await service.end("SIGTERM");
  });
});
