/**
 * One workload's figures: what the processes of both sides measured, and what follows from it. Ratios are of processor time;
 * each pair of processes gives one more, to show how far they can be trusted.
 */
import type { Measured } from "./measure.ts";
import type { SideName } from "./sides.ts";
import { median, type Summary, summary } from "./statistics.ts";
import type { Workload } from "./workloads.ts";

export type SideFigures = {
  /** Processor milliseconds of one warm run. */
  readonly cpu_ms: Summary;
  readonly wall_ms: Summary;
  /** Cold, in processor milliseconds: compiling (native: nothing), then the first run. */
  readonly compile_ms: number;
  readonly first_ms: number;
};

export type Comparison = {
  readonly workload: string;
  readonly title: string;
  readonly steps: number;
  readonly sides: Readonly<Record<SideName, SideFigures>>;
  readonly ratio: number;
  /** Lowest and highest ratio of a pair of processes. */
  readonly ratio_range: readonly [number, number];
  /** Against the fastest stretch of any native process, warm-up included: the least flattering ratio. */
  readonly ratio_to_best: number;
  readonly wall_ratio: number;
  readonly ns_per_step: number;
  /** For short runs: runs per second of processor time, and of wall time. */
  readonly runs_per_second: { readonly cpu: number; readonly wall: number } | null;
  readonly bar: number | null;
  /** Null without a bar. */
  readonly met: boolean | null;
  readonly measured: Readonly<Record<SideName, readonly Measured[]>>;
};

export function compare(workload: Workload, measured: Readonly<Record<SideName, readonly Measured[]>>): Comparison {
  const sides = { native: figures(measured.native), weft: figures(measured.weft) };
  const ratio = sides.weft.cpu_ms.median / sides.native.cpu_ms.median;
  const pairs = measured.weft.map((weft, index) => cpuMedian(weft) / cpuMedian(measured.native[index] as Measured));
  return {
    workload: workload.name,
    title: workload.title,
    steps: workload.steps,
    sides,
    ratio,
    ratio_range: [Math.min(...pairs), Math.max(...pairs)],
    ratio_to_best: sides.weft.cpu_ms.median / Math.min(...measured.native.map(({ best_cpu_ms }) => best_cpu_ms)),
    wall_ratio: sides.weft.wall_ms.median / sides.native.wall_ms.median,
    ns_per_step: (sides.weft.cpu_ms.median * 1e6) / workload.steps,
    runs_per_second: workload.short
      ? { cpu: 1000 / sides.weft.cpu_ms.median, wall: 1000 / sides.weft.wall_ms.median }
      : null,
    bar: workload.bar,
    met: workload.bar === null ? null : ratio <= workload.bar,
    measured,
  };
}

const cpuMedian = ({ samples }: Measured): number => median(samples.map(({ cpu_ms }) => cpu_ms));

function figures(processes: readonly Measured[]): SideFigures {
  const samples = processes.flatMap((process) => process.samples);
  return {
    cpu_ms: summary(samples.map(({ cpu_ms }) => cpu_ms)),
    wall_ms: summary(samples.map(({ wall_ms }) => wall_ms)),
    compile_ms: median(processes.map(({ compile }) => compile.cpu_ms)),
    first_ms: median(processes.map(({ first }) => first.cpu_ms)),
  };
}
