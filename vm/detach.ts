/**
 * Values on their way out of a run: the result, and the arguments of adapter calls. They become copies, so that nobody outside
 * can change a constant of a program or a variable of a run. A value may hold one list a million times without holding a
 * million lists; its copy must not either, or a small program could fill the memory of its host.
 */
import type { Json } from "../compiler/json.ts";
import { setMember } from "../compiler/json.ts";
import { checkedJson, MAX_NESTING, type OpenObject, tooDeep } from "./values.ts";

/** Up to here repeated parts are simply copied again; looking for them costs more than it saves. */
const FEW_CONTAINERS = 100_000;

/** A deep copy. Fails when `value` nests deeper than operations may walk. */
export function detached(value: Json): Json {
  if (typeof value !== "object" || value === null) return checkedJson(value);
  if (countUpTo(value, 0, 0) <= FEW_CONTAINERS) return checkedJson(value);
  return copyOf(value, 0, new Map()).copy;
}

type Container = readonly Json[] | { readonly [key: string]: Json };

/** Containers seen from here, parts counted each time they stand somewhere; stops beyond the few. */
function countUpTo(value: Container, depth: number, before: number): number {
  if (depth >= MAX_NESTING) throw tooDeep();
  let count = before + 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (count > FEW_CONTAINERS) break;
    if (typeof part === "object" && part !== null) count = countUpTo(part, depth + 1, count);
  }
  return count;
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
