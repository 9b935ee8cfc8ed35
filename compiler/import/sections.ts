/**
 * The sections of a document by the words of their headings. A section reaches to the next heading of the same or a higher level, so
 * headings below it belong to it.
 */
import { type Block, firstParagraph } from "./document.ts";
import { cutText, plainText } from "./plain-text.ts";

const MAX_HEADING_LENGTH = 100;
const MAX_LEVEL = 6;

/** What a section is read for: its list, or its first paragraph. The other one serves when it has none. */
export type Reading = "list" | "paragraph";

export type Section = {
  /** Of the heading: letters and digits in lower case, without pictures, punctuation and a leading `your`. */
  readonly words: string;
  /** Its blocks lie in the document from here … */
  readonly start: number;
  /** … to before here. */
  readonly end: number;
};

export function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [];
  /** By level: where the nearest heading of that level or a higher one stands, seen from below. */
  const ends = new Array<number>(MAX_LEVEL + 1).fill(blocks.length);
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block?.kind !== "heading") continue;
    sections.push({ words: headingWords(block.text), start: at + 1, end: ends[block.level] ?? blocks.length });
    ends.fill(at, block.level);
  }
  return sections.reverse();
}

function headingWords(heading: string): string {
  return plainText(heading, MAX_HEADING_LENGTH)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/^your /, "");
}

/**
 * Text of the first section under one of these headings that has any. A heading of several words may continue (`critical rules you must
 * follow`); one of a single word may not, since `process payments` is not a process.
 */
export function sectionText(
  { blocks, sections }: { readonly blocks: readonly Block[]; readonly sections: readonly Section[] },
  headings: readonly string[],
  { reading, limit }: { readonly reading: Reading; readonly limit: number },
): string {
  for (const heading of headings) {
    const goesOn = heading.includes(" ");
    for (const { words, start, end } of sections) {
      if (words !== heading && !(goesOn && words.startsWith(`${heading} `))) continue;
      const inside = blocks.slice(start, end);
      const forms = [listText(inside, limit), paragraphText(inside, limit)];
      const text = (reading === "list" ? forms : forms.reverse()).find((form) => form !== "");
      if (text !== undefined) return text;
    }
  }
  return "";
}

/** Items with their continuation lines, one per line. */
function listText(blocks: readonly Block[], limit: number): string {
  const items: string[] = [];
  let length = 0;
  for (const block of blocks) {
    if (length > limit * 2) break;
    if (block.kind !== "item" && !(block.kind === "prose" && block.inItem)) continue;
    const text = plainText(block.text, limit);
    length += text.length;
    if (block.kind === "item") items.push(text);
    else items.push(`${items.pop() ?? ""} ${text}`);
  }
  return cutText(items.filter((item) => item !== "").join("\n"), limit);
}

function paragraphText(blocks: readonly Block[], limit: number): string {
  return plainText(firstParagraph(blocks).join(" "), limit);
}
