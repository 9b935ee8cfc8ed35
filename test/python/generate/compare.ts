/** Runs generated programs in Weft and in CPython and compares what they come to. */
import type { Host } from "../../../vm/host.ts";
import type { Recorded } from "../support/case-files.ts";
import { compared, type Judged } from "../support/judge.ts";
import { type Cutter, Oracle } from "../support/oracle-process.ts";
import { compiled, hostWith, ran } from "../support/weft.ts";

const BATCH = 500;
const LIMIT = /^RUNTIME_MAX_/;

/** A program whose outcomes differ. */
export type Difference = { readonly seed: number; readonly source: string; readonly why: string };
export type Comparison = {
  programs: number;
  accepted: number;
  /** Accepted programs with the outcome of CPython. */
  right: number;
  /** Accepted programs that end with RUNTIME_NOT_EXACT. */
  notExact: number;
  /** Why programs are refused, and how many are. */
  readonly refused: Map<string, number>;
  /** Failures that name no class of Python, or come where CPython has a value. */
  readonly failed: Difference[];
  readonly wrong: Difference[];
};

/** Compares `count` programs from a seed. */
export async function compareGenerated(
  make: (seed: number) => string,
  options: {
    readonly from: number;
    readonly count: number;
    readonly python: string;
    readonly progress?: (done: Comparison) => void;
  },
): Promise<Comparison> {
  const result: Comparison = {
    programs: 0,
    accepted: 0,
    right: 0,
    notExact: 0,
    refused: new Map(),
    failed: [],
    wrong: [],
  };
  const oracle = new Oracle(options.python);
  const host = hostWith();
  const end = options.from + options.count;
  for (let first = options.from; first < end; first += BATCH) {
    const sources = Array.from({ length: Math.min(BATCH, end - first) }, (_, index) => make(first + index));
    const recorded = oracle.outcomes(sources);
    const outcomes = await recorded;
    for (const [index, source] of sources.entries())
      await add(result, { seed: first + index, source }, outcomes[index] ?? {}, host);
    options.progress?.(result);
  }
  await oracle.close();
  return result;
}

async function add(
  result: Comparison,
  program: { seed: number; source: string },
  recorded: Recorded,
  host: Host,
): Promise<void> {
  const judged = await outcome(program.source, recorded, host);
  if (judged === null) return;
  result.programs += 1;
  if (judged.verdict === "refused") {
    result.refused.set(judged.why, (result.refused.get(judged.why) ?? 0) + 1);
    return;
  }
  result.accepted += 1;
  if (judged.verdict === "right") result.right += 1;
  else if (judged.verdict === "not exact") result.notExact += 1;
  else result[judged.verdict === "failed" ? "failed" : "wrong"].push({ ...program, why: judged.why });
}

/** Null: a limit ended the run in Weft or in CPython, which says nothing about the language. */
async function outcome(source: string, recorded: Recorded, host: Host): Promise<Judged | null> {
  if (recorded.raises === "TooLong" || recorded.raises === "MemoryError") return null;
  try {
    const made = compiled(source);
    if (!("refused" in made)) {
      const got = await ran(host, made.ir, "{}");
      return got.kind === "failed" && LIMIT.test(got.code) ? null : compared(recorded, got);
    }
    const [first] = made.refused;
    if (recorded.raises === "SyntaxError") return { verdict: "right", why: "" };
    return { verdict: "refused", why: `${first?.code} ${(first?.message ?? "").replace(/'[^']*'|\d+/g, "…")}` };
  } catch (error) {
    return { verdict: "wrong", why: `throws ${error instanceof Error ? (error.stack ?? "") : String(error)}` };
  }
}

/** The smallest program found that has a difference of the same kind. */
export async function shrunk(found: Difference, python: string, cutter: Cutter): Promise<Difference> {
  const oracle = new Oracle(python);
  const host = hostWith();
  const kindOf = (why: string) => why.replace(/[\d'"].*/s, "").slice(0, 24);
  let best = found;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    const candidates = await cutter.smaller(best.source);
    const outcomes = await oracle.outcomes(candidates);
    for (const [index, source] of candidates.entries()) {
      const recorded = outcomes[index] ?? {};
      // A cut must not make the program wrong in itself.
      if (["SyntaxError", "NameError", "UnboundLocalError", "TooLong"].includes(recorded.raises ?? "")) continue;
      const judged = await outcome(source, recorded, host);
      if (judged === null) continue;
      const { verdict, why } = judged;
      if ((verdict !== "wrong" && verdict !== "failed") || kindOf(why) !== kindOf(found.why)) continue;
      best = { ...found, source, why };
      isSmaller = true;
      break;
    }
  }
  await oracle.close();
  return best;
}
