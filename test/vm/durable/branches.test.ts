/**
 * Branches of a durable run: they run, wait and continue at the same time, each with its own records, whatever the moment at which the process
 * ends. WEFT_SEED chooses other programs.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, CallContext } from "../../../vm/adapter.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import type { OnUnknown } from "../../../vm/durable/call-options.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord, RecordBody, RunJournal, WokenWait } from "../../../vm/durable/records.ts";
import { RUNTIME_CODES } from "../../../vm/errors/error-codes.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { createHost } from "../../../vm/host.ts";
import type { Limits, Outcome } from "../../../vm/run.ts";
import { facts, still } from "../../support/answered-calls.ts";
import { comparable } from "../../support/executors.ts";
import { apartRuns, FRAME_CEILING, type GeneratedRun } from "../../support/generators.ts";
import { mockAdapters } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const SEED = Number(process.env["WEFT_SEED"] ?? 20301);

/** A store in memory: `arrived` has the data of signals by name; one is given to the wait for it, once. */
function store(kept: readonly JournalRecord[] = [], arrived: ReadonlyMap<string, Json> = new Map()) {
  const records = [...kept];
  const add = (body: RecordBody): number => {
    const seq = records.length + 1;
    records.push({ ...body, seq, at: 1, active_ms: 0, branch: "" } as JournalRecord);
    return seq;
  };
  const append = (some: readonly JournalRecord[]): void => {
    for (const record of some) if (record.seq > records.length) records.push(record);
  };
  const asked: boolean[] = [];
  const journal: RunJournal = {
    load: async () => ({ records: structuredClone(records) }),
    async append(some) {
      append(some);
      return "kept";
    },
    async park(some, waits, isWhole) {
      append(some);
      asked.push(isWhole);
      const woken = waits.flatMap(({ wait, spec }): WokenWait[] => {
        const [name = ""] = spec.kind === "signal" ? spec.names : [];
        const result = arrived.get(name);
        return result === undefined ? [] : [{ wait, seq: add({ kind: "woken", wait, why: "signal", result }), result }];
      });
      if (woken.length > 0) return { state: "woken", woken };
      return { state: isWhole ? "parked" : "waits" };
    },
    keep: () => {},
  };
  return { journal, records, asked, add };
}

const PROGRAM = [
  "# frame: xs: list",
  "L1:",
  '  R ext.READ "first" ->a',
  "  Each ys xs x ->L_in limit=64",
  "  R ext.READ ys ->b",
  "  J b",
  "L_in:",
  "  R ext.READ x ->v",
  "  R ext.WAIT v ->s",
  "  R write.DO s ->w",
  "  J w",
  "",
].join("\n");

type Run = {
  readonly made?: string[];
  readonly onUnknown?: OnUnknown;
  readonly limits?: Limits;
  readonly source?: string;
  /** Called when a call is made, with the word for it; what it returns is waited for. */
  readonly when?: (word: string) => unknown;
};

function begun(journal: RunJournal, xs: readonly Json[], run: Run = {}) {
  const { made = [], onUnknown = "fail", limits = {}, source = PROGRAM, when = () => {} } = run;
  const answer =
    (verb: string) =>
    async ([first = null]: readonly Json[], context: CallContext): Promise<Json> => {
      if (verb === "WAIT")
        return (await context.run.wait?.({ kind: "signal", names: [`go-${first}`], key: null, until: null })) ?? null;
      const word = `${verb} ${JSON.stringify(first)}`;
      made.push(word);
      await when(word);
      return first;
    };
  const adapter = (name: string, repeatable: boolean): Adapter =>
    plainAdapter(name, {}, { repeatable, concurrent: true, fallback: (verb) => answer(verb) });
  const adapters = new Map([
    ["ext", adapter("ext", true)],
    ["write", adapter("write", false)],
  ]);
  const host = createHost({ clock: still, facts, catalog: testCatalog, adapters, traceId: () => "branches" });
  const ir = compileForTest(source, false, ["xs"]);
  return host.durable({ ir, frame: { xs: [...xs] }, limits, journal, onUnknown: () => onUnknown });
}

type Ended = { readonly usage: object; readonly out?: Json; readonly code?: string };

const ended = (end: DurableEnd): Ended => {
  if (end.state !== "ended") throw new Error(`the run is ${end.state}`);
  const { time_ms: _time, ...usage } = end.answer.usage;
  return { usage, ...(end.answer.ok ? { out: end.answer.out } : { code: end.answer.error.code }) };
};
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
const signals = (xs: readonly number[]) => new Map(xs.map((x): [string, Json] => [`go-${x}`, x * 10]));
const uninterrupted = async (xs: readonly number[]) => {
  const made: string[] = [];
  const { journal, records } = store([], signals(xs));
  return { end: ended(await begun(journal, xs, { made }).result), made, records };
};

describe("branches of a durable run that all wait", () => {
  it("park as a whole, and continue one by one in any order, without making a call again", async () => {
    const xs = range(20);
    const whole = await uninterrupted(xs);
    const made: string[] = [];
    let kept: readonly JournalRecord[] = [];
    const first = await begun(store().journal, xs).result;
    expect(first.state === "parked" && first.waits.length).toBe(20);
    for (const x of [0, ...xs.toSorted((a, b) => ((a * 7) % 20) - ((b * 7) % 20))]) {
      const arrived = signals(x === 0 ? [] : [x]);
      const { journal, records, add } = store(kept, new Map());
      // As a store does that wakes the job.
      const wait = kept.find((record) => record.kind === "wait" && record.branch.endsWith(`#${x - 1}`));
      if (wait?.kind === "wait")
        add({ kind: "woken", wait: wait.wait, why: "signal", result: arrived.get(`go-${x}`) ?? null });
      const end = await begun(journal, xs, { made }).result;
      kept = records;
      if (end.state !== "parked") {
        expect(ended(end)).toEqual(whole.end);
        continue;
      }
      const over = records.filter(({ kind }) => kind === "woken").length;
      expect(end.waits).toHaveLength(20 - over);
      const shown = end.waits.map(({ place }) => JSON.parse(place).branch);
      expect(new Set(shown).size).toBe(20 - over);
    }
    expect(made.toSorted()).toEqual(whole.made.toSorted());
    expect(kept.filter(({ kind }) => kind === "woken")).toHaveLength(20);
  });

  it("continue after a cut after every record, and end the same", async () => {
    const xs = range(5);
    const whole = await uninterrupted(xs);
    for (let cut = 0; cut <= whole.records.length; cut++) {
      const kept = whole.records.slice(0, cut);
      const known = new Set(kept.flatMap((record) => (record.kind === "woken" ? [record.wait] : [])));
      const waits = kept.flatMap((record) =>
        record.kind === "wait" && known.has(record.wait) && record.spec.kind === "signal" ? record.spec.names : [],
      );
      const arrived = new Map([...signals(xs)].filter(([name]) => !waits.includes(name)));
      const made: string[] = [];
      const { journal, records } = store(kept, arrived);
      const end = await begun(journal, xs, { made, onUnknown: "retry" }).result;
      expect(ended(end), `after ${cut}`).toEqual(whole.end);
      const answered = kept.filter((record) => record.kind === "call").length;
      expect(made, `after ${cut}`).toHaveLength(whole.made.length - answered);
      expect(records.map(({ seq }) => seq)).toEqual(range(records.length));
    }
  });

  it("are given what comes while others run, and hold nothing up", async () => {
    const arrived = new Map<string, Json>();
    const { journal, asked } = store([], arrived);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const made: string[] = [];
    const source = PROGRAM.replace("  R ext.WAIT v ->s\n", "  If v < 3 ->L_wait ->L_work\n").replace(
      "  R write.DO s ->w\n  J w\n",
      "L_wait:\n  R ext.WAIT v ->s\n  R write.DO s ->w\n  J w\nL_work:\n  R ext.LONG v ->w\n  J w\n",
    );
    const when = (word: string) => {
      if (word === "LONG 3") {
        arrived.set("go-1", 10);
        return held;
      }
      if (word === "DO 10") {
        arrived.set("go-2", 20);
        release();
      }
      return undefined;
    };
    const end = await begun(journal, [1, 2, 3], { made, source, when }).result;
    expect(ended(end).out).toEqual([10, 20, 3]);
    expect(asked[0]).toBe(false);
    expect(made.indexOf("DO 10")).toBeLessThan(made.indexOf("DO 20"));
  });
});

describe("branches of a durable run that continues", () => {
  it("make nothing when the journal is of another program", async () => {
    const { records } = await uninterrupted([1, 2, 3]);
    const upTo = records.findIndex((record) => record.kind === "woken");
    for (const changed of [
      PROGRAM.replace("R ext.READ x ->v", "R ext.OTHER x ->v"),
      PROGRAM.replace("  R ext.READ x ->v\n", "  X v add x 0\n"),
      PROGRAM.replace("  Each ys", "  X zs len xs\n  R ext.NEW zs ->z\n  Each ys"),
    ]) {
      const made: string[] = [];
      const { journal } = store(records.slice(0, upTo), signals([1, 2, 3]));
      const end = await begun(journal, [1, 2, 3], { made, source: changed }).result;
      expect(end.state, changed).toBe("diverged");
      expect(made, changed).toEqual([]);
    }
    // A branch of which nothing is known, while another one has records that do not fit.
    const made: string[] = [];
    const some = records.slice(0, upTo).filter(({ branch }) => !branch.endsWith("#0"));
    const { journal } = store(
      some.map((record, at) => ({
        ...record,
        seq: at + 1,
        ...(record.branch.endsWith("#2") ? { label: "other" } : {}),
      })) as readonly JournalRecord[],
    );
    const end = await begun(journal, [1, 2, 3], { made }).result;
    expect(end.state).toBe("diverged");
    expect(made).toEqual([]);
  });

  it("ask a person about each call of unknown outcome, while others continue", async () => {
    const xs = [1, 2, 3];
    const { records } = await uninterrupted(xs);
    // The process ended when two writes were under way, and the third branch had its signal.
    const intents = records.filter(({ kind }) => kind === "intent").slice(0, 2);
    const made: string[] = [];
    const { journal } = store(records.slice(0, intents[1]?.seq));
    const end = await begun(journal, xs, { made, onUnknown: "ask" }).result;
    if (end.state !== "parked") throw new Error(end.state);
    expect(end.waits.map(({ spec }) => spec)).toEqual(
      intents.map(({ seq }) => ({ kind: "outcome", of: seq, until: null })),
    );
    expect(made).toEqual(["DO 30"]);
  });

  it("stop with the calls that are under way, and not before", async () => {
    const { journal, records } = store([], signals([1, 2, 3]));
    const made: string[] = [];
    let answer = (): void => {};
    const run = begun(journal, [1, 2, 3], {
      made,
      when: (word) => (word === "DO 10" ? new Promise<void>((resolve) => (answer = resolve)) : undefined),
    });
    await expect.poll(() => made.includes("DO 10")).toBe(true);
    run.stop();
    answer();
    expect(await run.result).toEqual({ state: "left", why: "stopped" });
    const intents = records.filter(({ kind }) => kind === "intent").length;
    const writes = records.filter((record) => record.kind === "call" && record.adapter === "write").length;
    expect(writes).toBe(intents);
  });

  it("never exceed the calls that the run may make, cut or not", async () => {
    const xs = range(4);
    const limits = { max_adapter_calls: 9 };
    const { journal, records } = store([], signals(xs));
    const whole = ended(await begun(journal, xs, { limits }).result);
    expect(whole).toMatchObject({ code: "RUNTIME_MAX_ADAPTER_CALLS", usage: { adapter_calls: 9 } });
    for (let cut = 1; cut < records.length; cut++) {
      const again = store(records.slice(0, cut), signals(xs));
      const end = ended(await begun(again.journal, xs, { limits, onUnknown: "retry" }).result);
      expect(end, `after ${cut}`).toMatchObject({ code: whole.code, usage: { adapter_calls: 9 } });
    }
  });

  /** Answers later than other branches ask, as the call says. */
  function apart(): Adapter {
    const later = async (answer: Json | Error, { callId }: CallContext): Promise<Json> => {
      let hash = 7;
      for (const character of callId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
      for (let turns = hash % 4; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return plainAdapter(
      "apart",
      {
        DO: (args, context) => later(args as Json, context),
        CALLID: (_args, context) => later([context.callId, context.attempt], context),
        FAIL: (_args, context) => later(new AdapterError("ADAPTER_FAILED", "no"), context),
      },
      { concurrent: true },
    );
  }

  function generated(ir: Ir, run: GeneratedRun, kept: readonly string[]) {
    const adapters = new Map([...mockAdapters(still), ["apart", apart()] as const]);
    const shared = { clock: still, facts, catalog: testCatalog, traceId: () => "t", frameCeilingBytes: FRAME_CEILING };
    const { frame, limits, allowedAdapters } = run;
    const journal = memoryJournal(kept);
    const request = { ir, frame, limits, allowedAdapters, finalFrame: true, journal };
    return { journal, result: createHost({ ...shared, adapters }).durable(request).result };
  }

  it("end as they would have, whatever the program", { timeout: 240_000 }, async () => {
    let cuts = 0;
    const timeless = apartRuns.map(({ limits: { max_time_ms: _time, ...limits }, ...run }) => ({ ...run, limits }));
    const shown = async (end: Promise<DurableEnd>): Promise<string> => {
      const settled = await end;
      if (settled.state !== "ended") throw new Error(`the run did not end: ${JSON.stringify(settled)}`);
      const outcome = settled.answer as Outcome;
      if (outcome.ok || RUNTIME_CODES[outcome.error.code].class === "ordinary") return comparable(outcome);
      // Another limit may be the first one to be reached, and figures differ then.
      return outcome.error.data["inside"] === undefined ? comparable(outcome) : "ended in a branch";
    };
    await fc.assert(
      fc.asyncProperty(timeless, async (run) => {
        const ir = compileForTest(run.source, false, Object.keys(run.frame));
        const { journal, result } = generated(ir, run, []);
        const expected = await shown(result);
        const step = Math.max(1, Math.floor(journal.records.length / 12));
        for (let kept = 1; kept <= journal.records.length; kept += step) {
          const again = generated(ir, run, journal.records.slice(0, kept));
          expect(await shown(again.result), `${run.source} after ${kept}`).toBe(expected);
          cuts += 1;
        }
      }),
      { seed: SEED, numRuns: 120 },
    );
    expect(cuts).toBeGreaterThan(200);
  });
});
