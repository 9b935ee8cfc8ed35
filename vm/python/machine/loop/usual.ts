/** The usual case of frequent instructions, for the loop and for generated code. */
import { PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import type { Value } from "../../object.ts";

/** Whether `r` is the exact sum, difference or product of two plain numbers: an int of ints, or a float that is not whole. */
export function isExact(r: number, a: number, b: number): boolean {
  if (Math.floor(r) !== r) return true;
  return Math.floor(a) === a && Math.floor(b) === b && r <= Number.MAX_SAFE_INTEGER && r >= -Number.MAX_SAFE_INTEGER;
}

/** Returns an element or member that needs no search and no call; undefined where `perform` or `callAt` has to look. */
export function usualItem(of: Value | undefined, key: Value | undefined): Value | undefined {
  if (typeof key === "number") {
    if (key >= 0 && (of instanceof PyList || of instanceof PyTuple)) return of.items[key];
  } else if (typeof key === "string" && of instanceof PyDict) return of.get(key);
  return undefined;
}

/** Replaces an element of a list; false where `perform` has to do it. */
export function setUsualItem(of: Value | undefined, key: Value | undefined, value: Value | undefined): boolean {
  if (!(of instanceof PyList) || typeof key !== "number" || value === undefined) return false;
  if (!(key >= 0 && key < of.items.length && (key | 0) === key)) return false;
  of.items[key] = value;
  return true;
}
