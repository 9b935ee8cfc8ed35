/** One figure of a probe: a number with its unit, how far its repetitions lie apart, and its target where it has one. */
import type { Summary } from "./statistics.ts";

export type Unit = "ns" | "µs" | "ms" | "×" | "%" | "lines/s" | "calls/s" | "requests/s" | "runs/s" | "jobs/s" | "KiB";

export type Target = { readonly at_most: number } | { readonly at_least: number };

export type Figure = {
  /** Heading it stands under. */
  readonly group: string;
  readonly name: string;
  /** The median, where it was measured several times. */
  readonly value: number;
  /** First and third quartile of the repetitions. */
  readonly quartiles?: readonly [low: number, high: number];
  readonly unit: Unit;
  readonly target?: Target;
};

/** How many of a unit are a millisecond. */
const PER_MS = { ns: 1e6, µs: 1e3, ms: 1 } as const;

/** Milliseconds of several repetitions as the value of a figure; `parts`: how many things took that time together. */
export function timed(
  summary: Summary | undefined,
  unit: keyof typeof PER_MS,
  parts = 1,
): Pick<Figure, "value" | "quartiles" | "unit"> {
  const factor = PER_MS[unit] / parts;
  const { median, low, high } = summary ?? { median: Number.NaN, low: Number.NaN, high: Number.NaN };
  return { value: median * factor, quartiles: [low * factor, high * factor], unit };
}

export function isMet(value: number, target: Target): boolean {
  return "at_most" in target ? value <= target.at_most : value >= target.at_least;
}
