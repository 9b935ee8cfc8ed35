/**
 * Columns of a record batch. Everything that says where values are (lengths, null bits, offsets, indices) is checked when a column is opened,
 * so that reading a row reads what the file holds for that row and nothing else.
 */
import { damaged } from "./faults.ts";
import { type ArrowField, type ArrowType, KIND } from "./kinds.ts";
import { RowProblem, type RowText } from "./row-text.ts";
import { scalarOf } from "./scalars.ts";

export type Column = {
  readonly length: number;
  /** Adds the JSON of a value. Throws RowProblem for one that a frame cannot hold. */
  readonly write: (row: RowText, index: number) => void;
};
type Write = Column["write"];

/** Header of a record batch, as the library decodes it. */
export type BatchHeader = {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly variadicBufferCounts: readonly number[];
};

/** The most values of a column, which the format advises. */
const MAX_LENGTH = 2 ** 31 - 1;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws CliFault where the header and the body do not fit together. */
export function openColumns(
  types: readonly ArrowType[],
  header: BatchHeader,
  body: Uint8Array,
  dictionaries: ReadonlyMap<number, Column>,
): readonly Column[] {
  const opening = new Opening(header, body, dictionaries);
  const columns = types.map((type) => opening.column(type));
  for (const column of columns) requireLength(column, header.length);
  return columns;
}

function requireLength({ length }: Column, expected: number): void {
  if (length !== expected) throw damaged(`a column has ${length} values where ${expected} belong`);
}

class Opening {
  readonly #header: BatchHeader;
  readonly #body: Uint8Array;
  readonly #dictionaries: ReadonlyMap<number, Column>;
  #nodes = 0;
  #buffers = 0;
  #variadic = 0;

  constructor(header: BatchHeader, body: Uint8Array, dictionaries: ReadonlyMap<number, Column>) {
    this.#header = header;
    this.#body = body;
    this.#dictionaries = dictionaries;
  }

  column(type: ArrowType): Column {
    const { length, nullCount } = this.#node();
    if (type.typeId === KIND.null) return { length, write: writeNull };
    const isNull = this.#nulls(length, nullCount);
    const write = this.#values(type, length, isNull);
    if (isNull === null) return { length, write };
    return { length, write: (row, index) => (isNull(index) ? row.add("null") : write(row, index)) };
  }

  #values(type: ArrowType, length: number, isNull: IsNull | null): Write {
    switch (type.typeId) {
      case KIND.bool: {
        const bits = this.#buffer(Math.ceil(length / 8));
        return (row, index) => row.add(bitOf(bits, index) ? "true" : "false");
      }
      case KIND.utf8:
      case KIND.largeUtf8:
        return this.#texts(length, type.typeId === KIND.largeUtf8);
      case KIND.utf8View:
        return this.#views(length, isNull);
      case KIND.dictionary:
        return this.#indices(type, length, isNull);
      case KIND.list:
      case KIND.largeList: {
        const offsets = this.#offsets(length, type.typeId === KIND.largeList);
        const elements = this.#elements(type);
        if (offsets(length) > elements.length) throw damaged("the lists of a column are longer than its elements");
        return listOf(elements, offsets);
      }
      case KIND.fixedSizeList: {
        const size = Number(type.listSize);
        const elements = this.#elements(type);
        if (elements.length < length * size) throw damaged("the lists of a column are longer than its elements");
        return listOf(elements, (index) => index * size);
      }
      case KIND.struct:
        return this.#members(type.children ?? [], length);
      default:
        return this.#scalars(type, length);
    }
  }

  #scalars(type: ArrowType, length: number): Write {
    const scalar = scalarOf(type);
    if (scalar === null) throw unchecked();
    const { bytes, text } = scalar;
    const view = viewOf(this.#buffer(length * bytes));
    return (row, index) => row.add(text(view, index * bytes));
  }

  #texts(length: number, isLarge: boolean): Write {
    const offsets = this.#offsets(length, isLarge);
    const data = this.#buffer(offsets(length));
    return (row, index) => addText(row, data.subarray(offsets(index), offsets(index + 1)));
  }

  /** Texts of up to twelve bytes are in their view; others are in one of the buffers that follow. */
  #views(length: number, isNull: IsNull | null): Write {
    const bytes = this.#buffer(length * VIEW_BYTES);
    const view = viewOf(bytes);
    const count = this.#header.variadicBufferCounts[this.#variadic] ?? 0;
    this.#variadic += 1;
    if (!(count >= 0 && count <= this.#header.buffers.length)) throw damaged(`a column has ${count} buffers`);
    const buffers = Array.from({ length: count }, () => this.#buffer(0));
    const textAt = (index: number): Uint8Array => {
      const at = index * VIEW_BYTES;
      const size = view.getInt32(at, true);
      if (size >= 0 && size <= INLINE_BYTES) return bytes.subarray(at + 4, at + 4 + size);
      const [buffer, offset] = [buffers[view.getInt32(at + 8, true)], view.getInt32(at + 12, true)];
      if (size < 0 || offset < 0 || buffer === undefined || offset + size > buffer.length)
        throw damaged("a text of a column is outside of its buffers");
      return buffer.subarray(offset, offset + size);
    };
    for (let index = 0; index < length; index += 1) if (isNull === null || !isNull(index)) textAt(index);
    return (row, index) => addText(row, textAt(index));
  }

  #indices(type: ArrowType, length: number, isNull: IsNull | null): Write {
    const indices = type.indices === undefined ? null : scalarOf(type.indices);
    const dictionary = this.#dictionaries.get(Number(type.id));
    if (indices === null) throw unchecked();
    const view = viewOf(this.#buffer(length * indices.bytes));
    const indexAt = (index: number): number => Number(indices.text(view, index * indices.bytes));
    if (dictionary === undefined) {
      if (length > 0 && !allNull(length, isNull))
        throw damaged("a column uses a dictionary that has not come before it");
      return writeNull;
    }
    for (let index = 0; index < length; index += 1) {
      if (isNull?.(index) === true) continue;
      const at = indexAt(index);
      if (!(at >= 0 && at < dictionary.length)) throw damaged("a column points outside of its dictionary");
    }
    return (row, index) => dictionary.write(row, indexAt(index));
  }

  #elements({ children }: ArrowType): Column {
    const element = children?.[0];
    if (element === undefined) throw unchecked();
    return this.column(element.type);
  }

  #members(fields: readonly ArrowField[], length: number): Write {
    const members = fields.map(({ name, type }) => {
      const column = this.column(type);
      requireLength(column, length);
      return { name, write: column.write };
    });
    return objectOf(members);
  }

  /** `length + 1` ascending offsets; the last one is where the values end. */
  #offsets(length: number, isLarge: boolean): (index: number) => number {
    const bytes = isLarge ? 8 : 4;
    const buffer = this.#buffer(0);
    if (length === 0 && buffer.length === 0) return () => 0;
    if (buffer.length < (length + 1) * bytes) throw damaged("the offsets of a column end too early");
    const view = viewOf(buffer);
    const at = (index: number): number =>
      isLarge ? Number(view.getBigInt64(index * bytes, true)) : view.getInt32(index * bytes, true);
    let last = 0;
    for (let index = 0; index <= length; index += 1) {
      const next = at(index);
      if (next < last) throw damaged("the offsets of a column do not ascend");
      last = next;
    }
    return at;
  }

  /** Of the bits that say which values are null; null: none is. Their number must be the one that the header gives. */
  #nulls(length: number, nullCount: number): IsNull | null {
    const bits = this.#buffer(0);
    if (bits.length === 0 && nullCount === 0) return null;
    if (bits.length < Math.ceil(length / 8)) throw damaged("the null bits of a column end too early");
    let count = 0;
    for (let index = 0; index < length; index += 1) if (!bitOf(bits, index)) count += 1;
    if (count !== nullCount) throw damaged(`a column has ${count} nulls, its header says ${nullCount}`);
    return count === 0 ? null : (index) => !bitOf(bits, index);
  }

  #node(): BatchHeader["nodes"][number] {
    const node = this.#header.nodes[this.#nodes];
    this.#nodes += 1;
    if (node === undefined) throw damaged("a record batch has fewer columns than the file");
    const { length, nullCount } = node;
    if (!(length >= 0 && length <= MAX_LENGTH && nullCount >= 0 && nullCount <= length))
      throw damaged(`a column has ${length} values and ${nullCount} nulls`);
    return node;
  }

  /** The next buffer. `needed`: bytes that it must have. */
  #buffer(needed: number): Uint8Array {
    const region = this.#header.buffers[this.#buffers];
    this.#buffers += 1;
    if (region === undefined) throw damaged("a record batch has too few buffers");
    const { offset, length } = region;
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#body.length))
      throw damaged("a buffer is outside of its record batch");
    if (length < needed) throw damaged("the values of a column end too early");
    return this.#body.subarray(offset, offset + length);
  }
}

/** `checkColumns` comes before: a defect. */
const unchecked = () => new Error("the types of the columns were not checked");

type IsNull = (index: number) => boolean;
const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

const writeNull: Write = (row) => row.add("null");

/** An object of these members. A problem of a value names the outermost one. */
export function objectOf(members: readonly { readonly name: string; readonly write: Write }[]): Write {
  const parts = members.map(({ name, write }, at) => ({
    name,
    write,
    key: `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  }));
  const end = parts.length === 0 ? "{}" : "}";
  return (row, index) => {
    for (const { name, key, write } of parts) {
      row.add(key);
      try {
        write(row, index);
      } catch (cause) {
        if (cause instanceof RowProblem) cause.column = name;
        throw cause;
      }
    }
    row.add(end);
  };
}

function listOf(elements: Column, offset: (index: number) => number): Write {
  return (row, index) => {
    row.add("[");
    const [start, end] = [offset(index), offset(index + 1)];
    for (let at = start; at < end; at += 1) {
      if (at > start) row.add(",");
      elements.write(row, at);
    }
    row.add("]");
  };
}

function addText(row: RowText, bytes: Uint8Array): void {
  row.room(bytes.length);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new RowProblem("is not UTF-8");
  }
  row.add(JSON.stringify(text));
}

function allNull(length: number, isNull: IsNull | null): boolean {
  for (let index = 0; index < length; index += 1) if (isNull?.(index) !== true) return false;
  return true;
}

const bitOf = (bits: Uint8Array, index: number): boolean => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
