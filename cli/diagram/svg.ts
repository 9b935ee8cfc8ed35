/**
 * Texts in drawings of Graphviz. It measures without fonts and counts bytes, so a box of its own measure is too small for one system
 * and too wide for another script. It is given an `x` for each column instead, and the texts are put in afterwards, each with the
 * length that was kept free for it: none leaves its box, whatever font shows it.
 */
import { titleId } from "../../compiler/diagram/dot.ts";
import { columnsOf } from "../../compiler/diagram/measured.ts";
import type { Diagram } from "../../compiler/diagram/model.ts";
import { markupText } from "../output/terminal/markup.ts";

/** What `toDot` names Courier, as systems have it. */
const FONTS = "ui-monospace,Menlo,Consolas,monospace";
/** Width of a column of Courier, in parts of the size of the font. */
const COLUMN = 0.6;
const TITLE_OR_TEXT = /<title>(.*)<\/title>\n|<text (.*font-size="([\d.]+)")>(.*)<\/text>\n/g;

/** The drawing of the measured diagram with its texts. Titles of pieces, which are ids, tell a reader nothing and are left out. */
export function withTexts(svg: string, diagram: Diagram): string {
  const linesOf = new Map<string, readonly string[]>();
  for (const { id, title, boxes } of diagram.groups) {
    if (title !== null) linesOf.set(titleId(id), [title]);
    for (const box of boxes) linesOf.set(box.id, box.lines);
  }
  let lines: string[] = [];
  return svg
    .replaceAll('font-family="Courier,monospace"', `font-family="${FONTS}"`)
    .replace(TITLE_OR_TEXT, (_, id: string | undefined, facts: string, points: string, drawn: string) => {
      if (id !== undefined) {
        lines = [...(linesOf.get(id) ?? [])];
        return "";
      }
      // Texts of arrows are ours: ports and counts.
      const line = lines.shift() ?? drawn;
      const length = (columnsOf(line).length * COLUMN * Number(points)).toFixed(1);
      return `<text ${facts} textLength="${length}" lengthAdjust="spacingAndGlyphs">${markupText(line)}</text>\n`;
    });
}
