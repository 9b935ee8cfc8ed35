/**
 * From the arguments of a call to what a verb's `run` receives: positional arguments and options, checked against the verb's schemas,
 * and the time the call may take. Which object is the options object is decided here, once for all adapters
 * (docs/adapters/README.md, arguments). Error data names places and types, never values.
 */
import { z } from "zod";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { listed } from "../../grammar/text/english.ts";
import type { BoundCall } from "../../vm/adapter.ts";
import type { AdapterError } from "../../vm/errors/failures.ts";
import { exactly, exactText, isNumberObject, keepText, memberTexts, plainly } from "../../vm/inputs/exact-text.ts";
import { tooLargeForJavaScript } from "../../vm/memory/copy-out.ts";
import { notExact } from "../../vm/python/not-exact.ts";
import { hasLongInteger } from "../../vm/values/exact-numbers.ts";
import { isTooLongToWrite } from "../../vm/values/text.ts";
import { adapterError } from "../errors.ts";
import type { ArgsSchema, SettingSchemas, SettingsOf, VerbContext, VerbDefinition } from "./define.ts";
import type { HostServices } from "./host-services.ts";

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_RESULT_BYTES = 1_048_576;

/** Settings that every adapter has. */
export const COMMON_SETTINGS = {
  timeout_s: z.number().positive().optional().meta({ merge: "min" }),
  max_result_bytes: z.number().int().positive().optional().meta({ merge: "min" }),
} as const satisfies SettingSchemas;
export type CommonSettings = SettingsOf<typeof COMMON_SETTINGS>;

/** What a verb asks for itself, with what holds where it says nothing. */
export function limitsOf(verb: VerbDefinition) {
  return {
    timeoutMs: verb.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxTimeoutMs: verb.maxTimeoutMs ?? DEFAULT_MAX_TIMEOUT_MS,
    maxResultBytes: verb.maxResultBytes ?? DEFAULT_MAX_RESULT_BYTES,
  };
}

/** Makes the context of a verb from the context of a call. */
export type Completed = (call: Parameters<BoundCall["run"]>[1], idempotencyKey: string) => VerbContext;

export type Binder = (args: readonly Json[]) => BoundCall;

/** The argument check of `verb` under these settings. */
export function binderOf(
  verb: VerbDefinition,
  settings: CommonSettings,
  completed: Completed,
  host: HostServices,
): Binder {
  const forms = [verb.args, ...(verb.forms ?? [])].map((schema) => new Form(schema, verb));
  const limits = limitsOf(verb);
  const maxResultBytes = Math.min(limits.maxResultBytes, settings.max_result_bytes ?? Number.POSITIVE_INFINITY);
  const repeatable = verb.effect !== "io-write" || (verb.idempotent ?? false) !== false;
  return (args) => {
    for (const [place, arg] of args.entries()) if (typeof arg === "object") checkWritable(place, arg);
    const { positional, options } = checked(forms, verb.respell?.(args) ?? args);
    const asked = [secondsOf(options["timeout_s"]), secondsOf(settings.timeout_s)].filter((ms) => ms !== undefined);
    const timeoutMs = Math.min(limits.maxTimeoutMs, ...(asked.length === 0 ? [limits.timeoutMs] : asked));
    const key = options["idempotency_key"];
    // The verb's own types: `args`, `options` and `settings` were checked against its schemas, `instance` it made itself.
    const given = { args: positional as never, options: options as never, settings: settings as never };
    return {
      timeoutMs,
      maxResultBytes,
      // A key makes a verb keyed even where that is not asked of every call.
      keyed: verb.effect === "io-write" && (verb.idempotent === "keyed" || key !== undefined),
      repeatable: repeatable || key !== undefined || verb.repeats?.(given) === true,
      harmless: verb.harmless?.({ args: given.args, settings: given.settings, host }) === true,
      run(instance, context) {
        const ctx = completed(context, typeof key === "string" ? key : context.callId);
        return verb.run({ ...given, instance: instance as never, ctx });
      },
    };
  };
}

/** Most verbs write a value as JSON, and nothing can stop them while they do: one list in ten thousand places would take minutes. */
function checkWritable(place: number, arg: Json): void {
  if (isTooLongToWrite(arg)) {
    throw adapterError("ADAPTER_TOO_LARGE", `argument /${place} is longer as JSON than a text may be`);
  }
}

type Checked = { readonly positional: readonly unknown[]; readonly options: { readonly [name: string]: unknown } };
type Issue = { readonly path: string; readonly expected: string; readonly got: string };

/** The first form that fits; issues are reported for the form that fits best. */
function checked(forms: readonly Form[], args: readonly Json[]): Checked {
  let fewest: readonly Issue[] | null = null;
  for (const form of forms) {
    const read = form.read(args);
    if ("positional" in read) return read;
    if (fewest === null || read.issues.length < fewest.length) fewest = read.issues;
  }
  throw badArguments(fewest ?? []);
}

/** One way of writing a verb's arguments. */
class Form {
  readonly #schema: ArgsSchema;
  readonly #options: VerbDefinition["options"];
  readonly #places: readonly z.ZodType[];
  readonly #rest: z.ZodType | null;
  #left: readonly boolean[] | undefined;
  /** The verb itself says which objects are options (http, whose bodies may have any members). */
  readonly #isRespelled: boolean;
  readonly #verb: VerbDefinition;

  constructor(schema: ArgsSchema, verb: VerbDefinition) {
    this.#verb = verb;
    this.#schema = schema;
    this.#options = verb.options;
    this.#places = schema.def.items as readonly z.ZodType[];
    this.#rest = schema.def.rest as z.ZodType | null;
    this.#isRespelled = verb.respell !== undefined;
  }

  read(args: readonly Json[]): Checked | { readonly issues: readonly Issue[] } {
    const given = [...args];
    const last = given.at(-1);
    let options: JsonObject | null = null;
    if (isPlainObject(last) && this.#isOptions(given.length - 1)) {
      options = last;
      given.pop();
    }
    if (this.#rest === null && given.length > this.#places.length) {
      return { issues: [{ path: `/${this.#places.length}`, expected: "no further argument", got: "an argument" }] };
    }
    if (!this.#isRespelled && options === null && isPlainObject(given.at(-1)) && this.#couldBeOptions(given)) {
      const expected = "a value, or options after all arguments; for this object as the value write {} after it";
      return { issues: [{ path: `/${given.length - 1}`, expected, got: "an object of options" }] };
    }
    const positional = given.map((value, place) => (value === null && this.#leavesOut(place) ? undefined : value));
    while (positional.length > 0 && positional.at(-1) === undefined) positional.pop();
    const plain = positional.map((value) => (value === undefined ? undefined : plainly(value)));
    const read = this.#schema.safeParse(plain);
    const issues = read.success ? [] : argumentIssues(read.error, positional);
    const chosen = this.#options?.safeParse(options ?? {});
    if (chosen !== undefined && !chosen.success)
      issues.push(...optionIssues(chosen.error, options ?? {}, Object.keys(this.#options?.shape ?? {})));
    if (!read.success || issues.length > 0) return { issues };
    const parsed = read.data as readonly unknown[];
    if (!args.some((arg) => exactText(arg) !== undefined)) return { positional: parsed, options: chosen?.data ?? {} };
    return {
      positional: parsed.map((value, at) => this.#exactly(this.#places[at] ?? this.#rest, positional[at], value)),
      options: this.#exactOptions(options ?? {}, chosen?.data ?? {}),
    };
  }

  #exactOptions(given: JsonObject, parsed: { readonly [name: string]: unknown }): { readonly [name: string]: unknown } {
    const exact: { [name: string]: unknown } = { ...parsed };
    for (const [name, text] of memberTexts(given)) {
      const member = exactly(given[name] as Json, text);
      exact[name] = this.#exactly(this.#options?.shape[name] as z.ZodType | undefined, member, parsed[name]);
    }
    return exact;
  }

  /** What `schema` made of `given`, with its text where it has one and the place takes any value. */
  #exactly(schema: z.ZodType | null | undefined, given: Json | undefined, parsed: unknown): unknown {
    const text = exactText(given);
    if (text === undefined || schema === null || schema === undefined) return parsed;
    const { exact } = this.#verb;
    if (exact !== true) {
      if (exact !== "equal" && takesAny(schema)) throw notExact(NOT_KEPT);
      if (hasLongInteger(text)) throw tooLargeForJavaScript();
      return parsed;
    }
    if (isNumberObject(given)) {
      if (takesAny(schema)) return given;
      if (hasLongInteger(text)) throw tooLargeForJavaScript();
    } else if (typeof parsed === "object" && JSON.stringify(parsed) === JSON.stringify(given)) keepText(parsed, text);
    else if (hasLongInteger(text)) throw tooLargeForJavaScript();
    return parsed;
  }

  /** Whether an object at `place` means the options: after the last place, or where no object is accepted. */
  #isOptions(place: number): boolean {
    if (this.#options === undefined) return false;
    const schema = this.#places[place] ?? this.#rest;
    return schema === null || !acceptsObject(schema);
  }

  /**
   * Whether the last argument, which no options follow, is in a place that need not be filled and has names of options alone: `cache.set k v
   * {"ttl_s": 60}` would store the options.
   */
  #couldBeOptions(given: readonly Json[]): boolean {
    const names = Object.keys(this.#options?.shape ?? {});
    const members = Object.keys(given.at(-1) as object);
    return (
      members.length > 0 &&
      members.every((name) => names.includes(name)) &&
      this.#places[given.length - 1]?.safeParse(undefined).success === true
    );
  }

  /** Whether null at `place` means that nothing was given: an optional place that has no meaning of its own for null. */
  #leavesOut(place: number): boolean {
    this.#left ??= this.#places.map((schema) => schema.safeParse(undefined).success && !schema.safeParse(null).success);
    return this.#left[place] ?? false;
  }
}

const NOT_KEPT =
  "this call cannot keep a float such as 2.0, a large int, or the order of keys that are numbers; give texts, or round(x)";

/** Whether values of any kind fit somewhere in `schema`: it takes a number that is an object. */
function takesAny(schema: z.ZodType): boolean {
  let known = anyPlaces.get(schema);
  if (known === undefined) {
    const one: unknown = Object(1);
    known = [one, { "~": one }, [one], [{ "~": one }]].some((sample) => schema.safeParse(sample).success);
    anyPlaces.set(schema, known);
  }
  return known;
}

const anyPlaces = new WeakMap<z.ZodType, boolean>();

const objectPlaces = new WeakMap<z.ZodType, boolean>();

/** Whether any object fits `schema`, as far as its JSON Schema tells. */
export function acceptsObject(schema: z.ZodType): boolean {
  let known = objectPlaces.get(schema);
  if (known === undefined) {
    known = mentionsObject(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
    objectPlaces.set(schema, known);
  }
  return known;
}

function mentionsObject(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return schema !== false;
  const { type, anyOf, oneOf, allOf, enum: values, const: constant } = schema as { readonly [key: string]: unknown };
  if (type !== undefined) return type === "object" || (Array.isArray(type) && type.includes("object"));
  if (Array.isArray(anyOf)) return anyOf.some(mentionsObject);
  if (Array.isArray(oneOf)) return oneOf.some(mentionsObject);
  if (Array.isArray(allOf)) return allOf.every(mentionsObject);
  return values === undefined && constant === undefined;
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === "number" ? value * 1000 : undefined;
}

function isPlainObject(value: Json | undefined): value is JsonObject {
  return isObject(value) && !isNumberObject(value) && !Object.hasOwn(value, "$base64");
}

/** A list of arguments that is too short lacks the one after its last. */
function argumentIssues(error: z.ZodError, positional: readonly unknown[]): Issue[] {
  const missing = error.issues.some(({ code, path }) => code === "too_small" && path.length === 0);
  if (missing) return [{ path: `/${positional.length}`, expected: "an argument", got: "nothing" }];
  return issuesOf(error, "", positional);
}

/** An unknown option is reported with the list of known ones, because its name may be a value of the caller. */
function optionIssues(error: z.ZodError, given: JsonObject, known: readonly string[]): Issue[] {
  const expected = `no options but ${listed(known)}`;
  return issuesOf(error, "/options", given).map((one, at) => {
    const isUnknown = error.issues[at]?.code === "unrecognized_keys" && one.path === "/options";
    return isUnknown && known.length > 0 ? { ...one, expected } : one;
  });
}

function issuesOf(error: z.ZodError, prefix: string, given: unknown): Issue[] {
  return error.issues.slice(0, 20).map((one) => ({
    path: `${prefix}${one.path.map((step) => `/${String(step)}`).join("")}`,
    expected: expectation(one),
    got: typeAt(given, one.path),
  }));
}

/** Types of the library of schemas whose names say nothing to people. */
const TYPES: Readonly<Record<string, string>> = {
  record: "object",
  array: "list",
  tuple: "list",
  int: "whole number",
};
/** Formats of the library that have a name for people. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "a date",
  datetime: "a time with its offset (RFC 3339)",
  base64: "base64",
  email: "an e-mail address",
  url: "a URL",
  uuid: "a UUID",
};

/** Words of the schema, which hold no values of the caller. */
function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "unrecognized_keys":
      return "no unknown member";
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "invalid_union":
      return ownWords(issue) ?? "one of the accepted forms";
    case "invalid_format":
      return ownWords(issue) ?? FORMATS[issue.format] ?? "text of another form";
    case "invalid_key": {
      const [own] = issue.issues;
      return own === undefined ? "another name" : expectation(own);
    }
    case "custom":
      return issue.message;
    default:
      return "another value";
  }
}

/** What the definition calls that which it expects; null: it leaves that to the library of schemas. */
function ownWords({ message }: z.core.$ZodIssue): string | null {
  return message.startsWith("Invalid ") ? null : message;
}

function typeAt(given: unknown, path: readonly PropertyKey[]): string {
  let value = given;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return "nothing";
    value = (value as { readonly [key: PropertyKey]: unknown })[step];
  }
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

/** ADAPTER_BAD_ARGS with the places that are wrong. */
export function badArguments(issues: readonly Issue[]): AdapterError {
  const [first] = issues;
  const place = first === undefined || first.path === "" ? "the arguments" : `argument ${first.path}`;
  const said = first === undefined ? "do not fit" : `expected ${first.expected}, got ${first.got}`;
  return adapterError("ADAPTER_BAD_ARGS", `${place}: ${said}`, { data: { issues: issues.map((one) => ({ ...one })) } });
}
