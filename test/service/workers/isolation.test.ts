/**
 * WF_ISOLATION=worker: programs run in worker threads from their first step, with the same answers; a run waits for its thread within its
 * own bounds; and a job whose thread ends is interrupted. The threads are real.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { FLOOR_GRANT } from "../../../vm/grant/grant.ts";
import { Machine } from "../../../vm/machine/machine.ts";
import { listenerWarnings } from "../../support/listener-warnings.ts";
import { servingJobs } from "../jobs/serving-jobs.ts";
import { type Reply, type Serving, type ServingOptions, serving } from "../serving.ts";

const ISOLATED = { WF_ISOLATION: "worker", WF_WORKER_THREADS: "1" };
const HOLD = 'L1:\n  R ext.Hold "it" ->x\n  J x\n';
const GROW =
  "L1:\n  Set a []\n  Set b []\n  Set c []\n  While true ->L2 ->L3 limit=3000000\n" +
  "L2:\n  X a push a [1]\n  X b push b [1]\n  X c push c [1]\n  J 1\nL3:\n  J 1\n";

const services: { stop(): Promise<void> }[] = [];
const folder = mkdtempSync(join(tmpdir(), "weft-isolation-"));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const service of services.splice(0)) await service.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function started(options: ServingOptions = {}): Promise<Serving> {
  const service = await serving({ ...options, variables: { ...ISOLATED, ...options.variables } });
  services.push(service);
  return service;
}

/** An answer without what differs from run to run. */
function timeless({ trace_id: _id, duration_ms: _ms, adapter_p95_ms, stats: _stats, usage, ...body }: Reply["body"]) {
  const trace = body.trace?.map(({ start_ms: _start, duration_ms: _took, ...event }: Reply["body"]) => event);
  const calls = body.adapter_calls?.map(({ duration_ms: _took, ...call }: Reply["body"]) => call);
  const { record: _record, adapter_calls: _calls, ...rest } = body;
  return { ...rest, trace, calls, adapters: Object.keys(adapter_p95_ms), usage: { ...usage, time_ms: 0 } };
}

describe("a run with a thread of its own", () => {
  const calls = 'L1:\n  R ext.Echo [1, {"a": x}] ->y\n  R core.UUID ->id\n  R core.LEN id ->n\n  J [y, n]\n';
  const cases: readonly [string, object][] = [
    ["is answered alike", { code: calls, frame: { x: 7 } }],
    ["is traced alike", { code: 'L1:\n  R ext.Echo [1, {"a": x}] ->y\n  J y\n', frame: { x: 7 }, trace: true }],
    ["fails alike", { code: 'L1:\n  R ext.Fail "no" ->y\n  J y\n' }],
    ["breaks limits alike", { code: calls, frame: { x: 7 }, limits: { max_adapter_calls: 1 } }],
    [
      "replays alike",
      {
        code: calls,
        frame: { x: 7 },
        record_calls: true,
        replay_log: [
          { adapter: "ext", verb: "Echo", args: [[1, { a: 7 }]], result: "from the log" },
          { adapter: "core", verb: "UUID", args: [], result: "0123" },
        ],
      },
    ],
    ["finds the wrong replay alike", { code: calls, frame: { x: 7 }, replay_log: [] }],
  ];
  it.each(cases)("%s", async (_what, body) => {
    const executed = vi.spyOn(Machine.prototype, "start");
    const isolated = await started();
    const there = await isolated.run(body);
    expect(executed).not.toHaveBeenCalled();
    const plain = await started({ variables: { WF_ISOLATION: "thread" } });
    const here = await plain.run(body);
    expect({ ...there, body: timeless(there.body) }).toMatchObject({ status: here.status, body: timeless(here.body) });
    expect(isolated.made).toEqual(plain.made);
  });

  it("records its calls, and can be replayed", async () => {
    const service = await started();
    const { body } = await service.run({ code: calls, frame: { x: 7 }, record_calls: true });
    expect(body.record).toMatchObject({ complete: true, format: "weft-record" });
    const again = await service.run({ code: calls, frame: { x: 7 }, replay_log: body.record });
    expect(again.body).toMatchObject({ ok: true, out: body.out, replay: { remaining: 0 } });
    expect(service.made).toEqual(["Echo"]);
  });

  it("waits for a thread, and leaves the queue when it is cancelled or late", async () => {
    const service = await started();
    const first = service.run({ code: HOLD });
    const held = await service.held();
    const late = await service.run({ code: HOLD, limits: { max_time_ms: 50 } });
    expect(late.body).toMatchObject({ ok: false, error: "max_time_ms_exceeded", usage: { steps: 0 } });
    const second = service.run({ code: 'L1:\n  J "next"\n' });
    held.release("first");
    expect((await first).body.out).toBe("first");
    expect((await second).body.out).toBe("next");
    const third = service.run({ code: HOLD });
    await service.held();
    const waiting = service.run({ code: HOLD });
    await expect.poll(() => service.services.slots.inFlight).toBe(2);
    service.services.slots.cancelAll("enough");
    for (const { body } of await Promise.all([third, waiting])) expect(body).toMatchObject({ error: "cancelled" });
    expect(service.made).toEqual(["Hold", "Hold"]);
  });

  it("has its own heap: a run that needs more ends alone", async () => {
    const variables = { WF_WORKER_HEAP_MB: "32", WF_WORKER_THREADS: "2" };
    const service = await started({ variables, floor: { ...FLOOR_GRANT, limits: {} } });
    const other = service.run({ code: HOLD });
    const held = await service.held();
    const { status, body } = await service.run({ code: GROW });
    expect({ status, error: body.error }).toEqual({ status: 500, error: "internal_error" });
    expect(await service.logged("worker_killed")).toMatchObject({ reason: "heap_limit" });
    held.release("unharmed");
    expect((await other).body.out).toBe("unharmed");
  });
});

describe("a job", () => {
  it("whose thread ends is interrupted", async () => {
    const program = join(folder, "ends.mjs");
    const lines = [
      'import { parentPort } from "node:worker_threads";',
      'parentPort.on("message", () => process.exit(1));',
      'parentPort.postMessage("ready");',
    ];
    writeFileSync(program, lines.join("\n"));
    const service = await servingJobs({ variables: ISOLATED, moving: { program } });
    services.push(service);
    const { body } = await service.call("POST", "/enqueue", { code: "L1:\n  J 1\n" });
    const { body: job } = await service.call("GET", `/result/${body.job_id}?wait=20`);
    expect(job).toMatchObject({ status: "interrupted", result: { ok: false, error: "interrupted" } });
    expect(await service.logged("job_interrupted")).toMatchObject({ job_id: body.job_id });
  });

  it("whose thread does not answer is abandoned when it is cancelled, and reports its last usage", async () => {
    const program = join(folder, "silent.mjs");
    const lines = [
      'import { parentPort } from "node:worker_threads";',
      'parentPort.on("message", () => {});',
      'parentPort.postMessage("ready");',
    ];
    writeFileSync(program, lines.join("\n"));
    const service = await servingJobs({ variables: ISOLATED, moving: { program }, times: { hardStopMs: 50 } });
    services.push(service);
    const id = await service.queued({ code: "L1:\n  J 1\n", limits: { max_steps: 7 } });
    await service.until(id, "running");
    expect((await service.call("DELETE", `/result/${id}`)).status).toBe(202);
    const { body: job } = await service.over(id);
    expect(job).toMatchObject({
      status: "cancelled",
      result: { ok: false, error: "cancelled", limits: { max_steps: 7 }, usage: { steps: 0, adapter_calls: 0 } },
    });
  });
});

describe("many threads that start at once", () => {
  it("add no listener each to the process that starts them (D2.Q-8)", async () => {
    const before = process.listenerCount("exit");
    const warnings = await listenerWarnings(async () => {
      const service = await started({ variables: { WF_WORKER_THREADS: "12" } });
      const runs = Array.from({ length: 24 }, (_, n) => service.call("POST", "/run", { code: `L1:\n  J ${n}\n` }));
      for (const { status } of await Promise.all(runs)) expect([200, 503]).toContain(status);
      expect(process.listenerCount("exit") - before).toBeLessThanOrEqual(1);
    });
    expect(warnings).toEqual([]);
  });
});
