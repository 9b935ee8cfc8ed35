/** Aligned columns with two blanks between; rows are cut at the width with `…`. */
import { nounFor } from "../../grammar/english.ts";
import { cut, padTo, visible, widthOf } from "./columns.ts";

/** Cells are user text: they are made visible here. */
export function table(rows: readonly (readonly string[])[], width: number): string[] {
  const shown = rows.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [index, cell] of row.entries()) {
      if (index < row.length - 1) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return shown.map((row) => {
    const cells = row.map((cell, index) => (index < row.length - 1 ? padTo(cell, widths[index] ?? 0) : cell));
    const line = cells.join("  ").trimEnd();
    return width === Number.POSITIVE_INFINITY ? line : cut(line, width);
  });
}

/** `1 file`, `2 files`, `68,120 frames` */
export function counted(count: number, noun: string, plural?: string): string {
  return `${grouped(count)} ${nounFor(count, noun, plural)}`;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

/** `0.3 ms`, `1.2 s` */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
