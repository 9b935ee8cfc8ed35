/** What is refused of a source before it is read: too many bytes, and characters that no program should hold. */
import { Refusal } from "../refusal.ts";
import { insteadOf } from "./characters.ts";

const MAX_BYTES = 2 ** 20;
const MOST_BYTES_OF_UNIT = 3;

/** U+0000, half characters, and direction marks, which show a program in another order than it is read in. */
const NOT_READ = /[\0\u202A-\u202E\u2066-\u2069\p{Surrogate}]/u;

export function checkSource(text: string): void {
  if (text.length * MOST_BYTES_OF_UNIT > MAX_BYTES && new TextEncoder().encode(text).length > MAX_BYTES)
    throw new Refusal("source_too_long", { start: 0, end: 0 }, { words: { most: "1 MiB" } });
  const start = text.search(NOT_READ);
  if (start < 0) return;
  const code = text.charCodeAt(start).toString(16).toUpperCase().padStart(4, "0");
  throw new Refusal(
    "character",
    { start, end: start + 1 },
    { words: { character: "", code: `U+${code}`, instead: insteadOf("") } },
  );
}
