/**
 * Which instructions a module may contain: those of WebAssembly 2.0 and tail calls. Threads, relaxed SIMD (its results
 * depend on the machine), garbage collection and exceptions are refused whatever the engine would accept, so that every
 * version of Node admits the same modules. The table lists the operands and the stack effect of each; that a body
 * is valid, the engine checks.
 */
import type { ValueType } from "../../engine/wasm/types.ts";
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

export type Signature = { readonly params: readonly ValueType[]; readonly results: readonly ValueType[] };

export function valueType(reader: WasmReader): ValueType {
  const type = VALUE_TYPES.get(reader.byte());
  if (type === undefined) throw refused("unsupported");
  return type;
}

/**
 * The operands after an opcode: n number, b byte, 4 8 16 that many bytes, B block type, T type, V types, J jump table.
 */
type Operands = "" | "n" | "nn" | "b" | "nb" | "nnb" | "4" | "8" | "16" | "B" | "T" | "V" | "J";

/**
 * What a compiler has to do with everything that is alive at an instruction: `spill` looks through it, as do blocks, jumps and calls,
 * which need their operands besides.
 */
type Flow = "" | "spill" | "block" | "else" | "end" | "jumps" | "call" | "call_type";

export type Instruction = {
  readonly operands: Operands;
  /** Operands on the stack, after less before; never too low. Of calls and blocks without what their type says. */
  readonly net: number;
  readonly flow: Flow;
};
type Range = readonly [first: number, last: number, operands: Operands, net?: number, flow?: Flow];

function table(ranges: readonly Range[]): readonly (Instruction | undefined)[] {
  const entries: (Instruction | undefined)[] = Array.from({ length: 256 });
  for (const [first, last, operands, net = 0, flow = ""] of ranges)
    entries.fill({ operands, net, flow }, first, last + 1);
  return entries;
}

const PLAIN = table([
  [0x00, 0x01, ""],
  [0x02, 0x03, "B", 0, "block"],
  [0x04, 0x04, "B", -1, "block"],
  [0x05, 0x05, "", 0, "else"],
  [0x0b, 0x0b, "", 0, "end"],
  [0x0c, 0x0c, "n", 0, "spill"],
  [0x0d, 0x0d, "n", -1, "spill"],
  [0x0e, 0x0e, "J", -1, "jumps"],
  [0x0f, 0x0f, ""],
  [0x10, 0x10, "n", 0, "call"],
  [0x11, 0x11, "nn", -1, "call_type"],
  [0x12, 0x12, "n", 0, "call"],
  [0x13, 0x13, "nn", -1, "call_type"],
  [0x1a, 0x1a, "", -1],
  [0x1b, 0x1b, "", -2],
  [0x1c, 0x1c, "V", -2],
  [0x20, 0x20, "n", 1],
  [0x21, 0x21, "n", -1],
  [0x22, 0x22, "n"],
  [0x23, 0x23, "n", 1],
  [0x24, 0x24, "n", -1],
  [0x25, 0x25, "n", 0, "spill"],
  [0x26, 0x26, "n", -2, "spill"],
  [0x28, 0x35, "nn"],
  [0x36, 0x3e, "nn", -2],
  [0x3f, 0x3f, "n", 1],
  [0x40, 0x40, "n", 0, "spill"],
  [0x41, 0x42, "n", 1],
  [0x43, 0x43, "4", 1],
  [0x44, 0x44, "8", 1],
  [0x45, 0x45, ""],
  [0x46, 0x4f, "", -1],
  [0x50, 0x50, ""],
  [0x51, 0x66, "", -1],
  [0x67, 0x69, ""],
  [0x6a, 0x78, "", -1],
  [0x79, 0x7b, ""],
  [0x7c, 0x8a, "", -1],
  [0x8b, 0x91, ""],
  [0x92, 0x98, "", -1],
  [0x99, 0x9f, ""],
  [0xa0, 0xa6, "", -1],
  [0xa7, 0xc4, ""],
  [0xd0, 0xd0, "T", 1],
  [0xd1, 0xd1, ""],
  [0xd2, 0xd2, "n", 1, "spill"],
]);

/** After 0xfc: saturating conversions, bulk memory, tables. */
const BULK = table([
  [0, 7, ""],
  [8, 8, "nn", -3, "spill"],
  [9, 9, "n", 0, "spill"],
  [10, 10, "nn", -3, "spill"],
  [11, 11, "n", -3, "spill"],
  [12, 12, "nn", -3, "spill"],
  [13, 13, "n", 0, "spill"],
  [14, 14, "nn", -3, "spill"],
  [15, 15, "n", -1, "spill"],
  [16, 16, "n", 1],
  [17, 17, "n", -3, "spill"],
]);

/** After 0xfd: vectors. Those with two operands count as if they left both; nothing here needs a more exact count. */
const VECTOR = table([
  [0, 10, "nn"],
  [11, 11, "nn", -2],
  [12, 12, "16", 1],
  [13, 13, "16", -1],
  [14, 14, "", -1],
  [15, 20, ""],
  [21, 34, "b"],
  [35, 83, ""],
  [84, 91, "nnb", -1],
  [92, 93, "nn"],
  [94, 255, ""],
]);

/** The next opcode of a body. */
export function instructionAt(reader: WasmReader): Instruction {
  const opcode = reader.byte();
  if (opcode === 0xfe) throw refused("threads");
  const instruction = opcode < 0xfc ? PLAIN[opcode] : prefixed(opcode, reader.u32());
  if (instruction === undefined) throw refused("unsupported");
  return instruction;
}

function prefixed(prefix: number, opcode: number): Instruction | undefined {
  if (prefix === 0xfc) return BULK[opcode];
  if (prefix !== 0xfd) return undefined;
  if (opcode > 0xff) throw refused("relaxed_simd");
  return VECTOR[opcode];
}

export function skipOperands(reader: WasmReader, operands: Operands): void {
  switch (operands) {
    case "":
      return;
    case "T":
      valueType(reader);
      return;
    case "V":
      reader.list(() => valueType(reader));
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

/** What a block takes and leaves: nothing, one value, or as the type of that number says. */
export function blockType(reader: WasmReader, types: readonly Signature[]): Signature {
  const first = reader.bytes[reader.at] ?? 0;
  if (first === 0x40) {
    reader.skip(1);
    return NOTHING;
  }
  if (VALUE_TYPES.has(first)) return { params: [], results: [valueType(reader)] };
  if (first > 0x40 && first < 0x80) throw refused("unsupported");
  return known(types[reader.u32()]);
}

const NOTHING: Signature = { params: [], results: [] };

export function known(type: Signature | undefined): Signature {
  if (type === undefined) throw refused("malformed");
  return type;
}
