/** Texts of programs in diagrams: of bounded length, and broken into lines where a reader would break them. */
import { widthOf } from "../../grammar/text/width.ts";

/** Longer names are cut; the whole name is in the program. */
export const MAX_NAME = 60;
const MAX_COLUMNS = 40;
const MAX_LINES = 4;
/** One word is shown up to this length. */
const MAX_WORD = 60;

/** Cuts a text to a maximum of characters, with `…` where something is missing. */
export function cutText(text: string, most: number): string {
  // A slice of that many code units has at least half as many characters, so a long text is not taken apart whole.
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Lines of about 40 columns that break between words. `…` stands where the text has more than four of them. */
export function textLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  // Longer texts have more lines than are shown, whatever their words are.
  for (const word of text.slice(0, MAX_LINES * MAX_WORD * 2).split(" ")) {
    const shown = cutText(word, MAX_WORD);
    if (line === "") line = shown;
    else if (widthOf(line) + 1 + widthOf(shown) <= MAX_COLUMNS) line += ` ${shown}`;
    else {
      lines.push(line);
      line = shown;
    }
  }
  lines.push(line);
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]} …`];
}
