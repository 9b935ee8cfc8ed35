/** Arguments of calls put in the order of the parameters: of natives by their rows, of functions of the file by their labels. */
import { LIBRARY_ROWS } from "../../compiler/python/library/rows.ts";
import { faultOfNative, type Taken } from "./call-faults.ts";
import { raised, raisedLoosely, TYPE_ERROR } from "./exceptions.ts";
import { PyBytes } from "./kinds/bytes.ts";
import { PyDict } from "./kinds/dict.ts";
import { floatOf } from "./kinds/float.ts";
import { EMPTY_TUPLE, PyTuple } from "./kinds/list.ts";
import { notExact } from "./not-exact.ts";
import type { Native, Value } from "./object.ts";

type Parameter = {
  readonly name: string;
  readonly kind: "position" | "any" | "name";
  readonly fallback: Value | undefined;
  readonly isRequired: boolean;
};

/** The parameters of a native, in the order of its arguments. */
type Signature = {
  readonly parameters: readonly Parameter[];
  /** How many may be given by position, `*args` aside. */
  readonly positional: number;
  readonly required: number;
  /** Places of `*args` and `**kwargs` among the arguments; -1: it is missing. */
  readonly rest: number;
  readonly names: number;
  /** Only positions: as many arguments as there are parameters are taken as they are. */
  readonly isPlain: boolean;
  /** Without `*args`, `**kwargs` and required names, so that positions leave only defaults to be filled in. */
  readonly isFilled: boolean;
};

export function signatureOf(native: Native): Signature {
  native.signature ??= read(native.name);
  return native.signature as Signature;
}

/** Whether a native takes `count` arguments by position as they are. */
export function takesPlainly(native: Native, count: number): boolean {
  const { isPlain, parameters } = signatureOf(native);
  return isPlain && parameters.length === count;
}

function read(name: string): Signature {
  const row = LIBRARY_ROWS.get(name);
  if (row === undefined) throw new Error(`no row of the library for ${name}`);
  return readParameters(row.params);
}

/** From CPython's notation: `self, old, new, count=-1, /`. */
function readParameters(written: string): Signature {
  let kind: Parameter["kind"] = "any";
  let parameters: (Parameter & { form: "" | "*" | "**" })[] = [];
  for (const part of splitParameters(written)) {
    if (part === "/") parameters = parameters.map((one) => ({ ...one, kind: "position" }));
    else if (part === "*") kind = "name";
    else {
      const [, form = "", name = "", fallback] = /^(\*{0,2})(\w+)(?:=(.*))?$/s.exec(part) ?? [];
      const isRequired = fallback === undefined && form === "";
      parameters.push({
        name,
        kind: form === "" ? kind : "name",
        fallback: fallback === undefined ? undefined : literal(fallback),
        isRequired,
        form: form as "",
      });
      if (form === "*") kind = "name";
    }
  }
  const positional = parameters.filter((one) => one.form === "" && one.kind !== "name").length;
  const rest = parameters.findIndex(({ form }) => form === "*");
  const names = parameters.findIndex(({ form }) => form === "**");
  return {
    parameters,
    positional,
    required: parameters.filter(({ isRequired }) => isRequired).length,
    rest,
    names,
    isPlain: positional === parameters.length,
    isFilled: rest < 0 && names < 0 && parameters.every(({ isRequired, kind: one }) => !isRequired || one !== "name"),
  };
}

/** At commas outside of quotes and brackets. */
function splitParameters(written: string): string[] {
  return (written.match(/(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\([^)]*\)|\[[^\]]*\]|[^,])+/g) ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A default; undefined: the native decides (`...`). */
function literal(written: string): Value | undefined {
  if (written === "None") return null;
  if (written === "True" || written === "False") return written === "True";
  if (written === "()") return EMPTY_TUPLE;
  if (/^-?\d+$/.test(written)) return Number(written);
  if (/^-?\d+\.\d*$/.test(written)) return floatOf(Number(written));
  const [, text] = /^(?:'(.*)'|"(.*)")$/s.exec(written)?.filter((group) => group !== undefined) ?? [];
  if (text === undefined) return undefined;
  return text.replace(/\\(n|t|r|\\|'|")/g, (_, c: string) => ESCAPES[c] ?? c);
}
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

export type Keywords = ReadonlyMap<string, Value>;

/** The arguments of a native. Raises TypeError where CPython does. */
export function bound(
  native: Native,
  given: readonly Value[],
  keywords: Keywords | null,
): readonly (Value | undefined)[] {
  const signature = signatureOf(native);
  const { parameters, positional, rest, names } = signature;
  const isNamed = keywords !== null && keywords.size > 0;
  if (!isNamed && signature.isPlain && given.length === parameters.length) return given;
  if (!isNamed && signature.isFilled && given.length >= signature.required && given.length <= positional) {
    const args: (Value | undefined)[] = given.slice();
    for (let at = given.length; at < parameters.length; at++) args.push((parameters[at] as Parameter).fallback);
    return args;
  }
  const wrong = (what: string) => wrongCall(native, given, keywords, what);
  if (given.length > positional && rest < 0) throw wrong(`takes at most ${positional} arguments`);
  const args: (Value | undefined)[] = new Array(parameters.length);
  let used = 0;
  let left = 0;
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at] as Parameter;
    if (at === rest) {
      args[at] = given.length > positional ? new PyTuple(given.slice(positional)) : EMPTY_TUPLE;
      continue;
    }
    if (at === names) continue;
    const isByPosition = parameter.kind !== "name" && left < given.length;
    const named = isNamed && parameter.kind !== "position" ? keywords.get(parameter.name) : undefined;
    if (named !== undefined) {
      if (isByPosition) throw wrong(`got multiple values for argument '${parameter.name}'`);
      args[at] = named;
      used += 1;
    } else if (isByPosition) args[at] = given[left];
    else if (parameter.isRequired) throw wrong(`missing argument '${parameter.name}'`);
    else args[at] = parameter.fallback;
    if (parameter.kind !== "name") left += 1;
  }
  if (names >= 0) args[names] = namesLeft(keywords, parameters);
  else if (isNamed && used < keywords.size) throw wrong("got an unexpected keyword argument");
  return args;
}

function namesLeft(keywords: Keywords | null, parameters: readonly Parameter[]): PyDict {
  const dict = new PyDict();
  const own = new Set(parameters.flatMap(({ name, kind }) => (kind === "position" ? [] : [name])));
  for (const [name, value] of keywords ?? []) if (!own.has(name)) dict.set(name, name, value);
  return dict;
}

/** CPython's words where they are known. */
function wrongCall(native: Native, given: readonly Value[], keywords: Keywords | null, what: string) {
  if (given[0] instanceof PyBytes && SAVED.has(native.name)) throw savedBytes();
  const says = faultOfNative(native.name, takenBy(native), given.length, [...(keywords?.keys() ?? [])]);
  return says === null ? raisedLoosely(TYPE_ERROR, `${native.name}() ${what}`) : raised(TYPE_ERROR, says);
}

/** Types that CPython also makes of the bytes that it saved of their values. */
const SAVED: ReadonlySet<string> = new Set(["datetime.date", "datetime.datetime", "datetime.time"]);

export function savedBytes() {
  return notExact("dates and times are not made of bytes here; give numbers, or use fromisoformat");
}

/** The parameters of a native as texts of wrong calls need them. */
export function takenBy(native: Native): readonly Taken[] {
  const { parameters, rest, names } = signatureOf(native);
  return parameters.map(({ name, kind, isRequired }, at) => ({
    name,
    kind: at === rest ? "rest" : at === names ? "names" : kind,
    optional: !isRequired,
  }));
}
