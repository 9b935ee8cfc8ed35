/**
 * What POST /run is compared with: a Fastify route as its users write one, which parses the same body, validates it with the same zod
 * schema, logs the same three lines with pino and answers JSON of the same size; and an empty POST. A process of its own.
 */
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { pino } from "pino";
import { RunRequest } from "../../service/schemas/run.ts";

/** As large as the answer of a run of W10. */
const ANSWER = { ok: true, text: "x".repeat(515) };
const CHECKSUM = `sha256:${"0".repeat(64)}`;
const USAGE = { steps: 10, depth: 1, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };
const LIMITS = { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 };

/** Serves until it is killed; writes its port into a file. */
export async function servePeer(portFile: string): Promise<void> {
  const empty = fastify({ logger: false });
  empty.post("/", async () => ANSWER);
  empty.get("/cpu", async () => {
    const { user, system } = process.cpuUsage();
    return { cpu_ms: (user + system) / 1000 };
  });

  const stream = pino.destination({ dest: 1, sync: false, minLength: 4096 });
  const app = fastify({ logger: { stream }, disableRequestLogging: true }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.post("/route", { schema: { body: RunRequest } }, async ({ log, id }) => {
    log.info({
      event: "run_start",
      trace_id: id,
      schema_version: "1",
      limits_summary: LIMITS,
      policy_present: false,
      label: "L1",
      ir_checksum: CHECKSUM,
      source_sha256: CHECKSUM,
      allowed_adapters: null,
      replay: false,
    });
    const figures = { duration_ms: 0.123, steps: 10, adapter_calls: 0, usage: USAGE };
    log.info({ event: "run_complete", trace_id: id, schema_version: "1", label: "L1", ...figures });
    return ANSWER;
  });
  app.addHook("onResponse", async ({ log, id, method, routeOptions, raw }, reply) => {
    log.info({
      event: "http_request",
      trace_id: id,
      schema_version: "1",
      method,
      route: routeOptions.url,
      status: reply.statusCode,
      duration_ms: reply.elapsedTime,
      bytes_in: Number(raw.headers["content-length"]),
      bytes_out: Number(reply.getHeader("content-length")),
    });
  });
  await app.ready();
  await empty.listen({ host: "127.0.0.1", port: 0 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const portOf = (server: typeof app.server): number => (server.address() as AddressInfo).port;
  writeFileSync(portFile, JSON.stringify({ port: portOf(empty.server), route: portOf(app.server) }));
}
