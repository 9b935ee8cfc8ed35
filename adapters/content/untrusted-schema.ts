/**
 * JSON Schemas that a program or another server wrote, compared with values that somebody else wrote. Nothing in either makes the
 * comparison slow: patterns are linear, and a schema that stands for too many is refused. Ajv is loaded at the first comparison.
 */
import type { Ajv as AjvClass, ErrorObject, Options, ValidateFunction } from "ajv";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { schemasIn } from "./json-schema.ts";
import { LinearPattern } from "./linear-pattern.ts";
import { ValueNumbers, withLinearKeywords } from "./schema-keywords.ts";

/** Rules that a schema stands for, times characters of a value: what comparing them takes grows with both. */
const MAX_COMPARED = 20_000_000;
/** Compiling a schema takes longer the more it stands for. */
const MAX_SCHEMAS = 1000;
const MAX_FAULTS = 10;

export const SCHEMA_OPTIONS = {
  strict: false,
  logger: false,
  validateFormats: false,
  // A check gets the numbers of its values as `this`.
  passContext: true,
  code: {
    regExp: Object.assign((source: string, flags: string) => new LinearPattern(source, flags === "u" ? "u" : ""), {
      code: "LinearPattern",
    }),
  },
} as const satisfies Options;

export function isComparable(schema: JsonObject, value: unknown): boolean {
  return schemasIn(schema) * lengthOf(value) <= MAX_COMPARED;
}

/** Characters of the value as JSON; Infinity: it contains itself, or what JSON has no text for. */
function lengthOf(value: unknown): number {
  try {
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return Infinity;
  }
}

/** Compares a value that is comparable; what does not fit stands in the function's `errors`. */
export function fits(validate: ValidateFunction, value: unknown): boolean {
  return validate.call(new ValueNumbers(), value) === true;
}

/** Where a value does not fit, as `/place must be string`; none: it fits. */
export type SchemaCheck = (value: Json) => readonly string[];

/** null: the schema is not valid, or stands for too many schemas to be compared. */
export async function schemaCheck(schema: JsonObject): Promise<SchemaCheck | null> {
  if (schemasIn(schema) > MAX_SCHEMAS) return null;
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv: AjvClass = withLinearKeywords(new Ajv2020(SCHEMA_OPTIONS));
  try {
    // Every dialect is read as the newest: schemas of older ones mean the same as far as models write them.
    const { $schema: _dialect, $id: _id, ...rest } = schema;
    const validate = ajv.compile(rest);
    return (value) => {
      if (!isComparable(schema, value)) return ["/ is too large to be compared"];
      return fits(validate, value) ? [] : (validate.errors ?? []).slice(0, MAX_FAULTS).map(faultText);
    };
  } catch {
    return null;
  }
}

function faultText({ instancePath, message = "does not fit", params }: ErrorObject): string {
  const allowed: unknown = isObject(params) ? params["allowedValues"] : undefined;
  const values = Array.isArray(allowed) ? `: ${JSON.stringify(allowed).slice(0, 500)}` : "";
  return `${instancePath === "" ? "/" : instancePath} ${message}${values}`;
}
