/** The figures as text, in columns. */
import { type Comparison, ratioOf } from "./comparison.ts";
import { type Figure, isMet, type Target, type Unit } from "./figure.ts";
import type { MachineFacts } from "./machine.ts";
import type { Options } from "./options.ts";
import { absent, SIDES, sidesOf } from "./sides.ts";
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
    if (figures === undefined) return [SIDES[side].title, absent(side)];
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
      (["native", "weft", "weft_sync", "weft_prepared", "weft_batch"] as const).flatMap((side) => {
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

/** Every target next to its figure; the missed ones are counted at the end. */
export function targetsText(comparisons: readonly Comparison[], figures: readonly Figure[]): string {
  const rows: string[][] = [];
  let missed = 0;
  const add = (name: string, value: number, unit: Unit, target: Target): void => {
    const bound = "at_most" in target ? `≤ ${target.at_most}` : `≥ ${target.at_least}`;
    const met = isMet(value, target);
    rows.push([name, quantity(value, unit), `${bound}${unitText(unit)}`, met ? "met" : "MISSED"]);
    if (!met) missed += 1;
  };
  for (const { workload, side, against, target } of TARGETS) {
    const comparison = comparisons.find((one) => one.workload === workload);
    if (comparison === undefined) continue;
    const name = `${workload}: ${SIDES[side].title}`;
    if (against === null) {
      const figures = comparison.sides[side];
      if (figures !== undefined) add(name, figures.cpu_ms.median * 1e6, "ns", target);
    } else {
      const ratio = ratioOf(comparison, side, against);
      if (ratio !== null) add(`${name} against ${SIDES[against].title}`, ratio.value, "×", target);
    }
  }
  for (const { name, group, value, unit, target } of figures)
    if (target !== undefined) add(`${group}: ${name}`, value, unit, target);
  if (rows.length === 0) return "";
  const verdict = missed === 0 ? "All measured targets are met." : `Missed: ${missed} of ${rows.length}.`;
  return `\nTargets:\n${columns(rows)}${verdict} A missed target fails nothing.\n`;
}

export function figuresText(figures: readonly Figure[]): string {
  const groups = [...new Set(figures.map(({ group }) => group))];
  return groups
    .map((group) => {
      const rows = figures
        .filter((one) => one.group === group)
        .map(({ name, value, quartiles, unit }) => [
          `  ${name}`,
          quantity(value, unit),
          quartiles === undefined ? "" : `(${quartiles.map((one) => amount(one, unit)).join("–")})`,
        ]);
      return `\n${group}:\n${columns(rows)}`;
    })
    .join("");
}

const quantity = (value: number, unit: Unit): string => `${amount(value, unit)}${unitText(unit)}`;

function amount(value: number, unit: Unit): string {
  if (unit.endsWith("/s")) return count(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
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
/** Three digits of a large number. */
function count(value: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2);
  return (Math.round(value / unit) * unit).toLocaleString("en-US").replaceAll(",", " ");
}

export function columns(rows: readonly (readonly string[])[]): string {
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
