/**
 * Variables that are reserved for the indented form (docs/language.md, the indented form): the flag and value of an `out` inside a loop,
 * whether a `while` continues, the flags of `break` and `continue`, lists that are being built and results of calls inside an expression. They are ordinary variables; only lists of a program's variables leave them out.
 */
const HIDDEN = /^_(?:out[0-9]+(?:_value)?|(?:while|break|continue|value|item)[0-9]+)$/;

export function isShown(name: string): boolean {
  return !HIDDEN.test(name);
}
