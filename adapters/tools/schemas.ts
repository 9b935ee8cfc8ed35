/**
 * Checks against the JSON Schemas of tools: the operator's, and what a server says of its own answers. Ajv is loaded when the first tool
 * with a schema is called; a schema is compiled once. Findings name places and types, never values. No text holds a
 * pattern up, whoever wrote it.
 */
import type { ValidateFunction } from "ajv";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { badArguments } from "../bind.ts";
import { adapterError } from "../errors.ts";
import { LinearPattern } from "../pattern/linear-pattern.ts";
import { schemasIn } from "../plugins/process/json-schema.ts";

/** Schemas of a server, times characters of an answer: what comparing them takes grows with both. */
const MOST_COMPARED = 20_000_000;

const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** Throws ADAPTER_BAD_ARGS; ADAPTER_BAD_SETTINGS when the schema itself is not valid. */
export async function checkArguments(schema: JsonObject | null, args: readonly Json[]): Promise<void> {
  if (schema === null) return;
  const validate = await validatorOf(schema);
  if (validate(args)) return;
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

/** Throws ADAPTER_BAD_DATA. */
export async function checkResult(schema: JsonObject | null, result: unknown): Promise<void> {
  if (schema === null) return;
  const validate = await validatorOf(schema);
  if (validate(result)) return;
  const place = validate.errors?.[0]?.instancePath ?? "";
  throw adapterError("ADAPTER_BAD_DATA", "the tool's result does not fit its result_schema", { data: { path: place } });
}

async function validatorOf(schema: JsonObject): Promise<ValidateFunction> {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  // Every schema on its own: two of them may have the same $id.
  const ajv = new Ajv2020(OPTIONS);
  try {
    const validate = ajv.compile(schema);
    compiled.set(schema, validate);
    return validate;
  } catch (cause) {
    throw adapterError("ADAPTER_BAD_SETTINGS", "a schema of the tool is not a valid JSON Schema", { cause });
  }
}

const OPTIONS = {
  strict: false,
  logger: false,
  validateFormats: false,
  code: {
    regExp: Object.assign((source: string, flags: string) => new LinearPattern(source, flags === "u" ? "u" : ""), {
      code: "LinearPattern",
    }),
  },
} as const;

/**
 * Compares answers with what their server says of them. Nobody has looked at such a schema, so one that cannot be had, or that would take
 * too long to compare, fits no answer. Nothing is made of a schema before an answer is there.
 */
export async function answerChecker(): Promise<(schema: JsonObject, answer: unknown) => boolean> {
  const { Ajv } = await import("ajv");
  return (schema, answer) => {
    if (schemasIn(schema) * JSON.stringify(answer).length > MOST_COMPARED) return false;
    return new Ajv({ ...OPTIONS, validateSchema: false }).validate(schema, answer) === true;
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
