/** Pieces of Markdown pages: tables, code, and numbers with their units. */

/** A Markdown table; nothing for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const used = head.map((_, column) => rows.some((row) => row[column] !== ""));
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .filter((_, column) => used[column])
      .map(escaped)
      .join(" | ")} |`;
  return [line(head), line(head.map(() => "---")).replaceAll(" ", ""), ...rows.map(line)].join("\n");
}

/** Bars would end a cell; what looks like a tag is one outside of code. */
function escaped(cell: string): string {
  const parts = cell
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")
    .split("`");
  return parts.map((part, place) => (place % 2 === 0 ? part.replaceAll("<", "\\<") : part)).join("`");
}

export function code(text: string): string {
  return `\`${text}\``;
}

export function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

const MEBIBYTE = 1024 * 1024;

export function bytes(count: number): string {
  if (count >= MEBIBYTE) return `${Math.round(count / MEBIBYTE)} MiB`;
  return count % 1024 === 0 ? `${count / 1024} KiB` : `${count} bytes`;
}
