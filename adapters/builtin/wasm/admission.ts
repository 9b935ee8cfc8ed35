/**
 * Decides whether a module may run, and bounds it: no imports but `wf.log`, one memory and tables with a maximum, no
 * shared memory, no instructions whose result depends on the machine, no function that is too much work to compile. The
 * engine itself bounds no memory, so the limits are written anew into the module. Reads sections and their headers; whether
 * the code is valid, the engine checks when it compiles.
 */
import type { ModuleExport } from "../../engine/wasm/types.ts";
import { checkBody } from "./body.ts";
import { known, type Signature, valueType } from "./instructions.ts";
import { encodedU32, refused, WasmReader } from "./reader.ts";

export const MAX_MODULE_BYTES = 10 * 1024 * 1024;
const MAX_TABLE_ENTRIES = 10_000;
const MAX_TABLES = 16;
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const FUNCTION = 0;

const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  export: 7,
  code: 10,
  last: 12,
} as const;

export type AdmittedModule = {
  /** The module with bounded memory and tables, without custom sections. */
  readonly bytes: Uint8Array;
  readonly exports: readonly ModuleExport[];
};

type Found = {
  types: readonly Signature[];
  /** Types of functions, imported ones first. */
  readonly functions: number[];
  /** How many of them are imported. */
  imported: number;
  exported: readonly { readonly name: string; readonly index: number }[];
};

/** Throws ADAPTER_WASM_MODULE with `reason`. Memories get at most `maxPages` pages of 64 KiB. */
export function admit(bytes: Uint8Array, maxPages: number): AdmittedModule {
  if (bytes.length > MAX_MODULE_BYTES) throw refused("too_large");
  const reader = new WasmReader(bytes);
  for (const expected of HEADER) {
    if (reader.byte() !== expected) throw refused("malformed");
  }
  const found: Found = { types: [], functions: [], imported: 0, exported: [] };
  const parts: Uint8Array[] = [Uint8Array.from(HEADER)];
  const seen = new Set<number>();
  while (!reader.done) {
    const from = reader.at;
    const id = reader.byte();
    const section = reader.part(reader.u32());
    if (id === SECTION.custom) continue;
    if (id > SECTION.last) throw refused("unsupported");
    if (seen.has(id)) throw refused("malformed");
    seen.add(id);
    parts.push(read(id, section, found, maxPages) ?? bytes.subarray(from, reader.at));
  }
  return { bytes: Buffer.concat(parts), exports: exportsOf(found) };
}

/** Takes in what a section says; the section that is to stand in its place, if any. */
function read(id: number, section: WasmReader, found: Found, maxPages: number): Uint8Array | undefined {
  switch (id) {
    case SECTION.type:
      found.types = section.list(() => signature(section));
      return undefined;
    case SECTION.import:
      found.imported = section.each(() => found.functions.push(importedType(section, found.types)));
      return undefined;
    case SECTION.function:
      section.each(() => found.functions.push(section.u32()));
      return undefined;
    case SECTION.table:
      return boundedTables(section);
    case SECTION.memory:
      return boundedMemory(section, maxPages);
    case SECTION.export:
      found.exported = section.list(() => exported(section)).filter(({ kind }) => kind === FUNCTION);
      return undefined;
    case SECTION.code:
      section.each((index) => {
        checkBody(section.part(section.u32()), typeOf(found, found.imported + index), found);
      });
      return undefined;
    default:
      return undefined;
  }
}

function signature(section: WasmReader): Signature {
  if (section.byte() !== 0x60) throw refused("unsupported");
  const params = section.list(() => valueType(section));
  return { params, results: section.list(() => valueType(section)) };
}

/** The one import there is: `wf.log(ptr, len)`. */
function importedType(section: WasmReader, types: readonly Signature[]): number {
  const name = `${section.name()}.${section.name()}`;
  const kind = section.byte();
  if (name !== "wf.log" || kind !== FUNCTION) throw refused("imports");
  const type = section.u32();
  const { params = [], results = [] } = types[type] ?? {};
  if (params.join() !== "i32,i32" || results.length > 0) throw refused("imports");
  return type;
}

function exported(section: WasmReader): { readonly name: string; readonly kind: number; readonly index: number } {
  return { name: section.name(), kind: section.byte(), index: section.u32() };
}

type Limits = { readonly least: number; readonly most: number | null };

function limits(section: WasmReader): Limits {
  const flags = section.byte();
  if (flags === 2 || flags === 3) throw refused("shared_memory");
  if (flags > 3) throw refused("unsupported");
  return { least: section.u32(), most: flags === 1 ? section.u32() : null };
}

function boundedMemory(section: WasmReader, maxPages: number): Uint8Array {
  const memories = section.list(() => limits(section));
  if (memories.length > 1) throw refused("unsupported");
  if (memories.some(({ least }) => least > maxPages)) throw refused("memory_limit");
  return rewritten(
    SECTION.memory,
    memories.map((memory) => bounded(memory, maxPages)),
  );
}

function boundedTables(section: WasmReader): Uint8Array {
  const tables = section.list(() => {
    const type = section.byte();
    if (type !== 0x70 && type !== 0x6f) throw refused("unsupported");
    return { type, size: limits(section) };
  });
  const entries = tables.reduce((sum, { size }) => sum + size.least, 0);
  if (tables.length > MAX_TABLES || entries > MAX_TABLE_ENTRIES) throw refused("table_limit");
  return rewritten(
    SECTION.table,
    tables.map(({ type, size }) => [type, ...bounded(size, MAX_TABLE_ENTRIES)]),
  );
}

function bounded({ least, most }: Limits, bound: number): readonly number[] {
  return [1, ...encodedU32(least), ...encodedU32(most === null ? bound : Math.min(most, bound))];
}

function rewritten(id: number, items: readonly (readonly number[])[]): Uint8Array {
  const body = [...encodedU32(items.length), ...items.flat()];
  return Uint8Array.from([id, ...encodedU32(body.length), ...body]);
}

function exportsOf(found: Found): readonly ModuleExport[] {
  return found.exported.map(({ name, index }) => {
    const { params, results } = typeOf(found, index);
    return { name, params, results };
  });
}

function typeOf({ types, functions }: Found, index: number): Signature {
  return known(types[functions[index] ?? -1]);
}
