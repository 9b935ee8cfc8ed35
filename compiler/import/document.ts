/**
 * A line-based reader of the part of Markdown that imports need: front matter, `#` headings, list items and prose. Fenced code,
 * HTML comments, tables, rules and lone tags are left out. It reads every line once, whatever the text is, and never fails.
 */
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { cutText, plainText } from "./plain-text.ts";

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | {
      readonly kind: "item";
      /** `1.` or `1)`, not a bullet. */
      readonly ordered: boolean;
      /** Columns before the marker; a tab is four. */
      readonly indent: number;
      readonly text: string;
    }
  | {
      readonly kind: "prose";
      readonly text: string;
      /** Continues the item above it. */
      readonly inItem: boolean;
    }
  | { readonly kind: "gap" };

export type MarkdownDocument = {
  readonly frontMatter: ReadonlyMap<string, string>;
  readonly blocks: readonly Block[];
  readonly warnings: readonly string[];
};

/** Nothing that is kept of a line is longer; it also bounds what patterns have to look at. */
const MAX_LINE_LENGTH = 4000;
const MAX_TITLE_LENGTH = 500;
const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const ITEM = /^([ \t]*)(?:([-*+])|\d{1,9}[.)])[ \t]+(\S.*)$/;
const RULE = /^[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const TABLE_ROW = /^[ \t]*\|/;
const LONE_TAG = /^[ \t]*<\/?[a-z][^>]*>[ \t]*$/i;
const QUOTE_MARKS = /^[ \t]*(?:>[ \t]?)*/;

export function readDocument(markdown: string): MarkdownDocument {
  // Separators that only some programs take for line ends are blanks: patterns must see whole lines.
  const lines = markdown
    .replace(/^\uFEFF/, "")
    .replace(/[\u2028\u2029]/g, " ")
    .split(/\r\n|\r|\n/);
  const frontMatter = readFrontMatter(lines);
  return {
    frontMatter: frontMatter.values,
    blocks: readBlocks(lines, frontMatter),
    warnings: frontMatter.unclosed ? ["front matter is not closed: read as text"] : [],
  };
}

function readBlocks(lines: readonly string[], { end: from }: FrontMatter): readonly Block[] {
  const blocks: Block[] = [];
  /** What the present line must hold to end the code block or comment around it. */
  let closes: ((line: string) => boolean) | null = null;
  for (let at = from; at < lines.length; at++) {
    const line = cutText(lines[at] ?? "", MAX_LINE_LENGTH);
    if (closes !== null) {
      if (closes(line)) closes = null;
      continue;
    }
    closes = hiddenUntil(line);
    if (closes === null) blocks.push(readLine(line, blocks.at(-1)));
    else blocks.push({ kind: "gap" });
  }
  return blocks;
}

/** For a line that opens a code block or comment: what closes it. */
function hiddenUntil(line: string): ((line: string) => boolean) | null {
  const [, fence, info = ""] = FENCE.exec(line) ?? [];
  if (fence !== undefined && !(fence.startsWith("`") && info.includes("`"))) {
    return (later) => {
      const [, mark = "", rest = ""] = FENCE.exec(later) ?? [];
      return mark.startsWith(fence) && rest.trim() === "";
    };
  }
  const comment = line.trimStart().startsWith("<!--") && !line.includes("-->");
  return comment ? (later) => later.includes("-->") : null;
}

function readLine(line: string, before: Block | undefined): Block {
  const [, marks, heading = ""] = HEADING.exec(line) ?? [];
  if (marks !== undefined) return { kind: "heading", level: marks.length, text: withoutClosingMarks(heading) };
  if (isSilent(line)) return { kind: "gap" };
  const [, indent, bullet, item] = ITEM.exec(line) ?? [];
  if (indent !== undefined && item !== undefined) {
    return { kind: "item", ordered: bullet === undefined, indent: columns(indent), text: item };
  }
  const inItem = before?.kind === "item" || (before?.kind === "prose" && before.inItem);
  return { kind: "prose", text: line.replace(QUOTE_MARKS, ""), inItem };
}

function isSilent(line: string): boolean {
  if (line.trim() === "" || line.trimStart().startsWith("<!--")) return true;
  return RULE.test(line) || TABLE_ROW.test(line) || LONE_TAG.test(line);
}

/** `# Title ##` is the title alone. */
function withoutClosingMarks(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === "#") end--;
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text;
}

function columns(indent: string): number {
  let count = 0;
  for (const character of indent) count += character === "\t" ? 4 : 1;
  return count;
}

/** Front matter `title` or `name`, else the first `# heading`, else the name of its file, else `imported`. */
export function titleOf(document: MarkdownDocument, name: string | undefined): string {
  const { frontMatter } = document;
  const candidates = [frontMatter.get("title"), frontMatter.get("name"), firstHeading(document), name];
  for (const candidate of candidates) {
    const title = plainText(candidate ?? "", MAX_TITLE_LENGTH);
    if (title !== "") return title;
  }
  return "imported";
}

/** Text of the first `# heading` that is not empty; empty without one. */
export function firstHeading(document: MarkdownDocument): string {
  for (const block of document.blocks) {
    if (block.kind !== "heading" || block.level !== 1) continue;
    const title = plainText(block.text, MAX_TITLE_LENGTH);
    if (title !== "") return title;
  }
  return "";
}

/** The lines of the first paragraph that is not part of a list; empty without one. */
export function firstParagraph(blocks: readonly Block[]): readonly string[] {
  const isProse = (block: Block): boolean => block.kind === "prose" && !block.inItem;
  const start = blocks.findIndex(isProse);
  if (start === -1) return [];
  const lines: string[] = [];
  for (let at = start; at < blocks.length; at++) {
    const block = blocks[at];
    if (block?.kind !== "prose") break;
    lines.push(block.text);
  }
  return lines;
}
