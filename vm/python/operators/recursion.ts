/** How deep values may nest while one operation walks them. CPython's own limit is of about the same size. */
import { RECURSION_ERROR, raised } from "../exceptions.ts";

const MAX_DEPTH = 900;

let depth = 0;

/** Every call needs a `leave` in `finally`. `doing` is the end of CPython's message. */
export function enter(doing: string): void {
  if (depth >= MAX_DEPTH) throw raised(RECURSION_ERROR, `maximum recursion depth exceeded ${doing}`);
  depth += 1;
}

export function leave(): void {
  depth -= 1;
}
