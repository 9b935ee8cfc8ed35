/**
 * Rows of CSV as frames: the first row names the variables, every value is a string, or what a declared input of another type makes of it. A row that cannot be read, or that has another
 * number of values than the header, is a fault of its own.
 */
import type { Json } from "../../../compiler/json.ts";
import { setMember } from "../../../compiler/json.ts";
import type { LineSelection, Piece } from "../../../vm/batch/rows/cut-lines.ts";
import type { TextReader } from "../../../vm/inputs/from-text.ts";
import { usageFault } from "../../session/faults.ts";
import { encoded } from "../part.ts";
import { type Row, RowReader } from "./rows.ts";

export type Selection = LineSelection & {
  /** Values of CSV cells by the types that the program declares; null or absent: they are all text. */
  readonly readCell?: TextReader | null;
};

/** Rows are values of their own until they are JSON, which takes tens of times the bytes of the file. */
const PIECE_BYTES = 32 * 1024;

/** Chunks of JSON lines, and faults between them. Throws CliFault when the header is missing or invalid. */
export async function* csvFrames(input: AsyncIterable<Uint8Array>, selection: Selection): AsyncGenerator<Piece, void> {
  const reader = new RowReader(selection.maxLineBytes);
  const frames = new RowFrames(selection);
  for await (const block of input) {
    for (let at = 0; at < block.length; at += PIECE_BYTES) {
      yield* frames.pieces(reader.read(block.subarray(at, at + PIECE_BYTES)));
      if (frames.full) return;
    }
  }
  yield* frames.pieces(reader.end());
  if (frames.header === null) throw usageFault("the CSV has no header row");
}

class RowFrames {
  header: readonly string[] | null = null;
  readonly #selection: Selection;
  #index = 0;

  constructor(selection: Selection) {
    this.#selection = selection;
  }

  get full(): boolean {
    return this.#index >= this.#selection.most;
  }

  *pieces(rows: Iterable<Row>): Generator<Piece, void> {
    let lines: string[] = [];
    let first = { index: this.#index, line: 1 };
    const cut = (): Piece | null => {
      const chunk = { ...first, bytes: encoded(lines.join("\n")) };
      lines = [];
      return chunk.bytes.length === 0 ? null : chunk;
    };
    for (const row of rows) {
      if (this.header === null) {
        this.header = headerOf(row);
        continue;
      }
      if (this.full) break;
      const index = this.#index;
      this.#index += 1;
      const fault = faultOf(row, this.header);
      if (!this.#selection.isDone(index) && fault === null && "values" in row) {
        if (lines.length === 0) first = { index, line: row.line };
        lines.push(JSON.stringify(frameOf(this.header, row.values, this.#selection.readCell)));
        continue;
      }
      const before = cut();
      if (before !== null) yield before;
      if (this.#selection.isDone(index) || fault === null) continue;
      const message = `line ${row.line} ${fault}`;
      yield { index, fault: { ok: false, error: "invalid_json", message, line: row.line } };
    }
    const last = cut();
    if (last !== null) yield last;
  }
}

function faultOf(row: Row, header: readonly string[]): string | null {
  if ("fault" in row) return row.fault;
  if (row.values.length === header.length) return null;
  return `has ${row.values.length} values, the header has ${header.length}`;
}

function headerOf(row: Row): readonly string[] {
  if ("fault" in row) throw usageFault(`the header of the CSV cannot be read: line ${row.line} ${row.fault}`);
  const { values } = row;
  if (values.some((name) => name === "")) throw usageFault("the CSV header names no variables");
  if (new Set(values).size < values.length) throw usageFault("the CSV header has a name twice");
  const [name = ""] = values;
  const separator = values.length === 1 ? /[;\t|]/.exec(name)?.[0] : undefined;
  if (separator !== undefined) {
    const spelled = separator === "\t" ? "tabs" : `'${separator}'`;
    throw usageFault(`the CSV header is one name, and its values seem to be separated by ${spelled}; use commas`);
  }
  return values;
}

function frameOf(
  header: readonly string[],
  values: readonly string[],
  readCell: Selection["readCell"],
): { readonly [name: string]: Json } {
  const frame: { [name: string]: Json } = {};
  for (const [at, name] of header.entries()) {
    const text = values[at] ?? "";
    setMember(frame, name, readCell ? readCell(name, text) : text);
  }
  return frame;
}
