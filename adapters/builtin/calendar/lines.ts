/**
 * The lines of iCalendar text and the components that they make, read as calendar programs read them: any line end, folds anywhere,
 * missing ends of components. A line that continues a text without being folded is added to its property, after a line break.
 */

/** One component while it is read. */
export type LineComponent<P> = {
  readonly name: string;
  readonly properties: P[];
  readonly inside: LineComponent<P>[];
};

export type LineTree<P> = {
  readonly calendars: readonly LineComponent<P>[];
  /** Events whose end is missing because the text ends before. */
  readonly cutOff: readonly LineComponent<P>[];
  /** Some lines could not be read at all. */
  readonly incomplete: boolean;
};

const LINE_END = /\r*\n|\r/;
const FOLD = /(?:\r*\n|\r)[ \t]/g;
const CONTENT = /^[\w.-]+(?::|;.*:)/s;
/** Properties of text that people write, and that exporters forget to fold. */
const PROSE = /^(?:description|summary|location|comment|contact|x-[\w-]+)[;:]/i;
/** They never stand inside each other, so the beginning of one ends the one before. */
const SIBLINGS: ReadonlySet<string> = new Set(["vevent", "vtodo", "vjournal", "vfreebusy", "vtimezone"]);

/** The lines of a text, with continuation lines joined. */
export function linesIn(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    const ends = sign === 10 || (sign === 13 && text.charCodeAt(at + 1) !== 10);
    const next = ends ? text[at + 1] : "";
    if (ends && next !== " " && next !== "\t") lines += 1;
  }
  return lines;
}

/** Unfolded, without empty ones. */
function contentLines(text: string): { readonly lines: readonly string[]; readonly incomplete: boolean } {
  const lines: string[] = [];
  let incomplete = false;
  for (const line of text
    .replace(/^\ufeff/, "")
    .replace(FOLD, "")
    .split(LINE_END)) {
    if (line.trim() === "") continue;
    const last = lines.at(-1);
    if (CONTENT.test(line)) lines.push(line);
    else if (last !== undefined && PROSE.test(last)) lines[lines.length - 1] = `${last}\\n${line}`;
    else incomplete = true;
  }
  return { lines, incomplete };
}

/** Reads the components; `propertyOf` gives null for a line that says nothing. */
export function readComponents<P>(
  text: string,
  {
    maxDepth,
    tooDeep,
    propertyOf,
  }: {
    readonly maxDepth: number;
    tooDeep(): Error;
    propertyOf(line: string): P | "empty" | "unreadable";
  },
): LineTree<P> {
  const { lines, incomplete } = contentLines(text);
  const calendars: LineComponent<P>[] = [];
  const open: LineComponent<P>[] = [];
  let dropped = incomplete;

  const closeDownTo = (level: number): void => {
    while (open.length > level) {
      const done = open.pop();
      if (done === undefined) return;
      const parent = open.at(-1);
      if (parent !== undefined) parent.inside.push(done);
      else if (done.name === "vcalendar") calendars.push(done);
    }
  };
  const begin = (name: string): void => {
    const isOwn = name === "vcalendar" || SIBLINGS.has(name);
    const sibling = isOwn ? open.findIndex((one) => SIBLINGS.has(one.name)) : -1;
    if (sibling >= 0) closeDownTo(sibling);
    open.push({ name, properties: [], inside: [] });
    if (open.length > maxDepth) throw tooDeep();
  };

  for (const line of lines) {
    const [, edge, name = ""] = /^(begin|end):\s*(.*?)\s*$/i.exec(line) ?? [];
    if (edge === undefined) {
      const property = open.length === 0 ? "empty" : propertyOf(line);
      if (property === "unreadable") dropped = true;
      else if (property !== "empty") open.at(-1)?.properties.push(property);
    } else if (edge.toLowerCase() === "begin") begin(name.toLowerCase());
    else {
      const level = open.findLastIndex((one) => one.name === name.toLowerCase());
      if (level >= 0) closeDownTo(level);
    }
  }
  const cutOff = open.filter((one) => one.name === "vevent");
  // What is not an event may well be complete: a calendar often lacks its last line.
  const firstOpen = open.findIndex((one) => SIBLINGS.has(one.name));
  if (firstOpen >= 0) open.splice(firstOpen);
  closeDownTo(0);
  return { calendars, cutOff, incomplete: dropped || cutOff.length > 0 };
}
