/** Sentences on a terminal: broken between words, so that none is torn apart at the edge. A pipe or file (width ∞) gets long lines. */
import { widthOf } from "../../../grammar/text/width.ts";

/** Minimum width next to the first columns; a narrower text continues below them. */
const LEAST_ROOM = 20;
const BELOW = 4;

/** The text as it continues from a column; further lines begin there too. A word that is too long stays whole. */
export function wrap(text: string, width: number, column = 0, gap = " "): string {
  if (width === Number.POSITIVE_INFINITY || column + widthOf(text) <= width) return text;
  const indent = width - column < LEAST_ROOM ? BELOW : column;
  let shown = "";
  let at = column;
  for (const [index, word] of text.split(gap).entries()) {
    const between = index === 0 ? "" : gap;
    if (at > indent && at + widthOf(between + word) > width) {
      shown += `\n${" ".repeat(indent)}${word}`;
      at = indent + widthOf(word);
    } else {
      shown += between + word;
      at += widthOf(between + word);
    }
  }
  return shown;
}
