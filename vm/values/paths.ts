/**
 * Reading and writing inside values by path (docs/runtime.md, values). Reading
 * never fails: a miss is null. Writing copies the objects on the path and shares everything else. Keys are data, also
 * `__proto__`.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { completed, Pace, type Task } from "../tasks/task.ts";
import { CHUNK_MASK, charge, chargeChunk, unmetered, type WorkMeter } from "../tasks/work-meter.ts";
import { nextPosition, positionOf } from "./code-points.ts";
import { textOf, textTask } from "./text.ts";
import { isList, withMember } from "./values.ts";

const MAX_PATH_PARTS = 128;

/** The element a part of a path names in a list; −1 unless the part is digits only and in range. */
function listIndex(part: string, length: number): number {
  if (part === "") return -1;
  let index = 0;
  for (let i = 0; i < part.length; i++) {
    const digit = part.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
    if (index >= length) return -1;
  }
  return index;
}

/** undefined: the element or member does not exist. */
function found(value: Json, part: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (isList(value)) {
    const index = listIndex(part, value.length);
    return index < 0 ? undefined : value[index];
  }
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function child(value: Json, part: string): Json {
  return found(value, part) ?? null;
}

/** The character at a place counted by code points, as `at` counts; null beyond the end. The walk to it is charged. */
function characterAt(text: string, part: string, meter: WorkMeter): Json {
  const index = listIndex(part, text.length);
  if (index < 0) return null;
  charge(meter, index);
  const start = positionOf(text, index);
  return start < text.length ? text.slice(start, nextPosition(text, start)) : null;
}

/** Whether a path leads to a value, which may be null. */
export function hasPath(value: Json, path: Json, meter: WorkMeter = unmetered): boolean {
  if (!isList(path) && found(value, textOf(path, meter)) !== undefined) return true;
  const parts = pathParts(path, meter);
  const last = parts.at(-1);
  return last === undefined || found(walk(value, parts.slice(0, -1), meter), last) !== undefined;
}

/** Walks exact segments from `value`: elements, members, characters of a text; a miss is null. */
export function walk(value: Json, segments: readonly string[], meter: WorkMeter = unmetered): Json {
  let at = value;
  for (let i = 0; i < segments.length && at !== null; i++) {
    const part = segments[i] as string;
    at = typeof at === "string" ? characterAt(at, part, meter) : child(at, part);
  }
  return at;
}

export function getPath(value: Json, path: Json, meter: WorkMeter = unmetered): Json {
  if (typeof path === "string") return getTextPath(value, path, meter);
  if (isList(path)) {
    let at = value;
    for (let i = 0; i < path.length && at !== null; i++) {
      if ((i & CHUNK_MASK) === 0) chargeChunk(meter, path.length - i);
      at = child(at, textOf(path[i] as Json, meter));
    }
    return at;
  }
  return getTextPath(value, textOf(path, meter), meter);
}

function getTextPath(value: Json, path: string, meter: WorkMeter): Json {
  charge(meter, path.length);
  let dot = path.indexOf(".");
  if (dot < 0) return path === "" ? value : child(value, path);
  if (isObject(value) && Object.hasOwn(value, path)) return value[path] as Json;
  let at = value;
  let start = 0;
  while (at !== null && start < path.length) {
    const end = dot < 0 ? path.length : dot;
    if (end > start) at = child(at, path.slice(start, end));
    start = end + 1;
    dot = path.indexOf(".", start);
  }
  return at;
}

/** The parts of a path, empty ones dropped from a text; a list gives exact keys. */
function pathParts(path: Json, meter: WorkMeter): readonly string[] {
  if (isList(path)) {
    if (path.length > MAX_PATH_PARTS) throw pathTooLong();
    return path.map((part) => textOf(part, meter));
  }
  const text = textOf(path, meter);
  charge(meter, text.length);
  return textParts(text);
}

function textParts(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const dot = text.indexOf(".", start);
    const end = dot < 0 ? text.length : dot;
    if (end > start) parts.push(text.slice(start, end));
    if (parts.length > MAX_PATH_PARTS) throw pathTooLong();
    start = end + 1;
  }
  return parts;
}

function pathTooLong(): OperationFailure {
  return new OperationFailure(`path longer than ${MAX_PATH_PARTS} parts`, "path_error");
}

/** `root` with `value` at `path`. Anything on the way that is not an object, even a list, is replaced by one. */
export function putPath(root: Json, path: Json, value: Json, meter: WorkMeter = unmetered): Json {
  const pace = new Pace(meter);
  const whole = completed(putPathTask(root, path, value, pace));
  pace.end();
  return whole;
}

/** The same in pieces. */
export function* putPathTask(root: Json, path: Json, value: Json, pace: Pace): Task<Json> {
  if (typeof path === "string" && path !== "" && path.indexOf(".") < 0) {
    return yield* withMember(isObject(root) ? root : {}, path, value, pace);
  }
  const parts: string[] = [];
  const exact = isList(path) ? path : null;
  if (exact !== null && exact.length > MAX_PATH_PARTS) throw pathTooLong();
  for (const part of exact ?? [path]) {
    const text = yield* textTask(part, pace);
    pace.note(text.length);
    parts.push(text);
  }
  return yield* putParts(root, exact === null ? textParts(parts[0] as string) : parts, 0, value, pace);
}

function* putParts(root: Json, parts: readonly string[], from: number, value: Json, pace: Pace): Task<Json> {
  if (from === parts.length) return value;
  const key = parts[from] as string;
  const object = isObject(root) ? root : {};
  const below = Object.hasOwn(object, key) ? (object[key] as Json) : null;
  return yield* withMember(object, key, yield* putParts(below, parts, from + 1, value, pace), pace);
}

/** A path of one part that no member of `Object.prototype` hides: constants that are one are marked when they are loaded. */
export function isPlainKey(key: Json): key is string {
  return typeof key === "string" && key !== "" && key !== "__proto__" && key.indexOf(".") < 0;
}
