/** The peer of POST /run: a Fastify server that reads the same body and answers with next to nothing. A process of its own. */
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";

/** Serves until it is killed; tells its port in a file, as the service tells its own in its log. */
export async function serveEmptyPost(portFile: string): Promise<void> {
  const app = fastify({ logger: false });
  app.post("/", async () => ({ ok: true }));
  app.get("/cpu", async () => {
    const { user, system } = process.cpuUsage();
    return { cpu_ms: (user + system) / 1000 };
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  writeFileSync(portFile, JSON.stringify({ port: (app.server.address() as AddressInfo).port }));
}
