/**
 * Large batches over worker threads: the same answers as from the thread of the server alone, whatever becomes of the threads. The threads
 * are real; those that do not answer run a program of the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { FramesAway } from "../../../service/workers/frames-away.ts";
import { FLOOR_GRANT } from "../../../vm/grant/grant.ts";
import { opened, type Reply, replyOf, type Serving, serving } from "../serving.ts";

const NDJSON = { "content-type": "application/x-ndjson" };
const FLOOR = { ...FLOOR_GRANT, limits: { ...FLOOR_GRANT.limits, max_steps: 10_000_000 } };

/** Long enough for a few of them to be a large batch. */
const COUNTING = "  Set n 0\n  While (core.lt n 300) ->L_count ->L_done\nL_count:\n  X n add n 1\n  J n\nL_done:\n";
const program = (end: string): string => `# frame: a: any\nL1:\n${COUNTING}${end}`;
const LONG = program("  J a\n").replace("300", "3000");

const folder = mkdtempSync(join(tmpdir(), "weft-batch-threads-"));
const started: Serving[] = [];
let alone: Serving;
let threaded: Serving;

beforeAll(async () => {
  const variables = { WF_MAX_RESULT_BYTES: "4096" };
  alone = await serving({ floor: FLOOR, variables });
  threaded = await withThread({ ...variables });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const service of started.splice(0)) await service.stop();
});
afterAll(async () => {
  await alone.stop();
  await threaded.stop();
  rmSync(folder, { recursive: true });
});

async function withThread(variables: Record<string, string> = {}, act?: string): Promise<Serving> {
  const service = await serving({
    floor: FLOOR,
    variables: { WF_WORKER_THREADS: "1", ...variables },
    ...(act === undefined ? {} : { moving: { program: deaf(act) } }),
  });
  await until(() => service.services.workers.live === 1);
  return service;
}

/** A service of one test, whose thread does `act` when it is sent something. */
async function withDeafThread(act: string): Promise<Serving> {
  const service = await withThread({}, act);
  started.push(service);
  return service;
}

function deaf(act: string): string {
  const path = join(folder, `${act.length}.mjs`);
  const lines = [
    'import { parentPort } from "node:worker_threads";',
    `parentPort.on("message", (message) => { ${act} });`,
    'parentPort.postMessage("ready");',
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

const { run } = FramesAway.prototype;

/** Watches what is handed to threads: frames, and whether they came back. */
function watched() {
  const handed: { readonly frames: number; readonly back: Promise<number | null> }[] = [];
  vi.spyOn(FramesAway.prototype, "run").mockImplementation(function (this: FramesAway, place, frames, signal) {
    const ran = run.call(this, place, frames, signal);
    handed.push({ frames: frames.length, back: ran.then((end) => end?.durations.length ?? null) });
    return ran;
  });
  return handed;
}

const numbered = (count: number): object[] => Array.from({ length: count }, (_, a) => ({ a }));
const stream = (head: object, frames: readonly (object | string)[]): string =>
  [head, ...frames].map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

/** Line by line: a document has a bound for all its results. */
function batch(service: Serving, body: object): Promise<Reply> {
  return service.call("POST", "/batch", body, { accept: NDJSON["content-type"] });
}

function summaryOf({ text }: Reply) {
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
}

/** An answer without what differs from run to run; its lines in the order of their frames. */
function timeless({ text }: Reply): string[] {
  return text
    .replace(/"(?:duration_ms|time_ms|core)":[\d.]+/g, "")
    .replace(/"trace_id":"[^"]*"/g, "")
    .trimEnd()
    .split("\n")
    .sort((one, other) => indexOf(one) - indexOf(other));
}

/** The first line that is another, so that a failure can be read. */
function expectSame(one: Reply, other: Reply): void {
  const [lines, others] = [timeless(one), timeless(other)];
  const at = lines.findIndex((line, index) => line !== others[index]);
  expect(lines[at]).toBe(others[at]);
  expect(lines.length).toBe(others.length);
}

function indexOf(line: string): number {
  return Number(/^\{"index":(\d+)/.exec(line)?.[1] ?? Number.POSITIVE_INFINITY);
}

describe("frames in worker threads", () => {
  it.each([
    ["a result", program('  J {"a": a, "n": n}\n')],
    ["one of core, which is reported", program("  R core.EQ a a ->x\n  J x\n")],
    ["failures of some", program("  X x add a 1\n  J x\n")],
    ["failures that are caught", program("  X x add a 1\n  Err ->L_caught\n  J x\nL_caught:\n  J [_error, a]\n")],
    ["results that are too large", program(`  J [${Array(50).fill("a").join(", ")}]\n`)],
  ])("answer as on the thread of the server: %s", async (_what, code) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 40, maxLength: 60 }), async (values) => {
        const handed = watched();
        const all = [...values, 1, null, "x".repeat(100)];
        const frames = Array.from({ length: 1500 }, (_, at) => ({ a: all[at % all.length] }));
        const there = await batch(threaded, { code, frames });
        expectSame(there, await batch(alone, { code, frames }));
        expect(summaryOf(there).count).toBe(1500);
        expect(handed.length).toBeGreaterThan(0);
        expect(await handed[0]?.back).toBeGreaterThan(0);
      }),
      { numRuns: 2 },
    );
  });

  it("keep to limits of their own", async () => {
    const code =
      "# frame: a: number\nL1:\n  Set n 0\n  While (core.lt n a) ->L2 ->L3\nL2:\n  X n add n 1\n  J n\nL3:\n  J n\n";
    const frames = Array.from({ length: 1500 }, (_, at) => ({ a: at % 600 }));
    for (const limits of [{ max_steps: 900 }, { max_loop_iters: 500 }, { max_frame_bytes: 12 }]) {
      const handed = watched();
      const body = { code, frames, limits };
      const here = await batch(alone, body);
      expect(summaryOf(here).failed).toBeGreaterThan(0);
      expectSame(await batch(threaded, body), here);
      expect(handed.length).toBeGreaterThan(0);
    }
  });

  it("are counted and logged like those of the server", async () => {
    const code = program("  R core.EQ a 7 ->x\n  X y div 1 (int (not x))\n  J y\n");
    const before = (await threaded.call("GET", "/metrics")).body;
    const handed = watched();
    const reply = await batch(threaded, { code, frames: numbered(1500) });
    expect(handed.length).toBeGreaterThan(0);
    const lines = reply.text.trimEnd().split("\n").slice(0, -1);
    const steps = lines.reduce((sum, line) => sum + JSON.parse(line).usage.steps, 0);
    const body = summaryOf(reply);
    expect(body).toMatchObject({ count: 1500, succeeded: 1499, failed: 1 });
    const after = (await threaded.call("GET", "/metrics")).body;
    expect(after.runs_total - before.runs_total).toBe(1500);
    expect(after.runs_ok_total - before.runs_ok_total).toBe(1499);
    const calls = threaded.log.filter(({ event, trace_id }) => event === "adapter_call" && trace_id === body.trace_id);
    expect(calls.map(({ seq }) => seq)).toEqual(Array.from({ length: 1500 }, (_, at) => at + 1));
    expect(await threaded.logged("run_failed", ({ trace_id }) => trace_id === body.trace_id)).toMatchObject({
      usage: { steps },
    });
  });

  it.each(["completion", "input"])("stand among broken lines where they belong, in the order of %s", async (order) => {
    const lines = numbered(1500).map((frame, at) => (at % 100 === 50 ? "{broken" : frame));
    const text = stream({ code: program("  J a\n"), order }, lines);
    const handed = watched();
    const there = await threaded.call("POST", "/batch", text, NDJSON);
    expect(handed.length).toBeGreaterThan(0);
    expectSame(there, await alone.call("POST", "/batch", text, NDJSON));
    if (order === "completion") return;
    const indexes = there.text.trimEnd().split("\n").slice(0, -1).map(indexOf);
    expect(indexes).toEqual(lines.map((_, at) => at));
  });

  it.each([
    ["one that stops at the first failure", { on_error: "stop" }],
    ["one frame at a time", { concurrency: 1 }],
    ["one that calls the outside", { code: program("  R ext.Echo a ->x\n  J x\n") }],
    ["one that waits", { code: program("  R core.SLEEP 1 ->x\n  J x\n") }],
    ["recorded runs", { record_calls: true }],
  ])("are not used for %s", async (_what, asked) => {
    const handed = watched();
    const body = { code: program("  J a\n"), frames: numbered(300), ...asked };
    expect(summaryOf(await batch(threaded, body)).count).toBe(300);
    expect(handed).toEqual([]);
  });
});

describe("a worker thread with frames", () => {
  it("stops when the client goes away", async () => {
    const handed = watched();
    const request = opened(threaded.port, "POST", "/batch", NDJSON);
    request.on("error", () => undefined);
    request.write(`${stream({ code: LONG }, numbered(5000))}\n`);
    await until(() => handed.length > 0);
    request.destroy();
    await threaded.services.slots.idle();
    expect(threaded.services.workers).toMatchObject({ live: 1, busy: 0 });
    const back = await Promise.all(handed.map((one) => one.back));
    expect(back.reduce((sum: number, frames) => sum + (frames ?? 0), 0)).toBeLessThan(4000);
    expect((await batch(threaded, { code: program("  J a\n"), frames: numbered(10) })).status).toBe(200);
  });

  it.each([
    ["ends by itself", "process.exit(1);", {}, "crashed"],
    ["does not come back in time", "for (;;);", { max_time_ms: 2000 }, "deadline"],
  ])("that %s loses no frame: they are run again", async (_what, act, limits, reason) => {
    const service = await withDeafThread(act);
    const handed = watched();
    const body = { code: program("  J a\n"), frames: numbered(1500), limits };
    const reply = await batch(service, body);
    expect(await Promise.all(handed.map(({ back }) => back))).toEqual([null]);
    expectSame(reply, await batch(alone, body));
    expect(await service.logged("worker_killed")).toMatchObject({ reason });
  });

  it("that crashes in a frame loses no frame either", async () => {
    const service = await withDeafThread('parentPort.postMessage({ kind: "defect", message: "TypeError" });');
    const body = { code: program("  J a\n"), frames: numbered(1500) };
    const { body: answer } = await service.call("POST", "/batch", body);
    expect(answer).toMatchObject({ ok: true, count: 1500, succeeded: 1500 });
    expect(service.services.workers).toMatchObject({ live: 1, busy: 0 });
  });

  it("that is silent holds up ordered results only within a window", async () => {
    const service = await withDeafThread("void message;");
    const request = opened(service.port, "POST", "/batch", NDJSON);
    const reply = replyOf(request);
    const handed = watched();
    request.end(stream({ code: program("  J a\n"), order: "input" }, numbered(5000)));
    await until(() => handed.length > 0);
    const ran = async (): Promise<number> => (await service.call("GET", "/metrics")).body.runs_total;
    // Nothing moves any more once the window is full.
    for (let last = -1, now = await ran(); now !== last; now = await ran()) {
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    service.services.slots.cancelAll("enough");
    const lines = (await reply).text.trimEnd().split("\n");
    const summary = JSON.parse(lines.pop() ?? "");
    expect(summary).toMatchObject({ summary: true, ok: false, error: "cancelled" });
    expect(summary.count).toBeLessThan(5000);
    expect(summary.count - lines.length).toBeLessThanOrEqual(1024);
    expect(await service.logged("worker_killed")).toMatchObject({ reason: "cancelled" });
  });
});
