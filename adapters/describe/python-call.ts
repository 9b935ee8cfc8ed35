/** A call of the opcode form, as the examples of definitions are written, in Python: `R http.Get "https://…" {"timeout_s": 3} ->r` is `r = http.Get("https://…", timeout_s=3)`. */
import type { Json } from "../../compiler/json.ts";

const CALL = /^R (\S+)\s*(.*?)\s*(?:->(\w+))?$/s;
const SPECIAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[([{]|[)\]}]|\s+/g;

/** `options`: names of the verb's options, which are named arguments. A source that is not one call is returned as it is. */
export function pythonCall(source: string, options: readonly string[]): string {
  const [, verb, operands = "", result] = CALL.exec(source) ?? [];
  if (verb === undefined) return source;
  const written = operandsOf(operands);
  const given = optionsIn(written.at(-1) ?? "", options);
  const places = (given === null ? written : written.slice(0, -1)).map(pythonText);
  const named = Object.entries(given ?? {}).map(([name, value]) => `${parameterName(name)}=${literal(value)}`);
  const call = `${verb}(${[...places, ...named].join(", ")})`;
  return result === undefined ? call : `${result} = ${call}`;
}

/** An object of options alone; null for any other operand. */
function optionsIn(operand: string, options: readonly string[]): { readonly [name: string]: Json } | null {
  const value = jsonOf(operand);
  if (value === undefined || value === null || typeof value !== "object" || Array.isArray(value)) return null;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => options.includes(name)) ? (value as { [name: string]: Json }) : null;
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function pythonText(operand: string): string {
  const value = jsonOf(operand);
  return value === undefined ? operand : literal(value);
}

/** A JSON value as Python writes it. */
function literal(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${literal(one as Json)}`)
    .join(", ")}}`;
}

/** `from` is a word of Python. */
export const parameterName = (name: string): string => (name === "from" ? "from_" : name);

/** Cut at the spaces that are in no string and no brackets. */
function operandsOf(text: string): string[] {
  const operands: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: part, index } of text.matchAll(SPECIAL)) {
    if ("([{".includes(part)) depth += 1;
    else if (")]}".includes(part)) depth -= 1;
    else if (depth === 0 && part.trim() === "") {
      operands.push(text.slice(start, index));
      start = index + part.length;
    }
  }
  operands.push(text.slice(start));
  return operands.filter((operand) => operand !== "");
}
