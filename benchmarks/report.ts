/** The figures as text, in columns. */
import type { Comparison } from "./comparison.ts";
import type { DispatchRow } from "./dispatch.ts";
import type { MachineFacts } from "./machine.ts";
import type { Options } from "./options.ts";
import type { StartUp } from "./start-up.ts";
import type { Summary } from "./statistics.ts";

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
  const rows = comparisons.map((row) => [
    `${row.workload} ${row.title}`,
    spread(row.sides.native.cpu_ms),
    spread(row.sides.weft.cpu_ms),
    `${times(row.ratio)} (${row.ratio_range.map((ratio) => ratio.toFixed(1)).join("–")})`,
    times(row.ratio_to_best),
    times(row.wall_ratio),
    row.ns_per_step.toFixed(1),
    duration(row.sides.native.first_ms),
    `${duration(row.sides.weft.compile_ms)} + ${duration(row.sides.weft.first_ms)}`,
  ]);
  const head = [
    "workload",
    "native, a run",
    "Weft, a run",
    "ratio (pairs)",
    "to its best",
    "wall",
    "ns/step",
    "native cold",
    "Weft cold: compile + first run",
  ];
  return columns([head, ...rows]);
}

export function shortRunsText(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ workload, steps, runs_per_second: rate }) =>
    rate === null
      ? []
      : [[workload, `${steps} steps`, `${count(rate.cpu)} runs/s`, `${count(rate.wall)} runs/s by wall time`]],
  );
  return rows.length === 0 ? "" : `\nStarted from the host, one after the other, on one core:\n${columns(rows)}`;
}

export function barsText(comparisons: readonly Comparison[]): string {
  const rows = comparisons.flatMap(({ workload, ratio, ratio_to_best, bar, met }) => {
    if (bar === null || met === null) return [];
    const close = met && ratio_to_best > bar ? `, but not against the native peer's best: ${times(ratio_to_best)}` : "";
    return [[workload, times(ratio), `≤ ${bar}×`, met ? `met${close}` : "MISSED"]];
  });
  if (rows.length === 0) return "";
  const missed = rows.filter((row) => row[3] === "MISSED").map((row) => row[0]);
  const verdict =
    missed.length === 0
      ? "All bars measured are met."
      : `Missed: ${missed.join(", ")}. Figures fail nothing; see above.`;
  return `\nFirst aim, against native:\n${columns(rows)}${verdict}\n`;
}

export function dispatchText(dispatch: readonly DispatchRow[]): string {
  const rows = dispatch.map(({ name, cpu_ms, aim_ms }) => [
    name,
    spread(cpu_ms),
    aim_ms === null ? "" : `aim below ${duration(aim_ms)}: ${cpu_ms.median < aim_ms ? "met" : "missed"}`,
  ]);
  return `\nWhat one adapter call adds to a turn of a loop:\n${columns(rows)}`;
}

export function startUpText(startUp: StartUp | null): string {
  if (startUp === null) return "\nStart-up: not measured, dist/wf.mjs is not built.\n";
  const rows = startUp.rows.map(({ command, cpu_ms, wall_ms, ratio }) => [
    command,
    spread(cpu_ms),
    `${times(ratio)} of node -e 0`,
    `wall ${duration(wall_ms.median)}`,
  ]);
  return rows.length === 0 ? "" : `\nStart-up of the built command line:\n${columns(rows)}`;
}

/** Milliseconds with a fitting unit. */
function duration(ms: number): string {
  if (ms >= 1) return `${ms.toFixed(ms >= 100 ? 0 : 2)} ms`;
  return ms >= 0.001 ? `${(ms * 1e3).toFixed(ms >= 0.1 ? 0 : 2)} µs` : `${(ms * 1e6).toFixed(1)} ns`;
}

const spread = ({ median, low, high }: Summary): string => `${duration(median)} (${bare(low)}–${bare(high)})`;
const bare = (ms: number): string => duration(ms).split(" ")[0] ?? "";
const times = (ratio: number): string => `${ratio.toFixed(1)}×`;
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
