/** What ends the reading of a file: thrown by the lexer, the rules and the checks, caught once in `parse.ts`. */
import type { FaultName } from "./faults.ts";
import type { SyntaxFault } from "./tree.ts";

/** Offsets into the source. */
export type Stretch = { readonly start: number; readonly end: number };
export type Edit = { readonly start: number; readonly end: number; readonly text: string };

export type Said = {
  readonly words?: { readonly [name: string]: string };
  readonly fix?: { readonly title: string; readonly edits: readonly Edit[] };
};

/** As many elements, arguments, operands or alternatives stand side by side in one place. */
const MOST_PARTS = 50_000;

export function boundParts(parts: readonly Stretch[]): void {
  const surplus = parts[MOST_PARTS];
  if (surplus !== undefined)
    throw new Refusal("parts_too_many", surplus, { words: { most: MOST_PARTS.toLocaleString("en") } });
}

export class Refusal extends Error {
  /** The line is counted when the fault is reported. */
  readonly fault: Omit<SyntaxFault, "line">;

  constructor(fault: FaultName, { start, end }: Stretch, { words = {}, fix }: Said = {}) {
    super(fault);
    this.fault = { fault, start, end, words, fix: fix ?? null };
  }
}
