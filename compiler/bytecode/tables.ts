/**
 * The JSON sections of an encoded program, read strictly: every member of the expected type, none missing, none unknown.
 * Says nothing of what the values mean to each other; that is `compiler/bytecode/verify/verify.ts`.
 */
import type { IrOperand } from "../ir/graph.ts";
import { isObject, type Json, type Members, setMember } from "../json.ts";
import type { Aux, CodeVariant, HandlerSite, NodeSite, Program, RetrySite, Routine, VariantTables } from "./program.ts";

export type ProgramText = Pick<Program, "format" | "version" | "ir_checksum" | "entry" | "names">;
/** The part of a variant that is encoded as JSON. */
export type JsonTables = Omit<VariantTables, Exclude<keyof CodeVariant, "routines">>;

/** Nesting of constants, and of operands in retries. */
const CONSTANT_DEPTH = 512;
const OPERAND_DEPTH = 256;

/** undefined: not of the type. */
type Reader<T> = (value: unknown) => T | undefined;

/** null: no header of a program. */
export function readText(value: unknown): ProgramText | null {
  const members = record(value, ["format", "version", "ir_checksum", "entry", "names"]);
  if (members === undefined || members["format"] !== "weft-bytecode") return null;
  const version = oneOf(1, 2)(members["version"]);
  const ir_checksum = text(members["ir_checksum"]);
  const entry = text(members["entry"]);
  const names = texts(members["names"]);
  if (version === undefined || ir_checksum === undefined || entry === undefined || names === undefined) return null;
  return { format: "weft-bytecode", version, ir_checksum, entry, names };
}

const TABLES = ["routines", "constants", "temporaries", "aux", "labels", "sites", "retries", "handlers"] as const;

/** null: not the tables of a variant. */
export function readTables(value: unknown): JsonTables | null {
  const members = record(value, TABLES);
  if (members === undefined) return null;
  const tables = {
    routines: listOf(routine)(members["routines"]),
    constants: listOf((item) => json(item, CONSTANT_DEPTH))(members["constants"]),
    temporaries: count(members["temporaries"]),
    aux: listOf(auxEntry)(members["aux"]),
    labels: texts(members["labels"]),
    sites: listOf(site)(members["sites"]),
    retries: listOf(retry)(members["retries"]),
    handlers: listOf(handler)(members["handlers"]),
  };
  return complete(tables) ?? null;
}

type Found<T> = { readonly [K in keyof T]: Exclude<T[K], undefined> };

/** The object when no member is undefined. */
function complete<T extends object>(members: T): Found<T> | undefined {
  return isComplete(members) ? members : undefined;
}

function isComplete<T extends object>(members: T): members is T & Found<T> {
  return Object.values(members).every((member) => member !== undefined);
}

function record(value: unknown, names: readonly string[]): Members | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length === names.length && names.every((name) => Object.hasOwn(value, name)) ? value : undefined;
}

function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items: T[] = [];
    for (const item of value as readonly unknown[]) {
      const found = read(item);
      if (found === undefined) return undefined;
      items.push(found);
    }
    return items;
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function integer(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0) ? value : undefined;
}

function count(value: unknown): number | undefined {
  const found = integer(value);
  return found !== undefined && found >= 0 ? found : undefined;
}

/** An index, or -1 for none. */
function index(value: unknown): number | undefined {
  return value === -1 ? -1 : count(value);
}

function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value));
}

function oneOf<const T>(...choices: readonly T[]): Reader<T> {
  return (value) => choices.find((choice) => choice === value);
}

const texts = listOf(text);

/** A plain copy without getters or prototypes of the given objects. Minus zero and numbers that are not finite are not JSON. */
function json(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
  if (depth <= 0) return undefined;
  if (Array.isArray(value)) return listOf((item) => json(item, depth - 1))(value);
  if (!isObject(value)) return undefined;
  const object: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const member = json(value[key], depth - 1);
    if (member === undefined) return undefined;
    setMember(object, key, member);
  }
  return object;
}

function routine(value: unknown): Routine | undefined {
  const members = record(value, ["label", "pc", "charge", "loops"]);
  if (members === undefined) return undefined;
  const { label, pc, charge, loops } = members;
  return complete({ label: text(label), pc: count(pc), charge: count(charge), loops: count(loops) });
}

const SITE = ["label", "id", "op", "line", "file", "parent", "position", "retry", "handler", "loop", "item"] as const;

function site(value: unknown): NodeSite | undefined {
  const members = record(value, SITE);
  if (members === undefined) return undefined;
  return complete({
    label: text(members["label"]),
    id: text(members["id"]),
    op: text(members["op"]),
    line: orNull(count)(members["line"]),
    file: orNull(text)(members["file"]),
    parent: index(members["parent"]),
    position: count(members["position"]),
    retry: index(members["retry"]),
    handler: index(members["handler"]),
    loop: index(members["loop"]),
    item: index(members["item"]),
  });
}

function retry(value: unknown): RetrySite | undefined {
  const members = record(value, ["count", "backoff_ms", "strategy"]);
  if (members === undefined) return undefined;
  return complete({
    count: operand(members["count"], OPERAND_DEPTH),
    backoff_ms: operand(members["backoff_ms"], OPERAND_DEPTH),
    strategy: oneOf("fixed", "exponential")(members["strategy"]),
  });
}

function handler(value: unknown): HandlerSite | undefined {
  const members = record(value, ["label", "routine"]);
  return members === undefined
    ? undefined
    : complete({ label: text(members["label"]), routine: count(members["routine"]) });
}

/** Kind of operand → its other members. */
const OPERANDS = new Map<unknown, readonly string[]>([
  ["str", ["v"]],
  ["num", ["v"]],
  ["bool", ["v"]],
  ["null", []],
  ["var", ["v"]],
  ["name", ["v"]],
  ["path", ["root", "segments"]],
  ["list", ["items"]],
  ["map", ["entries"]],
  ["call", ["fn", "args"]],
]);

function operand(value: unknown, depth: number): IrOperand | undefined {
  if (depth <= 0 || !isObject(value)) return undefined;
  const kind = value["k"];
  const names = OPERANDS.get(kind);
  if (names === undefined) return undefined;
  const spelled = kind === "path" && Object.hasOwn(value, "text") ? ["text"] : [];
  const members = record(value, ["k", ...names, ...spelled]);
  if (members === undefined) return undefined;
  const inner = listOf((item) => operand(item, depth - 1));
  switch (kind) {
    case "str":
    case "var":
    case "name":
      return complete({ k: kind, v: text(members["v"]) });
    case "num": {
      const v = json(members["v"], 0);
      return typeof v === "number" ? { k: "num", v } : undefined;
    }
    case "bool":
      return complete({ k: "bool" as const, v: flag(members["v"]) });
    case "null":
      return { k: "null" };
    case "path":
      return path(members, spelled.length > 0);
    case "list":
      return complete({ k: "list" as const, items: inner(members["items"]) });
    case "call":
      return complete({ k: "call" as const, fn: text(members["fn"]), args: inner(members["args"]) });
    default:
      return complete({ k: "map" as const, entries: listOf((item) => entry(item, depth - 1))(members["entries"]) });
  }
}

function path(members: Members, spelled: boolean): IrOperand | undefined {
  const bare = { k: "path" as const, root: text(members["root"]), segments: texts(members["segments"]) };
  return spelled ? complete({ ...bare, text: text(members["text"]) }) : complete(bare);
}

function entry(value: unknown, depth: number): readonly [string, IrOperand] | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [name, inner] = value as readonly unknown[];
  const found = operand(inner, depth);
  return typeof name === "string" && found !== undefined ? [name, found] : undefined;
}

/** Kind of aux entry → how its other members are read. */
const AUX: ReadonlyMap<string, { readonly [member: string]: Reader<unknown> }> = new Map<
  string,
  { readonly [member: string]: Reader<unknown> }
>([
  ["path", { segments: texts }],
  ["keys", { keys: texts }],
  ["fn", { name: text, form: oneOf("call", "verb"), written: text }],
  ["host", { name: text, counted: flag, written: text }],
  ["edge", { port: orNull(text), to_kind: oneOf("node", "label"), to: text, condition: orNull(flag) }],
  ["filt", { field: text, cmp: text }],
  ["sort", { field: text, order: oneOf("asc", "desc") }],
  ["unknown_fn", { name: text }],
  ["inputs", { names: texts }],
  ["fork", { item: orNull(text), routines: listOf(count), limit: count, mode: oneOf("all", "settle") }],
  [
    "call",
    {
      adapter: orNull(text),
      verb: orNull(text),
      text_key: flag,
      fallback: flag,
      txid: flag,
      enforce: flag,
    },
  ],
]);

function auxEntry(value: unknown): Aux | undefined {
  return isAux(value) ? value : undefined;
}

function isAux(value: unknown): value is Aux {
  if (!isObject(value)) return false;
  const readers = AUX.get(String(value["kind"]));
  if (readers === undefined) return false;
  const names = Object.keys(readers);
  if (record(value, ["kind", ...names]) === undefined || typeof value["kind"] !== "string") return false;
  return names.every((name) => readers[name]?.(value[name]) !== undefined);
}
