/**
 * Values on their way into a run, or from one place of it to another that must not share them: deep copies in which every
 * container carries its size. Values of any depth are copied, because a frame may hold what no walking operation accepts.
 */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import type { Task } from "../tasks/task.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import { type OpenObject, SIZE, type Sized } from "../values/values.ts";
import { exactSize } from "./accounting.ts";

type Container = readonly Json[] | JsonObject;
type SizedContainer = (Json[] | OpenObject) & { [SIZE]: number };

/** So deep the host's stack is used; below, open containers wait on a list. */
const RECURSIVE_DEPTH = 128;

/** A deep copy with sizes; -0 becomes 0. As in JSON, a member without value is left out, and an element without is null. */
export function adopt(value: Json): Json {
  if (typeof value !== "object" || value === null) return value === 0 ? 0 : value;
  return copyAt(value, 0);
}

/** Copied and measured in one walk: 20 ns a member, half of what two walks take. */
function copyAt(value: Container, depth: number): SizedContainer {
  if (depth >= RECURSIVE_DEPTH) return copyDeep(value);
  return Array.isArray(value) ? copyList(value, depth) : copyObject(value as JsonObject, depth);
}

function copyList(list: readonly Json[], depth: number): SizedContainer {
  const copy = list.slice() as Json[] & { [SIZE]: number };
  let size = copy.length === 0 ? 2 : copy.length + 1;
  for (let i = 0; i < copy.length; i++) {
    const item = copy[i] as Json;
    if (typeof item === "number") {
      if (item === 0) copy[i] = 0;
      size += numberBytes(item);
    } else if (typeof item === "object" && item !== null) {
      const inner = copyAt(item, depth + 1);
      copy[i] = inner;
      size += inner[SIZE];
    } else {
      if (item === undefined) copy[i] = null;
      size += exactSize(item);
    }
  }
  copy[SIZE] = size;
  return copy;
}

function copyObject(object: JsonObject, depth: number): SizedContainer {
  const copy = {} as OpenObject & { [SIZE]: number };
  const keys = Object.keys(object);
  let size = 1 + bytesOfKeys(keys);
  for (const key of keys) {
    const member = object[key];
    if (member === undefined) {
      size -= textBytes(key) + 2;
    } else if (typeof member === "object" && member !== null) {
      const inner = copyAt(member, depth + 1);
      setMember(copy, key, inner);
      size += inner[SIZE];
    } else {
      setMember(copy, key, member === 0 ? 0 : member);
      size += exactSize(member);
    }
  }
  copy[SIZE] = size === 1 ? 2 : size;
  return copy;
}

/** Of the object measured last: the records of a list nearly always have the same keys. */
let lastKeys: readonly string[] = [];
let lastBytes = 0;
/** So that no large text outlives its frame. */
const MAX_KEPT_BYTES = 1024;

/** Bytes of keys, each with its colon and comma. */
function bytesOfKeys(keys: readonly string[]): number {
  if (keys.length === lastKeys.length && keys.every((key, at) => key === lastKeys[at])) return lastBytes;
  let bytes = 0;
  for (const key of keys) bytes += textBytes(key) + 2;
  if (bytes <= MAX_KEPT_BYTES) {
    lastKeys = keys;
    lastBytes = bytes;
  }
  return bytes;
}

/** Members of a value that is copied in one go. */
const SMALL_VALUE = 2000;
/** The same of a part of a large one. */
const SMALL_PART = 64;

/** Whether copying a value takes more than a fraction of a millisecond. */
export function isLargeValue(value: Json): boolean {
  return membersLeft(value, SMALL_VALUE) < 0;
}

/** `left` without the members of `value`, those inside of others included; the look ends below 0. */
function membersLeft(value: Json, left: number): number {
  if (typeof value !== "object" || value === null) return left;
  if (!Array.isArray(value)) {
    let rest = left;
    for (const key in value as JsonObject) {
      rest = membersLeft((value as JsonObject)[key] as Json, rest - 1);
      if (rest < 0) break;
    }
    return rest;
  }
  let rest = left - value.length;
  for (let i = 0; i < value.length && rest >= 0; i++) rest = membersLeft(value[i] as Json, rest);
  return rest;
}

/** `adopt` in pieces, for a large value. */
export function* adoptInPieces(value: Json): Task<Json> {
  if (typeof value !== "object" || value === null) return adopt(value);
  return yield* copyInPieces(value, 0, { left: SMALL_VALUE });
}

/** Beyond it, levels are copied in one go: no body that the service takes nests so deeply. */
const PACED_DEPTH = 600;

function* copyInPieces(value: Container, depth: number, piece: { left: number }): Task<SizedContainer> {
  if (depth >= PACED_DEPTH) return copyDeep(value);
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const length = keys?.length ?? (value as readonly Json[]).length;
  if (keys !== null && length > SMALL_VALUE) yield;
  const copy = (Array.isArray(value) ? (value as readonly Json[]).slice() : {}) as SizedContainer;
  let size = 1;
  piece.left -= keys === null ? 0 : length;
  for (let i = 0; i < length; i++) {
    const key = keys === null ? i : (keys[i] as string);
    const item = (value as { readonly [key: string | number]: Json | undefined })[key];
    if (item === undefined && keys !== null) continue;
    let part: Json = item === undefined ? null : item;
    if (typeof part === "object" && part !== null) {
      const left = membersLeft(part, SMALL_PART);
      piece.left -= SMALL_PART - Math.max(0, left);
      // Looking at the members of an object lists all of them.
      if (left < 0) yield;
      part = left >= 0 ? copyAt(part, depth + 1) : yield* copyInPieces(part, depth + 1, piece);
    } else if (part === 0) part = 0;
    size += exactSize(part) + 1 + (typeof key === "string" ? textBytes(key) + 1 : 0);
    if (Array.isArray(copy)) copy[i] = part;
    else setMember(copy, key as string, part);
    if (--piece.left > 0) continue;
    piece.left = SMALL_VALUE;
    yield;
  }
  copy[SIZE] = size === 1 ? 2 : size;
  return copy;
}

type Copy = { readonly from: object; readonly to: Json[] | OpenObject };

/** Sizes are filled in from the inside. */
function copyDeep(value: Container): SizedContainer {
  const copies: Copy[] = [];
  const begin = (from: object): Json => {
    const to: Json[] | OpenObject = Array.isArray(from) ? (from as readonly Json[]).slice() : {};
    copies.push({ from, to });
    return to;
  };
  const root = begin(value);
  for (let at = 0; at < copies.length; at++) {
    const { from, to } = copies[at] as Copy;
    if (Array.isArray(to)) {
      for (let i = 0; i < to.length; i++) {
        const item = to[i] as Json;
        if (typeof item === "object" && item !== null) to[i] = begin(item);
        else if (item === 0) to[i] = 0;
        else if (item === undefined) to[i] = null;
      }
    } else {
      for (const key of Object.keys(from)) {
        const member = (from as JsonObject)[key];
        if (member !== undefined)
          setMember(to, key, typeof member === "object" && member !== null ? begin(member) : member === 0 ? 0 : member);
      }
    }
  }
  // Children were begun after their parents, so backwards every size below is known.
  for (let at = copies.length - 1; at >= 0; at--) {
    const { to } = copies[at] as Copy;
    if ((to as Sized)[SIZE] === undefined) exactSize(to as Json);
  }
  return root as SizedContainer;
}
