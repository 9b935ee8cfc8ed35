/** Rows in Python give their result on every side that is installed; nothing here is timed. The benchmark itself checks all of them. */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Pace } from "../../benchmarks/measure.ts";
import { openHost } from "../../benchmarks/peers/weft.ts";
import { pythonText } from "../../benchmarks/python/report.ts";
import { PYTHON_ROWS, pythonSource, unseen } from "../../benchmarks/python/rows.ts";
import { PYTHON_SIDE_NAMES, PYTHON_SIDES } from "../../benchmarks/python/sides.ts";
import { WORKLOADS } from "../../benchmarks/workloads.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ONCE: Pace = { repetitions: 1, warm_ms: 0, repetition_ms: 0, settled_batches: 0 };

/** Those that take no time. */
const SMALL = new Set(["fresh-6", "fresh-20", "prepared-6", "append", "text", "calls", "python-W5", "python-W10"]);

describe.each(PYTHON_ROWS.filter(({ name }) => SMALL.has(name)))("$name", (row) => {
  it.each(PYTHON_SIDE_NAMES.filter((side) => PYTHON_SIDES[side].isOf(row)))(
    "gives its result in %s",
    { timeout: 60_000 },
    async (side) => {
      const measured = await PYTHON_SIDES[side].measure(row, ROOT, ONCE);
      if (measured !== null) expect(measured.result).toEqual(row.result);
    },
  );

  it("a fresh program is a new text in every run", () => {
    if (row.kind === "prepared") return;
    const source = pythonSource(ROOT, row);
    expect(unseen(source, 1)).not.toBe(source);
  });
});

describe("the table of programs in Python", () => {
  it("has only programs that compile", () => {
    const host = openHost();
    for (const row of PYTHON_ROWS.filter(({ kind }) => kind === "prepared"))
      expect(host.compile(pythonSource(ROOT, row), { strict: false }).ir, row.name).not.toBe(null);
  });

  it("has a twin of every workload of the opcode form", () => {
    expect(PYTHON_ROWS.flatMap(({ twin = [] }) => twin)).toEqual(WORKLOADS.map(({ name }) => name));
  });

  it("says how many times as long the others take, and which aims are missed", () => {
    const time = (median: number) => ({ median, low: median, high: median, least: median });
    const printed = pythonText([
      {
        row: "fib",
        sides: { weft: time(10), monty: time(40) },
        aims: [{ of: "monty", target: { at_least: 5 }, value: 4, isMet: false }],
      },
    ]);
    expect(printed).toMatch(/fib\(25\) +10\.0 ms \(10\.0–10\.0\) +4\.00× +≥ 5\.00× Monty: MISSED, 4\.00/);
    expect(printed).toContain("Missed aims: 1.");
  });
});
