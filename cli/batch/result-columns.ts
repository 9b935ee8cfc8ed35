/**
 * Results of a batch as columns, for forms of files that have them. A result that is an object gives a column for each member, any other one the column
 * `out`; `ok` and `error` say of a frame whether it failed, whose other columns are empty. Columns are those of the first part of the results.
 */
import type { JsonObject } from "../../compiler/json.ts";
import { keepText, memberTexts } from "../../vm/inputs/exact-text.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { ResultOutput } from "./output.ts";

/** Of a part, whichever comes first; the bytes are those of the results as JSON. */
const PART_ROWS = 10_000;
const PART_BYTES = 16 * 1024 * 1024;
const MAX_COLUMNS = 1000;
const OUT = "out";

/** A result: the JSON texts of its members, or its own; null: the frame failed. */
export type ResultRow = {
  readonly members: ReadonlyMap<string, string> | null;
  readonly out: string | null;
  readonly error: string | null;
};

/** Takes lean rows. `write` throws CliFault for a result that does not fit the columns. */
export abstract class ColumnResults<Column extends { readonly name: string }> implements ResultOutput {
  readonly #file: ResultOutput;
  #rows: ResultRow[] = [];
  #bytes = 0;
  /** Rows that are written. */
  #written = 0;
  #columns: readonly Column[] | null = null;
  #failed = false;

  constructor(file: ResultOutput) {
    this.#file = file;
  }

  /** A column of the first part. `rows`: those that did not fail. */
  protected abstract column(name: string, rows: readonly ResultRow[]): Column;
  protected abstract encoded(columns: readonly Column[], rows: readonly ResultRow[], isFirst: boolean): Uint8Array;
  /** After all rows. */
  protected abstract readonly end: Uint8Array;
  /** What the first results are called, in messages. */
  protected abstract readonly part: string;

  async write(lines: Uint8Array): Promise<void> {
    for (const line of Buffer.from(lines).toString().split("\n")) {
      if (line === "") continue;
      this.#rows.push(rowOf(line));
      this.#bytes += line.length;
      if (this.#rows.length >= PART_ROWS || this.#bytes >= PART_BYTES) await this.#flush();
    }
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** What there is becomes a whole file, also of a batch that was interrupted. */
  async close(): Promise<void> {
    try {
      if (!this.#failed && (this.#rows.length > 0 || this.#columns === null)) await this.#flush();
      if (!this.#failed && this.end.length > 0) await this.#file.write(this.end);
    } finally {
      await this.#file.close();
    }
  }

  async #flush(): Promise<void> {
    const isFirst = this.#columns === null;
    const rows = this.#rows;
    try {
      this.#columns ??= namesIn(rows).map((name) =>
        this.column(
          name,
          rows.filter(({ error }) => error === null),
        ),
      );
      this.#requireColumns(this.#columns);
      await this.#file.write(this.encoded(this.#columns, rows, isFirst));
    } catch (cause) {
      this.#failed = true;
      throw cause;
    }
    this.#written += rows.length;
    this.#rows = [];
    this.#bytes = 0;
  }

  #requireColumns(columns: readonly Column[]): void {
    if (columns[0]?.name === OUT) return;
    const names = new Set(columns.map(({ name }) => name));
    for (const [at, { members, error }] of this.#rows.entries()) {
      if (error === null && members === null)
        throw this.misfit(at, `is not an object, as those of the first ${this.part} are`);
      for (const name of members?.keys() ?? [])
        if (!names.has(name))
          throw this.misfit(at, `has the member '${name}', which no result of the first ${this.part} has`);
    }
  }

  protected misfit(at: number, what: string): CliFault {
    return new CliFault(`the result of row ${this.#written + at + 1} ${what}`, {
      error: "result_misfit",
      exitCode: EXIT.usage,
      notes: ["return the same members and types for every row, or write JSON lines: --out FILE"],
    });
  }
}

/** How the lean row of a result begins; it ends with a brace. */
const RESULT_START = '{"ok":true,"out":';

function rowOf(line: string): ResultRow {
  if (!line.startsWith(RESULT_START)) {
    const { error, message } = JSON.parse(line) as { readonly error: string; readonly message: string };
    return { members: null, out: null, error: `${error}: ${message}` };
  }
  const text = line.slice(RESULT_START.length, -1);
  if (!text.startsWith("{")) return { members: null, out: text, error: null };
  const out = JSON.parse(text) as JsonObject;
  keepText(out, text);
  const texts = memberTexts(out);
  const members =
    texts.size > 0 ? texts : new Map(Object.entries(out).map(([name, one]) => [name, JSON.stringify(one)]));
  return { members, out: text, error: null };
}

/** JSON of a column in a row; null: it has none. */
export function textIn({ members, out, error }: ResultRow, name: string): string | null {
  if (error !== null) return null;
  return name === OUT ? out : (members?.get(name) ?? null);
}

/** Members are columns where every result is an object and none has a member with the name of one of the other columns. */
function namesIn(rows: readonly ResultRow[]): readonly string[] {
  const ended = rows.filter(({ error }) => error === null);
  const names = new Set<string>();
  for (const { members } of ended) for (const name of members?.keys() ?? []) names.add(name);
  const spread = ended.length > 0 && ended.every(({ members }) => members !== null);
  const isTaken = [OUT, "ok", "error"].some((name) => names.has(name));
  return !spread || isTaken || names.size === 0 || names.size > MAX_COLUMNS ? [OUT] : [...names];
}
