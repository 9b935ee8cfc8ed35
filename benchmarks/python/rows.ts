/**
 * What programs in Python cost: one row for each kind of work that models write, with its program, its input, what it must give and what is
 * aimed at. Knows nothing of timing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Target, Unit } from "../figure.ts";

/** What one run is: `fresh`, a text never seen before, to its result; `compiled`, only to its program; `prepared`, the run alone. */
type Kind = "fresh" | "compiled" | "prepared";

export type Aim = {
  /** `time`: of Weft itself. Else: how many times as long that side takes (Monty), or at most as Weft takes of it (the opcode twin). */
  readonly of: "time" | "monty" | "opcode";
  readonly target: Target;
};

export type PythonRow = {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  readonly frame: JsonObject;
  /** null: nothing is run. */
  readonly result: Json;
  readonly unit: Extract<Unit, "ns" | "µs" | "ms">;
  readonly aims: readonly Aim[];
  /** The workload that does the same in the opcode form. */
  readonly twin?: string;
  /** The program calls the adapter `noop`. */
  readonly calls?: true;
};

const atMost = (most: number): Aim => ({ of: "time", target: { at_most: most } });
const timesMonty = (times: number): Aim => ({ of: "monty", target: { at_least: times } });
const TWIN: Aim = { of: "opcode", target: { at_most: 1.1 } };

const ORDERS = Array.from({ length: 10 }, (_, id) => ({ id, amount: id * 10 + 5, paid: id % 3 !== 0 }));
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

const work = (name: string, title: string, n: number, result: Json, ...aims: Aim[]): PythonRow => ({
  name,
  title,
  kind: "prepared",
  frame: { n },
  result,
  unit: "ms",
  aims,
});

const twin = (twin: string, title: string, frame: JsonObject, result: Json, unit: "ns" | "ms"): PythonRow => ({
  name: `python-${twin}`,
  title: `${twin}: ${title}`,
  kind: "prepared",
  frame,
  result,
  unit,
  aims: [TWIN],
  twin,
});

export const PYTHON_ROWS: readonly PythonRow[] = [
  {
    name: "fresh-6",
    title: "a fresh program of 6 lines, text to result",
    kind: "fresh",
    frame: { orders: ORDERS },
    result: { total: 300, count: 10 },
    unit: "µs",
    aims: [atMost(120), { of: "monty", target: { at_least: 1 / 3 } }],
  },
  {
    name: "fresh-20",
    title: "a fresh program of 20 lines, text to result",
    kind: "fresh",
    frame: { orders: ORDERS },
    result: {
      groups: { small: { count: 5, total: 215 }, large: { count: 1, total: 85 } },
      skipped: [0, 3, 6, 9],
      lines: ["large: 1", "small: 5"],
      ok: true,
    },
    unit: "µs",
    aims: [atMost(300)],
  },
  {
    name: "compile-900k",
    title: "900 KB of source, compiled",
    kind: "compiled",
    frame: {},
    result: null,
    unit: "ms",
    aims: [atMost(300)],
  },
  {
    name: "prepared-6",
    title: "a prepared program of 6 lines",
    kind: "prepared",
    frame: { orders: ORDERS },
    result: { total: 300, count: 10 },
    unit: "ns",
    aims: [timesMonty(10)],
  },
  work("add-for", "a million additions, `for`", 1_000_000, 499_999_500_000, timesMonty(10)),
  work("add-while", "a million additions, `while`", 1_000_000, 499_999_500_000, timesMonty(10)),
  work("fib", "fib(25)", 25, 75_025, timesMonty(5)),
  work("records", "100,000 records: build, filter, sort", 100_000, 149_999, timesMonty(2)),
  work("grid", "a grid of 300 × 300", 300, 915_706, timesMonty(2)),
  work("words", "counting 100,000 words", 100_000, 1100, timesMonty(2)),
  work("append", "100,000 appends", 100_000, 100_000, timesMonty(2)),
  work("text", "a text of 20,000 pieces", 20_000, 108_890, timesMonty(2)),
  work("split-join", "split, upper and join of 20,000 lines", 20_000, 448_889, timesMonty(2)),
  work("sets", "100,000 members into sets", 100_000, 10_006, timesMonty(2)),
  work("sort-key", "sort of 50,000 tuples with a key", 50_000, 49_999, timesMonty(2)),
  { ...work("calls", "1,000 host calls and back", 1000, 499_500, timesMonty(1)), calls: true },
  twin("W1", "count to a million", {}, 1_000_000, "ms"),
  twin("W2", "products of two lists", { xs: numbers(300), ys: numbers(1000) }, 22_402_575_000, "ms"),
  twin("W3", "double recursion", {}, 75_025, "ms"),
  twin("W4", "build, filter, sort records", { ids: numbers(100_000) }, 50_000, "ms"),
  twin(
    "W5",
    "33 steps of everything",
    { x: 7 },
    { id: 7, name: "user_bob", tier: "low", y: "low-done", sum: 77 },
    "ns",
  ),
  twin("W10", "ten steps", { x: 7 }, { id: 7, name: "user_low" }, "ns"),
];

export function pythonRowNamed(name: string): PythonRow | undefined {
  return PYTHON_ROWS.find((row) => row.name === name);
}

const LARGE_BYTES = 900 * 1000;
/** A number in fresh programs, in place of which each run has one of its own. */
const SEED = "1000001";

export function pythonSource(root: string, { name, twin: of = name }: PythonRow): string {
  if (name === "compile-900k") return largeSource(pythonSource(root, pythonRowNamed("fresh-20") as PythonRow));
  return readFileSync(join(root, "benchmarks", "python", "programs", `${of}.py`), "utf8");
}

/** Many functions, each of which is a program of its own. */
function largeSource(program: string): string {
  const copies = Math.ceil(LARGE_BYTES / program.length);
  return Array.from({ length: copies }, (_, at) =>
    program.replaceAll("label(", `label_${at}(`).replace("main(", at === 0 ? "main(" : `main_${at}(`),
  ).join("\n\n");
}

/** The program as a text that no run before had. */
export function unseen(source: string, which: number): string {
  return source.replace(SEED, String(Number(SEED) + which));
}
