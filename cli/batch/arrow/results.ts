/**
 * Results of a batch as columns of an Arrow stream. A result that is an object gives a column for each member, any other the column `out`; a frame
 * that failed has nulls there. Columns and their types are those of the first record batch.
 */
import type { JsonObject } from "../../../compiler/json.ts";
import { keepText, memberTexts } from "../../../vm/inputs/exact-text.ts";
import { CliFault, EXIT } from "../../session/faults.ts";
import type { ResultOutput } from "../output.ts";
import { type ArrowLibrary, arrowLibrary } from "./package.ts";

/** Of a record batch, whichever comes first; the bytes are those of the results as JSON. */
const BATCH_ROWS = 10_000;
const BATCH_BYTES = 16 * 1024 * 1024;
const MAX_COLUMNS = 1000;
const OUT = "out";
const INT64 = 2n ** 63n;

/** A result: the JSON texts of its members, or its own; null: the frame failed. */
type Row = {
  readonly members: ReadonlyMap<string, string> | null;
  readonly out: string | null;
  readonly error: string | null;
};
type Kind = "int" | "float" | "bool" | "text" | "json";
type Column = { readonly name: string; readonly kind: Kind };

/** Takes lean rows. Throws CliFault where the package is missing; `write` throws one for a result that does not fit its columns. */
export async function arrowResults(open: () => Promise<ResultOutput>): Promise<ResultOutput> {
  const library = await arrowLibrary();
  return new ArrowResults(library, await open());
}

class ArrowResults implements ResultOutput {
  readonly #library: ArrowLibrary;
  readonly #file: ResultOutput;
  #rows: Row[] = [];
  #bytes = 0;
  /** Rows that are written. */
  #written = 0;
  #columns: readonly Column[] | null = null;
  #failed = false;

  constructor(library: ArrowLibrary, file: ResultOutput) {
    this.#library = library;
    this.#file = file;
  }

  async write(lines: Uint8Array): Promise<void> {
    for (const line of Buffer.from(lines).toString().split("\n")) {
      if (line === "") continue;
      this.#rows.push(rowOf(line));
      this.#bytes += line.length;
      if (this.#rows.length >= BATCH_ROWS || this.#bytes >= BATCH_BYTES) await this.#flush();
    }
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** What there is becomes a whole stream, also of a batch that was interrupted. */
  async close(): Promise<void> {
    try {
      if (!this.#failed && (this.#rows.length > 0 || this.#columns === null)) await this.#flush();
      if (!this.#failed) await this.#file.write(END_MARK);
    } finally {
      await this.#file.close();
    }
  }

  async #flush(): Promise<void> {
    const isFirst = this.#columns === null;
    try {
      this.#columns ??= columnsOf(this.#rows);
      const bytes = this.#encoded(this.#columns);
      // Each encoding is a whole stream: the schema is written once, the end mark by `close`.
      await this.#file.write(bytes.subarray(isFirst ? 0 : schemaBytes(bytes), bytes.length - END_MARK.length));
    } catch (cause) {
      this.#failed = true;
      throw cause;
    }
    this.#written += this.#rows.length;
    this.#rows = [];
    this.#bytes = 0;
  }

  #encoded(columns: readonly Column[]): Uint8Array {
    const { Field, Schema, Struct, RecordBatch, RecordBatchStreamWriter, makeData, vectorFromArray, Bool, Utf8 } =
      this.#library;
    const rows = this.#rows;
    this.#requireColumns(columns);
    const valuesOf = ({ name, kind }: Column) => rows.map((row, at) => this.#value(row, at, name, kind));
    const filled = [
      ...columns.map((one) => ({ name: one.name, type: this.#typeOf(one.kind), values: valuesOf(one) })),
      { name: "ok", type: new Bool(), values: rows.map(({ error }) => error === null) },
      { name: "error", type: new Utf8(), values: rows.map(({ error }) => error) },
    ];
    const fields = filled.map(({ name, type }) => new Field(name, type, true));
    const children = filled.map(({ values, type }) => {
      const [data] = vectorFromArray<typeof type>(values as never[], type).data;
      return data ?? makeData({ type });
    });
    const data = makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children });
    return RecordBatchStreamWriter.writeAll([new RecordBatch(new Schema(fields), data)]).toUint8Array(true);
  }

  #typeOf(kind: Kind) {
    const { Int64, Float64, Bool, Utf8 } = this.#library;
    return kind === "int" ? new Int64() : kind === "float" ? new Float64() : kind === "bool" ? new Bool() : new Utf8();
  }

  #requireColumns(columns: readonly Column[]): void {
    if (columns[0]?.name === OUT) return;
    const names = new Set(columns.map(({ name }) => name));
    for (const [at, { members }] of this.#rows.entries())
      for (const name of members?.keys() ?? [])
        if (!names.has(name))
          throw this.#misfit(at, `has the member '${name}', which no result of the first record batch has`);
  }

  #value(row: Row, at: number, name: string, kind: Kind): unknown {
    const text = textIn(row, name);
    if (text === undefined) throw this.#misfit(at, "is not an object, as those of the first record batch are");
    if (text === null || text === "null") return null;
    if (kind === "json") return text;
    const found = kindOf(text);
    if (kind === "float" && found === "int") return Number(text);
    if (found !== kind)
      throw this.#misfit(at, `has ${NAMES[found]} in the column '${name}', which holds ${NAMES[kind]}`);
    return kind === "int" ? BigInt(text) : (JSON.parse(text) as unknown);
  }

  #misfit(at: number, what: string): CliFault {
    return new CliFault(`the result of row ${this.#written + at + 1} ${what}`, {
      error: "result_misfit",
      exitCode: EXIT.usage,
      notes: ["return the same members and types for every row, or write JSON lines: --out FILE"],
    });
  }
}

const NAMES: Readonly<Record<Kind, string>> = {
  int: "a whole number of 64 bits",
  float: "a float",
  bool: "a boolean",
  text: "a text",
  json: "a list, an object or a larger number",
};

const END_MARK: Uint8Array = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

/** The first message has no body. */
function schemaBytes(stream: Uint8Array): number {
  return 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
}

/** How the lean row of a result begins; it ends with a brace. */
const RESULT_START = '{"ok":true,"out":';

function rowOf(line: string): Row {
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

/** JSON of a column in a row; null: it has none; undefined: the row has no members. */
function textIn({ members, out, error }: Row, name: string): string | null | undefined {
  if (error !== null) return null;
  return name === OUT ? out : members === null ? undefined : (members.get(name) ?? null);
}

/** Members become columns where every result is an object and none has a member with the name of one of the other columns. */
function columnsOf(rows: readonly Row[]): readonly Column[] {
  const ended = rows.filter(({ error }) => error === null);
  const names = new Set<string>();
  for (const { members } of ended) for (const name of members?.keys() ?? []) names.add(name);
  const spread = ended.length > 0 && ended.every(({ members }) => members !== null);
  const isTaken = [OUT, "ok", "error"].some((name) => names.has(name));
  if (!spread || isTaken || names.size === 0 || names.size > MAX_COLUMNS) return [columnOf(OUT, ended)];
  return [...names].map((name) => columnOf(name, ended));
}

function columnOf(name: string, rows: readonly Row[]): Column {
  const texts = rows.map((row) => textIn(row, name) ?? "null").filter((text) => text !== "null");
  const kinds = new Set(texts.map(kindOf));
  const [only = "json"] = kinds;
  if (kinds.size <= 1) return { name, kind: only };
  return { name, kind: texts.every(isFloat) ? "float" : "json" };
}

/** A float, or a whole number that is one without losing digits. */
function isFloat(text: string): boolean {
  const kind = kindOf(text);
  return kind === "float" || (kind === "int" && Number.isSafeInteger(Number(text)));
}

function kindOf(text: string): Kind {
  if (text.startsWith('"')) return "text";
  if (text === "true" || text === "false") return "bool";
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  if (!/^-?\d+$/.test(text)) return "float";
  const value = BigInt(text);
  return value >= -INT64 && value < INT64 ? "int" : "json";
}
