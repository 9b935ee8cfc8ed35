/**
 * How a label's id stands in programs: `1` → `L1`; a label of an included file (`alias/ENTRY`) is written as it is. Whatever people read
 * shows labels like this; documents for programs keep the bare id. A block of a graph (`main~body2`) is shown as its graph.
 */
export function writtenLabel(id: string): string {
  const [, graph] = BLOCK.exec(id) ?? [];
  if (graph !== undefined) return graph;
  return id.includes("/") ? id : `L${id}`;
}

/** How people read of a label where its program is not at hand. `_entry` is where programs of older versions began, whose source named no labels. */
export function shownLabel(id: string): string {
  const written = writtenLabel(id);
  return written === "L_entry" || written === "_entry" ? "entry" : written;
}

/** Labels that stand for blocks in IR of older versions, whose programs were notations for steps. */
const BLOCK = /^(.+)~(?:then|else|body|cont|test|try|except)[0-9]+$/;

/** Whether a label was made for a block of an older program. Labels in source cannot contain the mark. */
export function isBlockLabel(id: string): boolean {
  return id.includes("~");
}

/** Variables that IR of older versions keeps for itself; lists of a program's variables leave them out. */
const HIDDEN = /^_(?:out[0-9]+(?:_value)?|(?:while|break|continue|value|item)[0-9]+)$/;

export function isShown(name: string): boolean {
  return !HIDDEN.test(name);
}
