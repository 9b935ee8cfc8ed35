/**
 * Values on their way out of a run: the result, and the arguments of adapter calls. They become copies, so that code outside
 * cannot change a constant of a program or a variable of a run. A value may hold one list a million times without holding a
 * million lists; its copy must not either, or a small program could fill the memory of its host.
 */
import { type Json, setMember } from "../../compiler/json.ts";
import type { FatalFailure } from "../errors/failures.ts";
import { exactly, exactText, plainly } from "../inputs/exact-text.ts";
import { notExact } from "../python/not-exact.ts";
import type { Task } from "../tasks/task.ts";
import { hasLongInteger } from "../values/exact-numbers.ts";
import {
  checkedJson,
  MAX_LIST_LENGTH,
  MAX_NESTING,
  MAX_OBJECT_KEYS,
  type OpenObject,
  SIZE,
  type Sized,
  tooDeep,
  tooLarge,
} from "../values/values.ts";

/** Up to here repeated parts are simply copied again; looking for them costs more than it saves. */
const FEW_CONTAINERS = 100_000;
/** The same for what is in them: a hundred thousand times one list of a million numbers would be no copy, but the end of the host. */
const FEW_MEMBERS = 4_000_000;

/** A deep copy. Fails when `value` nests deeper than operations may walk. */
export function detached(value: Json): Json {
  if (typeof value !== "object" || value === null) return checkedJson(value);
  return plainCopy(value, 0, { left: FEW_CONTAINERS, members: FEW_MEMBERS }) ?? copyOf(value, 0, new Map()).copy;
}

/** A deep copy that keeps the text of a value which says more (`exact-text.ts`). */
export function detachedExactly(value: Json): Json {
  const text = exactText(value);
  return text === undefined ? detached(value) : exactly(detached(plainly(value)), text);
}

/** A deep copy for code that only knows the values of JavaScript. Throws RUNTIME_NOT_EXACT for whole numbers that these do not have. */
export function detachedPlainly(value: Json): Json {
  const text = exactText(value);
  if (text !== undefined && hasLongInteger(text)) throw tooLargeForJavaScript();
  return detached(plainly(value));
}

export function tooLargeForJavaScript(): FatalFailure {
  return notExact("an int of an argument is too large for a caller of JavaScript; give it as a text: str(n)");
}

type Container = readonly Json[] | { readonly [key: string]: Json };
/** Containers that may still be copied, and members of those inside of others. */
type Budget = { left: number; members: number };

/** null: there are more containers than the budget allows, parts counted each time they stand somewhere. */
function plainCopy(value: Container, depth: number, budget: Budget): Json[] | OpenObject | null {
  if (depth >= MAX_NESTING) throw tooDeep();
  if (--budget.left < 0) return null;
  return Array.isArray(value)
    ? plainList(value, depth + 1, budget)
    : plainObject(value as OpenObject, depth + 1, budget);
}

function plainList(list: readonly Json[], depth: number, budget: Budget): Json[] | null {
  if (list.length > MAX_LIST_LENGTH) throw tooLarge();
  if (depth > 1) budget.members -= list.length;
  if (budget.members < 0) return null;
  const copy = list.slice();
  for (let i = 0; i < copy.length; i++) {
    const item = copy[i] as Json;
    if (typeof item === "object" && item !== null) {
      const inner = plainCopy(item, depth, budget);
      if (inner === null) return null;
      copy[i] = inner;
    } else {
      copy[i] = checkedJson(item);
    }
  }
  return copy;
}

function plainObject(object: OpenObject, depth: number, budget: Budget): OpenObject | null {
  const copy: OpenObject = {};
  let room = MAX_OBJECT_KEYS;
  for (const key in object) {
    if (--room < 0) throw tooLarge();
    if (depth > 1 && --budget.members < 0) return null;
    const member = object[key] as Json;
    if (typeof member === "object" && member !== null) {
      const inner = plainCopy(member, depth, budget);
      if (inner === null) return null;
      setMember(copy, key, inner);
    } else {
      setMember(copy, key, checkedJson(member));
    }
  }
  return copy;
}

/** A copy, and how many levels it has: a part met again deeper down must still fit. */
type Copied = { readonly copy: Json; readonly height: number };

function copyOf(value: Container, depth: number, made: Map<Container, Copied>): Copied {
  const known = made.get(value);
  if (depth + (known?.height ?? 1) > MAX_NESTING) throw tooDeep();
  if (known !== undefined) return known;
  let height = 0;
  const part = (child: Json): Json => {
    if (typeof child === "number") return child + 0;
    if (typeof child !== "object" || child === null) return child;
    const copied = copyOf(child, depth + 1, made);
    height = Math.max(height, copied.height);
    return copied.copy;
  };
  let copy: Json;
  if (Array.isArray(value)) copy = (value as readonly Json[]).map(part);
  else {
    const object: OpenObject = {};
    for (const [key, child] of Object.entries(value)) setMember(object, key, part(child));
    copy = object;
  }
  const copied = { copy, height: height + 1 };
  made.set(value, copied);
  return copied;
}

/** Bytes of JSON that are copied between two looks at the pace: about a millisecond of work. */
const PIECE_BYTES = 32 * 1024;
/** Bytes of JSON up to which a part is copied in one go. */
const SMALL_PART = 2048;
/** What a member that is not a container counts for. */
const MEMBER_BYTES = 4;

/** The same copy in pieces, for a value that takes long; yields after each. Fails in the same way. */
export function* detachedInPieces(value: Container): Task<Json> {
  return (yield* copyInPieces(value, 0, new Map(), { left: PIECE_BYTES })).copy;
}

/** `piece`: bytes that are left of it. */
function* copyInPieces(
  value: Container,
  depth: number,
  made: Map<Container, Copied>,
  piece: { left: number },
): Task<Copied> {
  const known = made.get(value);
  if (depth + (known?.height ?? 1) > MAX_NESTING) throw tooDeep();
  if (known !== undefined) return known;
  const copy: Json[] | OpenObject = Array.isArray(value) ? value.slice() : {};
  let height = 0;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const child = (value as OpenObject)[key] as Json;
    let part: Json = typeof child === "number" ? child + 0 : child;
    piece.left -= MEMBER_BYTES;
    if (typeof child === "object" && child !== null) {
      const size = (child as Sized)[SIZE];
      const isSmall = size !== undefined && size <= SMALL_PART;
      if (isSmall) piece.left -= size;
      const copied = isSmall ? copyOf(child, depth + 1, made) : yield* copyInPieces(child, depth + 1, made, piece);
      height = Math.max(height, copied.height);
      part = copied.copy;
    }
    if (Array.isArray(copy)) copy[key as number] = part;
    else setMember(copy, key as string, part);
    if (piece.left <= 0) {
      piece.left = PIECE_BYTES;
      yield;
    }
  }
  const copied = { copy, height: height + 1 };
  made.set(value, copied);
  return copied;
}
