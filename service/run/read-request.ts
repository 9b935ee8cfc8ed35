/**
 * From a parsed body to a request that is well-formed and admitted: every problem is collected and reported at once. What the caller asks
 * of adapters, policy and limits is read by the gateway, everything else by the schema of the route.
 */
import type { FastifySchemaCompiler } from "fastify";
import * as z from "zod";
import { pointer, quoted } from "../../compiler/ir/issues.ts";
import { isObject, type Members } from "../../compiler/json.ts";
import { listed } from "../../grammar/text/english.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import type { Admission } from "../../vm/admission/admit.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import type { Gateway } from "../../vm/gateway.ts";
import { copyText, keepElementTexts, keepMemberText } from "../../vm/inputs/exact-text.ts";
import { filesIssues, type ProgramFiles, withCode } from "../../vm/inputs/program-files.ts";
import type { programMembers } from "../schemas/run.ts";
import { faults, type RequestIssue, ServiceFault } from "../wire/errors.ts";
import { copyNumbers } from "./exact-body.ts";

const MAX_ISSUES = 100;

export type ProgramRequest = z.output<z.ZodObject<typeof programMembers>>;

/** The framework's validator: what zod makes of a part of a request, or the fault that names every problem. Headers are read where they are used. */
export const validator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => validatorOf(schema, httpPart);

export function validatorOf(
  schema: z.ZodType,
  httpPart: string | undefined,
): (data: unknown) => ReturnType<typeof checked> {
  if (httpPart === "headers") return (value) => ({ value });
  return (data) => checked(schema, data, httpPart === "body" ? "body" : "query");
}

export function checked<S extends z.ZodType>(
  schema: S,
  data: unknown,
  part: "body" | "query" = "body",
): { readonly value: z.output<S> } | { readonly error: ServiceFault } {
  const read = schema.safeParse(data);
  if (read.success) {
    if (isObject(data) && isObject(read.data)) {
      copyNumbers(data, read.data);
      keepTexts(data, read.data);
    }
    return { value: read.data };
  }
  const issues = schemaIssues(schema, read.error, part === "body" ? "member" : "parameter");
  return { error: faults.invalidRequest(issues, part) };
}

/** Values that the schema has copied say as much as those that were sent. */
function keepTexts(sent: object, copy: Members): void {
  keepMemberText(sent, "frame", copy["frame"]);
  for (const name of LISTS) {
    const list = copy[name];
    if (Array.isArray(list)) keepElementTexts(sent, name, list);
  }
  // A number alone has its text in that of the body.
  if (Object.hasOwn(copy, "data")) copyText(sent, copy);
}

/** Members whose elements have values of programs. */
const LISTS = ["frames", "schedules", "signals"] as const;

/** A body as the framework hands it on: when it is not valid, `fault` says why, and `body` is what the client sent. */
export type ValidatedBody<Body> = { readonly body: Body; readonly fault: Error | undefined };

/** `within`: what the deployment asked for that the request runs. Throws ServiceFault invalid_request with every problem. */
export function readAdmitted<Body extends ProgramRequest>(
  { body, fault }: ValidatedBody<Body>,
  gateway: Gateway,
  within: CallerRequest | null = null,
): { readonly request: Body; readonly admission: Admission } {
  if (fault !== undefined && !(fault instanceof ServiceFault)) throw fault;
  const issues: RequestIssue[] = [...(fault?.members.issues ?? [])];
  if ([body.code, body.ir, body.program].filter(isGiven).length !== 1)
    issues.push({ path: "", code: "exclusive", message: "give exactly one of code, ir and program" });
  issues.push(...issuesOfFiles(body));
  const { allowed_adapters, policy, limits, adapters } = body;
  const admission = gateway.admit({ allowed_adapters, policy, limits, adapters }, within);
  if (!admission.ok) issues.push(...admission.issues);
  if (!admission.ok || issues.length > 0) throw faults.invalidRequest(issues.slice(0, MAX_ISSUES));
  return { request: body, admission };
}

function issuesOfFiles({ code, files }: ProgramRequest): readonly RequestIssue[] {
  if (!isObject(files)) return [];
  if (typeof code !== "string")
    return [{ path: "/files", code: "exclusive", message: "files belong to code, which imports or includes them" }];
  return filesIssues(withCode(code, files as ProgramFiles["files"]));
}

/** Issues of a schema in the words of the service, the first of them where there are very many. Values are not echoed. `what`: its members are called. */
function schemaIssues(schema: z.ZodType, error: z.ZodError, what: "member" | "parameter" = "member"): RequestIssue[] {
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
