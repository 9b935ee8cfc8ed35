/** JSON and types (docs/functions.md): `parse`, `stringify`, `type`, and the functions that hand values through. */
import { isObject, type Json, setMember } from "../../../compiler/json.ts";
import type { Pace, Task } from "../../tasks/task.ts";
import { finite } from "../../values/numbers.ts";
import { jsonTextTask } from "../../values/text.ts";
import {
  isList,
  keyCount,
  MAX_LIST_LENGTH,
  MAX_NESTING,
  MAX_OBJECT_KEYS,
  type OpenObject,
  tooDeep,
  tooLarge,
  typeName,
} from "../../values/values.ts";
import { type FunctionGroup, required, requiredTextTask, resumable } from "../arguments.ts";
import { notJson, readJson } from "./reader.ts";
import { jsonErrorPosition, testJsonBounds } from "./scan.ts";

/** Below this length no text can hold enough brackets or commas to hurt before the parsed value is checked. */
const SCAN_FROM = 65_536;
/** Longer texts are read in pieces. */
const READ_FROM = 1 << 19;

function* parse(args: readonly Json[], pace: Pace): Task<Json> {
  const text = yield* requiredTextTask(args, 0, "parse", pace);
  if (text.length >= SCAN_FROM) yield* testJsonBounds(text, pace);
  if (text.length >= READ_FROM) return yield* readJson(text, pace);
  pace.note(text.length);
  return settled(parsed(text), 0);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw notJson(text, jsonErrorPosition(text));
  }
}

/**
 * Checks the bounds of what `JSON.parse` made. Numbers out of range come from it as Infinity, and -0 as itself; -0 is
 * made 0 in place, since the value is not shared yet.
 */
function settled(value: Json, depth: number): Json {
  if (typeof value === "number") return finite(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_NESTING) throw tooDeep();
  if (isList(value)) settleList(value as Json[], depth + 1);
  else if (isObject(value)) settleObject(value as OpenObject, depth + 1);
  return value;
}

function settleList(list: Json[], depth: number): void {
  if (list.length > MAX_LIST_LENGTH) throw tooLarge();
  for (let i = 0; i < list.length; i++) {
    const element = list[i] as Json;
    const kept = settled(element, depth);
    if (Object.is(element, -0)) list[i] = kept;
  }
}

function settleObject(object: OpenObject, depth: number): void {
  if (keyCount(object) > MAX_OBJECT_KEYS) throw tooLarge();
  for (const key in object) {
    const member = object[key] as Json;
    const kept = settled(member, depth);
    if (Object.is(member, -0)) setMember(object, key, kept);
  }
}

function* stringify(args: readonly Json[], pace: Pace): Task<Json> {
  return yield* jsonTextTask(required(args, 0, "stringify"), pace);
}

function handThrough(args: readonly Json[]): Json {
  const value = args[0];
  return value === undefined ? null : value;
}

export const jsonFunctions: FunctionGroup = {
  type: (args) => typeName(handThrough(args)),
  parse: resumable(parse),
  stringify: resumable(stringify),
  echo: handThrough,
  id: handThrough,
  noop: () => null,
};
