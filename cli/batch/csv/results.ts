/** Results of a batch as CSV by RFC 4180, with a first row of names. Lists, objects and nested values are JSON in their cells. */
import { ColumnResults, type ResultRow, textIn } from "../result-columns.ts";

type Column = { readonly name: string };

const NOTHING = new Uint8Array(0);

/** Takes lean rows. `write` throws CliFault for a result that does not fit its columns. */
export class CsvResults extends ColumnResults<Column> {
  protected readonly end = NOTHING;
  protected readonly part = "10,000 rows";

  protected column(name: string): Column {
    return { name };
  }

  protected encoded(columns: readonly Column[], rows: readonly ResultRow[], isFirst: boolean): Uint8Array {
    const names = columns.map(({ name }) => name);
    const lines = rows.map((row) => [
      ...names.map((name) => shown(textIn(row, name))),
      row.error === null ? "true" : "false",
      row.error ?? "",
    ]);
    if (isFirst) lines.unshift([...names, "ok", "error"]);
    return Buffer.from(lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join(""));
  }
}

/** A text as it is, nothing for null, and any other value as JSON. */
function shown(json: string | null): string {
  if (json === null || json === "null") return "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
