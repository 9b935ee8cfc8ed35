/** A table of Markdown. */

/** Cells without line breaks; `|` in them is escaped. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((row) =>
    `| ${row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`.replaceAll("  ", " "),
  );
  return `${lines.join("\n")}\n`;
}
