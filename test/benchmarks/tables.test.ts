/** The words around the figures: tables in documents, targets, arguments. No figure is asserted. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Comparison, compare } from "../../benchmarks/comparison.ts";
import { type Figure, isMet, timed } from "../../benchmarks/figure.ts";
import type { Measured } from "../../benchmarks/measure.ts";
import { readOptions, USAGE } from "../../benchmarks/options.ts";
import { PROBE_NAMES } from "../../benchmarks/probes/all.ts";
import { comparisonsText, figuresText, targetsText } from "../../benchmarks/report.ts";
import { SIDES } from "../../benchmarks/sides.ts";
import { TARGETS } from "../../benchmarks/targets.ts";
import { WORKLOADS, type Workload, workloadNamed } from "../../benchmarks/workloads.ts";

const text = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

function process(...ms: readonly number[]): Measured {
  const samples = ms.map((one) => ({ cpu_ms: one, wall_ms: one }));
  const cold = { cpu_ms: 1, wall_ms: 1 };
  return { compile: cold, first: cold, first_result: 1, last_result: 1, last_input: 0, runs: 1, samples };
}

function comparison(native: number, weft: readonly number[], quickjs: number): Comparison {
  const workload = workloadNamed("W1") as Workload;
  return compare(workload, {
    native: weft.map(() => process(native)),
    weft: weft.map((ms) => process(ms)),
    quickjs: weft.map(() => process(quickjs)),
  });
}

describe("documents", () => {
  it("the README has the workloads' table, and every side", () => {
    const readme = text("benchmarks/README.md");
    for (const { name, steps } of WORKLOADS) {
      expect(readme).toMatch(
        new RegExp(`^\\| ${name} \\|.*\\| ${steps.toLocaleString("en-US").replaceAll(",", " ")} \\|$`, "m"),
      );
    }
    for (const { title } of Object.values(SIDES)) expect(readme).toContain(title);
  });

  it.each(["benchmarks/README.md", "docs/performance.md"])("%s names every probe", (path) => {
    for (const probe of PROBE_NAMES) expect(text(path)).toContain(`--probe ${probe}`);
  });

  it("every workload is written for every kind of peer", () => {
    for (const { name } of WORKLOADS)
      for (const language of ["wf", "js", "lua"])
        expect(
          existsSync(fileURLToPath(new URL(`../../benchmarks/workloads/${name}.${language}`, import.meta.url))),
        ).toBe(true);
  });

  it("targets name workloads and sides that there are", () => {
    for (const { workload, side, against } of TARGETS) {
      const { short = false } = workloadNamed(workload) ?? {};
      expect(workloadNamed(workload)).toBeDefined();
      for (const one of against === null ? [side] : [side, against]) expect(short || !SIDES[one].shortOnly).toBe(true);
    }
  });
});

describe("the report", () => {
  it("prints each figure with its quartiles, and its target with the verdict", () => {
    const figures: Figure[] = [
      { group: "Meters", name: "all", value: 40, unit: "%", target: { at_most: 35 } },
      { group: "Meters", name: "one", ...timed({ median: 3e-6, low: 2.5e-6, high: 0.0001, least: 0 }, "ns") },
      { group: "Meters", name: "rate", value: 1_234_567, unit: "runs/s", target: { at_least: 1_000_000 } },
    ];
    const printed = targetsText([comparison(1, [10], 50)], figures);
    expect(printed).toMatch(/W1: Weft against native JavaScript +10\.0× +≤ 2\.4× +MISSED/);
    expect(printed).toMatch(/W1: QuickJS, evaluated against Weft +5\.00× +≥ 8× +MISSED/);
    expect(printed).toMatch(/Meters: all +40\.0% +≤ 35% +MISSED/);
    expect(printed).toMatch(/Meters: rate +1 230 000 runs\/s +≥ 1000000 runs\/s +met/);
    expect(printed).toContain("Missed: 3 of 4.");
    expect(figuresText(figures)).toMatch(
      /\nMeters:\n {2}all +40\.0%\n {2}one +3\.00 ns +\(2\.50–100\)\n {2}rate +1 230 000 runs\/s\n/,
    );
  });

  it("holds the time of a short run against its target in nanoseconds", () => {
    const workload = workloadNamed("W10") as Workload;
    const short = compare(workload, { weft_sync: [process(0.000_3)], weft_prepared: [process(0.000_15)] });
    const printed = targetsText([short], []);
    expect(printed).toMatch(/W10: Weft, at once +300 ns +≤ 280 ns +MISSED/);
    expect(printed).toMatch(/W10: Weft, prepared +150 ns +≤ 200 ns +met/);
  });

  it("says how to get what is not installed", () => {
    expect(comparisonsText([comparison(1, [10], 50)])).toMatch(
      /isolated-vm +not installed \(npm i --no-save isolated-vm@/,
    );
  });

  it.each([
    [3, { at_most: 3 }, true],
    [3.1, { at_most: 3 }, false],
    [3, { at_least: 3 }, true],
    [Number.NaN, { at_least: 3 }, false],
  ])("%d against %j: %j", (value, target, met) => {
    expect(isMet(value, target)).toBe(met);
  });
});

describe("the arguments", () => {
  it.each([
    [["--workload", "W9"], "no workload W9"],
    [["--probe", "luck"], "no probe luck"],
    [["--processes", "0"], "needs a number"],
    [["--fast"], "--fast"],
  ])("%j is refused", (args, message) => {
    expect(readOptions(args)).toContain(message);
  });

  it("a workload or a probe alone leaves out the rest", () => {
    expect(readOptions(["--workload", "W1"])).toMatchObject({ workloads: [{ name: "W1" }], probes: [] });
    expect(readOptions(["--probe", "memory"])).toMatchObject({ workloads: [], probes: ["memory"] });
    expect(readOptions([])).toMatchObject({
      workloads: { length: WORKLOADS.length },
      probes: PROBE_NAMES,
    });
    expect(readOptions(["--help"])).toBe(null);
    expect(USAGE).toContain(PROBE_NAMES.join(", "));
  });
});
