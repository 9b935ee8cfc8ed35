/**
 * Time grows with the size of a program, not with its square: of a program sixteen times as long a hundred times is allowed, since what
 * no longer fits into caches is slower, and quadratic work takes 256 times. What is counted is time of the processor, so that other
 * processes, which hold up long work and not short work, do not matter; a disturbed measurement is taken again. `test/compiler/growth.test.ts` counts what is executed.
 */
import { describe, expect, it } from "vitest";
import { flatten } from "../../compiler/bytecode/flatten.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { normalize } from "../../compiler/ir/supplied/normalize.ts";
import { loadError } from "../../vm/runs/load-checks.ts";

const TIMES = 16;
const BOUND = 100;
const ATTEMPTS = 6;
const SMALL = 500;
const TIMEOUT_MS = 60_000;

/** `n` labels, each but the last followed by what `step` says of the next one. */
function chain(n: number, step: (label: number) => string): string {
  const labels = Array.from({ length: n }, (_, at) => `L${at + 1}:\n${at + 1 < n ? step(at + 1) : ""}  J 1\n`);
  return labels.join("");
}

const PROGRAMS: readonly (readonly [string, (n: number) => string])[] = [
  ["labels that call the next one", (n) => chain(n, (at) => `  Call L${at + 1} ->x\n`)],
  ["labels that branch to the next one", (n) => chain(n, (at) => `  If true ->L${at + 1} ->L${n}\n`)],
  ["names passed on from label to label", (n) => chain(n, (at) => `  Set v${at} v${at - 1}\n  Call L${at + 1} ->x\n`)],
  ["handlers of handlers", (n) => chain(n, (at) => `  R core.ADD 1 2 ->x\n  Err ->L${at + 1}\n`)],
  ["labels in a circle", (n) => `${chain(n, (at) => `  Call L${at + 1} ->x\n`)}  Call L1 ->x\n`],
  ["reads of a name that nothing sets", (n) => `L1:\n${"  Set a b\n".repeat(4 * n)}  J a\n`],
  ["one label given many times", (n) => "L1:\n  J 1\n".repeat(2 * n)],
  ["calls of an adapter that is not there", (n) => `L1:\n${"  R nowhere.go 1\n".repeat(2 * n)}`],
  ["functions that are not there", (n) => `L1:\n${"  X a nofunction 1\n".repeat(2 * n)}`],
];

/** Processor time, at least 1, since a very short time may be measured as 0. */
function microseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}

/** How many times longer the long work takes; of several measurements the first that is within the bound, else the best. */
function growthOf(short: () => void, long: () => void): number {
  short();
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && best > BOUND; attempt++) {
    best = Math.min(best, microseconds(long) / Math.min(microseconds(short), microseconds(short)));
  }
  return best;
}

const compiled = (source: string) => compile(source, { catalog: builtinCatalog, strict: false });

function irOf(source: string): Ir {
  const { ir } = compiled(source);
  if (ir === null) throw new Error("does not compile");
  return ir;
}

describe("compiling grows with the program", { timeout: TIMEOUT_MS }, () => {
  it.each(PROGRAMS)("%s", (_name, make) => {
    const [short, long] = [make(SMALL), make(TIMES * SMALL)];
    const growth = growthOf(
      () => compiled(short),
      () => compiled(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });
});

describe("loading grows with the program", { timeout: TIMEOUT_MS }, () => {
  it.each(PROGRAMS.slice(0, 5))("%s", (_name, make) => {
    const [short, long] = [irOf(make(SMALL)), irOf(make(TIMES * SMALL))];
    const load = (ir: Ir): void => {
      expect(loadError(ir, "1")).toBeNull();
      flatten(ir, "1").variant("fast");
    };
    const growth = growthOf(
      () => load(short),
      () => load(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });

  it("of IR from outside", () => {
    const make = (n: number): unknown => JSON.parse(JSON.stringify(irOf(chain(n, (at) => `  Call L${at + 1} ->x\n`))));
    const [short, long] = [make(SMALL), make(TIMES * SMALL)];
    const read = (input: unknown): void => expect(normalize(input, builtinCatalog).ok).toBe(true);
    const growth = growthOf(
      () => read(short),
      () => read(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });
});
