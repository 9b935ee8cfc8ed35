/**
 * From a parsed body to a request that is known to be well-formed, and admitted: every problem is collected and told at once. What the
 * caller asks of adapters, policy and limits is read by the gateway, everything else by the schema of the route.
 */
import * as z from "zod";
import { pointer, quoted } from "../compiler/ir/issues.ts";
import { isObject, type JsonObject } from "../compiler/json.ts";
import { listed } from "../grammar/english.ts";
import { nearest } from "../grammar/nearest.ts";
import type { Admission } from "../vm/admission.ts";
import type { Gateway } from "../vm/gateway.ts";
import { faults, type RequestIssue } from "./errors.ts";
import type { programMembers } from "./schemas/run.ts";

const MAX_ISSUES = 100;

export type ProgramRequest = z.output<z.ZodObject<typeof programMembers>>;

/** Throws ServiceFault invalid_request with every problem. */
export function readAdmitted<S extends z.ZodObject<typeof programMembers>>(
  schema: S,
  body: JsonObject,
  gateway: Gateway,
): { readonly request: z.output<S>; readonly admission: Admission } {
  const issues: RequestIssue[] = [];
  const read = isPlainRequest(schema, body)
    ? { success: true as const, data: body as z.output<S> }
    : schema.safeParse(body);
  if (!read.success) issues.push(...schemaIssues(schema, read.error));
  if (isGiven(body["code"]) === isGiven(body["ir"]))
    issues.push({ path: "", code: "exclusive", message: "give exactly one of code and ir" });
  const { allowed_adapters, policy, limits, adapters } = body;
  const admission = gateway.admit({ allowed_adapters, policy, limits, adapters });
  if (!admission.ok) issues.push(...admission.issues);
  if (!read.success || !admission.ok || issues.length > 0) throw faults.invalidRequest(issues.slice(0, MAX_ISSUES));
  return { request: read.data, admission };
}

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const anything = (): boolean => true;

/** What the members of most requests look like. */
const PLAIN_MEMBERS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["code", (value) => typeof value === "string" && /\S/.test(value)],
  ["label", (value) => typeof value === "string" && value !== ""],
  ["ir", isObject],
  ["frame", isObject],
  ["frames", (value) => Array.isArray(value) && value.every(isObject)],
  ["strict", isFlag],
  ["trace", isFlag],
  ["record_calls", isFlag],
  ["retry", isFlag],
  // Read by the gateway.
  ["limits", anything],
  ["allowed_adapters", anything],
  ["adapters", anything],
  ["policy", anything],
]);

/** A quick look that spares most requests the schema: true only for a body that the schema takes as it is. */
export function isPlainRequest(schema: z.ZodObject, body: JsonObject): boolean {
  const { shape } = schema;
  for (const key of Object.keys(body))
    if (!Object.hasOwn(shape, key) || PLAIN_MEMBERS.get(key)?.(body[key]) !== true) return false;
  return !Object.hasOwn(shape, "frames") || body["frames"] !== undefined;
}

/** Issues of a schema in the words of the service, the first of them where there are very many. Values are not echoed. `what`: its members are called. */
export function schemaIssues(
  schema: z.ZodType,
  error: z.ZodError,
  what: "member" | "parameter" = "member",
): RequestIssue[] {
  return error.issues.slice(0, MAX_ISSUES).flatMap((issue): RequestIssue[] => {
    const path = issue.path.reduce<string>((at, part) => pointer(at, typeof part === "symbol" ? "" : part), "");
    // A parameter is text, or several when it is there more than once.
    if (what === "parameter" && issue.code === "invalid_type")
      return [{ path, code: "type", message: "must be given once" }];
    if (issue.code !== "unrecognized_keys") return [{ path, ...said(issue) }];
    const known = membersAt(schema, issue.path);
    return issue.keys.slice(0, MAX_ISSUES).map((key) => {
      const near = nearest(key, known);
      const others = what === "parameter" ? `; the endpoint has ${known.length === 0 ? "none" : listed(known)}` : "";
      const hint = near === null ? others : `; did you mean ${near}?`;
      return {
        path: pointer(path, key),
        code: what === "parameter" ? "unknown_parameter" : "unknown_member",
        message: `unknown ${what} ${quoted(key)}${hint}`,
      };
    });
  });
}

function said(issue: z.core.$ZodIssue): { readonly code: string; readonly message: string } {
  switch (issue.code) {
    case "invalid_type":
      return { code: "type", message: `expected ${TYPE_WORDS[issue.expected] ?? issue.expected}` };
    case "invalid_value":
      return { code: "format", message: `must be ${listed(issue.values.map(String), "or")}` };
    case "invalid_union":
      return { code: "type", message: "the value has none of the accepted types" };
    case "too_big":
      return {
        code: "range",
        message: `must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`,
      };
    case "too_small":
      return {
        code: "range",
        message: issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`,
      };
    default:
      return { code: "format", message: issue.message };
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  array: "a list",
};

/** Names of the members of the object at `path`. */
function membersAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = unwrapped(schema);
  for (const part of path) at = at instanceof z.ZodObject ? unwrapped(at.shape[String(part)]) : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap();
  return at;
}

/** `null` for an optional member means that it is absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
