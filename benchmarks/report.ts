/** The figures as text, in columns. */
import { type Comparison, ratioOf } from "./comparison.ts";
import { type Figure, isMet, type Target, type Unit } from "./figure.ts";
import type { MachineFacts } from "./machine.ts";
import type { Options } from "./options.ts";
import { ABSENT, SIDES, sidesOf } from "./sides.ts";
import type { StartUp } from "./start-up.ts";
import type { Summary } from "./statistics.ts";
import { TARGETS } from "./targets.ts";
import { workloadNamed } from "./workloads.ts";

export function headerText(machine: MachineFacts, { processes, pace, quick }: Options): string {
  const { weft, node, v8, system, processor, cores, memory_gb, load_before, date } = machine;
  return [
    `Weft ${weft}, Node ${node} (V8 ${v8}), ${system}, ${processor}, ${cores} cores, ${memory_gb} GB, load ${load_before.toFixed(1)}, ${date}`,
    `${processes} × ${pace.repetitions} warm repetitions a side${quick ? " (quick: rough figures)" : ""}, each process of its own, sides in turn. All six limits set.`,
    "Times are processor time, V8's compiler and collector threads included: median (quartiles).",
    "",
  ].join("\n");
}

export function comparisonsText(comparisons: readonly Comparison[]): string {
  return comparisons.map(comparisonText).join("\n");
}

function comparisonText(comparison: Comparison): string {
  const workload = workloadNamed(comparison.workload);
  const rows = (workload === undefined ? [] : sidesOf(workload)).map((side) => {
    const figures = comparison.sides[side];
    if (figures === undefined) return [SIDES[side].title, ABSENT[side] ?? "not measured"];
    const ratio = side === "weft" ? null : ratioOf(comparison, side, "weft");
    return [
      SIDES[side].title,
      spread(figures.cpu_ms),
      figures.ns_per_step.toFixed(figures.ns_per_step < 10 ? 2 : 1),
      ratio === null ? "" : `${times(ratio.value)} (${times(ratio.low)}–${times(ratio.high)})`,
      `${duration(figures.compile_ms)} + ${duration(figures.first_ms)}`,
    ];
  });
  const head = [
    `${comparison.workload} ${comparison.title}`,
    "a run",
    "ns/step",
    "time against Weft's (rounds)",
    "cold: compile + first run",
  ];
  return columns([head, ...rows]);
}

export function shortRunsText(comparisons: readonly Comparison[]): string {
  const rows = comparisons
    .filter(({ short }) => short)
    .flatMap(({ workload, steps, sides }) =>
      (["native", "weft", "weft_sync", "weft_batch"] as const).flatMap((side) => {
        const figures = sides[side];
        if (figures === undefined) return [];
        const against = (figures.cpu_ms.median / (sides.native?.cpu_ms.median ?? Number.NaN)).toFixed(1);
        return [
          [
            `${workload} (${steps} steps)`,
            SIDES[side].title,
            `${count(1000 / figures.cpu_ms.median)} runs/s`,
            `${against}× native`,
          ],
        ];
      }),
    );
  return rows.length === 0 ? "" : `\nShort runs on one core:\n${columns(rows)}`;
}

/** Every target next to its figure; missed ones are named again at the end. */
export function targetsText(comparisons: readonly Comparison[], figures: readonly Figure[]): string {
  const rows: string[][] = [];
  const missed: string[] = [];
  const add = (name: string, value: string, target: Target, met: boolean, unit: string): void => {
    const bound = "at_most" in target ? `≤ ${target.at_most}` : `≥ ${target.at_least}`;
    rows.push([name, value, `${bound}${unit}`, met ? "met" : "MISSED"]);
    if (!met) missed.push(name);
  };
  for (const { workload, side, against, target } of TARGETS) {
    const comparison = comparisons.find((one) => one.workload === workload);
    const ratio = comparison === undefined ? null : ratioOf(comparison, side, against);
    const name = `${workload}: ${SIDES[side].title} against ${SIDES[against].title}`;
    if (ratio !== null) add(name, times(ratio.value), target, isMet(ratio.value, target), "×");
  }
  for (const { name, group, value, unit, target } of figures) {
    if (target !== undefined)
      add(`${group}: ${name}`, quantity(value, unit), target, isMet(value, target), unitText(unit));
  }
  if (rows.length === 0) return "";
  const verdict = missed.length === 0 ? "All targets measured are met." : `Missed: ${missed.length} of ${rows.length}.`;
  return `\nTargets:\n${columns(rows)}${verdict} Figures fail nothing.\n`;
}

export function figuresText(figures: readonly Figure[]): string {
  const groups = [...new Set(figures.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = figures
        .filter((one) => one.group === group)
        .map(({ name, value, unit, note }) => [`  ${name}`, quantity(value, unit), note ?? ""]);
      return `\n${group}:\n${columns(rows)}`;
    })
    .join("");
}

export function startUpText(startUp: StartUp | null): string {
  if (startUp === null) return "\nStart-up: not measured, dist/wf.mjs is not built.\n";
  const rows = startUp.rows.map(({ command, cpu_ms, wall_ms, ratio }) => [
    `  ${command}`,
    spread(cpu_ms),
    `${times(ratio)} of node -e 0`,
    `wall ${duration(wall_ms.median)}`,
  ]);
  return rows.length === 0 ? "" : `\nStart-up of the built command line:\n${columns(rows)}`;
}

function quantity(value: number, unit: Unit): string {
  if (unit === "runs/s" || unit === "lines/s") return `${count(value)} ${unit}`;
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unitText(unit)}`;
}

const unitText = (unit: Unit): string => (unit === "×" || unit === "%" ? unit : ` ${unit}`);

/** Milliseconds with a fitting unit. */
function duration(ms: number): string {
  if (ms >= 1) return `${ms.toFixed(ms >= 100 ? 0 : 2)} ms`;
  return ms >= 0.001 ? `${(ms * 1e3).toFixed(ms >= 0.1 ? 0 : 2)} µs` : `${(ms * 1e6).toFixed(1)} ns`;
}

const spread = ({ median, low, high }: Summary): string => `${duration(median)} (${bare(low)}–${bare(high)})`;
const bare = (ms: number): string => duration(ms).split(" ")[0] ?? "";
const times = (ratio: number): string => `${ratio.toFixed(ratio < 0.1 ? 3 : ratio < 10 ? 2 : 1)}×`;
const count = (value: number): string => (Math.round(value / 1000) * 1000).toLocaleString("en-US").replaceAll(",", " ");

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
