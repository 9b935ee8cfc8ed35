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

export class Refusal extends Error {
  /** The line is counted when the fault is reported. */
  readonly fault: Omit<SyntaxFault, "line">;

  constructor(fault: FaultName, { start, end }: Stretch, { words = {}, fix }: Said = {}) {
    super(fault);
    this.fault = { fault, start, end, words, fix: fix ?? null };
  }
}
