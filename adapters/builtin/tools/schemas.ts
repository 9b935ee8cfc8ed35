/**
 * Checks against the JSON Schemas of tools: the operator's, and what a server says of its own answers. Ajv is loaded when the first tool
 * with a schema is called; a schema is compiled once. Findings name places and types, never values. No text makes a
 * pattern slow.
 */
import type { ValidateFunction } from "ajv";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { schemasIn } from "../../content/json-schema.ts";
import { withLinearKeywords } from "../../content/schema-keywords.ts";
import { fits, isComparable, SCHEMA_OPTIONS } from "../../content/untrusted-schema.ts";
import { badArguments } from "../../definition/bind.ts";
import { adapterError } from "../../errors.ts";

const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** Throws ADAPTER_BAD_ARGS; ADAPTER_TOO_LARGE; ADAPTER_BAD_SETTINGS when the schema itself is not usable. */
export async function checkArguments(schema: JsonObject | null, args: readonly Json[]): Promise<void> {
  if (schema === null) return;
  const validate = await validatorOf(schema);
  if (!isComparable(schema, args))
    throw adapterError("ADAPTER_TOO_LARGE", "the arguments are too large to be compared with the tool's args_schema");
  if (fits(validate, args)) return;
  throw badArguments(
    (validate.errors ?? []).map(({ instancePath, message = "another value" }) => ({
      path: instancePath,
      expected: expectation(message),
      got: typeAt(args, instancePath),
    })),
  );
}

/** "must NOT have …" as what follows "expected". */
function expectation(message: string): string {
  return message
    .replace(/^must be /, "")
    .replace(/^must NOT /, "not to ")
    .replace(/^must /, "to ");
}

/** Throws ADAPTER_BAD_DATA; ADAPTER_TOO_LARGE; ADAPTER_BAD_SETTINGS when the schema itself is not usable. */
export async function checkResult(schema: JsonObject | null, result: unknown): Promise<void> {
  if (schema === null) return;
  const validate = await validatorOf(schema);
  if (!isComparable(schema, result))
    throw adapterError("ADAPTER_TOO_LARGE", "the tool's result is too large to be compared with its result_schema");
  if (fits(validate, result)) return;
  const { instancePath: path = "", message: said = "has another value" } = validate.errors?.[0] ?? {};
  const message = `the tool's result does not fit its result_schema: ${path === "" ? "/" : path} ${said}`;
  throw adapterError("ADAPTER_BAD_DATA", message, { data: { path } });
}

async function validatorOf(schema: JsonObject): Promise<ValidateFunction> {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  if (schemasIn(schema) === Infinity) {
    const message = "a schema of the tool stands for too many schemas, or refers to more than its own $defs";
    throw adapterError("ADAPTER_BAD_SETTINGS", message);
  }
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  // Every schema on its own: two of them may have the same $id.
  const ajv = withLinearKeywords(new Ajv2020(SCHEMA_OPTIONS));
  try {
    const validate = ajv.compile(schema);
    compiled.set(schema, validate);
    return validate;
  } catch (cause) {
    throw adapterError("ADAPTER_BAD_SETTINGS", "a schema of the tool is not a valid JSON Schema", { cause });
  }
}

/**
 * Compares answers with the schema of their server. Such a schema is untrusted, so one that is not usable, or that would take
 * too long to compare, fits no answer. A schema is compiled only when the first answer arrives.
 */
export async function answerChecker(): Promise<(schema: JsonObject, answer: unknown) => boolean> {
  const { Ajv } = await import("ajv");
  return (schema, answer) => {
    if (!isComparable(schema, answer)) return false;
    const ajv = withLinearKeywords(new Ajv({ ...SCHEMA_OPTIONS, validateSchema: false }));
    return fits(ajv.compile(schema), answer);
  };
}

function typeAt(args: readonly Json[], pointer: string): string {
  let value: Json | undefined = args;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "nothing";
    value = (value as JsonObject)[key];
  }
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
