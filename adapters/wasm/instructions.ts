/**
 * Which instructions a module may contain: those of WebAssembly 2.0 and tail calls. Threads, relaxed SIMD (its results
 * depend on the machine), garbage collection and exceptions are refused whatever the engine would accept, so that every
 * version of Node admits the same modules. Passes over operands without looking at them; that they are valid, the
 * engine checks.
 */
import type { ValueType } from "../engine/worker-webassembly.ts";
import { refused, type WasmReader } from "./reader.ts";

const VALUE_TYPES: ReadonlyMap<number, ValueType> = new Map([
  [0x7f, "i32"],
  [0x7e, "i64"],
  [0x7d, "f32"],
  [0x7c, "f64"],
  [0x7b, "v128"],
  [0x70, "funcref"],
  [0x6f, "externref"],
]);

export function valueType(reader: WasmReader): ValueType {
  const type = VALUE_TYPES.get(reader.byte());
  if (type === undefined) throw refused("unsupported");
  return type;
}

/**
 * The operands behind an opcode: n number, b byte, 4 8 16 that many bytes, B block type, T type, V types, J jump table.
 */
type Operands = "" | "n" | "nn" | "b" | "nb" | "nnb" | "4" | "8" | "16" | "B" | "T" | "V" | "J";
type Range = readonly [first: number, last: number, operands: Operands];

function table(ranges: readonly Range[]): readonly (Operands | undefined)[] {
  const entries: (Operands | undefined)[] = Array.from({ length: 256 });
  for (const [first, last, operands] of ranges) entries.fill(operands, first, last + 1);
  return entries;
}

const PLAIN = table([
  [0x00, 0x01, ""],
  [0x02, 0x04, "B"],
  [0x05, 0x05, ""],
  [0x0b, 0x0b, ""],
  [0x0c, 0x0d, "n"],
  [0x0e, 0x0e, "J"],
  [0x0f, 0x0f, ""],
  [0x10, 0x10, "n"],
  [0x11, 0x11, "nn"],
  [0x12, 0x12, "n"],
  [0x13, 0x13, "nn"],
  [0x1a, 0x1b, ""],
  [0x1c, 0x1c, "V"],
  [0x20, 0x26, "n"],
  [0x28, 0x3e, "nn"],
  [0x3f, 0x40, "n"],
  [0x41, 0x42, "n"],
  [0x43, 0x43, "4"],
  [0x44, 0x44, "8"],
  [0x45, 0xc4, ""],
  [0xd0, 0xd0, "T"],
  [0xd1, 0xd1, ""],
  [0xd2, 0xd2, "n"],
]);

/** Behind 0xfc: saturating conversions, bulk memory, tables. */
const BULK = table([
  [0, 7, ""],
  [8, 8, "nn"],
  [9, 9, "n"],
  [10, 10, "nn"],
  [11, 11, "n"],
  [12, 12, "nn"],
  [13, 13, "n"],
  [14, 14, "nn"],
  [15, 17, "n"],
]);

/** Behind 0xfd: vectors. */
const VECTOR = table([
  [0, 11, "nn"],
  [12, 13, "16"],
  [14, 20, ""],
  [21, 34, "b"],
  [35, 83, ""],
  [84, 91, "nnb"],
  [92, 93, "nn"],
  [94, 255, ""],
]);

/** Throws when a function's body, locals first, holds anything else. */
export function checkBody(reader: WasmReader): void {
  reader.list(() => {
    reader.u32();
    valueType(reader);
  });
  while (!reader.done) skipOperands(reader, operandsOf(reader));
}

function operandsOf(reader: WasmReader): Operands {
  const opcode = reader.byte();
  if (opcode === 0xfe) throw refused("threads");
  const operands = opcode < 0xfc ? PLAIN[opcode] : prefixed(opcode, reader.u32());
  if (operands === undefined) throw refused("unsupported");
  return operands;
}

function prefixed(prefix: number, opcode: number): Operands | undefined {
  if (prefix === 0xfc) return BULK[opcode];
  if (prefix !== 0xfd) return undefined;
  if (opcode > 0xff) throw refused("relaxed_simd");
  return VECTOR[opcode];
}

function skipOperands(reader: WasmReader, operands: Operands): void {
  switch (operands) {
    case "":
      return;
    case "B":
      skipBlockType(reader);
      return;
    case "T":
      valueType(reader);
      return;
    case "V":
      reader.list(() => valueType(reader));
      return;
    case "J":
      reader.list(() => reader.u32());
      reader.u32();
      return;
    case "4":
    case "8":
    case "16":
      reader.skip(Number(operands));
      return;
    default:
      for (const kind of operands) kind === "b" ? reader.skip(1) : reader.skipNumber();
  }
}

/** Nothing, one value type, or the index of a type as a signed number. */
function skipBlockType(reader: WasmReader): void {
  const first = reader.bytes[reader.at] ?? 0;
  if (first === 0x40 || VALUE_TYPES.has(first)) reader.skip(1);
  else if (first >= 0x40 && first < 0x80) throw refused("unsupported");
  else reader.skipNumber();
}
