/**
 * Readable text of an HTML body, for messages that have no other. Tags are dropped in one pass over the text, without a tree and without
 * patterns that look back, as the HTML comes from anybody.
 */

const BLOCKS: ReadonlySet<string> = new Set(
  "p div br hr tr li ul ol table h1 h2 h3 h4 h5 h6 blockquote pre section article header footer".split(" "),
);
/** Elements whose content is not text. */
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "head", "title", "template"]);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

export function textOfHtml(html: string): string {
  const parts: string[] = [];
  let hidden: string | null = null;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (hidden === null) parts.push(decoded(html.slice(at, end)).replace(/\s+/g, " "));
    if (open < 0) break;
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

/** Where the tag or comment that begins at `open` is over. */
function endOfTag(html: string, open: number): number {
  const mark = html.startsWith("<!--", open) ? "-->" : ">";
  const close = html.indexOf(mark, open);
  return close < 0 ? html.length : close + mark.length;
}

function decoded(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES.get(name.toLowerCase()) ?? whole;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : whole;
  });
}
