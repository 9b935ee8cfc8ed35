/** What lowering refuses: a place, and why. */
import type { Place } from "../../grammar/python/tree.ts";

/** What is wrong with a place: row of the table of refusals and its words. */
export type Refusal = {
  readonly at: Place;
  readonly row: string;
  readonly words: Readonly<Record<string, string>>;
  readonly fix?: Fix | null;
};

/** An edit that keeps what the author means; offsets into the source. */
export type Fix = {
  readonly title: string;
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
};
