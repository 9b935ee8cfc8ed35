/** The peer of POST /run: a Fastify server that parses the same body and answers JSON of the same size. A process of its own. */
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

/** As large as the answer of a run of W10. */
const ANSWER = { ok: true, text: "x".repeat(515) };

/** Serves until it is killed; tells its port in a file, as the service tells its own in its log. */
export async function serveEmptyPost(portFile: string): Promise<void> {
  const app = fastify({ logger: false });
  app.post("/", async () => ANSWER);
  app.get("/cpu", async () => {
    const { user, system } = process.cpuUsage();
    return { cpu_ms: (user + system) / 1000 };
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  writeFileSync(portFile, JSON.stringify({ port: (app.server.address() as AddressInfo).port }));
}
