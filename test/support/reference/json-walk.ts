/**
 * Deep copy and compact text of a value of any depth, by plain walks over an explicit list: no recursion, nothing cached.
 * The slow definitions against which the machine's ownership and size bookkeeping are tested.
 */
import { type Json, setMember } from "../../../compiler/json.ts";

type Shell = Json[] | { [key: string]: Json };

/** A copy that shares nothing with `value`; −0 becomes 0. */
export function deepCopy(value: Json): Json {
  const work: { readonly from: Json; readonly to: Shell }[] = [];
  const begin = (from: Json): Json => {
    if (typeof from === "number") return from === 0 ? 0 : from;
    if (from === null || typeof from !== "object") return from;
    const to: Shell = Array.isArray(from) ? [] : {};
    work.push({ from, to });
    return to;
  };
  const copy = begin(value);
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) {
      for (const element of from as readonly Json[]) to.push(begin(element));
    } else {
      for (const [key, member] of Object.entries(from as { readonly [key: string]: Json })) {
        setMember(to, key, begin(member));
      }
    }
  }
  return copy;
}

/** Compact JSON text: no blanks, keys in order, non-ASCII kept. */
function serialise(value: Json): string {
  const pieces: string[] = [];
  /** Values still to write and text that stands between them, last first. */
  const rest: ({ readonly value: Json } | string)[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") {
      pieces.push(next);
    } else if (next.value === null || typeof next.value !== "object") {
      pieces.push(JSON.stringify(next.value));
    } else if (Array.isArray(next.value)) {
      rest.push("]");
      for (let i = next.value.length - 1; i >= 0; i -= 1) {
        rest.push({ value: (next.value as readonly Json[])[i] ?? null }, i === 0 ? "[" : ",");
      }
      if (next.value.length === 0) rest.push("[");
    } else {
      const entries = Object.entries(next.value);
      rest.push("}");
      for (let i = entries.length - 1; i >= 0; i -= 1) {
        const [key, member] = entries[i] as [string, Json];
        rest.push({ value: member }, `${i === 0 ? "{" : ","}${JSON.stringify(key)}:`);
      }
      if (entries.length === 0) rest.push("{");
    }
  }
  return pieces.join("");
}

/** Length of the compact JSON in UTF-8. */
export function serialisedBytes(value: Json): number {
  return new TextEncoder().encode(serialise(value)).length;
}
