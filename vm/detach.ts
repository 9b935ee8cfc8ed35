/**
 * Values on their way out of a run: the result, and the arguments of adapter calls. They become copies, so that nobody outside
 * can change a constant of a program or a variable of a run. A value may hold one list a million times without holding a
 * million lists; its copy must not either, or a small program could fill the memory of its host.
 */
import { type Json, setMember } from "../compiler/json.ts";
import {
  checkedJson,
  MAX_LIST_LENGTH,
  MAX_NESTING,
  MAX_OBJECT_KEYS,
  type OpenObject,
  tooDeep,
  tooLarge,
} from "./values.ts";

/** Up to here repeated parts are simply copied again; looking for them costs more than it saves. */
const FEW_CONTAINERS = 100_000;
/** The same for what is in them: a hundred thousand times one list of a million numbers would be no copy, but the end of the host. */
const FEW_MEMBERS = 4_000_000;

/** A deep copy. Fails when `value` nests deeper than operations may walk. */
export function detached(value: Json): Json {
  if (typeof value !== "object" || value === null) return checkedJson(value);
  return plainCopy(value, 0, { left: FEW_CONTAINERS, members: FEW_MEMBERS }) ?? copyOf(value, 0, new Map()).copy;
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
