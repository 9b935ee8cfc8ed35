/**
 * Long runs in worker threads: the service stays responsive, calls are made where the adapters are, and cancellation, deadline and
 * the end of a thread are answered. The threads are real; what must not stop is a program of the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { RunThreads } from "../../../service/workers/run-threads.ts";
import { FLOOR_GRANT } from "../../../vm/grant/grant.ts";
import { exchange, opened, type Reply, type Serving, type ServingOptions, serving } from "../serving.ts";

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
  vi.restoreAllMocks();
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A service whose one worker thread is there, unless `variables` want none. */
async function started({ variables = {}, ...more }: ServingOptions = {}): Promise<Serving> {
  const all = { WF_WORKER_THREADS: "1", ...variables };
  const service = await serving({ floor: WIDE, moving: { afterSteps: 100_000 }, ...more, variables: all });
  services.push(service);
  if (all.WF_WORKER_THREADS === "1") await threadOf(service);
  return service;
}

async function threadOf({ services: { workers } }: Serving): Promise<void> {
  await until(() => workers.live === 1);
}

/** A run has been moved. */
async function movedIn({ services: { workers } }: Serving): Promise<void> {
  await until(() => workers.busy === 1);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** A thread whose program does `act` when a run comes, and says nothing of it. */
function deaf(act: string): string {
  const path = join(folder, `${act.length}.mjs`);
  const lines = [
    'import { parentPort } from "node:worker_threads";',
    `parentPort.on("message", () => { ${act} });`,
    'parentPort.postMessage("ready");',
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

describe("a long run", () => {
  it("continues in a worker thread, and the service answers meanwhile", async () => {
    const service = await started();
    let over = false;
    const run = service.run({ code: counting(30_000_000) }).finally(() => {
      over = true;
    });
    await movedIn(service);
    expect((await service.call("GET", "/metrics")).body).toMatchObject({ workers: 1, workers_busy: 1 });
    for (let polls = 0; polls < 5; polls++) expect((await exchange(service.port, "GET", "/health")).status).toBe(200);
    // Answered before the run was over, and not after it.
    expect(over).toBe(false);
    const { body } = await run;
    expect(body).toMatchObject({ ok: true, out: 30_000_000, usage: { steps: 60_000_003 } });
    expect((await service.call("GET", "/ready")).body).toMatchObject({ status: "ready", workers: 1 });
    expect((await service.call("GET", "/metrics?format=prometheus")).text).toMatch(/^wf_workers_busy 0$/m);
  });

  it.each([
    ["a result", 1, counting(100_000), {}],
    ["a failure", 1, counting(100_000, "  X bad div n 0\n  J bad\n"), {}],
    ["steps", 1, ENDLESS, { limits: { max_steps: 200_001 } }],
    ["calls", 1, counting(20_000, '  R ext.Echo n ->x\n  R ext.Fail "no" ->y\n  Retry 2\n  J x\n'), {}],
    ["an environment", 1, counting(100_000, '  R core.ENV "TOWN" ->x\n  J x\n'), {}],
    ["a trace, which stays", 0, counting(3000), { trace: true, limits: { max_steps: 4000 } }],
    ["a record, which stays", 0, counting(100_000, "  R ext.Echo n ->x\n  J x\n"), { record_calls: true }],
  ] as const)("answers as on the thread of the server: %s", async (_what, moves, code, more) => {
    const taken = vi.spyOn(RunThreads.prototype, "take");
    const answers: unknown[] = [];
    for (const WF_WORKER_THREADS of ["0", "1"]) {
      const variables = { WF_WORKER_THREADS, WF_EXPOSE_ENV: "TOWN", TOWN: "Lund" };
      const service = await started({ variables, moving: { afterSteps: 10_000 } });
      const { status, body } = await service.run({ code, ...more });
      const calls = service.log.filter(({ event }) => event === "adapter_call");
      answers.push({
        status,
        body: timeless(body),
        made: service.made,
        calls: calls.map(({ ts: _ts, duration_ms: _ms, trace_id: _id, request_id: _request, ...call }) => call),
      });
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(taken.mock.results.filter(({ value }) => value !== null)).toHaveLength(moves);
  });

  it("makes its calls on the main thread, and cancels them when it is cancelled", async () => {
    const service = await started();
    const code = counting(100_000, '  R ext.Hold "first" ->x\n  R ext.Hold "second" ->y\n  J [x, y]\n');
    const run = opened(service.port, "POST", "/run", { "content-type": "application/json" });
    run.on("error", () => {});
    run.end(JSON.stringify({ code }));
    const first = await service.held();
    expect(service.services.workers.busy).toBe(1);
    first.release(1);
    const second = await service.held();
    expect(second.name).toBe("second");
    const aborted = new Promise((resolve) => second.signal.addEventListener("abort", resolve));
    run.destroy();
    await aborted;
    expect(await service.logged("run_failed")).toMatchObject({ error: "cancelled" });
    await until(() => service.services.workers.busy === 0);
  });

  it("is cancelled between two slices when its caller goes away", async () => {
    const service = await started();
    const run = opened(service.port, "POST", "/run", { "content-type": "application/json" });
    run.on("error", () => {});
    run.end(JSON.stringify({ code: ENDLESS }));
    await movedIn(service);
    run.destroy();
    expect(await service.logged("run_failed")).toMatchObject({ error: "cancelled" });
    await threadOf(service);
    expect((await service.run({ code: counting(100_000) })).body.out).toBe(100_000);
  });

  it("ends at its deadline", async () => {
    const service = await started();
    // Where much else has to be done a deadline may come before the run was moved: then it gets more time.
    for (let steps = 0, max_time_ms = 300; steps <= 100_000; max_time_ms *= 2) {
      const { status, body } = await service.run({ code: ENDLESS, limits: { max_time_ms } });
      expect({ status, error: body.error }).toEqual({ status: 200, error: "max_time_ms_exceeded" });
      steps = body.usage.steps;
    }
  });

  it("is cancelled when the service stops", async () => {
    const service = await started({ variables: { WF_DRAIN_MS: "0" } });
    const run = service.run({ code: ENDLESS });
    await movedIn(service);
    await service.drain();
    expect((await run).body).toMatchObject({ ok: false, error: "cancelled" });
  });
});

describe("a worker thread", () => {
  it.each([
    ["does not let go", "for (;;);"],
    ["says nothing", "parentPort"],
  ])("that %s is ended and replaced after the deadline of its run", async (_what, act) => {
    const service = await started({ moving: { afterSteps: 1000, program: deaf(act) } });
    let limit = 200;
    const run = () => service.run({ code: ENDLESS, limits: { max_time_ms: limit } });
    let { status, body } = await run();
    // A run that ended in a label ended here: its deadline came before it was moved, and it gets more time.
    while (body.error_structured.label !== null) {
      limit *= 2;
      ({ status, body } = await run());
    }
    expect(status).toBe(200);
    expect(body).toMatchObject({
      error: "max_time_ms_exceeded",
      error_structured: { code: "RUNTIME_MAX_TIME", label: null, data: { limit, source: "request" } },
    });
    // A timer may come a millisecond early by the clock of runs.
    expect(body.usage.time_ms).toBeGreaterThanOrEqual(limit + 248);
    expect(await service.logged("worker_killed")).toMatchObject({ level: "warn", reason: "deadline" });
    await threadOf(service);
  });

  it("that does not stop is killed after its run was cancelled", async () => {
    const service = await started({ moving: { afterSteps: 1000, program: deaf("for (;;);") } });
    const run = service.run({ code: ENDLESS });
    await movedIn(service);
    service.services.slots.cancelAll("enough");
    expect((await run).body).toMatchObject({ error: "cancelled", error_structured: { data: { reason: "enough" } } });
    expect(await service.logged("worker_killed")).toMatchObject({ reason: "cancelled" });
  });

  it("that ends by itself leaves its run without an answer but 500, and is replaced", async () => {
    const service = await started({ moving: { afterSteps: 1000, program: deaf("process.exit(1)") } });
    const { status, body } = await service.run({ code: ENDLESS });
    expect({ status, error: body.error }).toEqual({ status: 500, error: "internal_error" });
    expect(await service.logged("worker_killed")).toMatchObject({ reason: "crashed" });
    await threadOf(service);
  });

  it("that cannot be started makes the service degraded; runs end where they began", async () => {
    const variables = { WF_WORKER_THREADS: "1" };
    const moving = { afterSteps: 1000, program: join(folder, "missing.mjs") };
    const service = await serving({ floor: WIDE, variables, moving });
    services.push(service);
    await service.logged("worker_killed");
    await service.services.readiness.check();
    const { status, body } = await service.call("GET", "/ready");
    expect(status).toBe(503);
    expect(body).toEqual({ status: "degraded", reason: "no worker thread is alive" });
    expect((await service.run({ code: counting(10_000) })).body.out).toBe(10_000);
  });

  it("is not reused when its heap is used up", async () => {
    const once = 'if (globalThis.used) process.exit(1); globalThis.used = true; parentPort.postMessage("worn");';
    const program = deaf(`${once} parentPort.postMessage({ kind: "refused" })`);
    const service = await started({ moving: { afterSteps: 1000, program } });
    for (const run of [1, 2, 3]) {
      expect((await service.run({ code: counting(10_000) })).body, `run ${run}`).toMatchObject({ out: 10_000 });
      await threadOf(service);
    }
    expect(service.log.filter(({ event }) => event === "worker_killed")).toEqual([]);
  });

  it("has a heap of its own", async () => {
    const service = await started({ variables: { WF_WORKER_HEAP_MB: "32" }, moving: { afterSteps: 1000 } });
    const grow = `L1:\n  Set all []\n  While true ->L2 ->L3 limit=${BILLION}\nL2:\n  X all push all [1, 2, 3]\n  J 1\nL3:\n  J 1\n`;
    const { status, body } = await service.run({ code: grow });
    expect({ status, error: body.error }).toEqual({ status: 500, error: "internal_error" });
    expect(await service.logged("worker_killed")).toMatchObject({ reason: "heap_limit" });
    await threadOf(service);
    expect((await service.run({ code: counting(10_000) })).body.out).toBe(10_000);
  });
});

/** An answer without what differs from run to run. */
function timeless({ trace_id: _id, duration_ms: _ms, adapter_p95_ms, stats: _stats, usage, ...body }: Reply["body"]) {
  const trace = body.trace?.map(({ start_ms: _start, duration_ms: _took, ...event }: Reply["body"]) => event);
  const record = body.record === undefined ? {} : { record: null, adapter_calls: body.adapter_calls.length };
  return { ...body, ...record, trace, adapters: Object.keys(adapter_p95_ms), usage: { ...usage, time_ms: 0 } };
}
