/**
 * Values between JSON and SQLite: parameters in, rows out. Runs in the SQLite helper, on statements that give whole numbers as bigint.
 */
import type { ColumnDefinition } from "better-sqlite3";
import { type Json, setMember } from "../../../compiler/json.ts";
import { floatText } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import type { Bindings } from "../../guard/sql/admit.ts";

/** Where a `?1` is not a parameter: strings, quoted names and comments; the last one may be unclosed. */
const QUOTED =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

type Bytes = { readonly $base64: string };
/** `$real`: a float that is whole; `$int`: an int beyond 2^53. */
type Exact = { readonly $real: number } | { readonly $int: string };
type SqlValue = null | boolean | number | string | Bytes | Exact;
/** In order, or by name without its prefix. */
export type SqlParams = readonly SqlValue[] | { readonly [name: string]: SqlValue };

/** What the driver takes for the parameters of a statement. */
export function bindingsOf(sql: string, params: SqlParams | null): Bindings {
  if (params === null) return [];
  if (!Array.isArray(params)) return [named(Object.entries(params))];
  // The driver takes `?1` for a name.
  if (/\?\d/.test(sql.replace(QUOTED, " "))) return [named(params.map((value, index) => [String(index + 1), value]))];
  return [params.map(bound)];
}

function named(entries: readonly (readonly [string, SqlValue])[]): object {
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) values[name] = bound(value);
  return values;
}

/** Whole numbers are bound as integers: the driver would make every number a real. */
function bound(value: SqlValue): unknown {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if ("$real" in value) return value.$real;
  return "$int" in value ? integer(value.$int) : Buffer.from(value.$base64, "base64");
}

function integer(digits: string): bigint {
  const value = BigInt(digits);
  if (BigInt.asIntN(64, value) === value) return value;
  throw adapterError("ADAPTER_BAD_ARGS", "a parameter is a whole number of more than 64 bits");
}

/** Names of the columns; a name that came before gets `_2`, `_3` … */
export function columnNames(columns: readonly ColumnDefinition[]): readonly string[] {
  const taken = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let number = 2; seen.has(unique) || (unique !== name && taken.has(unique)); number += 1) {
      unique = `${name}_${number}`;
    }
    seen.add(unique);
    return unique;
  });
}

export function rowOf(names: readonly string[], values: readonly unknown[]): { readonly [column: string]: Json } {
  const row: { [column: string]: Json } = {};
  names.forEach((name, place) => {
    setMember(row, name, jsonOf(values[place]));
  });
  return row;
}

/** The JSON text of a row for who knows ints of any length and floats that are whole; null: its JSON says the same. */
export function exactRow(names: readonly string[], values: readonly unknown[]): string | null {
  if (!values.some(saysMore)) return null;
  const members = names.map((name, at) => {
    const value = values[at];
    return `${JSON.stringify(name)}:${saysMore(value) ? (typeof value === "bigint" ? value : floatText(value)) : JSON.stringify(jsonOf(value))}`;
  });
  return `{${members.join(",")}}`;
}

function saysMore(value: unknown): value is number | bigint {
  if (typeof value === "bigint") return !Number.isSafeInteger(Number(value));
  return Number.isInteger(value);
}

/** Whole numbers that JSON cannot hold exactly become text, infinities null, bytes base64. */
export function jsonOf(value: unknown): Json {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Buffer.isBuffer(value)) return { $base64: value.toString("base64") };
  return typeof value === "string" ? value : null;
}
