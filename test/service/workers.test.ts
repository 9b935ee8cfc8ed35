/**
 * Long runs in worker threads: the service stays quick beside them, calls are made where the adapters are, and cancellation, deadline and
 * the end of a thread are answered. The threads are real; what must not stop is a program of the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { FLOOR_GRANT } from "../../vm/grant/grant.ts";
import { exchange, opened, type Reply, type Serving, type ServingOptions, serving } from "./serving.ts";

const BILLION = 1_000_000_000;
const WIDE = { ...FLOOR_GRANT, limits: { ...FLOOR_GRANT.limits, max_steps: BILLION, max_adapter_calls: BILLION } };
const ENDLESS = `L1:\n  Set n 0\n  While true ->L2 ->L3 limit=${BILLION}\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n`;

/** Counts to `rounds` in three steps a round. */
function counting(rounds: number, then = "  J n\n"): string {
  return `L1:\n  Set n 0\n  While (core.lt n ${rounds}) ->L2 ->L3 limit=${BILLION}\nL2:\n  X n add n 1\n  J n\nL3:\n${then}`;
}

const services: Serving[] = [];
const folder = mkdtempSync(join(tmpdir(), "weft-workers-"));
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A service whose one worker thread is there. */
async function started(options: ServingOptions = {}): Promise<Serving> {
  const { variables = {}, ...more } = options;
  const service = await serving({ floor: WIDE, variables: { WF_WORKER_THREADS: "1", ...variables }, ...more });
  services.push(service);
  await threadOf(service);
  return service;
}

async function threadOf({ services: { workers } }: Serving): Promise<void> {
  while (workers.live === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** A thread that takes a run and never answers. */
function silentProgram(body: string): string {
  const path = join(folder, `silent-${Math.random()}.mjs`);
  const heads = 'import { parentPort } from "node:worker_threads";\n';
  writeFileSync(path, `${heads}parentPort.on("message", () => { ${body} });\nparentPort.postMessage("ready");\n`);
  return path;
}

describe("a long run", () => {
  it("goes on in a worker thread, and the service answers beside it", async () => {
    const service = await started();
    let over = false;
    const run = service.run({ code: counting(20_000_000) }).then((reply) => {
      over = true;
      return reply;
    });
    let slowest = 0;
    for (let polls = 0; !over || polls < 5; polls++) {
      const before = performance.now();
      expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - before);
    }
    const { body } = await run;
    expect(body).toMatchObject({ ok: true, out: 20_000_000 });
    expect(body.usage.steps).toBeGreaterThan(40_000_000);
    expect(slowest).toBeLessThan(1000);
  }, 60_000);
});
