/**
 * What CPython says of a call whose arguments do not fit. Functions written in Python have one rule. Natives have one for each way in which C takes
 * arguments, and `conventions.ts` says which native has which; no text is listed for a single function.
 */
import { CALLED, CONVENTIONS, type Convention, type CTaking, ORIGINS } from "./conventions.ts";

/** A parameter as texts need it; `self` of methods is one of them. */
export type Taken = {
  readonly name: string;
  readonly kind: "position" | "any" | "name" | "rest" | "names";
  readonly optional: boolean;
};

/** A function of the file, or of a module that is written in Python. The call does not fit. */
export function faultOfFunction(
  callee: string,
  params: readonly Taken[],
  given: number,
  names: readonly string[],
): string {
  const takesNames = params.some(({ kind }) => kind === "names");
  const byPlace = params.filter(({ kind }) => kind === "position" || kind === "any");
  const set = new Set(byPlace.slice(0, given));
  for (const name of names) {
    const param = params.find((one) => one.name === name && (one.kind === "any" || one.kind === "name"));
    if (param === undefined) {
      if (!takesNames) return `${callee}() ${unknownKeyword(params, name, names)}`;
    } else if (set.has(param)) return `${callee}() got multiple values for argument '${name}'`;
    else set.add(param);
  }
  if (given > byPlace.length && !params.some(({ kind }) => kind === "rest")) {
    const named = params.filter((one) => one.kind === "name" && set.has(one)).length;
    return `${callee}() ${tooMany(byPlace, given, named)}`;
  }
  const missing = byPlace.filter((one) => !one.optional && !set.has(one));
  if (missing.length > 0) return `${callee}() ${missingArguments("positional", missing)}`;
  const unnamed = params.filter((one) => one.kind === "name" && !one.optional && !set.has(one));
  return `${callee}() ${missingArguments("keyword-only", unnamed)}`;
}

function unknownKeyword(params: readonly Taken[], name: string, names: readonly string[]): string {
  const byPosition = params.filter((one) => one.kind === "position" && names.includes(one.name));
  if (byPosition.length === 0) return `got an unexpected keyword argument '${name}'`;
  const wrong = byPosition.map((one) => one.name).join(", ");
  return `got some positional-only arguments passed as keyword arguments: '${wrong}'`;
}

function tooMany(byPlace: readonly Taken[], given: number, named: number): string {
  const most = byPlace.length;
  const least = byPlace.filter(({ optional }) => !optional).length;
  const takes = least < most ? `from ${least} to ${most}` : String(most);
  const many = most === 1 && least === most ? "argument" : "arguments";
  const all =
    named === 0 ? "" : ` positional argument${plural(given)} (and ${named} keyword-only argument${plural(named)})`;
  const were = given === 1 && named === 0 ? "was" : "were";
  return `takes ${takes} positional ${many} but ${given}${all} ${were} given`;
}

function missingArguments(kind: string, missing: readonly Taken[]): string {
  const quoted = missing.map(({ name }) => `'${name}'`);
  const last = quoted.pop() ?? "";
  const listed = quoted.length === 0 ? last : `${quoted.join(", ")}${quoted.length > 1 ? "," : ""} and ${last}`;
  return `missing ${missing.length} required ${kind} argument${plural(missing.length)}: ${listed}`;
}

function plural(count: number): string {
  return count === 1 ? "" : "s";
}

/** A call of a native, without the value that a method is called on. */
type Call = {
  /** As counts of arguments name it: `pop`. */
  readonly word: string;
  /** As keywords that it does not take name it: `dict.pop`. */
  readonly whole: string;
  readonly params: readonly Taken[];
  readonly given: number;
  readonly names: readonly string[];
};

/** CPython's text where the arguments of a native do not fit; null: it is not known. `given` counts what a method is called on. */
export function faultOfNative(
  name: string,
  params: readonly Taken[],
  given: number,
  names: readonly string[],
): string | null {
  const convention = conventionOf(name);
  if (convention === null) return null;
  const word = CALLED[name] ?? name.slice(name.lastIndexOf(".") + 1);
  return faultBy(convention, { name, word, origins: ORIGINS }, params, given, names);
}

/** How a native is named: in its row, by the texts of CPython, and where its module says that it is from. */
export type Names = {
  readonly name: string;
  readonly word: string;
  readonly origins: { readonly [module: string]: string };
};

/** The same for a convention that is given. */
export function faultBy(
  { takes, callee }: Convention,
  named: Names,
  params: readonly Taken[],
  given: number,
  names: readonly string[],
): string {
  const isMethod = params[0]?.name === "self";
  const { word } = named;
  const whole = wholeOf(named, callee);
  if (takes === "python") return faultOfFunction(whole, params, given, names);
  if (takes === "class") return faultOfFunction(whole, [SELF, ...params], given + 1, names);
  if (isMethod && given === 0) return `unbound method ${wholeOf(named, "owner")}() needs an argument`;
  const call = { word, whole, params, given, names };
  return FAULTS[takes](isMethod ? { ...call, params: params.slice(1), given: given - 1 } : call);
}

const SELF: Taken = { name: "self", kind: "position", optional: false };

function wholeOf({ name, word, origins }: Names, callee: Convention["callee"]): string {
  const [, owner = ""] = name.split(".").reverse();
  switch (callee) {
    case "owner":
      return `${owner}.${word}`;
    case "module":
      return `${origins[owner] ?? owner}.${word}`;
    case "init":
      return `${word}.__init__`;
    default:
      return word;
  }
}

function conventionOf(name: string): Convention | null {
  if (conventions === null) {
    conventions = new Map();
    for (const [convention, natives] of CONVENTIONS)
      for (const one of natives.split(/\s+/)) conventions.set(one, convention);
  }
  return conventions.get(name) ?? null;
}
let conventions: Map<string, Convention> | null = null;

const FAULTS: { readonly [takes in CTaking]: (call: Call) => string } = {
  /** METH_NOARGS */
  nothing: (call) => withoutNames(call) ?? `${call.whole}() takes no arguments (${call.given} given)`,
  /** METH_O */
  one: (call) => withoutNames(call) ?? `${call.whole}() takes exactly one argument (${call.given} given)`,
  /** METH_FASTCALL */
  positions: (call) => withoutNames(call) ?? countOf(call, `${call.word} expected`, ", got ", ""),
  /** METH_VARARGS, read by PyArg_ParseTuple */
  tuple: (call) => withoutNames(call) ?? countOf(call, `${call.word}() takes`, " (", " given)"),
  /** METH_FASTCALL and METH_KEYWORDS, or PyArg_ParseTupleAndKeywords */
  names: (call) => faultOfNames(call, `${call.word}()`, `${call.word}()`),
  /** The same without a name */
  unnamed: (call) => faultOfNames(call, "function", "this function"),
};

/** A native that takes names as `**kwargs` has its counts checked alone. */
function withoutNames({ whole, params, names }: Call): string | null {
  if (names.length === 0 || params.some(({ kind }) => kind === "names")) return null;
  return `${whole}() takes no keyword arguments`;
}

/** How many arguments were expected: `at least 1 argument, got 0`. */
function countOf({ params, given }: Call, says: string, before: string, after: string): string {
  const most = params.some(({ kind }) => kind === "rest") ? Number.POSITIVE_INFINITY : placesOf(params).length;
  const least = placesOf(params).filter(({ optional }) => !optional).length;
  const wanted = given < least ? least : most;
  const exactly = after === "" ? "" : "exactly ";
  const bound = least === most ? exactly : given < least ? "at least " : "at most ";
  return `${says} ${bound}${wanted} argument${plural(wanted)}${before}${given}${after}`;
}

function placesOf(params: readonly Taken[]): readonly Taken[] {
  return params.filter(({ kind }) => kind === "position" || kind === "any");
}

function faultOfNames({ params, given, names }: Call, callee: string, unknown: string): string {
  const places = placesOf(params);
  const all = params.filter(({ kind }) => kind !== "rest" && kind !== "names");
  const total = given + names.length;
  const hasRest = places.length < params.length && params.some(({ kind }) => kind === "rest");
  const count = hasRest ? names.length : total;
  const most = hasRest ? all.length - places.length : all.length;
  if (count > most) {
    const which = given === 0 || hasRest ? "keyword " : "";
    return `${callee} takes at most ${most} ${which}argument${plural(most)} (${count} given)`;
  }
  const required = places.filter(({ optional }) => !optional).length;
  if (given > places.length && !hasRest) {
    if (places.length === 0) return `${callee} takes no positional arguments`;
    const bound = required < places.length ? "at most" : "exactly";
    return `${callee} takes ${bound} ${places.length} positional argument${plural(places.length)} (${given} given)`;
  }
  const byPlaceOnly = places.filter(({ kind, optional }) => kind === "position" && !optional).length;
  if (given < byPlaceOnly) {
    const bound = byPlaceOnly < places.length ? "at least" : "exactly";
    return `${callee} takes ${bound} ${byPlaceOnly} positional argument${plural(byPlaceOnly)} (${given} given)`;
  }
  const missing = places.findIndex(({ name, optional }, at) => at >= given && !optional && !names.includes(name));
  if (missing >= 0) return `${callee} missing required argument '${places[missing]?.name}' (pos ${missing + 1})`;
  const twice = places.findIndex(({ name, kind }, at) => at < given && kind === "any" && names.includes(name));
  if (twice >= 0) return `argument for ${callee} given by name ('${places[twice]?.name}') and position (${twice + 1})`;
  const wrong = names.find((name) => !all.some((one) => one.name === name && one.kind !== "position"));
  return `'${wrong}' is an invalid keyword argument for ${unknown}`;
}
