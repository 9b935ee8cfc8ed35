/**
 * Expressions that are nested so deeply that those who walk over the tree would run out of stack: `1 + 1 + …` is nested to the left. CPython
 * refuses them too, at about six times the depth.
 */
import { Refusal } from "../refusal.ts";
import type { Module } from "../tree.ts";

/** A line with fewer tokens cannot be too deep. */
export const MAX_DEPTH = 500;

type Node = { readonly kind: string; readonly start: number; readonly end: number };

/** Statements in statements do not count: their depth has a bound of its own. */
const BODIES = new Set(["body", "orelse", "finalbody", "handlers", "cases"]);

export function checkDepth(module: Module): void {
  const waiting: { readonly value: object; readonly depth: number }[] = [{ value: module, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (depth > MAX_DEPTH) throw new Refusal("expression_too_deep", value as Node);
    for (const [name, part] of Object.entries(value)) {
      if (typeof part !== "object" || part === null) continue;
      const isBody = Array.isArray(part) && BODIES.has(name);
      const own = isBody ? 0 : depth + 1;
      for (const one of Array.isArray(part) ? part : [part])
        if (typeof one === "object" && one !== null) waiting.push({ value: one, depth: own });
    }
  }
}
