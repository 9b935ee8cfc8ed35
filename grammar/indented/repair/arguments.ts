/** The arguments of a call as text, and the forms of other languages among them: names, functions written in place. */

/** `text`, or `name=text`. */
export type Argument = { readonly name: string | null; readonly text: string };

const NAME = String.raw`[\p{L}_][\p{L}\p{Nd}_]*`;
const LAMBDA = new RegExp(String.raw`^(?:lambda\s+(${NAME})\s*:|\(?\s*(${NAME})\s*\)?\s*=>)\s*([^{][\s\S]*)$`, "u");
const FIELD = new RegExp(String.raw`^(-?)(${NAME})(?:\[(["'])(${NAME})\3\]|\.(${NAME})|\[([0-9]+)\])$`, "u");

/** `lambda x: x + 1`, `x => x + 1` */
export function functionOf(text: string): { readonly item: string; readonly value: string } | null {
  const [, first, second, value = ""] = LAMBDA.exec(text) ?? [];
  const item = first ?? second;
  return item === undefined ? null : { item, value: value.trim() };
}

/** The field that `lambda r: r["price"]` reads, and whether its sign is turned. */
export function fieldOf(text: string): { readonly field: string; readonly isNegative: boolean } | null {
  const fn = functionOf(text);
  const [, sign, item, , quoted, dotted, place] = fn === null ? [] : (FIELD.exec(fn.value) ?? []);
  const field = quoted ?? dotted ?? place;
  return field === undefined || item !== fn?.item ? null : { field, isNegative: sign === "-" };
}

/** A text in quotes without escapes: what is between them. */
export function literalOf(text: string | undefined): string | null {
  return /^(["'])([^"'\\\n]*)\1$/.exec(text ?? "")?.[2] ?? null;
}

export function isText(text: string): boolean {
  return /^f?["']/.test(text);
}

/** Whether a value binds as tightly as a name does. */
function isTight(text: string): boolean {
  return /^[\p{L}_][\p{L}\p{Nd}_.]*$|^[\p{L}_][\p{L}\p{Nd}_.]*[([][^()[\]]*[)\]]$|^\[[^[\]]*\]$|^f?(["'])[^"'\\]*\1$/u.test(
    text,
  );
}

export function grouped(text: string): string {
  return isTight(text) ? text : `(${text})`;
}

const LISTS = /^(?:\[|(?:keys|values|entries|unique|sort|sort_by|split|lines|words|chars|reverse|range|each|pairs)\()/;

/** Whether a text is that of a list for certain. */
export function isList(text: string): boolean {
  return LISTS.test(text);
}

/** The value as a list, as Python makes one: the keys of an object, the characters of a text. */
export function listOf(text: string): string {
  return LISTS.test(text) ? text : `each(${text})`;
}
