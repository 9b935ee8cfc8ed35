/**
 * Checks the metadata of an Arrow message before the library decodes it: the library takes every offset and length in it as it is, so that a
 * damaged one would make it read elsewhere, or for very long. Everything that is decoded lies inside the bytes, and there is a bounded number of it.
 */
import { CliFault } from "../../session/faults.ts";
import { damaged, unsupported } from "./faults.ts";

/** Bytes of a scalar; a text; a table; a list of tables or of elements of N bytes; a table whose kind another slot tells. */
type Slot =
  | number
  | "text"
  | { readonly table: () => Table }
  | { readonly tables: () => Table }
  | { readonly elements: number }
  | { readonly kindSlot: number; readonly kinds: Readonly<Record<number, Table>> };
/** In the order of the format (Message.fbs, Schema.fbs). Slots that newer versions added are not read. */
type Table = readonly Slot[];

const KEY_VALUE: Table = ["text", "text"];
const INT: Table = [4, 1];
const NOTHING: Table = [];

/** By the number of the type in the format. Those that are missing are not known to the library either. */
const TYPES: Readonly<Record<number, Table>> = {
  1: NOTHING, // null
  2: INT,
  3: [2], // floating point
  4: NOTHING, // binary
  5: NOTHING, // utf8
  6: NOTHING, // bool
  7: [4, 4, 4], // decimal
  8: [2], // date
  9: [2, 4], // time
  10: [2, "text"], // timestamp
  11: [2], // interval
  12: NOTHING, // list
  13: NOTHING, // struct
  14: [2, { elements: 4 }], // union
  15: [4], // fixed size binary
  16: [4], // fixed size list
  17: [1], // map
  18: [2], // duration
  19: NOTHING, // large binary
  20: NOTHING, // large utf8
  21: NOTHING, // large list
  23: NOTHING, // binary view
  24: NOTHING, // utf8 view
};
const NAME_SLOT = 0;
const FIELD_TYPE_SLOT = 2;
const FIELD: Table = [
  "text",
  1,
  1,
  { kindSlot: FIELD_TYPE_SLOT, kinds: TYPES },
  { table: () => [8, { table: () => INT }, 1, 2] },
  { tables: () => FIELD },
  { tables: () => KEY_VALUE },
];
const SCHEMA: Table = [2, { tables: () => FIELD }, { tables: () => KEY_VALUE }];
const RECORD_BATCH: Table = [8, { elements: 16 }, { elements: 16 }, { table: () => [1, 1] }, { elements: 8 }];
const DICTIONARY_BATCH: Table = [8, { table: () => RECORD_BATCH }, 1];
const HEADER_KIND_SLOT = 1;
const HEADER_SLOT = 2;
const SCHEMA_KIND = 1;
const MESSAGE: Table = [
  2,
  1,
  { kindSlot: HEADER_KIND_SLOT, kinds: { [SCHEMA_KIND]: SCHEMA, 2: DICTIONARY_BATCH, 3: RECORD_BATCH } },
  8,
  { tables: () => KEY_VALUE },
];
/** Slot of the length of the body that follows the metadata. */
const BODY_LENGTH_SLOT = 3;

/** Tables inside each other; a column of lists of structs has two for each of them. */
const MAX_DEPTH = 64;
const MAX_TABLES = 200_000;

/** Returns the length of the message's body. Throws CliFault for metadata that must not be decoded. */
export function checkedBodyLength(metadata: Uint8Array): bigint {
  try {
    return new Check(metadata).message();
  } catch (cause) {
    if (cause instanceof CliFault) throw cause;
    throw damaged("the description of a message points outside of it");
  }
}

class Check {
  readonly #view: DataView;
  #tables = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  message(): bigint {
    const at = this.#target(0);
    this.#table(at, MESSAGE, 0);
    this.#requireLittleEndian(at);
    const length = this.#slot(at, BODY_LENGTH_SLOT, 8);
    return length === null ? 0n : this.#view.getBigInt64(length, true);
  }

  #table(at: number, table: Table, depth: number): void {
    this.#tables += 1;
    if (depth > MAX_DEPTH || this.#tables > MAX_TABLES)
      throw unsupported("the Arrow file describes too many columns, or nests them too deeply", "write fewer");
    for (const [slot, kind] of table.entries()) {
      const place = this.#slot(at, slot, typeof kind === "number" ? kind : 4);
      if (place !== null && typeof kind !== "number") this.#check(kind, at, place, depth + 1);
    }
  }

  #check(kind: Exclude<Slot, number>, table: number, place: number, depth: number): void {
    const at = this.#target(place);
    if (kind === "text") this.#list(at, 1);
    else if ("elements" in kind) this.#list(at, kind.elements);
    else if ("table" in kind) this.#table(at, kind.table(), depth);
    else if ("tables" in kind) {
      const length = this.#list(at, 4);
      const inner = kind.tables();
      for (let index = 0; index < length; index += 1) this.#table(this.#target(at + 4 + 4 * index), inner, depth);
    } else {
      const told = this.#slot(table, kind.kindSlot, 1);
      const number = told === null ? 0 : this.#view.getUint8(told);
      const inner = kind.kinds[number];
      if (inner === undefined) throw this.#unknown(kind.kinds === TYPES ? this.#text(table, NAME_SLOT) : null, number);
      this.#table(at, inner, depth);
    }
  }

  /** `column`: its name; null: a message is of that kind. */
  #unknown(column: string | null, kind: number): CliFault {
    const what = column === null ? "the Arrow file has a message of a kind" : `column '${column}' has a type`;
    return unsupported(`${what} that is not known (${kind})`, "write it with an ordinary type, or leave it out");
  }

  /** Values are read as this order says. */
  #requireLittleEndian(message: number): void {
    const kind = this.#slot(message, HEADER_KIND_SLOT, 1);
    const place = this.#slot(message, HEADER_SLOT, 4);
    if (kind === null || place === null) throw new RangeError("no header");
    if (this.#view.getUint8(kind) !== SCHEMA_KIND) return;
    const order = this.#slot(this.#target(place), 0, 2);
    if (order !== null && this.#view.getInt16(order, true) !== 0)
      throw unsupported("the Arrow file has the byte order of big-endian machines", "write it as little-endian");
  }

  #text(table: number, slot: number): string {
    const place = this.#slot(table, slot, 4);
    if (place === null) return "";
    const at = this.#target(place);
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset + at + 4, this.#view.getUint32(at, true));
    return new TextDecoder().decode(bytes);
  }

  /** Place of a slot's value; null: the table leaves it out. */
  #slot(table: number, slot: number, bytes: number): number | null {
    const vtable = table - this.#view.getInt32(table, true);
    const [vtableBytes, tableBytes] = [this.#view.getUint16(vtable, true), this.#view.getUint16(vtable + 2, true)];
    const entry = 4 + 2 * slot;
    if (entry + 2 > vtableBytes) return null;
    const offset = this.#view.getUint16(vtable + entry, true);
    if (offset === 0) return null;
    if (offset + bytes > tableBytes) throw new RangeError("outside of the table");
    this.#within(table, tableBytes);
    return table + offset;
  }

  /** Offsets point forward, so nothing contains itself. */
  #target(place: number): number {
    return place + this.#view.getUint32(place, true);
  }

  #list(at: number, elementBytes: number): number {
    const length = this.#view.getUint32(at, true);
    this.#within(at + 4, length * elementBytes);
    return length;
  }

  #within(at: number, bytes: number): void {
    if (at + bytes > this.#view.byteLength) throw new RangeError("outside of the message");
  }
}
