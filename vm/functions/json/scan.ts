/**
 * Two scans of JSON text that `JSON.parse` does not offer: bounds before parsing (so that a hostile text cannot make
 * it build millions of containers), and the position of the first error (its own messages differ between engines and
 * quote the text). Neither recurses.
 */

import type { Pace, Task } from "../../tasks/task.ts";
import { Heap } from "../../values/heap-size.ts";
import { MAX_LIST_LENGTH, MAX_NESTING, tooDeep, tooLarge } from "../../values/values.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Fails for nesting beyond 512, for lists above the cap, and for more containers than there is memory for. Says nothing about the rest of the text. */
export function* testJsonBounds(text: string, pace: Pace): Task<void> {
  const commas: number[] = [];
  let containers = 0;
  let members = 0;
  let depth = 0;
  let inText = false;
  let next = 0;
  for (let i = 0; i < text.length; i++) {
    // Escapes are passed in twos.
    if (i >= next) {
      next = i + 1024;
      if (pace.add(256)) yield;
    }
    const unit = text.charCodeAt(i);
    if (inText) {
      if (unit === BACKSLASH) i++;
      else if (unit === QUOTE) inText = false;
    } else if (unit === QUOTE) {
      inText = true;
    } else if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      if (++depth > MAX_NESTING) throw tooDeep();
      containers++;
      // Members of objects are counted after parsing, because repeated keys count once.
      commas[depth] = unit === OPEN_LIST ? 0 : Number.NEGATIVE_INFINITY;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) {
      if (depth > 0) depth--;
    } else if (unit === COMMA && depth > 0) {
      members++;
      const count = (commas[depth] as number) + 1;
      if (count >= MAX_LIST_LENGTH) throw tooLarge();
      commas[depth] = count;
    }
  }
  pace.checkRoom(containers * Heap.EmptyList + members * Heap.Slot);
}

export const BLANKS = /[ \t\n\r]*/y;
export const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
export const WORDS = ["true", "false", "null"] as const;

/** Unit position after what `pattern` matches at `at`, −1 when it does not match there. */
export function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** What a scan found: the position after it, or the position of the error. */
type Scan = { readonly end: number; readonly ok: boolean };

function scanText(text: string, start: number): Scan {
  let i = start + 1;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) return { end: i + 1, ok: true };
    if (unit < 0x20) return { end: i, ok: false };
    if (unit !== BACKSLASH) {
      i++;
      continue;
    }
    const escaped = text[i + 1] ?? "";
    if (escaped === "u" && /^[0-9a-fA-F]{4}$/.test(text.slice(i + 2, i + 6))) i += 6;
    else if (escaped !== "" && '"\\/bfnrt'.includes(escaped)) i += 2;
    else return { end: Math.min(i + 1, text.length), ok: false };
  }
  return { end: text.length, ok: false };
}

function scanScalar(text: string, at: number): Scan {
  if (text.charCodeAt(at) === QUOTE) return scanText(text, at);
  for (const word of WORDS) if (text.startsWith(word, at)) return { end: at + word.length, ok: true };
  const end = matchEnd(NUMBER, text, at);
  return end < 0 ? { end: at, ok: false } : { end, ok: true };
}

/** Unit position of the first error of a text that is not JSON; its length when it only ends too early. */
export function jsonErrorPosition(text: string): number {
  const open: string[] = [];
  let wants: "value" | "value or ]" | "key" | "key or }" | "rest" = "value";
  let at = matchEnd(BLANKS, text, 0);
  for (; at < text.length; at = matchEnd(BLANKS, text, at)) {
    const unit = text[at] as string;
    const inside = open.at(-1);
    if (wants === "rest") {
      if (inside === undefined) return at;
      if (unit === inside) open.pop();
      else if (unit !== ",") return at;
      else wants = inside === "]" ? "value" : "key";
      at++;
    } else if ((wants === "value or ]" && unit === "]") || (wants === "key or }" && unit === "}")) {
      open.pop();
      wants = "rest";
      at++;
    } else if (wants === "key" || wants === "key or }") {
      const key: Scan = unit === '"' ? scanText(text, at) : { end: at, ok: false };
      const colon = key.ok ? matchEnd(BLANKS, text, key.end) : key.end;
      if (!key.ok || text[colon] !== ":") return colon;
      wants = "value";
      at = colon + 1;
    } else if (unit === "[" || unit === "{") {
      open.push(unit === "[" ? "]" : "}");
      wants = unit === "[" ? "value or ]" : "key or }";
      at++;
    } else {
      const scalar = scanScalar(text, at);
      if (!scalar.ok) return scalar.end;
      wants = "rest";
      at = scalar.end;
    }
  }
  return text.length;
}
