/**
 * Journals that earlier versions wrote, in `journals/`: every later version continues them to the same end, with the same calls, as long as what
 * a program does is the same (`SEMANTICS`). `WEFT_JOURNALS=write` adds those that are missing and changes none that are there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { plainAdapter } from "../../../vm/calls/plain-adapter.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import { type MemoryJournal, memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord } from "../../../vm/durable/records.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { createHost } from "../../../vm/host.ts";
import type { Limits } from "../../../vm/run.ts";
import { SEMANTICS } from "../../../vm/version.ts";
import { facts, still } from "../../support/answered-calls.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const FOLDER = fileURLToPath(new URL("journals", import.meta.url));

type Program = { readonly source: string; readonly frame?: JsonObject; readonly limits?: Limits };
const PROGRAMS: Readonly<Record<string, Program>> = {
  calls: { source: 'L1:\n  R ext.READ "a" ->x\n  R ext.READ x ->y\n  J [x, y]\n' },
  loops: {
    source: "L1:\n  Set n 0\n  Loop xs i ->L2 ->L3\nL2:\n  R ext.READ i ->v\n  X n add n v\nL3:\n  J n\n",
    frame: { xs: [3, 4, 5, 6] },
  },
  retries: { source: "L1:\n  R ext.FLAKY 1 ->x\n  Retry 3 1500 exponential\n  R ext.READ x ->y\n  J y\n" },
  handlers: {
    source:
      "L1:\n  Call L_act ->x\n  Err ->L_bad\n  J x\nL_act:\n  R ext.FAILS 1 ->x\n  J x\nL_bad:\n  R ext.READ _error ->e\n  J e\n",
  },
  host: { source: "L1:\n  R core.NOW ->t\n  R core.UUID ->u\n  R ext.READ u ->v\n  J [t, v]\n" },
  writes: { source: "L1:\n  R ext.READ 1 ->a\n  R write.DO a ->b\n  R write.DO b ->c\n  R ext.READ c ->d\n  J d\n" },
  branches: {
    source:
      "L1:\n  Each out xs x ->L_in limit=2 settle\n  R ext.READ out ->v\n  J v\nL_in:\n  R ext.READ x ->y\n  If y > 4 ->L_bad ->L_good\nL_bad:\n  R ext.FAILS y ->z\n  J z\nL_good:\n  J y\n",
    frame: { xs: [3, 4, 5] },
  },
  functions: {
    source:
      'L1:\n  X ys sort xs\n  X s join "," ys\n  R ext.READ s ->r\n  X up upper r\n  X parts split up ","\n  Filt long parts != "10"\n  R ext.READ long ->v\n  J (len v)\n',
    frame: { xs: ["10", "9", "b", "a"] },
  },
  limited: {
    source: "L1:\n  Set n 0\n  While true ->L2 ->L3\nL2:\n  R ext.READ n ->v\n  X n add v 1\nL3:\n  J n\n",
    limits: { max_adapter_calls: 4 },
  },
  large: { source: 'L1:\n  X s repeat "xy" 400\n  R ext.READ s ->a\n  X n len a\n  R ext.READ n ->b\n  J b\n' },
};

/** A run that one version made, and what came of it. */
type Recorded = {
  readonly semantics: number;
  readonly ir: Ir;
  readonly frame: JsonObject;
  readonly limits: Limits;
  readonly records: readonly JournalRecord[];
  readonly outcome: Json;
};
type Call = Extract<JournalRecord, { readonly kind: "call" }>;

const read = (name: string): Recorded => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, "utf8")) as Recorded;

/** Calls that are made are answered by `answer`. */
function run(
  { ir, frame, limits }: Pick<Recorded, "ir" | "frame" | "limits">,
  journal: MemoryJournal,
  answer: (verb: string, args: readonly Json[]) => Json,
): Promise<DurableEnd> {
  const adapter = (name: string, repeatable: boolean) =>
    plainAdapter(name, {}, { repeatable, fallback: (verb) => (args) => answer(verb, args) });
  const adapters = new Map([
    ["ext", adapter("ext", true)],
    ["write", adapter("write", false)],
  ]);
  const host = createHost({ clock: still, facts, catalog: testCatalog, adapters, traceId: () => "recorded" });
  return host.durable({ ir, frame, limits, journal, onUnknown: () => "retry" }).result;
}

function outcomeOf(end: DurableEnd): Json {
  if (end.state !== "ended") return { state: end.state };
  const { answer } = end;
  const { time_ms: _time, ...usage } = answer.usage;
  const told = answer.ok ? { ok: true, out: answer.out } : { ok: false, error: answer.error };
  return JSON.parse(JSON.stringify({ ...told, usage })) as Json;
}

/** What the made-up adapters do when a journal is recorded. */
function made(): (verb: string, args: readonly Json[]) => Json {
  let flaky = 0;
  return (verb, [first = null]) => {
    if (verb === "FLAKY" && flaky++ < 2) throw new AdapterError("ADAPTER_UNAVAILABLE", "not yet", { retryable: true });
    if (verb === "FAILS") throw new AdapterError("ADAPTER_HTTP_STATUS", "status 404", { retryable: false });
    return first;
  };
}

/** The answers that the journal has after a cut, in order. */
function later(records: readonly JournalRecord[]): (verb: string) => Json {
  const left = records.filter((record): record is Call => record.kind === "call" && record.adapter !== "core");
  return (verb) => {
    const next = left.shift();
    if (next === undefined || next.verb !== verb.toUpperCase()) throw new Error(`an unexpected call of ${verb}`);
    if (next.ok) return next.result;
    const { adapter_code, message, retryable, details } = next.error as never;
    throw new AdapterError(adapter_code, message, { retryable, data: details ?? undefined });
  };
}

const texts = (records: readonly JournalRecord[]): string[] => records.map((record) => JSON.stringify(record));

if (process.env["WEFT_JOURNALS"] === "write")
  for (const [name, { source, frame = {}, limits = {} }] of Object.entries(PROGRAMS)) {
    if (existsSync(`${FOLDER}/${name}.json`)) continue;
    const ir = compileForTest(source, false, Object.keys(frame));
    const journal = memoryJournal();
    const outcome = outcomeOf(await run({ ir, frame, limits }, journal, made()));
    const records = journal.records.map((text) => JSON.parse(text) as JournalRecord);
    const recorded: Recorded = { semantics: SEMANTICS, ir, frame, limits, records, outcome };
    writeFileSync(`${FOLDER}/${name}.json`, `${JSON.stringify(recorded)}\n`);
  }

const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ""));

describe("journals of earlier versions", () => {
  it("are those of all programs", () => {
    expect(names.toSorted()).toEqual(Object.keys(PROGRAMS).toSorted());
  });

  it.each(names)("%s is replayed without a call, and continued after each of its records", async (name) => {
    const recorded = read(name);
    const { records, outcome, semantics } = recorded;
    for (let kept = records.length; kept >= 1; kept--) {
      const answer = later(records.slice(kept));
      const end = await run(recorded, memoryJournal(texts(records.slice(0, kept))), answer);
      // What a program does may have been changed on purpose, with another number: then it ends as before, or not at all.
      if (semantics !== SEMANTICS && end.state === "diverged") continue;
      expect(outcomeOf(end), `after record ${kept}`).toEqual(outcome);
    }
  });

  it("warn of the version where it is another one that continues, and only then", async () => {
    const recorded = read("loops");
    const kept = recorded.records.slice(0, 3);
    const continued = async (change: object): Promise<readonly string[]> => {
      const given = kept.map((record) => JSON.stringify(record.kind === "start" ? { ...record, ...change } : record));
      const end = await run(recorded, memoryJournal(given), later(recorded.records.slice(3)));
      if (end.state !== "ended") throw new Error(end.state);
      return end.answer.warnings.filter((warning) => warning.startsWith("resumed_by_newer_version"));
    };
    const [start] = kept;
    const { layout: own } = await ownVersion(recorded);
    expect(start?.kind).toBe("start");
    expect(await continued({ semantics: SEMANTICS, layout: own })).toEqual([]);
    expect(await continued({ semantics: SEMANTICS, layout: "0" })).toHaveLength(1);
    expect(await continued({ semantics: SEMANTICS - 1, layout: own })).toHaveLength(1);
  });
});

/** What this version writes into its first record. */
async function ownVersion(recorded: Recorded): Promise<{ readonly layout: string }> {
  const journal = memoryJournal();
  await run(recorded, journal, later(recorded.records));
  return JSON.parse(journal.records[0] ?? "{}") as { readonly layout: string };
}
