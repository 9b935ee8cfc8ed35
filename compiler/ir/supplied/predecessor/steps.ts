/**
 * Step records of the predecessor's IR become node data of ours, member by member (docs/ir.md, IR from outside). Fields are text as
 * written; what they mean is decided by `operands.ts`. Results are checked like any supplied data afterwards.
 */
import { findLoneFunction } from "../../../functions.ts";
import { isObject, type Json, type JsonObject } from "../../../json.ts";
import type { IrOperand } from "../../graph.ts";
import { type IssueList, type IssuePlace, pointer, quoted } from "../../issues.ts";
import { isArray } from "../operands.ts";
import type { DeclaredDefaults } from "./declarations.ts";
import { constantOperand, functionCall, readBareWord, readCondition } from "./operands.ts";

export type StepPlace = {
  /** Of the record. */
  readonly path: string;
  readonly place: IssuePlace;
  readonly issues: IssueList;
  readonly defaults: DeclaredDefaults;
};

/** A record being converted, with the fields that its source wrote as literals. */
type Step = StepPlace & { readonly literals: ReadonlySet<Json> };
type Convert = (record: JsonObject, at: Step) => JsonObject;

const TARGET_MEMBERS: Readonly<Record<string, readonly (readonly [member: string, port: string])[]>> = {
  If: [
    ["then", "then"],
    ["else", "else"],
  ],
  Err: [["handler", "handler"]],
  Call: [["label", "call"]],
  Loop: [
    ["body", "body"],
    ["after", "after"],
  ],
  While: [
    ["body", "body"],
    ["after", "after"],
  ],
};

/** Labels that a record names, by port. */
export function targetsOf(
  op: string,
  record: JsonObject,
): readonly { readonly port: string; readonly member: string; readonly written: string }[] {
  const found = [];
  for (const [member, port] of TARGET_MEMBERS[op] ?? []) {
    const written = record[member];
    if (typeof written === "string" && written !== "") found.push({ port, member, written });
  }
  return found;
}

/** Data of the canonical shape. Members that cannot be read are left to the checks of `compiler/ir/supplied/data.ts`. */
export function convertStep(op: string, record: JsonObject, at: StepPlace): JsonObject {
  const fields = record["__literal_fields"];
  return STEPS[op]?.(record, { ...at, literals: new Set(isArray(fields) ? fields : []) }) ?? {};
}

const STEPS: Readonly<Record<string, Convert>> = {
  R: (record, at) => ({ ...adapterCall(record, at), out: outOf(record, "res") }),
  J: (record, at) => ({ value: present(record, "var") ? operand(record, "var", at) : json({ k: "var", v: "data" }) }),
  Set: (record, at) => ({ name: record["name"] ?? null, value: operand(record, "ref", at) }),
  X: (record, at) => ({ name: first(record, "name", "dst", "out"), value: json(functionValue(record, at)) }),
  Filt: (record, at) => ({
    name: record["name"] ?? null,
    list: operand(record, record["ref"] === undefined ? "list" : "ref", at),
    field: record["field"] ?? null,
    cmp: record["cmp"] === "=" ? "==" : (record["cmp"] ?? null),
    value: operand(record, "value", at),
  }),
  Sort: (record, at) => ({
    name: record["name"] ?? null,
    list: operand(record, record["ref"] === undefined ? "list" : "ref", at),
    field: record["field"] ?? null,
    order: typeof record["order"] === "string" && record["order"] !== "" ? record["order"].toLowerCase() : "asc",
  }),
  If: (record, at) => ({ cond: condition(record, at) }),
  Loop: (record, at) => ({
    list: operand(record, record["ref"] === undefined ? "list" : "ref", at),
    item: record["item"] ?? null,
  }),
  While: (record, at) => ({ cond: condition(record, at), limit: digits(record["limit"]) ?? 10_000 }),
  Call: (record) => ({ out: outOf(record, "_call_result") }),
  Err: () => ({}),
  Retry: (record) => ({
    count: json(countOperand(record["count"], 3)),
    backoff_ms: json(countOperand(record["backoff_ms"], 0)),
    strategy: first(record, "strategy", "backoff_strategy") ?? "fixed",
  }),
  CacheGet: (record, at) => cacheGet(record, at),
  CacheSet: (record, at) => cacheSet(record, at),
  QueuePut: (record, at) => ({
    adapter: "queue",
    verb: "Put",
    args: [text(first(record, "queue", "name")), operand(record, "value", at)],
    out: outOf(record, null),
  }),
  Tx: (record, at) => transaction(record, at),
  Enf: (record, at) => enforce(record, at),
};

function adapterCall(record: JsonObject, at: Step): JsonObject {
  const written = typeof record["adapter"] === "string" ? record["adapter"] : "";
  const dot = written.indexOf(".");
  const rest = record["args"];
  const args = isArray(rest) ? rest.map((value, index) => json(valueOperand(value, `args.${index}`, at))) : [];
  if (rest !== undefined && rest !== null && !isArray(rest))
    at.issues.add("schema", pointer(at.path, "args"), "expected a list", at.place);
  const target = record["target"];
  if (dot < 0) return { adapter: written, verb: typeof target === "string" ? target : "", args };
  const none = target === undefined || target === null || (target === "" && args.length === 0 && !wroteEmpty(record));
  const all = none ? args : [json(valueOperand(target, "target", at)), ...args];
  return { adapter: written.slice(0, dot), verb: written.slice(dot + 1), args: all };
}

/** Without operands and with one empty text the target is the same; the slots as written tell them apart. */
function wroteEmpty({ raw }: JsonObject): boolean {
  return isArray(raw) && raw[1] === "";
}

/** A function's call, or the plain value of `X name operand`. */
function functionValue(record: JsonObject, at: Step): IrOperand {
  const fn = record["fn"];
  const given = record["args"];
  if (given !== undefined && given !== null && !isArray(given))
    at.issues.add("schema", pointer(at.path, "args"), "expected a list", at.place);
  const args = isArray(given) ? given.map((value, index) => valueOperand(value, `args.${index}`, at)) : [];
  if (typeof fn !== "string") {
    at.issues.add("schema", pointer(at.path, "fn"), "expected a function name", at.place);
    return { k: "null" };
  }
  if (args.length === 0 && findLoneFunction(fn) === undefined) return valueOperand(fn, "fn", at);
  return functionCall(fn, args);
}

function cacheGet(record: JsonObject, at: Step): JsonObject {
  const name = first(record, "name", "cache");
  const declared = cacheOf(name, at)?.fallback ?? null;
  const fallback = present(record, "fallback")
    ? operand(record, "fallback", at)
    : declared === null
      ? null
      : text(declared);
  return {
    adapter: "cache",
    verb: "get",
    args: [text(name), operand(record, "key", at)],
    out: outOf(record, "data"),
    fallback,
  };
}

function cacheSet(record: JsonObject, at: Step): JsonObject {
  const name = first(record, "name", "cache");
  const ttl = digits(record["ttl_s"]) ?? cacheOf(name, at)?.ttl ?? 0;
  const args = [text(name), operand(record, "key", at), operand(record, "value", at), json({ k: "num", v: ttl })];
  return { adapter: "cache", verb: "set", args, out: null };
}

function transaction(record: JsonObject, at: Step): JsonObject {
  const action = typeof record["action"] === "string" ? record["action"].toLowerCase() : "";
  const name = record["name"] ?? null;
  const declared = action === "begin" ? (at.defaults.transactions.get(nameOf(name)) ?? []) : [];
  const options: IrOperand = {
    k: "map",
    entries: declared.map(([key, value]) => [key, { k: "str", v: value }] as const),
  };
  const args = declared.length === 0 ? [text(name)] : [text(name), json(options)];
  return { adapter: "txn", verb: action, args, out: action === "begin" ? "_txid" : null };
}

function enforce(record: JsonObject, at: Step): JsonObject {
  const member = present(record, "policy") ? "policy" : "name";
  const name = record[member] ?? null;
  const declared = at.defaults.policies.get(nameOf(name));
  // A rule that is not there must not pass in silence.
  if (declared === undefined)
    at.issues.add("schema", pointer(at.path, member), `policy ${quoted(nameOf(name))} is not declared`, at.place);
  const constraints: IrOperand = {
    k: "map",
    entries: (declared ?? []).map(([key, value]) => [key, { k: "str", v: value }] as const),
  };
  const facts: IrOperand = {
    k: "map",
    entries: [
      ["auth_present", { k: "var", v: "_auth_present" }],
      ["role", { k: "var", v: "_role" }],
    ],
  };
  return { adapter: "auth", verb: "enforce", args: [text(name), json(constraints), json(facts)], out: null };
}

function condition(record: JsonObject, at: Step): Json {
  const written = record["cond"];
  const read =
    typeof written === "string"
      ? readCondition(written)
      : written === undefined
        ? null
        : { c: "truthy", of: constantOperand(written) };
  if (read !== null) return json(read);
  at.issues.add("schema", pointer(at.path, "cond"), "expected a condition", at.place);
  return json({ c: "truthy", of: { k: "null" } });
}

function operand(record: JsonObject, field: string, at: Step): Json {
  if (record[field] === undefined) at.issues.add("schema", pointer(at.path, field), "expected a value", at.place);
  return json(valueOperand(record[field] ?? null, field, at));
}

/** Text is a bare word unless the record lists its field as a literal; other JSON stands for itself. */
function valueOperand(value: Json, field: string, at: Step): IrOperand {
  return typeof value === "string" && !isLiteral(field, at) ? readBareWord(value) : constantOperand(value);
}

/** `__literal_fields` names a field, or one argument as `args.0` or `args[0]`. */
function isLiteral(field: string, at: Step): boolean {
  const [list = field, position] = field.split(".");
  return (
    at.literals.has(field) ||
    (position !== undefined && (at.literals.has(list) || at.literals.has(`${list}[${position}]`)))
  );
}

function cacheOf(name: Json, at: Step): { readonly ttl: number | null; readonly fallback: string | null } | undefined {
  return at.defaults.caches.get(nameOf(name));
}

function nameOf(name: Json): string {
  return typeof name === "string" ? name : "";
}

function countOperand(value: Json | undefined, fallback: number): IrOperand {
  const count = digits(value);
  if (count !== null) return { k: "num", v: count };
  return typeof value === "string" && value !== "" ? readBareWord(value) : { k: "num", v: fallback };
}

function digits(value: Json | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^[0-9]{1,15}$/.test(value) ? Number(value) : null;
}

function outOf(record: JsonObject, fallback: string | null): string | null {
  const out = record["out"];
  return typeof out === "string" && out !== "" ? out.replace(/^->\s*/, "") : fallback;
}

function present(record: JsonObject, field: string): boolean {
  const value = record[field];
  return value !== undefined && value !== null && value !== "";
}

function first(record: JsonObject, ...fields: readonly string[]): Json {
  return (
    fields.map((field) => record[field]).find((value) => value !== undefined && value !== null && value !== "") ?? null
  );
}

function text(value: Json): Json {
  return { k: "str", v: isObject(value) || isArray(value) ? null : value };
}

/** Operands and conditions are JSON; only their declared types are narrower. */
function json(value: object): Json {
  return value as Json;
}
