/** Results of a batch as columns of an Arrow stream. Types are those of the first record batch. */
import type { ResultOutput } from "../output.ts";
import { ColumnResults, type ResultRow, textIn } from "../result-columns.ts";
import { type ArrowLibrary, arrowLibrary } from "./package.ts";

const INT64 = 2n ** 63n;

type Kind = "int" | "float" | "bool" | "text" | "json";
type Column = { readonly name: string; readonly kind: Kind };

/** Takes lean rows. Throws CliFault where the package is missing; `write` throws one for a result that does not fit its columns. */
export async function arrowResults(open: () => Promise<ResultOutput>): Promise<ResultOutput> {
  const library = await arrowLibrary();
  return new ArrowResults(library, await open());
}

const END_MARK: Uint8Array = Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0);

class ArrowResults extends ColumnResults<Column> {
  readonly #library: ArrowLibrary;
  protected readonly end = END_MARK;
  protected readonly part = "record batch";

  constructor(library: ArrowLibrary, file: ResultOutput) {
    super(file);
    this.#library = library;
  }

  protected column(name: string, rows: readonly ResultRow[]): Column {
    return columnOf(name, rows);
  }

  protected encoded(columns: readonly Column[], rows: readonly ResultRow[], isFirst: boolean): Uint8Array {
    const bytes = this.#stream(columns, rows);
    // Each encoding is a whole stream: the schema is written once, the end mark by `close`.
    return bytes.subarray(isFirst ? 0 : schemaBytes(bytes), bytes.length - END_MARK.length);
  }

  #stream(columns: readonly Column[], rows: readonly ResultRow[]): Uint8Array {
    const { Field, Schema, Struct, RecordBatch, RecordBatchStreamWriter, makeData, vectorFromArray, Bool, Utf8 } =
      this.#library;
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

  #value(row: ResultRow, at: number, name: string, kind: Kind): unknown {
    const text = textIn(row, name);
    if (text === null || text === "null") return null;
    if (kind === "json") return text;
    const found = kindOf(text);
    if (kind === "float" && found === "int") return Number(text);
    if (found !== kind)
      throw this.misfit(at, `has ${NAMES[found]} in the column '${name}', which holds ${NAMES[kind]}`);
    return kind === "int" ? BigInt(text) : (JSON.parse(text) as unknown);
  }
}

const NAMES: Readonly<Record<Kind, string>> = {
  int: "a whole number of 64 bits",
  float: "a float",
  bool: "a boolean",
  text: "a text",
  json: "a list, an object or a larger number",
};

/** The first message has no body. */
function schemaBytes(stream: Uint8Array): number {
  return 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
}

function columnOf(name: string, rows: readonly ResultRow[]): Column {
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
