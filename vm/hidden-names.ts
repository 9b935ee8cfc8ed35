/**
 * Variables that the indented form keeps for itself (docs/language.md, the indented form): the flag and value of an `out` inside a loop, and
 * whether a `while` goes on. They are ordinary variables; only lists of a program's variables leave them out.
 */
const HIDDEN = /^_(?:out[0-9]+(?:_value)?|while[0-9]+)$/;

export function isShown(name: string): boolean {
  return !HIDDEN.test(name);
}
