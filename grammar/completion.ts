/** What `complete` answers and asks: candidates for the next word, and the names that it may offer. Plain data; knows no adapter. */
import type { GrammarShape } from "./generate/shape.ts";
import type { Slot } from "./ops.ts";

/** What a candidate is: a class of the op table, or something that belongs to no slot. */
export type WordClass = Slot["class"] | "op" | "label" | "verb" | "close" | "end";

/** One word that may come next. */
export type Candidate = {
  /** Replaces the word at the caret. */
  readonly text: string;
  readonly class: WordClass;
  /** A usage line or nothing. */
  readonly detail: string;
};

/** A mark or blanks: in Python a list of choices without them is shorter. */
export function isMark({ text, class: one }: Candidate): boolean {
  return one === "close" || (one === "cmp" && !/^\w/.test(text)) || /^\W/.test(text);
}

/** What may come next, and where the caret is. */
export type Completion = {
  readonly state: "statement" | "slot" | "string" | "comment";
  /** Canonical op of the line, null before there is one and in the Python form. */
  readonly op: string | null;
  /** Name of the slot at the caret in the op table; null at a line's start, inside brackets and in the Python form. */
  readonly slot: string | null;
  readonly classes: readonly WordClass[];
  readonly items: readonly Candidate[];
  /** Where the word at the caret begins; an offset into the prefix. */
  readonly from: number;
};

/** What can be named: adapters, functions, and whatever the rest of the program holds besides the prefix. */
export type Surroundings = Pick<GrammarShape, "adapters" | "functions" | "python"> & {
  readonly labels?: readonly string[];
  readonly names?: readonly string[];
};
