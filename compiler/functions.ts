/**
 * The signatures of the language's functions (docs/runtime.md, functions): names, aliases, parameters, and whether a
 * function reads the outside. The compiler resolves and checks calls with it, the formatter and completion list it,
 * and `vm/functions/` implements every row; a test keeps table, implementation and documentation in step.
 */
import type { IrComparator } from "./ir/graph.ts";

export type FunctionParameter = {
  readonly name: string;
  /** `key`: a bare path is text (`get o a.b`). */
  readonly class: "operand" | "key";
  readonly optional: boolean;
  readonly repeat: boolean;
};

/** How one function of the language is called. */
export type FunctionSignature = {
  /** Canonical plain spelling, lower case: `add`, `startswith`, `iso_ts`. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Names that mean the function only where arguments follow: alone, `X n first` is the variable `first`. */
  readonly called: readonly string[];
  readonly parameters: readonly FunctionParameter[];
  /** Reads clock, randomness or environment, or waits: `now iso uuid env sleep` (iso_ts only without argument). */
  readonly host: boolean;
  /**
   * Published verb of adapter core; null for functions without one (`ite arr push obj put fail`).
   */
  readonly verb: string | null;
  readonly group: "number" | "logic" | "text" | "list" | "value" | "date" | "pattern" | "host";
};

type ParameterClass = FunctionParameter["class"];

/** `name` required, `name?` optional, `name...` any number; a leading `#` marks a key slot. */
function parameter(text: string): FunctionParameter {
  const kind: ParameterClass = text.startsWith("#") ? "key" : "operand";
  const bare = kind === "key" ? text.slice(1) : text;
  if (bare.endsWith("...")) return { name: bare.slice(0, -3), class: kind, optional: true, repeat: true };
  if (bare.endsWith("?")) return { name: bare.slice(0, -1), class: kind, optional: true, repeat: false };
  return { name: bare, class: kind, optional: false, repeat: false };
}

type Row = readonly [
  name: string,
  parameters: string,
  group: FunctionSignature["group"],
  verb: string | null,
  aliases?: string,
  /** Aliases that mean the function only where arguments follow. */
  called?: string,
];

/**
 * One row per function, in the order of the reference. Parameters as `parameter` reads them, aliases separated by
 * spaces.
 */
const ROWS: readonly Row[] = [
  ["add", "a b", "number", "ADD"],
  ["sub", "a b", "number", "SUB"],
  ["mul", "a b", "number", "MUL"],
  ["div", "a b", "number", "DIV"],
  ["idiv", "a b", "number", "IDIV"],
  ["mod", "a b", "number", "MOD"],
  ["pow", "base exponent", "number", "POW"],
  ["abs", "x", "number", "ABS"],
  ["ceil", "x", "number", "CEIL"],
  ["floor", "x", "number", "FLOOR"],
  ["round", "x digits?", "number", "ROUND"],
  ["min", "values...", "number", "MIN"],
  ["max", "values...", "number", "MAX"],
  ["clamp", "x lo hi", "number", "CLAMP"],
  ["int", "v", "number", "INT", "toint"],
  ["float", "v", "number", "FLOAT", "tofloat"],
  ["eq", "a b", "logic", "EQ", "equal equals"],
  ["ne", "a b", "logic", "NEQ", "neq notequal not_equal"],
  ["lt", "a b", "logic", "LT"],
  ["lte", "a b", "logic", "LTE", "le"],
  ["gt", "a b", "logic", "GT"],
  ["gte", "a b", "logic", "GTE", "ge"],
  ["and", "a? b?", "logic", "AND"],
  ["or", "a? b?", "logic", "OR"],
  ["not", "a?", "logic", "NOT"],
  ["bool", "a?", "logic", "BOOL"],
  ["ite", "condition a? b?", "logic", null, "if"],
  ["concat", "values...", "text", "CONCAT"],
  ["join", "separator list...", "text", "JOIN"],
  ["split", "text separator?", "text", "SPLIT"],
  ["lower", "text", "text", "LOWER"],
  ["upper", "text", "text", "UPPER"],
  ["replace", "text old new", "text", "REPLACE"],
  ["contains", "hay needle?", "text", "CONTAINS", "", "has includes"],
  ["startswith", "text part", "text", "STARTSWITH"],
  ["endswith", "text part", "text", "ENDSWITH"],
  ["trim", "text?", "text", "TRIM"],
  ["strip", "text", "text", "STRIP"],
  ["lstrip", "text", "text", "LSTRIP"],
  ["rstrip", "text", "text", "RSTRIP"],
  ["substr", "text start? length?", "text", "SUBSTR"],
  ["str", "v?", "text", "STR", "tostring string"],
  ["fail", "v?", "text", null],
  ["format", "template values...", "text", "FORMAT"],
  ["hash", "text algorithm?", "text", "HASH"],
  ["len", "v?", "list", "LEN", "", "length size"],
  ["arr", "values...", "list", null, "", "list array"],
  ["push", "list? v?", "list", null, "", "append"],
  ["obj", "#key? v?", "list", null],
  ["put", "object #path v", "list", null, "", "set"],
  ["get", "v #path default?", "list", "GET"],
  ["keys", "object", "list", "KEYS"],
  ["values", "object", "list", "VALUES"],
  ["merge", "objects...", "list", "MERGE"],
  ["pick", "object #keys...", "list", "PICK"],
  ["omit", "object #keys...", "list", "OMIT"],
  ["slice", "v start? end?", "list", "SLICE", "", "substring"],
  ["sort", "list", "list", "SORT"],
  ["reverse", "v", "list", "REVERSE"],
  ["unique", "list", "list", "UNIQUE"],
  ["flatten", "list", "list", "FLATTEN"],
  ["zip", "lists...", "list", "ZIP"],
  ["range", "start stop? step?", "list", "RANGE"],
  ["filter_high_score", "list minimum?", "list", "FILTER_HIGH_SCORE"],
  ["type", "v?", "value", "TYPE"],
  ["parse", "text", "value", "PARSE", "", "from_json"],
  ["stringify", "v", "value", "STRINGIFY", "", "to_json"],
  ["echo", "v?", "value", "ECHO"],
  ["id", "v?", "value", "ID"],
  ["noop", "", "value", "NOOP"],
  ["iso_ts", "seconds?", "value", "ISO_TS"],
  ["now", "", "host", "NOW"],
  ["iso", "", "host", "ISO"],
  ["uuid", "", "host", "UUID"],
  ["env", "name default?", "host", "ENV"],
  ["sleep", "ms", "host", "SLEEP"],
];

function words(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

/** Functions that came after version 1.0: their names mean them only where arguments follow. */
const LATER_ROWS: readonly Row[] = [
  ["plus", "a b", "number", null, "", "concat_lists"],
  ["sum", "list #field?", "number", null],
  ["avg", "list #field?", "number", null, "", "average mean"],
  ["coalesce", "values...", "logic", null],
  ["any", "list", "logic", null],
  ["all", "list", "logic", null],
  ["chars", "text", "text", null],
  ["lines", "text", "text", null, "", "splitlines"],
  ["words", "text", "text", null],
  ["capitalize", "text", "text", null],
  ["title", "text", "text", null],
  ["pad", "text width fill? side?", "text", null],
  ["repeat", "v count", "text", null],
  ["at", "v key", "list", null],
  ["put_at", "v keys value", "list", null],
  ["first", "v", "list", null],
  ["last", "v", "list", null],
  ["take", "v count", "list", null],
  ["drop", "v count", "list", null],
  ["count", "v value?", "list", null],
  ["each", "v", "list", null],
  ["pairs", "v", "list", null],
  ["enumerate", "v start?", "list", null],
  ["entries", "object", "list", null, "", "items"],
  ["from_entries", "pairs?", "list", null, "", "dict"],
  ["sort_by", "list #field order?", "list", null],
  ["group_by", "list #field", "list", null],
  ["count_by", "list #field", "list", null],
  ["index_by", "list #field", "list", null],
  ["min_by", "list #field", "list", null],
  ["max_by", "list #field", "list", null],
  ["find", "list #field value", "list", null],
  ["diff", "list other", "list", null, "", "difference"],
  ["intersect", "list other", "list", null, "", "intersection"],
  ["chunk", "list size", "list", null],
  ["date_parse", "text zone?", "date", null],
  ["date_format", "time pattern? zone?", "date", null],
  ["date_add", "time count unit zone?", "date", null],
  ["date_diff", "from to unit zone?", "date", null],
  ["date_part", "time part zone?", "date", null],
  ["date_trunc", "time unit zone?", "date", null],
  ["match", "text pattern", "pattern", null],
  ["find_all", "text pattern", "pattern", null],
  ["replace_all", "text pattern new", "pattern", null],
  ["split_by", "text pattern", "pattern", null],
];

/**
 * Every function. The parameters are what strict checks and documentation show; what a call with fewer arguments does
 * (fail, pad, or give a default) is the business of `vm/functions/`.
 */
export const FUNCTIONS: readonly FunctionSignature[] = [
  ...ROWS.map((row) => signatureOf(row, false)),
  ...LATER_ROWS.map((row) => signatureOf(row, true)),
];

function signatureOf(row: Row, isLater: boolean): FunctionSignature {
  const [name, parameters, group, verb, aliases = "", called = ""] = row;
  return {
    name,
    aliases: [...words(aliases), ...words(called)],
    called: isLater ? [name, ...words(called)] : words(called),
    parameters: words(parameters).map(parameter),
    host: group === "host",
    verb,
    group,
  };
}

/** Letter case and underscores carry no meaning in function names. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll("_", "");
}

const BY_NAME: ReadonlyMap<string, FunctionSignature> = new Map(
  FUNCTIONS.flatMap((signature) =>
    [signature.name, ...signature.aliases].map((name): [string, FunctionSignature] => [fold(name), signature]),
  ),
);

/** Words as the tables spell them: they are looked up many times for every step, and need no folding. */
const BY_SPELLING: ReadonlyMap<string, FunctionSignature> = new Map(
  FUNCTIONS.flatMap((signature) =>
    [signature.name, ...signature.aliases].map((name): [string, FunctionSignature] => [name, signature]),
  ),
);

/** The functions that compare as the comparators do. */
export const COMPARISON_FUNCTIONS: Readonly<Record<IrComparator, string>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

export function isComparator(word: string): word is IrComparator {
  return Object.hasOwn(COMPARISON_FUNCTIONS, word);
}

const FUNCTION_WORD = /^[A-Za-z0-9_.]{1,64}$/;

/** The function that `word` names: any letter case, underscores ignored, with or without `core.`. */
export function findFunction(word: string): FunctionSignature | undefined {
  const spelled = BY_SPELLING.get(word);
  if (spelled !== undefined || !FUNCTION_WORD.test(word)) return spelled;
  const lower = word.toLowerCase();
  const bare = lower.startsWith("core.") ? lower.slice(5) : lower;
  // Elsewhere `replaceAll` takes plain text, and here `replace` does.
  return bare === "replaceall" ? undefined : BY_NAME.get(fold(bare));
}

/** The function that `word` names where no arguments follow it. */
export function findLoneFunction(word: string): FunctionSignature | undefined {
  const signature = findFunction(word);
  return signature === undefined || CALLED.has(fold(word.replace(/^core\./i, ""))) ? undefined : signature;
}

const CALLED: ReadonlySet<string> = new Set(FUNCTIONS.flatMap(({ called }) => called.map(fold)));

export function minArguments(signature: FunctionSignature): number {
  const firstOptional = signature.parameters.findIndex((one) => one.optional);
  return firstOptional < 0 ? signature.parameters.length : firstOptional;
}

/** Infinity where the last parameter repeats. */
export function maxArguments(signature: FunctionSignature): number {
  return signature.parameters.some((one) => one.repeat) ? Number.POSITIVE_INFINITY : signature.parameters.length;
}

/** Whether a call reads the outside: `iso_ts` does only without argument. */
export function isHostCall(name: string, argumentCount: number): boolean {
  const signature = findFunction(name);
  if (signature === undefined) return false;
  return signature.host || (signature.name === "iso_ts" && argumentCount === 0);
}
