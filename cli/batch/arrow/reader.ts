/**
 * Rows of an Arrow stream or file as frames: each column is a variable, each value what its type says. Record batches are read one at a time, so
 * memory is bounded by the largest of them and the dictionaries. A row with a value that no frame can hold is a fault of its own.
 */
import type { Schema } from "apache-arrow";
import type { LineSelection, Piece } from "../../../vm/batch/rows/cut-lines.ts";
import { CliFault } from "../../session/faults.ts";
import { encoded } from "../part.ts";
import { type BatchHeader, type Column, objectOf, openColumns } from "./columns.ts";
import { damaged, MAX_BODY_BYTES, tooLarge, unsupported } from "./faults.ts";
import { type ArrowMessage, arrowMessages } from "./messages.ts";
import { type ArrowLibrary, arrowLibrary } from "./package.ts";
import { RowProblem, RowText } from "./row-text.ts";
import { checkColumns } from "./types.ts";

/** Bytes of a chunk of rows, about. */
const CHUNK_BYTES = 256 * 1024;
/** MetadataVersion.V4, of Arrow 0.8. */
const OLDEST_VERSION = 3;

/** `total`: bytes of the input; null: not known. Throws CliFault for an input that is damaged or has a type that frames cannot hold. */
export async function* arrowFrames(
  input: AsyncIterable<Uint8Array>,
  selection: LineSelection,
  total: number | null,
): AsyncGenerator<Piece, void> {
  const reading = new ArrowReading(await arrowLibrary());
  let index = 0;
  for await (const message of arrowMessages(input, total)) {
    const batch = reading.batch(message);
    if (batch === null) continue;
    const rows = Math.min(batch.length, selection.most - index);
    yield* piecesOf({ ...batch, length: rows }, index, selection);
    index += rows;
    if (index >= selection.most) return;
  }
  if (!reading.begun) throw damaged("it has no columns: its schema is missing");
}

function* piecesOf({ length, write }: Column, first: number, selection: LineSelection): Generator<Piece, void> {
  const row = new RowText(selection.maxLineBytes);
  let lines: string[] = [];
  let size = 0;
  let start = first;
  const cut = (): Piece => {
    const chunk = { index: start, line: start + 1, bytes: encoded(lines.join("\n")) };
    lines = [];
    size = 0;
    return chunk;
  };
  for (let at = 0; at < length; at += 1) {
    const index = first + at;
    if (selection.isDone(index)) {
      if (lines.length > 0) yield cut();
      continue;
    }
    try {
      write(row, at);
    } catch (cause) {
      if (!(cause instanceof RowProblem)) throw cause;
      row.take();
      if (lines.length > 0) yield cut();
      const message = `row ${index + 1}: column '${cause.column}' ${cause.message}`;
      yield { index, fault: { ok: false, error: cause.error, message, line: index + 1 } };
      continue;
    }
    if (lines.length === 0) start = index;
    const text = row.take();
    lines.push(text);
    size += text.length;
    if (size >= CHUNK_BYTES) yield cut();
  }
  if (lines.length > 0) yield cut();
}

class ArrowReading {
  readonly #library: ArrowLibrary;
  #schema: Schema | null = null;
  readonly #dictionaries = new Map<number, Column>();
  /** Bytes of the dictionaries that are held. */
  readonly #held = new Map<number, number>();

  constructor(library: ArrowLibrary) {
    this.#library = library;
  }

  get begun(): boolean {
    return this.#schema !== null;
  }

  /** The rows of a record batch, as objects of their values; null: the message is about the rows to come. */
  batch({ metadata, body }: ArrowMessage): Column | null {
    const message = decoded(() => this.#library.Message.decode(metadata));
    if (message.version < OLDEST_VERSION) throw unsupported("the file is of an Arrow before 0.8", "write it anew");
    if (message.isSchema()) {
      if (this.#schema !== null) throw damaged("it has two schemas");
      this.#schema = decoded(() => message.header());
      checkColumns(this.#schema.fields);
      return null;
    }
    const schema = this.#schema;
    if (schema === null)
      throw unsupported(
        "the Arrow file has rows before its schema, as the file writer of apache-arrow for JavaScript writes them",
        "write it as a stream",
      );
    if (message.isDictionaryBatch()) {
      const { id, isDelta, data } = decoded(() => message.header());
      if (isDelta) throw unsupported("a dictionary comes in parts (deltas)", "write it whole");
      this.#keep(id, body.length);
      const type = schema.dictionaries.get(id);
      if (type === undefined) throw damaged("a dictionary belongs to no column");
      const [values] = openColumns([type], plain(data), body, this.#dictionaries);
      if (values !== undefined) this.#dictionaries.set(id, values);
      return null;
    }
    if (!message.isRecordBatch()) throw unsupported("the file holds something other than rows", "write a table");
    const header = plain(decoded(() => message.header()));
    const { fields } = schema;
    const columns = openColumns(
      fields.map(({ type }) => type),
      header,
      body,
      this.#dictionaries,
    );
    return {
      length: header.length,
      write: objectOf(columns.map(({ write }, at) => ({ name: fields[at]?.name ?? "", write }))),
    };
  }

  #keep(id: number, bytes: number): void {
    this.#held.set(id, bytes);
    let sum = 0;
    for (const one of this.#held.values()) sum += one;
    if (sum > MAX_BODY_BYTES) throw tooLarge("the dictionaries together");
  }
}

/** What is compressed is refused: it would have to be unpacked before it is known how large it is. */
function plain(header: BatchHeader & { readonly compression: unknown }): BatchHeader {
  if (header.compression !== null)
    throw unsupported(
      "the Arrow file is compressed",
      'write it without compression (pandas: compression="uncompressed")',
    );
  if (!(header.length >= 0)) throw damaged(`a record batch has ${header.length} rows`);
  return header;
}

/** The library throws errors of its own for what it cannot decode. */
function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (cause) {
    if (cause instanceof CliFault) throw cause;
    throw damaged(`a message cannot be decoded (${cause instanceof Error ? cause.message : "unknown"})`);
  }
}
