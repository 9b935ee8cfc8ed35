/**
 * Programs as bytes and back: a magic word, the version, sections with lengths (tables as JSON, code as 32-bit words, all
 * little-endian), and a SHA-256 over everything before it. `decode` checks shape and checksum; whether the code may run is
 * `compiler/bytecode/verify/verify.ts`'s answer.
 */
import { createHash } from "node:crypto";
import type { Program, VariantKind, VariantTables } from "./program.ts";
import { readTables, readText } from "./tables.ts";

const MAGIC = 0x54464557;
const VERSIONS: readonly number[] = [1, 2];
const DIGEST = 32;
const HEADER = 8;
/** Bounds of a program from outside (docs/bytecode.md): 4 M words of code a variant, and tables in proportion. */
const MAX_BYTES = 256 * 1024 * 1024;
export const VARIANTS: readonly VariantKind[] = ["fast", "stepped", "traced"];
export const WORD_TABLES = [
  "code",
  "site_at",
  "refund_at",
  "unset_at",
  "site_pc",
  "site_charge",
  "blocks",
  "marks",
  "calls",
  "entries",
] as const;

export type Decoded =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly reason: string };

export function encodeProgram(program: Program): Uint8Array {
  const { format, version, ir_checksum, entry, names } = program;
  const sections: Uint8Array[] = [jsonBytes({ format, version, ir_checksum, entry, names })];
  for (const kind of VARIANTS) {
    const tables = program.variant(kind);
    const { routines, constants, temporaries, aux, labels, sites, retries, handlers } = tables;
    sections.push(jsonBytes({ routines, constants, temporaries, aux, labels, sites, retries, handlers }));
    for (const name of WORD_TABLES) sections.push(wordBytes(tables[name]));
  }
  const length = sections.reduce((sum, section) => sum + 4 + section.length, HEADER);
  const bytes = new Uint8Array(length + DIGEST);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, version, true);
  let at = HEADER;
  for (const section of sections) {
    view.setUint32(at, section.length, true);
    bytes.set(section, at + 4);
    at += 4 + section.length;
  }
  bytes.set(digest(bytes.subarray(0, at)), at);
  return bytes;
}

const layouts = new WeakMap<Program, string>();

/** SHA-256 of the code that runs without a trace: positions in it mean the same only where this is the same. */
export function layoutOf(program: Program): string {
  const known = layouts.get(program);
  if (known !== undefined) return known;
  const hash = createHash("sha256");
  for (const kind of ["fast", "stepped"] as const) {
    const tables = program.variant(kind);
    const { routines, constants, temporaries, aux, labels, sites, retries, handlers } = tables;
    hash.update(jsonBytes([program.names, routines, constants, temporaries, aux, labels, sites, retries, handlers]));
    for (const name of WORD_TABLES) hash.update(wordBytes(tables[name]));
  }
  const layout = hash.digest("hex");
  layouts.set(program, layout);
  return layout;
}

/** Whether bytes claim to be bytecode: the magic word, and a version below 2^24, so never the beginning of a text. */
export function isBytecode(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0, true) === MAGIC && bytes[7] === 0;
}

/** Never throws. A program it returns has all tables in their shapes; it must pass `verifyProgram` before it runs. */
export function decodeProgram(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_BYTES) return refused("too large");
  if (bytes.length < HEADER + DIGEST) return refused("too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC) return refused("not Weft bytecode");
  if (!VERSIONS.includes(view.getUint32(4, true))) return refused("unsupported bytecode version");
  const end = bytes.length - DIGEST;
  const expected = digest(bytes.subarray(0, end));
  if (!expected.every((byte, at) => byte === bytes[end + at])) return refused("checksum mismatch");
  const sections: Uint8Array[] = [];
  for (let at = HEADER; at < end; ) {
    if (at + 4 > end) return refused("truncated section");
    const length = view.getUint32(at, true);
    if (at + 4 + length > end) return refused("truncated section");
    sections.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return assemble(sections, view.getUint32(4, true));
}

function assemble(sections: readonly Uint8Array[], version: number): Decoded {
  const perVariant = 1 + WORD_TABLES.length;
  const [head, ...rest] = sections;
  if (head === undefined || rest.length !== VARIANTS.length * perVariant) return refused("wrong number of sections");
  const text = readText(parsed(head));
  if (text === null || text.version !== version) return refused("malformed header");
  const variants = new Map<VariantKind, VariantTables>();
  for (const [index, kind] of VARIANTS.entries()) {
    const [json, ...words] = rest.slice(index * perVariant, (index + 1) * perVariant);
    const tables = json === undefined ? null : readTables(parsed(json));
    if (tables === null || words.some((section) => section.length % 4 !== 0))
      return refused(`malformed ${kind} tables`);
    const arrays = Object.fromEntries(WORD_TABLES.map((name, at) => [name, wordsOf(words[at] as Uint8Array)]));
    const routine_pc = Int32Array.from(tables.routines, ({ pc }) => pc);
    variants.set(kind, { ...tables, routine_pc, ...(arrays as Record<(typeof WORD_TABLES)[number], Int32Array>) });
  }
  const program: Program = {
    ...text,
    slots: new Map(text.names.map((name, slot) => [name, slot])),
    variant: (kind) => variants.get(kind) as VariantTables,
    *variantTask() {},
  };
  return { ok: true, program };
}

function refused(reason: string): Decoded {
  return { ok: false, reason };
}

function digest(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** undefined: no JSON. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function wordBytes(words: Int32Array): Uint8Array {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  words.forEach((word, at) => {
    view.setInt32(at * 4, word, true);
  });
  return bytes;
}

function wordsOf(bytes: Uint8Array): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Int32Array(bytes.length / 4);
  for (let at = 0; at < words.length; at++) words[at] = view.getInt32(at * 4, true);
  return words;
}
