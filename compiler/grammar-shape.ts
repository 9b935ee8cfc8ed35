/**
 * What a generated grammar admits, read from the tables of functions and adapters. The grammar floor knows neither; it takes them as
 * names with numbers of arguments.
 */
import type { AdapterShape, CallShape, ClosedNames, FunctionShape, GrammarShape } from "../grammar/generate/shape.ts";
import { USUAL_DECLARATIONS } from "../grammar/generate/shape.ts";
import type { AdapterCatalog, VerbEntry } from "./catalog.ts";
import { FUNCTIONS, type FunctionSignature, isHostCall } from "./functions.ts";
import { LIBRARY_SHAPE } from "./python/library/shape.ts";

export type ShapeOptions = {
  /** Names of adapters; null: all of the catalog. */
  readonly adapters?: readonly string[] | null;
  readonly declarations?: readonly string[];
  readonly closed?: ClosedNames | null;
};

/** The names that `complete` and generated grammars offer. */
export function grammarShape(catalog: AdapterCatalog, options: ShapeOptions = {}): GrammarShape {
  const { adapters = null, declarations = USUAL_DECLARATIONS, closed = null } = options;
  return {
    adapters: (adapters ?? catalog.names()).flatMap((name) => adapterShape(catalog, name)),
    functions: FUNCTION_SHAPES,
    python: LIBRARY_SHAPE,
    declarations,
    closed,
  };
}

type Parameters = readonly { readonly optional: boolean; readonly repeat: boolean }[];

function countsOf(parameters: Parameters): Pick<CallShape, "least" | "most"> {
  const least = parameters.filter(({ optional }) => !optional).length;
  return { least, most: parameters.some(({ repeat }) => repeat) ? null : parameters.length };
}

const FUNCTION_SHAPES: readonly FunctionShape[] = FUNCTIONS.flatMap((one) =>
  [one.name, ...one.aliases].flatMap((name) => functionShapes(name, one)),
);

/** `iso_ts` reads the clock without an argument and is pure with one. */
function functionShapes(name: string, { name: canonical, parameters }: FunctionSignature): FunctionShape[] {
  const counts = countsOf(parameters);
  const host = isHostCall(canonical, counts.least);
  if (host === isHostCall(canonical, counts.most ?? counts.least)) return [{ name, host, ...counts }];
  return [
    { name, host: true, least: 0, most: 0 },
    { name, host: false, least: 1, most: counts.most },
  ];
}

function adapterShape(catalog: AdapterCatalog, name: string): AdapterShape[] {
  const entry = catalog.adapter(name);
  if (entry === undefined) return [];
  const shapes = new Map(entry.verbs.map((verb) => [verb.name, verbShape(verb)]));
  const aliases = Object.entries(entry.aliases).flatMap(([alias, verb]) => {
    const shape = shapes.get(verb);
    return shape === undefined || shapes.has(alias) ? [] : [{ ...shape, name: alias, isAlias: true as const }];
  });
  return [{ name, verbs: [...shapes.values(), ...aliases] }];
}

function verbShape(verb: VerbEntry): CallShape {
  const { name, parameters, option_roles } = verb;
  const names = (parameters ?? []).filter((one) => one.name !== "options" && !one.repeat).map((one) => one.name);
  const named = new Set([...names, ...optionNames(verb), ...Object.keys(option_roles ?? {})]);
  return { name, ...(parameters === null ? { least: 0, most: null } : countsOf(parameters)), named: [...named] };
}

/** The names on the first level of an object type: of `{timeout_s?:number,auth?:{secret:text}}` timeout_s and auth. */
function optionNames(verb: VerbEntry): readonly string[] {
  const options = "options" in verb && typeof verb.options === "string" ? verb.options : "";
  const names: string[] = [];
  let depth = 0;
  for (const [piece, name] of options.matchAll(/[{}[\]]|(\w+)\??:/g)) {
    if (name === undefined) depth += piece === "{" || piece === "[" ? 1 : -1;
    else if (depth === 1) names.push(name);
  }
  return names;
}
