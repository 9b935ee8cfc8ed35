/** Aligned columns with two blanks between; rows are cut at the width with `…`. */

import { nounFor } from "../../../grammar/text/english.ts";
import { widthOf } from "../../../grammar/text/width.ts";
import { cut, padTo, visible } from "./columns.ts";
import { wrap } from "./wrap.ts";

/** Cells are user text: they are made visible here. */
export function table(rows: readonly (readonly string[])[], width: number): string[] {
  return aligned(rows).map(({ head, last }) => {
    const line = `${head}${last}`.trimEnd();
    return width === Number.POSITIVE_INFINITY ? line : cut(line, width);
  });
}

/** The same without cutting: a last cell that is too long continues in the lines below. The caller prints each row after a margin. */
export function wrappedTable(rows: readonly (readonly string[])[], width: number, margin = 0): string[] {
  return aligned(rows).map(({ head, last }) => `${head}${wrap(last, width, margin + widthOf(head))}`.trimEnd());
}

/** All cells but the last one of a row, each as wide as its column; and the last one. */
function aligned(rows: readonly (readonly string[])[]): { readonly head: string; readonly last: string }[] {
  const shown = rows.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of shown) {
    for (const [index, cell] of row.slice(0, -1).entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return shown.map((row) => ({
    head: row
      .slice(0, -1)
      .map((cell, index) => `${padTo(cell, widths[index] ?? 0)}  `)
      .join(""),
    last: row.at(-1) ?? "",
  }));
}

const THOUSANDS = /\B(?=(?:[0-9]{3})+$)/g;

/** `1 file`, `2 files`, `68,120 frames` */
export function counted(count: number, noun: string, plural?: string): string {
  return `${grouped(count)} ${nounFor(count, noun, plural)}`;
}

/** A whole number, thousands apart. By hand: the first text that Intl makes takes a tenth of a short command. */
export function grouped(value: number): string {
  return String(Math.round(value)).replace(THOUSANDS, ",");
}

/** `0.3 ms`, `1.2 s` */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
