/**
 * The protocol of the journal as a model, apart from the machine: every sequence of up to five calls of four kinds, every pair of crash
 * points. With its rules nothing is lost and nothing acts twice; with one of them taken out something is.
 */
import { describe, expect, it } from "vitest";

/** r reads what differs every time, i writes idempotently, k under a key, u acts again when it is repeated. */
type Kind = "r" | "i" | "k" | "u";
type Rules = { readonly outputCommit: boolean; readonly intents: boolean };
type Entry = { readonly t: "intent" | "result"; readonly n: number; readonly args: number; readonly v: number };
type Step = { readonly kind: Kind; readonly key: string; readonly args: number; readonly v: number | "unknown" };
type Run = {
  readonly world: World;
  readonly history: readonly Step[];
  readonly points: number;
  readonly diverged: boolean;
};

class World {
  clock = 0;
  conflicts = 0;
  readonly keyed = new Map<string, number>();
  readonly idempotent: [string, number][] = [];
  readonly unsafe: [string, number][] = [];

  act(kind: Kind, key: string, args: number): number {
    if (kind === "r") return ++this.clock;
    if (kind === "i") this.idempotent.push([key, args]);
    if (kind === "u") this.unsafe.push([key, args]);
    if (kind === "k") {
      const had = this.keyed.get(key);
      if (had !== undefined && had !== args) this.conflicts++;
      if (had === undefined) this.keyed.set(key, args);
    }
    return args;
  }
}

class Crash extends Error {}

function run(program: readonly Kind[], crashes: readonly number[], rules: Rules): Run {
  const world = new World();
  const kept: Entry[] = [];
  let points = 0;
  let crashed = 0;
  let history: Step[] = [];
  const at = (): void => {
    if (points++ !== crashes[crashed]) return;
    crashed++;
    throw new Crash();
  };
  const attempt = (): boolean => {
    const log = kept.slice();
    let buffer: Entry[] = [];
    let position = 0;
    let last = 0;
    const flush = (): void => {
      at();
      kept.push(...buffer);
      buffer = [];
      at();
    };
    history = [];
    for (const [n, kind] of program.entries()) {
      const key = `job/n${n}`;
      const args = last;
      const begun = log[position]?.t === "intent" ? log[position] : undefined;
      if (begun !== undefined) position++;
      const result = log[position];
      if (result?.t === "result") {
        if (result.n !== n || result.args !== args) return false;
        position++;
        last = result.v;
        history.push({ kind, key, args, v: kind === "u" && last === -1 ? "unknown" : last });
        continue;
      }
      if (begun !== undefined) {
        if (begun.args !== args) return false;
        last = -1;
        buffer.push({ t: "result", n, args, v: last });
        history.push({ kind, key, args, v: "unknown" });
        flush();
        continue;
      }
      if (kind !== "r" && rules.outputCommit) {
        if (kind === "u" && rules.intents) buffer.push({ t: "intent", n, args, v: 0 });
        if (buffer.length > 0) flush();
      } else if (kind === "u" && rules.intents) {
        kept.push({ t: "intent", n, args, v: 0 });
        at();
      }
      at();
      last = world.act(kind, key, args);
      at();
      buffer.push({ t: "result", n, args, v: last });
      history.push({ kind, key, args, v: last });
    }
    flush();
    return true;
  };
  for (let attempts = 0; attempts < 6; attempts++) {
    try {
      return { world, diverged: !attempt(), history, points };
    } catch (thrown) {
      if (!(thrown instanceof Crash)) throw thrown;
    }
  }
  throw new Error("the run never ended");
}

function violation({ world, history, diverged }: Run): string | null {
  if (diverged) return "diverged";
  if (world.conflicts > 0) return "a key was used with other arguments";
  const argsOf = (key: string): number | undefined => history.find((step) => step.key === key)?.args;
  if (world.idempotent.some(([key, args]) => argsOf(key) !== args)) return "an unknown idempotent write";
  if ([...world.keyed].some(([key, args]) => argsOf(key) !== args)) return "an unknown keyed write";
  for (const { kind, key, args, v } of history) {
    if (kind !== "u") continue;
    const acts = world.unsafe.filter((act) => act[0] === key);
    if (acts.length > 1) return "acted twice";
    if (v !== "unknown" && acts.length !== 1) return "told as done, not done";
    if (acts.some((act) => act[1] !== args)) return "acted with other arguments";
  }
  return null;
}

const KINDS: readonly Kind[] = ["r", "i", "k", "u"];

function checkAll(most: number, rules: Rules): { cases: number; unknown: number; violations: Set<string> } {
  let cases = 0;
  let unknown = 0;
  const violations = new Set<string>();
  const programs: Kind[][] = [[]];
  for (const program of programs) {
    if (program.length < most) programs.push(...KINDS.map((kind) => [...program, kind]));
    const { points } = run(program, [], rules);
    for (let first = 0; first <= points; first++) {
      for (let second = first; second <= first + points + 2; second++) {
        const lived = run(program, [first, second], rules);
        cases++;
        const why = violation(lived);
        if (why !== null) violations.add(why);
        else if (lived.history.some(({ v }) => v === "unknown")) unknown++;
      }
    }
  }
  return { cases, unknown, violations };
}

describe("the protocol of the journal", () => {
  it("loses nothing and acts once, whatever the pair of crashes", { timeout: 120_000 }, () => {
    const { cases, unknown, violations } = checkAll(5, { outputCommit: true, intents: true });
    expect([...violations]).toEqual([]);
    expect(cases).toBeGreaterThan(400_000);
    expect(unknown).toBeGreaterThan(10_000);
  });

  it.each([
    ["output commit", { outputCommit: false, intents: true }],
    ["intents", { outputCommit: true, intents: false }],
  ])("breaks without %s", (_name, rules) => {
    expect([...checkAll(3, rules).violations]).not.toEqual([]);
  });
});
