/**
 * Calls of adapters: one signature a verb, made from the catalog (python-effects.md K-1 to K-4). Parameters go by position or by name, options by name only, and
 * the call holds them in one order however they were written.
 */
import type { Call, Dict, Expr, Keyword, Place } from "../../../grammar/python/tree.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { readValueType } from "../../catalog/value-types.ts";
import { type AdapterEntry, findVerb, type Parameter, type VerbEntry } from "../../catalog.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { Lowerer } from "./lowerer.ts";
import { NONE, variable } from "./operands.ts";

/** Second names of parameters and options, as models write them (K-2). */
const ALSO_CALLED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    timeout: ["timeout_s"],
    json: ["body"],
    params: ["query"],
    from_: ["from"],
    ttl: ["ttl_s", "ttl_seconds"],
    delay: ["delay_s"],
    messages: ["prompt"],
  }),
);

/** What a call may be given. */
type Signature = {
  readonly name: string;
  readonly places: readonly Parameter[];
  /** Names of the options; null: the verb takes none. */
  readonly options: readonly string[] | null;
  readonly isOpen: boolean;
  /** The first place is a namespace that may be left out. */
  readonly hasNamespace: boolean;
};

/** A named argument, of a dict after `**` too. */
type Named = { readonly at: Place; readonly name: string };

export function lowerAdapterCall(f: Lowerer, node: Call, entry: AdapterEntry, written: string): IrOperand {
  const verb = findVerb(entry, written);
  const full = `${entry.name}.${verb?.name ?? written}`;
  if (verb === undefined && !entry.open_verbs) {
    const verbs = entry.verbs.filter(({ unlisted }) => unlisted !== true).map(({ name }) => name);
    const near = nearest(written, verbs);
    return near === null
      ? f.refuse(node.func, "unknown_verb", { name: full, verbs: verbs.join(", ") })
      : f.refuse(node.func, "unknown_verb_near", { name: full, near });
  }
  const spread = node.keywords.flatMap(({ arg, value }) => (arg === null ? [value] : []));
  if (node.args.some(({ kind }) => kind === "Starred") || !spread.every(isWrittenOut))
    return f.refuse(node, "adapter_spread", { name: full });
  if (f.scope.host.kind === "module" && f.names.inputs === null)
    return f.refuse(node, "adapter_at_top", { name: full });
  if (full === ENDS_RUN && f.body.isCleanedUp) return f.refuse(node, "run_ended_inside", { name: full });
  const named = node.keywords.flatMap(namedOf);
  const values = f.exprs([...node.args, ...node.keywords.flatMap(valuesOf)]);
  const args = bound(f, node, named, signatureOf(full, verb), values);
  if (args === null) return NONE;
  const out = f.body.temporary();
  f.body.call({ adapter: entry.name, verb: verb?.name ?? written, args, out });
  return variable(out);
}

/** The run would end before what is to happen afterwards. */
const ENDS_RUN = "job.again";

function isWrittenOut(value: Expr): value is Dict {
  return value.kind === "Dict" && value.keys.every((key) => key?.kind === "Constant" && key.type === "str");
}

function namedOf(keyword: Keyword): Named[] {
  const { arg, value } = keyword;
  if (arg !== null) return [{ at: keyword, name: arg }];
  return (value as Dict).keys.flatMap((key) =>
    key?.kind === "Constant" ? [{ at: key, name: String(key.value) }] : [],
  );
}

function valuesOf({ arg, value }: Keyword): readonly Expr[] {
  return arg === null ? (value as Dict).values : [value];
}

function signatureOf(name: string, verb: VerbEntry | undefined): Signature | null {
  const parameters = verb?.parameters ?? null;
  if (parameters === null) return null;
  const takesOptions = parameters.at(-1)?.name === "options";
  const places = takesOptions ? parameters.slice(0, -1) : parameters;
  const hasNamespace = places[0]?.name === "namespace_or_key";
  return {
    name,
    places: hasNamespace ? withNamespace(places) : places,
    options: optionsOf(verb),
    isOpen: parameters.some(({ repeat }) => repeat),
    hasNamespace,
  };
}

/** `namespace_or_key, key_or_value, value, ttl_s` as what a call with a namespace has: namespace, key, value, ttl_s. */
function withNamespace(places: readonly Parameter[]): readonly Parameter[] {
  return places.map((place, at) =>
    at === 0
      ? { ...place, name: "namespace", optional: true }
      : at === 1
        ? { ...place, name: "key", optional: false }
        : { ...place, optional: place.name !== "value" },
  );
}

/** Without a type the options of a verb are not known: any name is one. */
const ANY_OPTIONS: readonly string[] = [];

/** Names of the options that a verb takes; null: it takes none. */
export function optionsOf(verb: VerbEntry | undefined): readonly string[] | null {
  return verb?.parameters?.at(-1)?.name === "options" ? optionNames(verb.options) : null;
}

function optionNames(type: string | undefined): readonly string[] {
  if (type === undefined) return ANY_OPTIONS;
  const read = readValueType(type);
  return read.k === "object" ? [...read.members.keys()] : ANY_OPTIONS;
}

/** What a named argument of a verb means, as the catalog calls it. */
export function secondName(verb: VerbEntry, written: string): string {
  const signature = signatureOf("", verb);
  return signature === null ? written : (meant(signature, written) ?? written);
}

/** The parameter or option that a name means; null: it means none. */
function meant({ places, options }: Signature, written: string): string | null {
  const isOwn = (name: string): boolean =>
    places.some((place) => place.name === name) || (options ?? []).includes(name);
  if (isOwn(written)) return written;
  const second = ALSO_CALLED.get(written)?.find(isOwn);
  if (second !== undefined) return second;
  return options === ANY_OPTIONS ? written : null;
}

/** The arguments in the order of the signature, so that the spelling of a call never matters; null: refused. */
function bound(
  f: Lowerer,
  node: Call,
  named: readonly Named[],
  signature: Signature | null,
  values: readonly IrOperand[],
): IrOperand[] | null {
  const refuse = (at: Place, row: string, words: Readonly<Record<string, string>> = {}): null => {
    f.refuse(at, row, { name: signature?.name ?? "this call", ...words });
    return null;
  };
  if (signature === null) return named.length === 0 ? [...values] : refuse(node, "adapter_keywords");
  const { places, options, isOpen } = signature;
  const { args } = node;
  const asOptions = args.find((arg, at) => isOptionsDict(arg, signature, at));
  if (asOptions !== undefined)
    return refuse(asOptions, "options_dict", { keywords: keywordsOf(asOptions as Dict, signature) });
  const surplus = args[places.length];
  if (!isOpen && surplus !== undefined) {
    return options !== null && args.length === places.length + 1
      ? refuse(surplus, "options_by_name", { options: options.join(", ") })
      : refuse(surplus, "too_many_arguments", { n: String(places.length) });
  }
  const given: (IrOperand | undefined)[] = values.slice(0, args.length);
  const isShort = signature.hasNamespace && leavesNamespace(node, named, places);
  if (isShort) given.unshift(undefined);
  const mistaken = signature.hasNamespace ? mistakenPlace(signature, node, isShort) : null;
  if (mistaken !== null) return refuse(mistaken.at, mistaken.row, mistaken.words);
  const chosen: [string, IrOperand][] = [];
  for (const [at, { at: place, name: written }] of named.entries()) {
    const value = values[args.length + at] as IrOperand;
    const name = meant(signature, written);
    if (name === null) return refuseUnknown(refuse, place, written, signature);
    const position = places.findIndex((one) => one.name === name);
    if (position >= 0) {
      if (given[position] !== undefined) return refuse(place, "argument_twice", { argument: written });
      given[position] = value;
    } else {
      if (chosen.some(([other]) => other === name)) return refuse(place, "argument_twice", { argument: written });
      if (value.k !== "null" || name === "default") chosen.push([name, value]);
    }
  }
  const missing = places.find(({ optional, repeat }, at) => !optional && !repeat && given[at] === undefined);
  if (missing !== undefined) return refuse(node, "missing_argument", { argument: missing.name });
  if (signature.hasNamespace && given[0] === undefined) withoutNamespace(signature, given, chosen);
  if (chosen.length > 0) given[optionsPlace(places, given.length)] = { k: "map", entries: chosen };
  return Array.from(given, (value) => value ?? NONE);
}

/**
 * Options follow the last argument where the next place takes no object. Elsewhere they follow all places, and those that are left out hold None, which may
 * have a meaning of its own: no lifetime for `memory.append`.
 */
function optionsPlace(places: readonly Parameter[], given: number): number {
  const next = places[given];
  return next?.types !== undefined && !next.types.includes("object") ? given : places.length;
}

/** Whether the first argument is the key: `cache.set(key, value)`, where all that a call needs is given without a namespace. */
function leavesNamespace({ args }: Call, named: readonly Named[], places: readonly Parameter[]): boolean {
  if (named.some(({ name }) => name === "namespace")) return true;
  const needed = places.filter(({ optional }) => !optional);
  const missing = needed.filter(({ name }) => !named.some((one) => one.name === name)).length;
  return args.length <= missing || (args.length === missing + 1 && args[1] !== undefined && isNoKey(args[1]));
}

/** An expression that no key can be: `cache.set("k", {"a": 1}, 60)` has no namespace. */
function isNoKey(value: Expr): boolean {
  if (value.kind === "Constant") return value.type !== "str" && value.type !== "int";
  return ["Dict", "List", "Tuple", "ListComp", "DictComp"].includes(value.kind);
}

type Mistaken = { readonly at: Expr; readonly row: string; readonly words: Readonly<Record<string, string>> };

/** Options that a value in the place of the key was meant to be. */
const MEANT = ["default", "by"];

/** In `cache.incr("visits", 1)` 1 is a key, and in `cache.set("rate", v, 60)` v is one: other libraries read both in another way. */
function mistakenPlace({ places, options }: Signature, { args }: Call, isShort: boolean): Mistaken | null {
  const last = args.at(-1);
  if (last === undefined) return null;
  const isNumber = last.kind === "Constant" && (last.type === "int" || last.type === "float");
  const shown = isNumber ? String(last.value) : "…";
  if (args.length + (isShort ? 1 : 0) > places.length || (places.length === 2 && args.length === 2 && isNumber)) {
    const option = MEANT.find((one) => options?.includes(one));
    return option === undefined
      ? { at: last, row: "namespaced_key", words: {} }
      : { at: last, row: "namespaced_key_meant", words: { option, shown } };
  }
  return !isShort && args.length === 3 && places[2]?.name === "value" && isNumber
    ? { at: last, row: "namespace_or_lifetime", words: { shown } }
    : null;
}

/** The namespace of calls that name none (docs/adapters/cache.md). */
const NO_NAMESPACE: IrOperand = { k: "str", v: "default" };

/**
 * What is an option as well becomes one. Options stand after all places, where a value that is left out would be stored as null: so a call with options names
 * its namespace, and one without has the key in the first place.
 */
function withoutNamespace(
  { places, options }: Signature,
  given: (IrOperand | undefined)[],
  chosen: [string, IrOperand][],
): void {
  for (let at = places.length - 1; at > 0; at--) {
    const { name } = places[at] as Parameter;
    const value = given[at];
    if (value === undefined || !(options ?? []).includes(name)) continue;
    chosen.push([name, value]);
    given[at] = undefined;
  }
  if (chosen.length > 0) {
    given[0] = NO_NAMESPACE;
    return;
  }
  given.shift();
  while (given.length > 0 && given.at(-1) === undefined) given.pop();
}

function refuseUnknown(
  refuse: (at: Place, row: string, words: Readonly<Record<string, string>>) => null,
  at: Place,
  argument: string,
  { places, options }: Signature,
): null {
  const names = [...new Set([...places.map(({ name }) => name), ...(options ?? [])])];
  const near = nearest(argument, names);
  return near === null
    ? refuse(at, "unknown_argument", { argument, names: names.length === 0 ? "none" : names.join(", ") })
    : refuse(at, "unknown_argument_near", { argument, near });
}

/** Places whose value may be any object. */
const DATA: ReadonlySet<string> = new Set(
  "body content params payload data filter filters object details metadata patch entry event arguments envelope".split(
    " ",
  ),
);

/** A dict whose members are options, where no data belongs: written there it would be taken for something else. */
function isOptionsDict(arg: Expr, signature: Signature, at: number): boolean {
  const { places, options } = signature;
  if (arg.kind !== "Dict" || arg.keys.length === 0 || !isWrittenOut(arg)) return false;
  // A dict whose members are not options is one of data that belongs under a name.
  if (at >= places.length)
    return (
      options !== null &&
      (options === ANY_OPTIONS ||
        arg.keys.some((key) => key?.kind === "Constant" && meant(signature, String(key.value)) !== null))
    );
  const { name = "", optional = false } = places[at] ?? {};
  if ((!optional && name !== "value") || DATA.has(name)) return false;
  return arg.keys.every((key) => key?.kind === "Constant" && (options ?? []).includes(String(key.value)));
}

function keywordsOf({ keys }: Dict, signature: Signature): string {
  const names = keys.flatMap((key) => (key?.kind === "Constant" ? [String(key.value)] : []));
  return names.map((name) => `${meant(signature, name) ?? name}=…`).join(", ");
}
