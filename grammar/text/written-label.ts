/**
 * How a label's id stands in programs: `1` → `L1`; a label of an included file (`alias/ENTRY`) is written as it is. Whatever people read
 * shows labels like this; documents for programs keep the bare id. A block of a graph (`main~body2`) is shown as its graph.
 */
export function writtenLabel(id: string): string {
  const [, graph] = BLOCK.exec(id) ?? [];
  if (graph !== undefined) return graph;
  return id.includes("/") ? id : `L${id}`;
}

/** Labels that the indented form makes for blocks. */
const BLOCK = /^(.+)~(?:then|else|body|cont|test|try|except)[0-9]+$/;
