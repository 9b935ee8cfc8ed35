/** Answers that must be JSON of a given form: how they are asked for, found in what a model wrote, and compared with their schema. */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { plainly } from "../../../vm/inputs/exact-text.ts";
import { parsedNow } from "../../content/json-document.ts";
import { type SchemaCheck, schemaCheck } from "../../content/untrusted-schema.ts";
import { adapterError } from "../../errors.ts";

const MAX_SCHEMA_BYTES = 64 * 1024;
/** Compiled checks that are kept: a loop asks with the same schema again and again. */
const MAX_CHECKS = 64;

const REASONING_BEGINS = /^<(?:think|thinking|thought|reasoning)>/i;
const REASONING_ENDS = /<\/(?:think|thinking|thought|reasoning)>/i;

const checks = new BoundedMap<SchemaCheck>({ max: MAX_CHECKS });

/** The form of a structured answer. */
export type Form = {
  readonly schema: JsonObject;
  /** The schema as compact JSON. */
  readonly text: string;
  readonly faults: SchemaCheck;
};

/** Throws ADAPTER_BAD_ARGS for a schema that is not valid, and ADAPTER_TOO_LARGE. */
export async function formOf(schema: JsonObject): Promise<Form> {
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > MAX_SCHEMA_BYTES)
    throw adapterError("ADAPTER_TOO_LARGE", `the schema is larger than ${MAX_SCHEMA_BYTES} bytes`);
  const faults = checks.use(text) ?? (await schemaCheck(schema));
  if (faults === null) {
    const issues = [{ path: "/schema", expected: "a valid JSON Schema of at most 1,000 parts", got: "another" }];
    throw adapterError("ADAPTER_BAD_ARGS", "the schema is not a usable JSON Schema", { data: { issues } });
  }
  checks.set(text, faults);
  return { schema, text, faults };
}

/** What a model reads when its provider takes no schema, and when its first answer did not fit. */
export function schemaPrompt({ text }: Form): string {
  return `Answer with JSON only, without a code fence, that fits this JSON Schema: ${text}`;
}

export type Found =
  | { readonly ok: true; readonly data: Json }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The JSON that a model wrote, also in a code fence or between sentences, when it fits; else what `plain` reads. */
export function dataIn(answer: string, { faults }: Form, plain: (text: string) => Json): Found {
  let first: readonly string[] | null = null;
  for (const part of candidates(answer)) {
    const data = jsonOf(part);
    if (data === undefined) continue;
    const found = faults(plainly(data));
    if (found.length === 0) return { ok: true, data };
    first ??= found;
  }
  const data = plain(withoutReasoning(answer));
  if (data !== null) return { ok: true, data };
  return { ok: false, faults: first ?? ["the answer is not JSON"] };
}

function* candidates(answer: string): Generator<string> {
  yield answer.trim();
  const text = withoutReasoning(answer);
  yield text;
  const fence = text.indexOf("```");
  if (fence >= 0) {
    const begin = text.indexOf("\n", fence);
    const end = text.lastIndexOf("```");
    if (begin >= 0 && end > begin) yield text.slice(begin, end);
  }
  for (const [open, close] of ["{}", "[]"]) {
    const begin = text.indexOf(open ?? "");
    const end = text.lastIndexOf(close ?? "");
    if (begin >= 0 && end > begin) yield text.slice(begin, end + 1);
  }
}

/**
 * What a model says after its reasoning, which servers leave in the text as `<think>…</think>`, some without the first tag. Reasoning that
 * was cut off holds nothing to be read, whatever stands in it.
 */
function withoutReasoning(answer: string): string {
  const text = answer.trim();
  const end = REASONING_ENDS.exec(text);
  if (end !== null) return text.slice(end.index + end[0].length).trim();
  return REASONING_BEGINS.test(text) ? "" : text;
}

function jsonOf(text: string): Json | undefined {
  try {
    return parsedNow(text);
  } catch {
    // Not JSON, or more than an answer may hold.
    return undefined;
  }
}
