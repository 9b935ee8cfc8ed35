/** What a run keeps besides its variables, and what its answer holds besides its result: bounded for each run and for all together. */
import { describe, expect, it } from "vitest";
import type { RunAnswer } from "../../vm/host.ts";
import { Recorder } from "../../vm/recording/record.ts";
import { createTrace } from "../../vm/recording/trace.ts";
import { type Run, run, type World, world } from "../support/world.ts";

const MIB = 1024 * 1024;
const CALLS = `L1:
  X t "${"x".repeat(1000)}"
  X l range 0 100
  Loop l i ->L2 ->L3
L2:
  R core.CONCAT t i ->u
L3:
  J t
`;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

async function answer(more: Run, maxBytes: number, recordCopies = 2): Promise<RunAnswer> {
  return run(CALLS, { strict: false, ...more, answerBounds: { maxBytes, recordCopies } });
}

describe("an answer within its bytes", () => {
  it("has complete record and trace when they fit", async () => {
    const { record, trace, warnings } = await answer({ record: true, trace: true }, 10 * MIB);
    expect(record).toMatchObject({ complete: true });
    expect(record?.calls.length).toBe(100);
    expect(trace?.at(-1)).toMatchObject({ kind: "end", dropped: 0 });
    expect(warnings).toEqual([]);
  });

  it("cuts the record at its end, and says how many calls are missing", async () => {
    const { record, warnings } = await answer({ record: true }, 100_000);
    const kept = record?.calls.length ?? 0;
    expect(kept).toBeGreaterThan(10);
    expect(record).toMatchObject({ complete: false, dropped: 100 - kept });
    expect(record?.calls.map(({ seq }) => seq)).toEqual(Array.from({ length: kept }, (_, at) => at));
    expect(2 * bytes(record?.calls) + 1000).toBeLessThan(100_000);
    expect(warnings).toEqual([expect.stringMatching(/^record_cut: \d+ calls did not fit/)]);
  });

  it("cuts the trace in its middle, and says how many events are missing", async () => {
    const { trace, warnings } = await answer({ trace: true }, 50_000);
    expect(bytes(trace)).toBeLessThan(50_000);
    const end = trace?.at(-1);
    expect(end).toMatchObject({ kind: "end", dropped: (end?.["events"] as number) - (trace?.length ?? 0) + 1 });
    expect(trace?.[0]).toMatchObject({ seq: 0 });
    expect(trace?.at(-2)).toMatchObject({ seq: (end?.["events"] as number) - 1 });
    expect(warnings).toEqual([expect.stringMatching(/^trace_cut: \d+ events/)]);
  });

  it("bounds result, record and trace together", async () => {
    const { record, trace, ...rest } = await answer({ record: true, trace: true }, 150_000);
    expect(rest.ok && 2 * bytes(record?.calls) + bytes(trace) + bytes(rest.out)).toBeLessThan(152_000);
    expect(record?.calls.length).toBeGreaterThan(0);
    expect(trace?.length).toBeGreaterThan(0);
  });

  it("does not report events that the caller excluded", async () => {
    const { trace, warnings } = await answer({ trace: { max_events: 10 } }, 10 * MIB);
    expect(trace?.length).toBe(11);
    expect(warnings).toEqual([]);
  });
});

describe("records and traces of all runs", () => {
  const HOLD = `${CALLS.replace("  J t\n", "")}  R ext.Hold ->r\n  J 1\n`;

  function holding(framesTotalBytes: number) {
    const held: ((value: null) => void)[] = [];
    const place: World = world(
      { ext: { Hold: () => new Promise((resolve) => held.push(resolve)) } },
      { framesTotalBytes },
    );
    return { place, held };
  }

  it.each<[string, Run]>([
    ["records", { record: true }],
    ["traces", { trace: true }],
  ])("count together, and what does not fit is cut: %s", async (_what, more) => {
    const { place, held } = holding(4 * MIB);
    const answers: Promise<RunAnswer>[] = [];
    for (let count = 0; count < 40; count++) {
      answers.push(run(HOLD, { in: place, strict: false, ...more }));
      while (held.length <= count) await new Promise(setImmediate);
    }
    for (const release of held) release(null);
    const all = await Promise.all(answers);
    const kept = all.reduce((sum, { record, trace }) => sum + bytes(record?.calls ?? trace), 0);
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(kept).toBeGreaterThan(MIB / 4);
    expect(kept).toBeLessThan(2.5 * MIB);
    const isCut = ({ record, warnings }: RunAnswer) =>
      record?.dropped !== undefined && warnings.some((one) => one.startsWith("record_cut: "));
    if (more.record === true) expect(all.some(isCut)).toBe(true);
    const after = await run(CALLS, { in: place, strict: false, record: true });
    expect(after.record).toMatchObject({ complete: true });
  });
});

describe("a recorder that is full", () => {
  it("counts further calls without copying them", () => {
    const recorder = new Recorder(() => false, 300);
    const call = { adapter: "ext", verb: "a", pure: false, label: "1", node: "n1", attempt: 1 };
    recorder.begin({ ...call, args: ["x".repeat(400)] });
    recorder.end({ ok: true, result: null });
    const unread = new Proxy([], {
      get: () => {
        throw new Error("looked at");
      },
    });
    recorder.begin({ ...call, args: unread });
    recorder.end({ ok: true, result: null });
    expect(recorder.log("sha256:0", "1", true)).toMatchObject({ complete: false, dropped: 2, calls: [] });
  });
});

describe("a trace", () => {
  it("keeps its first and last events within its bytes", () => {
    const trace = createTrace({}, { maxBytes: 10_000 });
    for (let at = 0; at < 1000; at++) trace.push("step", { out: "x".repeat(100) });
    const events = trace.finish();
    expect(bytes(events)).toBeLessThan(10_500);
    expect(events[0]).toMatchObject({ seq: 0 });
    expect(events.at(-2)).toMatchObject({ seq: 999 });
    expect(events.at(-1)).toMatchObject({ events: 1000, dropped: 1000 - events.length + 1 });
  });
});

describe("the message of a failure that ends a run", () => {
  it("is cut where it is long, with a count of what is left out, and whole for handlers", async () => {
    const failed = await run(`def main():\n    raise ValueError("\u{1F600}a" * 1000000)\n`, { strict: false });
    const message = failed.ok ? "" : failed.error.message;
    expect(message.length).toBeLessThan(66_000);
    expect(message).toMatch(/^ValueError: \u{1F600}a.*a… \([0-9]+ more characters left out\)$/u);
    expect(message.isWellFormed()).toBe(true);
    const caught = `def main():\n    try:\n        raise ValueError("ab" * 1000000)\n    except ValueError as e:\n        return len(str(e))\n`;
    expect(await run(caught, { strict: false })).toMatchObject({ ok: true, out: 2_000_000 });
  });

  it("is whole up to 65,536 units", async () => {
    const failed = await run(`def main():\n    raise ValueError("a" * 65524)\n`, { strict: false });
    expect(failed).toMatchObject({ ok: false, error: { message: `ValueError: ${"a".repeat(65_524)}` } });
  });
});
