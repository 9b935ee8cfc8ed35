/**
 * How a label's id stands in programs: `1` → `L1`; a label of an included file (`alias/ENTRY`) is written as it is. Whatever people read
 * shows labels like this; documents for programs keep the bare id.
 */
export function writtenLabel(id: string): string {
  return id.includes("/") ? id : `L${id}`;
}
