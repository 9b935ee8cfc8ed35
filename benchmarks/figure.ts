/** One figure of a probe: a number with its unit, and the target it is held against, if there is one. */

export type Unit = "ns" | "µs" | "ms" | "×" | "%" | "runs/s" | "lines/s" | "calls/s" | "KiB";

export type Target = { readonly at_most: number } | { readonly at_least: number };

export type Figure = {
  /** Heading it stands under. */
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: Unit;
  /** Said in words besides. */
  readonly note?: string;
  readonly target?: Target;
};

export function isMet(value: number, target: Target): boolean {
  return "at_most" in target ? value <= target.at_most : value >= target.at_least;
}
