/**
 * Readable text of an HTML body, for messages that have no other. Tags are dropped in one pass over the text, without a tree and without
 * patterns that look back, as the HTML is untrusted.
 */
import { withoutReferences } from "./html-entities.ts";

const BLOCKS: ReadonlySet<string> = new Set(
  "p div br hr tr li ul ol table h1 h2 h3 h4 h5 h6 blockquote pre section article header footer".split(" "),
);
/** Elements whose content is not text. */
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "head", "title", "template"]);
/** What a tag, an end or a comment begins with; any other `<` is text. */
const TAG = /<[a-zA-Z/!?]/g;

export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let hidden: string | null = null;
  let at = 0;
  while (at < html.length) {
    const open = nextTag(html, at);
    if (hidden === null) parts.push(withoutReferences(html.slice(at, open)).replace(/\s+/g, " "));
    if (open === html.length) break;
    const close = endOfTag(html, open);
    const [, slash, name = ""] = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/.exec(html.slice(open, open + 20)) ?? [];
    const tag = name.toLowerCase();
    if (hidden === null && slash === "" && HIDDEN.has(tag)) hidden = tag;
    else if (hidden === tag && slash === "/") hidden = null;
    else if (hidden === null && BLOCKS.has(tag)) parts.push("\n");
    at = close;
  }
  return parts
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Where the next tag, end or comment begins; the end of the text without one. */
function nextTag(html: string, from: number): number {
  TAG.lastIndex = from;
  return TAG.exec(html)?.index ?? html.length;
}

/** Where the tag or comment that begins at `open` is over. */
function endOfTag(html: string, open: number): number {
  const mark = html.startsWith("<!--", open) ? "-->" : ">";
  const close = html.indexOf(mark, open);
  return close < 0 ? html.length : close + mark.length;
}
