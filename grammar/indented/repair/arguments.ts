/** The arguments of a call as text, and the forms of other languages among them: names, functions written in place. */

/** `text`, or `name=text`. */
export type Argument = { readonly name: string | null; readonly text: string };

/** Arguments without a name, and those with one. */
export function parted(args: readonly Argument[]): {
  readonly texts: readonly string[];
  readonly named: ReadonlyMap<string, string>;
} {
  const texts = args.filter(({ name }) => name === null).map(({ text }) => text);
  return { texts, named: new Map(args.flatMap(({ name, text }) => (name === null ? [] : [[name, text] as const]))) };
}

/** What gives the same here; null where nothing is certain to. Of a method, the value is the first argument. */
export type Write = (args: readonly string[], named: ReadonlyMap<string, string>) => string | null;

/** With `from` to `to` arguments, none of which has a name. */
export function taking(from: number, to: number, write: (...args: string[]) => string | null): Write {
  return (args, named) => (named.size > 0 || args.length < from || args.length > to ? null : write(...args));
}

/** The function of that name with the same arguments. */
export function same(fn: string, from = 1, to: number = from): Write {
  return taking(from, to, (...args) => `${fn}(${args.join(", ")})`);
}

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

/** `{"a": 1}` of `a=1`. */
export function mapOf(named: ReadonlyMap<string, string>): string {
  return `{${[...named].map(([name, value]) => `"${name}": ${value}`).join(", ")}}`;
}

/** What a call of an adapter takes, as the host's catalog knows it. */
export type CallParameters = {
  /** The call as it is written here: `http.Get` for `requests.get`. */
  readonly call: string;
  readonly inOrder: readonly { readonly name: string; readonly isOptional: boolean }[];
  /** What goes into a map at the end; null: the call takes no such map. */
  readonly options: readonly string[] | null;
  /** Names of other languages for the same: `timeout` for `timeout_s`. */
  readonly alsoCalled: ReadonlyMap<string, string>;
};

/** The arguments in their order, `None` for a place that is left out; null where one has no place. */
export function inOrder(args: readonly Argument[], parameters: Omit<CallParameters, "call">): readonly string[] | null {
  const { texts, named } = parted(args);
  const left = new Map<string, string>();
  for (const [name, text] of named) {
    const meant = parameters.alsoCalled.get(name) ?? name;
    if (left.has(meant)) return null;
    left.set(meant, text);
  }
  if (parameters.inOrder.slice(0, texts.length).some(({ name }) => left.has(name))) return null;
  const ordered = [...texts];
  for (const { name, isOptional } of parameters.inOrder.slice(texts.length)) {
    if (left.size === 0) return ordered;
    const text = left.get(name) ?? (isOptional ? "None" : null);
    if (text === null) return null;
    left.delete(name);
    ordered.push(text);
  }
  if (left.size === 0) return ordered;
  if (parameters.options === null || texts.length > parameters.inOrder.length) return null;
  const options = left.get("options");
  if (options !== undefined) return left.size === 1 ? [...ordered, options] : null;
  return [...left.keys()].every((name) => parameters.options?.includes(name)) ? [...ordered, mapOf(left)] : null;
}

/** `email.send takes to, subject, body, cc?, …` */
export function takenText({ call, inOrder: places, options }: CallParameters): string {
  const taken = places.map(({ name, isOptional }) => (isOptional ? `${name}?` : name));
  if (options !== null) taken.push("options?");
  return `${call} takes ${taken.join(", ") || "nothing"}, in this order and without names`;
}
