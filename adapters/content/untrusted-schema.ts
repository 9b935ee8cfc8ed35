/**
 * JSON Schemas that a program or another server wrote, compared with values that somebody else wrote. Nothing in either makes the
 * comparison slow: patterns are linear, and a schema that stands for too many is refused. Ajv is loaded at the first comparison.
 */
import type { Ajv as AjvClass, ErrorObject, Options } from "ajv";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { schemasIn } from "../plugins/process/json-schema.ts";
import { LinearPattern } from "./linear-pattern.ts";

/** Schemas that one stands for, times characters of a value: what comparing them takes grows with both. */
const MAX_COMPARED = 20_000_000;
/** Compiling a schema takes longer the more it stands for. */
const MAX_SCHEMAS = 1000;
const MAX_FAULTS = 10;

export const SCHEMA_OPTIONS = {
  strict: false,
  logger: false,
  validateFormats: false,
  code: {
    regExp: Object.assign((source: string, flags: string) => new LinearPattern(source, flags === "u" ? "u" : ""), {
      code: "LinearPattern",
    }),
  },
} as const satisfies Options;

export function isComparable(schema: JsonObject, value: Json): boolean {
  return schemasIn(schema) * JSON.stringify(value).length <= MAX_COMPARED;
}

/** Where a value does not fit, as `/place must be string`; none: it fits. */
export type SchemaCheck = (value: Json) => readonly string[];

/** null: the schema is not valid, or stands for too many schemas to be compared. */
export async function schemaCheck(schema: JsonObject): Promise<SchemaCheck | null> {
  if (schemasIn(schema) > MAX_SCHEMAS) return null;
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const ajv: AjvClass = new Ajv2020({ ...SCHEMA_OPTIONS, allErrors: false });
  try {
    // Every dialect is read as the newest: schemas of older ones mean the same as far as models write them.
    const { $schema: _dialect, $id: _id, ...rest } = schema;
    const validate = ajv.compile(rest);
    return (value) => {
      if (!isComparable(schema, value)) return ["/ is too large to be compared"];
      return validate(value) ? [] : (validate.errors ?? []).slice(0, MAX_FAULTS).map(faultText);
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
