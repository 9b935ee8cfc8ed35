/**
 * A durable run that loses its process continues as if it had not: generated programs, cut after every record, resumed from the entry and from
 * every snapshot. WEFT_SEED chooses other programs; a failure prints its seed.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import { type MemoryJournal, memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord } from "../../../vm/durable/records.ts";
import { createHost } from "../../../vm/host.ts";
import type { Outcome } from "../../../vm/run.ts";
import { answeredBy, type Ends, facts, nameOf, still } from "../../support/answered-calls.ts";
import { comparable, executor } from "../../support/executors.ts";
import { FRAME_CEILING, type GeneratedRun, runs } from "../../support/generators.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20281);

const timeless = runs.map(
  ({ limits: { max_time_ms: _time, ...limits }, ...run }): GeneratedRun => ({ ...run, limits }),
);

/** The first run of a call decides its answer; later ones get the same. */
function world(ends: Ends, made: string[]): ReadonlyMap<string, Adapter> {
  return answeredBy(async (context, make) => {
    const name = nameOf(context);
    made.push(name);
    const known = ends.get(name);
    if (known !== undefined && "thrown" in known) throw known.thrown;
    if (known !== undefined) return known.value;
    try {
      const value = await make();
      ends.set(name, { value });
      return value;
    } catch (thrown) {
      ends.set(name, { thrown });
      throw thrown;
    }
  });
}

const SNAPSHOTS = { steps: 40, records: 2, activeMs: Number.POSITIVE_INFINITY, maxBytes: 1_000_000 };

function durable(
  ir: Ir,
  run: GeneratedRun,
  journal: MemoryJournal,
  adapters: ReadonlyMap<string, Adapter>,
  quantum = 10_000,
): Promise<DurableEnd> {
  const host = createHost({
    clock: still,
    facts,
    catalog: testCatalog,
    adapters,
    traceId: () => "reference",
    frameCeilingBytes: FRAME_CEILING,
    quantum,
  });
  const { frame, limits, allowedAdapters } = run;
  return host.durable({ ir, frame, limits, allowedAdapters, finalFrame: true, journal, snapshots: SNAPSHOTS }).result;
}

async function outcome(end: Promise<DurableEnd>): Promise<string> {
  const settled = await end;
  if (settled.state !== "ended") throw new Error(`the run did not end: ${JSON.stringify(settled)}`);
  return comparable(settled.answer as Outcome);
}

const irOf = (run: GeneratedRun): Ir => compileForTest(run.source, false, Object.keys(run.frame));
const isWait = (text: string): boolean => (JSON.parse(text) as JournalRecord).kind === "backoff";

describe("a durable run whose process ends", () => {
  it("ends as it would have, after a cut after every record and from every snapshot", {
    timeout: 240_000,
  }, async () => {
    let cuts = 0;
    let restored = 0;
    await fc.assert(
      fc.asyncProperty(timeless, fc.constantFrom(7, 50, 10_000), async (run, quantum) => {
        const ir = irOf(run);
        const ends: Ends = new Map();
        const whole: string[] = [];
        const journal = memoryJournal();
        const expected = await outcome(durable(ir, run, journal, world(ends, whole), quantum));
        const reference = await executor("reference", testCatalog)(ir, {
          ...run,
          adapters: world(ends, []),
          clock: still,
          facts,
          finalFrame: true,
          frameCeilingBytes: FRAME_CEILING,
        });
        expect(expected, run.source).toBe(comparable(reference));
        for (let records = 1; records <= journal.records.length; records++) {
          if (isWait(journal.records[records - 1] ?? "")) continue;
          const kept = journal.records.slice(0, records);
          const fitting = journal.snapshots.filter((text) => (JSON.parse(text) as { seq: number }).seq <= records);
          for (const snapshots of [[], ...fitting.map((one) => [one])]) {
            const made: string[] = [];
            const again = memoryJournal(kept, snapshots);
            expect(await outcome(durable(ir, run, again, world(ends, made), quantum)), run.source).toBe(expected);
            // What the journal has is not made again, and everything after it is, in order.
            expect(made, run.source).toEqual(whole.slice(whole.length - made.length));
            cuts += 1;
            restored += snapshots.length;
          }
        }
      }),
      { seed: SEED, numRuns: 250 },
    );
    expect(cuts).toBeGreaterThan(200);
    expect(restored).toBeGreaterThan(20);
  });

  it("diverges when the journal is of another program, and makes no call", async () => {
    const source = 'L1:\n  R ext.ECHO "a" ->x\n  R ext.ECHO x ->y\n  J y\n';
    const run: GeneratedRun = { source, frame: {}, limits: {}, allowedAdapters: null };
    const journal = memoryJournal();
    await outcome(durable(irOf(run), run, journal, world(new Map(), [])));
    for (const other of [source.replace('"a"', '"b"'), source.replace("ECHO x", "RUN x"), "L1:\n  J 1\n"]) {
      const made: string[] = [];
      const changed = { ...run, source: other };
      const end = await durable(irOf(changed), changed, memoryJournal(journal.records), world(new Map(), made));
      expect(end.state, other).toBe("diverged");
      expect(made).toEqual([]);
    }
  });

  it("continues with an older snapshot, or from the entry, when one cannot be used", async () => {
    const source =
      "L1:\n  Set n 0\n  Loop [1, 2, 3, 4, 5, 6] i ->L2 ->L3\nL2:\n  R ext.ECHO i ->v\n  X n add n v\nL3:\n  J n\n";
    const run: GeneratedRun = { source, frame: {}, limits: {}, allowedAdapters: null };
    const journal = memoryJournal();
    const ends: Ends = new Map();
    const expected = await outcome(durable(irOf(run), run, journal, world(ends, [])));
    const [newest = "{}"] = journal.snapshots;
    const good = JSON.parse(newest) as Record<string, unknown>;
    for (const bad of [
      null,
      { ...good, crc: "0" },
      { ...good, layout: "0" },
      { ...good, semantics: 99 },
      { ...good, seq: 1000 },
      { ...good, version: 2 },
    ]) {
      const again = memoryJournal(journal.records.slice(0, 4), [JSON.stringify(bad)]);
      expect(await outcome(durable(irOf(run), run, again, world(ends, [])))).toBe(expected);
    }
  });
});
