/**
 * The label lines of a file, for what is said about steps before the file is read to its end: `If ok then else` may name labels, and a
 * While without its second label may mean the one below. Gathered when first asked for, once for each file.
 */

import { contentStart, type Source, skipBlanks } from "../text/source.ts";
import { isLabelWord, slotWordEnd } from "./slots.ts";

/** `words`: as written, without the colon, in the order of the lines; `lines` count from 1. */
type LabelLines = {
  readonly ids: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly lines: readonly number[];
};

const LABELS = new WeakMap<Source, LabelLines>();

/** Whether a label line has this id. */
export function namesLabel(id: string, source: Source): boolean {
  return labelsOf(source).ids.has(id);
}

/** The first label below a line other than `except`, as written: `L_done`. */
export function labelBelow(source: Source, line: number, except: string): string | null {
  const { words, lines } = labelsOf(source);
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  // A label that is declared twice is looked past once: there may be very many.
  return words.slice(low, low + 2).find((word) => word !== except) ?? null;
}

function labelsOf(source: Source): LabelLines {
  const known = LABELS.get(source);
  if (known !== undefined) return known;
  const words: string[] = [];
  const lines: number[] = [];
  for (let at = 0; at < source.starts.length; at++) {
    const limit = source.ends[at] ?? source.text.length;
    const start = skipBlanks(source.text, contentStart(source, at), limit);
    const word = source.text.slice(start, slotWordEnd(source.text, start, limit));
    if (!isLabelWord(word)) continue;
    words.push(word.slice(0, -1));
    lines.push(at + 1);
  }
  const labels: LabelLines = { ids: new Set(words.map((word) => word.slice(1))), words, lines };
  LABELS.set(source, labels);
  return labels;
}
