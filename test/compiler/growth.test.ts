/**
 * Work grows with the size of a program, not with its square: of a program sixteen times as long some twenty times as much code is executed,
 * and quadratic work would be 256 times as much. And findings that are never shown get no message.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishFindings } from "../../compiler/diagnostics.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { type Executed, executed } from "../support/executed.ts";

const TIMES = 16;
const BOUND = 32;
const SMALL = 500;
const TIMEOUT_MS = 120_000;

type Code = typeof import("../../compiler/compile.ts") &
  typeof import("../../compiler/catalog/builtin.ts") &
  typeof import("../../compiler/bytecode/flatten.ts") &
  typeof import("../../compiler/ir/supplied/normalize.ts") &
  typeof import("../../vm/runs/load-checks.ts");

let code: Executed<Code>;
beforeAll(async () => {
  code = await executed<Code>(
    "compiler/compile.ts",
    "compiler/catalog/builtin.ts",
    "compiler/bytecode/flatten.ts",
    "compiler/ir/supplied/normalize.ts",
    "vm/runs/load-checks.ts",
  );
}, TIMEOUT_MS);
afterAll(() => code.end());

/** `n` labels, each but the last followed by what `step` says of the next one. */
function chain(n: number, step: (label: number) => string): string {
  const labels = Array.from({ length: n }, (_, at) => `L${at + 1}:\n${at + 1 < n ? step(at + 1) : ""}  J 1\n`);
  return labels.join("");
}

const lines = (n: number, line: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => `${line(at)}\n`).join("");

const PROGRAMS: readonly (readonly [string, (n: number) => string])[] = [
  ["labels that call the next one", (n) => chain(n, (at) => `  Call L${at + 1} ->x\n`)],
  ["labels that branch to the next one", (n) => chain(n, (at) => `  If true ->L${at + 1} ->L${n}\n`)],
  ["names passed on from label to label", (n) => chain(n, (at) => `  Set v${at} v${at - 1}\n  Call L${at + 1} ->x\n`)],
  ["handlers of handlers", (n) => chain(n, (at) => `  R core.ADD 1 2 ->x\n  Err ->L${at + 1}\n`)],
  ["labels in a circle", (n) => `${chain(n, (at) => `  Call L${at + 1} ->x\n`)}  Call L1 ->x\n`],
  ["reads of a name that nothing sets", (n) => `L1:\n${"  Set a b\n".repeat(4 * n)}  J a\n`],
  ["one label given many times", (n) => "L1:\n  J 1\n".repeat(2 * n)],
  ["calls of an adapter that is not there", (n) => `L1:\n${"  R nowhere.go 1\n".repeat(2 * n)}`],
  ["names that nothing defines, in Python", (n) => `def main():\n${lines(n, (at) => `    set${at} = read${at}`)}`],
  ["names of a file in Python that nothing defines", (n) => lines(n, (at) => `set${at} = len(read${at})`)],
  ["functions with endpoints", (n) => lines(n, (at) => `@api("/a${at}")\ndef f${at}():\n    return 1\n`)],
  ["functions that are not there", (n) => `L1:\n${"  X a nofunction 1\n".repeat(2 * n)}`],
];

/** How many times as much code the long work executes. */
async function growthOf(short: () => unknown, long: () => unknown): Promise<number> {
  // What is done once is done here.
  short();
  const blocks = await code.count(short);
  return (await code.count(long)) / blocks;
}

const compiled = (source: string) =>
  code.module.compile(source, { catalog: code.module.builtinCatalog, strict: false });

function irOf(source: string): Ir {
  const { ir } = compiled(source);
  if (ir === null) throw new Error("does not compile");
  return ir;
}

describe("compiling grows with the program", { timeout: TIMEOUT_MS }, () => {
  it.each(PROGRAMS)("%s", async (_name, make) => {
    const [short, long] = [make(SMALL), make(TIMES * SMALL)];
    const growth = await growthOf(
      () => compiled(short),
      () => compiled(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });
});

describe("loading grows with the program", { timeout: TIMEOUT_MS }, () => {
  it.each(PROGRAMS.slice(0, 5))("%s", async (_name, make) => {
    const [short, long] = [irOf(make(SMALL)), irOf(make(TIMES * SMALL))];
    const load = (ir: Ir): void => {
      expect(code.module.loadError(ir, "1")).toBeNull();
      code.module.flatten(ir, "1").variant("fast");
    };
    const growth = await growthOf(
      () => load(short),
      () => load(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });

  it("of IR from outside", async () => {
    const make = (n: number): unknown => JSON.parse(JSON.stringify(irOf(chain(n, (at) => `  Call L${at + 1} ->x\n`))));
    const [short, long] = [make(SMALL), make(TIMES * SMALL)];
    const { normalize, builtinCatalog } = code.module;
    const read = (input: unknown): void => expect(normalize(input, builtinCatalog).ok).toBe(true);
    const growth = await growthOf(
      () => read(short),
      () => read(long),
    );
    expect(growth).toBeLessThan(BOUND);
  });
});

it("puts only the findings into words that are shown", () => {
  let asked = 0;
  const finding = (start: number): Finding => ({
    code: "WF4001",
    span: { file: null, line: start + 1, column: 1, end_line: start + 1, end_column: 2, start, end: start + 1 },
    get words() {
      asked += 1;
      return { name: "x" };
    },
  });
  const diagnostics = finishFindings(
    Array.from({ length: 50_000 }, (_, at) => finding(at)),
    { strict: true },
  );
  expect(diagnostics).toHaveLength(1001);
  expect(diagnostics.at(-1)?.message).toBe("49000 more findings are not shown");
  expect(asked).toBeLessThan(5000);
});
