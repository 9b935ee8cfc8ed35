/**
 * A run whose process ends within a transaction goes through it again from its begin, as often as that happens (T-1): the database has each
 * transaction once, other calls within it act once, and where it makes other calls this time, the run ends as diverged.
 */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../../compiler/catalog.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter, AdapterVerb, CallContext } from "../../../vm/adapter.ts";
import type { DurableEnd } from "../../../vm/durable/durable-request.ts";
import { memoryJournal } from "../../../vm/durable/memory-journal.ts";
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import { withoutLost } from "../../../vm/durable/transactions/lost-transactions.ts";
import { createHost } from "../../../vm/host.ts";
import { extEntry, WRITES } from "../../support/ext-entry.ts";

/** One database, and what is outside of it. Processes end at the points `crashes`. */
class World {
  readonly rows: Json[] = [];
  /** Of the transaction that is open; it ends with its process. */
  #open: Json[] | null = null;
  readonly sent: Json[] = [];
  reads = 0;
  points = 0;
  commits = 0;
  crashed: () => void = () => {};
  readonly #crashes: number[];

  constructor(crashes: readonly number[]) {
    this.#crashes = [...crashes];
  }

  /** Never comes back when the process ends here. */
  async at(): Promise<void> {
    this.points += 1;
    if (this.#crashes[0] !== this.points) return;
    this.#crashes.shift();
    this.#open = null;
    this.crashed();
    await new Promise(() => {});
  }

  adapters(): Map<string, Adapter> {
    return new Map([
      [
        "txn",
        this.#adapter("txn", {
          BEGIN: () => this.#begin(),
          COMMIT: () => this.#commit(),
          ROLLBACK: () => this.#rollback(),
        }),
      ],
      ["sqlite", this.#adapter("sqlite", { EXECUTE: (arg) => this.#execute(arg), QUERY: () => this.#query() })],
      // Keyed: what is there already is not sent again.
      ["ext", this.#adapter("ext", { SEND: (arg, key) => this.#send(arg, key), READ: () => ++this.reads })],
    ]);
  }

  readonly #keys = new Set<string>();

  #send(arg: Json, key: string): Json {
    if (!this.#keys.has(key)) this.sent.push(arg);
    this.#keys.add(key);
    return arg;
  }

  #begin(): Json {
    expect(this.#open).toBeNull();
    this.#open = [];
    return "a transaction";
  }

  #commit(): Json {
    if (this.#open === null) throw new Error("no transaction is open");
    this.rows.push(...this.#open);
    this.#open = null;
    this.commits += 1;
    return null;
  }

  #rollback(): Json {
    this.#open = null;
    return null;
  }

  #execute(arg: Json): Json {
    // Outside of one it would be there whatever becomes of the transaction.
    (this.#open ?? this.rows).push(arg);
    return arg;
  }

  #query(): Json {
    return this.rows.length + (this.#open?.length ?? 0);
  }

  #adapter(name: string, verbs: Readonly<Record<string, (arg: Json, key: string) => Json>>): Adapter {
    const verb = (word: string, act: (arg: Json, key: string) => Json): AdapterVerb => ({
      name: word,
      effectTier: word === "QUERY" || word === "READ" ? "io-read" : "io-write",
      bind: ([arg = null]) => ({
        timeoutMs: null,
        maxResultBytes: null,
        repeatable: word === "SEND",
        keyed: word === "SEND",
        run: async (_instance: unknown, context: CallContext) => {
          await this.at();
          const answer = act(arg, context.callId);
          await this.at();
          return answer;
        },
      }),
    });
    return {
      name,
      verb: (word) => {
        const act = verbs[word.toUpperCase()];
        return act === undefined ? undefined : verb(word.toUpperCase(), act);
      },
    };
  }
}

const catalog = createCatalog([
  ...builtinCatalog.names().flatMap((name) => builtinCatalog.adapter(name) ?? []),
  extEntry(["SEND", "READ"], WRITES),
]);
const clock = { now: () => 1000, wall: () => 1_700_000_000_000, wait: () => () => {} };

type Lived = { readonly world: World; readonly end: DurableEnd; readonly journal: readonly JournalRecord[] };

async function live(
  source: string,
  crashes: readonly number[],
  outside: (world: World) => void = () => {},
): Promise<Lived> {
  const world = new World(crashes);
  const store = memoryJournal();
  const { ir, diagnostics } = compile(source, { catalog, strict: false });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  for (let attempt = 0; attempt < 8; attempt++) {
    const journal: RunJournal = {
      ...store,
      async append(records) {
        await world.at();
        const kept = await store.append(records);
        await world.at();
        return kept;
      },
    };
    const facts = { uuid: () => "u", env: () => undefined };
    const host = createHost({ clock, facts, catalog, adapters: world.adapters(), traceId: () => "job" });
    const crashed = new Promise<"crashed">((resolve) => {
      world.crashed = () => resolve("crashed");
    });
    const snapshots = { steps: 0, records: 0, activeMs: 0, maxBytes: 1 << 20 };
    const end = await Promise.race([host.durable({ ir, journal, traceId: "job", snapshots }).result, crashed]);
    if (end !== "crashed")
      return { world, end, journal: store.records.map((text) => JSON.parse(text) as JournalRecord) };
    outside(world);
  }
  throw new Error("the run never ended");
}

const PROGRAM = `L1:
  R ext.SEND "before" ->a
  R txn.BEGIN "t" ->i
  R sqlite.EXECUTE "one" ->b
  R ext.READ ->n
  R sqlite.QUERY "" ->rows
  R ext.SEND $rows ->c
  R sqlite.EXECUTE $n ->d
  R txn.COMMIT "t" ->e
  R txn.BEGIN "t" ->i
  R sqlite.EXECUTE "two" ->b
  R ext.SEND "within" ->c
  R txn.COMMIT "t" ->e
  R sqlite.QUERY "" ->rows
  J [n, rows]
`;

describe("a run whose process ends within a transaction", () => {
  it("goes through it again, wherever that happens and happens again", { timeout: 120_000 }, async () => {
    const { world: whole, end } = await live(PROGRAM, []);
    expect(end).toMatchObject({ state: "ended", answer: { ok: true, out: [1, 3] } });
    expect(whole).toMatchObject({ rows: ["one", 1, "two"], sent: ["before", 1, "within"], commits: 2 });
    let unknown = 0;
    for (let first = 1; first <= whole.points; first++) {
      for (let second = first + 1; second <= whole.points + first; second += 11) {
        const crashes = [first, second, second + 7];
        const { world, end } = await live(PROGRAM, crashes);
        if (end.state !== "ended") throw new Error(`${crashes}: ${JSON.stringify(end)}`);
        if (!end.answer.ok) {
          // Whether a commit that was under way came through is not known.
          expect(JSON.stringify(end.answer), crashes.join()).toContain("it is unknown whether");
          unknown += 1;
          continue;
        }
        // A read whose answer was not written down is made again.
        const [n] = end.answer.out as [number];
        expect(end.answer.out, crashes.join()).toEqual([n, 3]);
        expect(world, crashes.join()).toMatchObject({
          rows: ["one", n, "two"],
          sent: ["before", 1, "within"],
          commits: 2,
        });
      }
    }
    expect(unknown).toBeGreaterThan(0);
  });

  it("ends as diverged where another call within it is made with other arguments", async () => {
    const { world: whole } = await live(PROGRAM, []);
    let diverged = 0;
    for (let at = 1; at <= whole.points; at++) {
      // Somebody else writes meanwhile, so what the transaction reads is another number.
      const { world, end } = await live(PROGRAM, [at], ({ rows }) => rows.push("theirs"));
      if (end.state !== "diverged") continue;
      diverged += 1;
      expect(end).toMatchObject({ inTransaction: true, answer: { ok: false } });
      expect([...world.rows]).toEqual(["theirs"]);
      expect(world.sent).toEqual(["before", 1]);
    }
    expect(diverged).toBeGreaterThan(0);
  });

  it("ends as diverged where a call that was made within it is not made", async () => {
    const source = `L1:
  R txn.BEGIN "t" ->i
  R sqlite.QUERY "" ->rows
  If (eq rows 0) ->L2 ->L3
L2:
  R ext.SEND "empty" ->a
  R sqlite.EXECUTE "one" ->b
  Call L3
L3:
  R txn.COMMIT "t" ->e
  J rows
`;
    const { world: whole } = await live(source, []);
    const ends = new Set<string>();
    for (let at = 1; at <= whole.points; at++) {
      const { world, end } = await live(source, [at], ({ rows }) => rows.push("theirs"));
      ends.add(end.state);
      if (end.state === "diverged") expect([world.sent, world.commits]).toEqual([["empty"], 0]);
    }
    expect([...ends].sort()).toEqual(["diverged", "ended"]);
  });

  it("keeps what another transaction, begun within it, has committed", () => {
    const record = (kind: "call" | "intent", adapter: string, verb: string, tx?: string) => ({
      kind,
      adapter,
      verb,
      node: `${adapter} ${verb} ${tx}`,
      label: "1",
      attempt: 1,
      visit: 1,
      branch: "",
      ok: true,
      ...(tx === undefined ? {} : { tx }),
    });
    const process = [
      record("intent", "txn", "BEGIN", "a"),
      record("call", "txn", "BEGIN", "a"),
      record("call", "txn", "BEGIN", "b"),
      record("call", "sqlite", "EXECUTE", "b"),
      record("call", "db", "C", "a"),
      record("call", "txn", "COMMIT", "b"),
      record("intent", "ext", "P"),
    ];
    const resume = { kind: "resume" };
    const start = [{ kind: "start" } as const, record("call", "ext", "P")];
    const nodes = (records: readonly object[]): string[] =>
      records.map((one) => ("node" in one ? String(one.node) : "kind" in one ? String(one.kind) : ""));
    // The second process ended before it began again, the third after two calls.
    for (const later of [[], [resume], [resume, resume, ...process.slice(0, 2)]]) {
      const found = withoutLost([...start, ...process, ...later] as unknown as JournalRecord[]);
      expect(nodes(found.records)).toEqual([
        "start",
        "ext P undefined",
        ...later.filter(({ kind }) => kind === "resume").map(() => "resume"),
      ]);
      expect(nodes(found.kept)).toEqual(["txn BEGIN b", "sqlite EXECUTE b", "txn COMMIT b", "ext P undefined"]);
      expect([...found.again]).toEqual(["a"]);
    }
    const over = [...start, ...process, resume, ...process.slice(0, 2), record("call", "txn", "COMMIT", "a")];
    expect(withoutLost(over as unknown as JournalRecord[])).toMatchObject({ kept: [], again: new Set() });
  });
});
