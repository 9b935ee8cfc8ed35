/**
 * Effects of a durable run whose process ends anywhere: every program of up to four calls of four kinds, every pair of crash points, on the
 * real machine (D-6, D-7, J-2). Kinds: r reads what differs every time, i writes idempotently, k writes under its key, u acts again
 * when it is repeated.
 */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, AdapterVerb, CallContext } from "../../../vm/adapter.ts";
import type { OnUnknown } from "../../../vm/durable/call-options.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import { type MemoryJournal, memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { createHost } from "../../../vm/host.ts";
import { extEntry, WRITES } from "../../support/ext-entry.ts";

type Kind = "r" | "i" | "k" | "u";
type Act = { readonly key: string; readonly arg: Json };

class World {
  reads = 0;
  readonly idempotent: Act[] = [];
  readonly keyed = new Map<string, Json>();
  readonly unsafe: Act[] = [];
  conflicts = 0;
  /** Points passed so far in all attempts together. */
  points = 0;

  readonly crashes: number[];

  constructor(crashes: readonly number[]) {
    this.crashes = [...crashes];
  }

  /** Never comes back when the process ends here. */
  async at(): Promise<void> {
    this.points += 1;
    if (this.crashes[0] === this.points) {
      this.crashes.shift();
      this.crashed();
      await new Promise(() => {});
    }
  }

  crashed: () => void = () => {};
}

const clock = {
  now: () => 1000,
  wall: () => 1_700_000_000_000,
  // Nothing lingers for so short a run.
  wait: () => () => {},
};

function adapterOf(world: World): Adapter {
  const verb = (kind: Kind): AdapterVerb => ({
    name: kind.toUpperCase(),
    effectTier: kind === "r" ? "io-read" : "io-write",
    bind: ([arg = null]) => ({
      timeoutMs: null,
      maxResultBytes: null,
      repeatable: kind !== "u",
      keyed: kind === "k",
      run: async (_instance: unknown, context: CallContext) => {
        await world.at();
        const act = { key: context.callId, arg };
        if (kind === "r") world.reads += 1;
        if (kind === "i") world.idempotent.push(act);
        if (kind === "u") world.unsafe.push(act);
        if (kind === "k") {
          const had = world.keyed.get(act.key);
          if (had !== undefined && had !== arg) world.conflicts += 1;
          if (had === undefined) world.keyed.set(act.key, arg);
        }
        const answer = kind === "r" ? world.reads : arg;
        await world.at();
        return answer;
      },
    }),
  });
  const verbs = new Map((["r", "i", "k", "u"] as const).map((kind) => [kind, verb(kind)]));
  return { name: "ext", verb: (word) => verbs.get(word.toLowerCase() as Kind) };
}

const catalog = createCatalog([
  ...builtinCatalog
    .names()
    .map((name) => builtinCatalog.adapter(name))
    .filter((entry) => entry !== undefined),
  extEntry(["R", "I", "K", "U"], WRITES),
]);

/** Each call gets what the one before it answered; an unknown outcome is -1. */
function sourceOf(kinds: readonly Kind[]): string {
  const steps = kinds.flatMap((_kind, at) => [`  Call L_c${at}`, "  X all push all last"]);
  const calls = kinds.flatMap((kind, at) => [
    `L_c${at}:`,
    `  R ext.${kind.toUpperCase()} last ->last`,
    "  Err ->L_failed",
  ]);
  return [
    "L1:",
    "  Set last 0",
    "  Set all []",
    ...steps,
    "  J all",
    ...calls,
    "L_failed:",
    "  Set last -1",
    "  J null",
    "",
  ].join("\n");
}

type Lived = { readonly world: World; readonly out: readonly Json[]; readonly journal: readonly JournalRecord[] };

async function live(kinds: readonly Kind[], crashes: readonly number[], onUnknown: OnUnknown = "fail"): Promise<Lived> {
  const world = new World(crashes);
  const store = memoryJournal();
  const { ir } = compile(sourceOf(kinds), { catalog, strict: false });
  if (ir === null) throw new Error("the program does not compile");
  for (let attempt = 0; attempt < 8; attempt++) {
    const journal: RunJournal = {
      ...store,
      async append(records) {
        await world.at();
        const kept = await store.append(records);
        // The acknowledgement is lost.
        await world.at();
        return kept;
      },
    };
    const host = createHost({
      clock,
      facts: { uuid: () => "u", env: () => undefined },
      catalog,
      adapters: new Map([["ext", adapterOf(world)]]),
      traceId: () => "job",
    });
    const crashed = new Promise<"crashed">((resolve) => {
      world.crashed = () => resolve("crashed");
    });
    const end: DurableEnd | "crashed" = await Promise.race([
      host.durable({ ir, journal, traceId: "job", onUnknown: () => onUnknown }).result,
      crashed,
    ]);
    if (end === "crashed") continue;
    if (end.state !== "ended" || !end.answer.ok)
      throw new Error(`${kinds.join("")} ${crashes}: ${JSON.stringify(end)}`);
    return { world, out: end.answer.out as readonly Json[], journal: parsed(store) };
  }
  throw new Error("the run never ended");
}

const parsed = ({ records }: MemoryJournal): readonly JournalRecord[] =>
  records.map((text) => JSON.parse(text) as JournalRecord);

/** Why the world is not as the run says; null when it is. */
function violation(kinds: readonly Kind[], { world, out }: Lived): string | null {
  if (world.conflicts > 0) return "a key was used with other arguments";
  const argOf = (at: number): Json => (at === 0 ? 0 : (out[at - 1] ?? null));
  const keyOf = (at: number): string | undefined =>
    [...world.idempotent, ...world.unsafe].map(({ key }) => key).find((key) => key.includes(`/_c${at}/`)) ??
    [...world.keyed.keys()].find((key) => key.includes(`/_c${at}/`));
  for (const [at, kind] of kinds.entries()) {
    const key = keyOf(at);
    if (kind === "r") continue;
    if (kind === "i" && world.idempotent.some((act) => act.key === key && act.arg !== argOf(at)))
      return "an idempotent write that the run knows nothing of";
    if (kind === "k" && key !== undefined && world.keyed.get(key) !== argOf(at))
      return "a keyed write of other arguments";
    if (kind !== "u") continue;
    const acts = world.unsafe.filter((act) => act.key === key);
    if (acts.length > 1) return "acted twice";
    if (out[at] !== -1 && acts.length !== 1) return "told as done, and not done";
    if (acts.some(({ arg }) => arg !== argOf(at))) return "acted with other arguments";
  }
  return null;
}

function programs(length: number): Kind[][] {
  if (length === 0) return [[]];
  return programs(length - 1).flatMap((one) => (["r", "i", "k", "u"] as const).map((kind) => [...one, kind]));
}

describe("a durable run whose process ends at any point", () => {
  it("acts once or says that the outcome is unknown, and every write is one that it knows of", {
    timeout: 240_000,
  }, async () => {
    let cases = 0;
    let unknown = 0;
    for (const kinds of [...programs(1), ...programs(2), ...programs(3)]) {
      const { world: whole } = await live(kinds, []);
      // Of longer programs not every pair: the model has them all.
      const stride = kinds.length < 3 ? 1 : 4;
      for (let first = 1; first <= whole.points; first++) {
        for (let second = first + 1; second <= whole.points + first; second += stride) {
          const lived = await live(kinds, [first, second]);
          expect(violation(kinds, lived), `${kinds.join("")} crashes at ${first} and ${second}`).toBeNull();
          cases += 1;
          if (lived.out.includes(-1)) unknown += 1;
        }
      }
    }
    expect(cases).toBeGreaterThan(2000);
    expect(unknown).toBeGreaterThan(200);
  });

  it("makes a call of unknown outcome again where that is allowed", async () => {
    const kinds: Kind[] = ["u", "r"];
    const { world: whole } = await live(kinds, []);
    let twice = 0;
    for (let crash = 1; crash <= whole.points; crash++) {
      const { world, out } = await live(kinds, [crash], "retry");
      expect(out[0]).toBe(0);
      if (world.unsafe.length === 2) twice += 1;
    }
    expect(twice).toBeGreaterThan(0);
  });

  it("commits before a write and at the end, and not for each read", async () => {
    const appends = async (kinds: readonly Kind[]): Promise<number> => (await live(kinds, [])).world.points;
    const perRead = 2;
    const perAppend = 2;
    expect(await appends(["r", "r", "r"])).toBe(3 * perRead + perAppend);
    expect(await appends(["i", "i", "i"])).toBe(3 * perRead + 4 * perAppend);
    expect(await appends(["r", "u", "r"])).toBe(3 * perRead + 2 * perAppend);
  });
});
