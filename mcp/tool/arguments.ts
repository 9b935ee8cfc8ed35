/**
 * Arguments of a tool from what a client sent: other spellings are brought to the advertised names, then the tool's schema reads them
 * once. Every problem is reported, with its location and without the value, so that a model can repair its call.
 */
import type * as z from "zod/mini";
import { pointer, quoted } from "../../compiler/ir/issues.ts";
import type { Members } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import { nearest } from "../../grammar/text/nearest.ts";

type ArgumentIssue = { readonly path: string; readonly code: string; readonly message: string };
export type ArgumentsSchema = z.ZodMiniObject;

/** Told at most: a call may have as many faults as its line has room for. */
const MAX_ISSUES = 100;

/** Accepted, and advertised nowhere: other spelling → name. */
export type Aliases = Readonly<Record<string, string>>;

export type ReadArguments<S extends ArgumentsSchema> =
  | { readonly ok: true; readonly value: z.output<S> }
  | { readonly ok: false; readonly issues: readonly ArgumentIssue[] };

export function readArguments<S extends ArgumentsSchema>(
  schema: S,
  aliases: Aliases,
  given: Members,
): ReadArguments<S> {
  const named = canonicalNames(schema, aliases, given);
  const read = schema.safeParse(named);
  if (read.success) return { ok: true, value: read.data };
  const known = Object.keys(schema.shape);
  const issues = read.error.issues.slice(0, MAX_ISSUES).flatMap((issue) => issuesOf(issue, named, known));
  return { ok: false, issues: issues.slice(0, MAX_ISSUES) };
}

/** The problems of a call in one sentence: the first with its place, where its words do not name it, and how many more there are. */
export function argumentsFault(issues: readonly { readonly path: string; readonly message: string }[]): string {
  const [{ path, message } = { path: "", message: "the arguments are not valid" }, ...others] = issues;
  const named = message.includes(path.slice(path.lastIndexOf("/") + 1));
  const more = others.length === 0 ? "" : `; ${counted(others.length, "more problem")} in issues`;
  return `${named ? "" : `${path}: `}${message}${more}`;
}

/** null means not given, as models often write it. */
function canonicalNames(schema: ArgumentsSchema, aliases: Aliases, given: Members): Members {
  const named = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([written, value]): [string, unknown] => {
      const name = Object.hasOwn(aliases, written) ? (aliases[written] ?? written) : written;
      const meant = Object.hasOwn(schema.shape, name) && !Object.hasOwn(given, name);
      return [meant ? name : written, value];
    });
  return Object.fromEntries(named);
}

function issuesOf(issue: z.core.$ZodIssue, named: Members, known: readonly string[]): ArgumentIssue[] {
  const path = issue.path.reduce<string>((at, part) => pointer(at, typeof part === "symbol" ? "" : part), "");
  if (issue.code !== "unrecognized_keys") {
    const { code, message } = said(issue);
    const [name] = issue.path;
    const isMissing = issue.path.length === 1 && typeof name === "string" && !Object.hasOwn(named, name);
    return [{ path, code, message: isMissing ? `${name} is missing: ${message}` : message }];
  }
  return issue.keys.slice(0, MAX_ISSUES).map((key) => {
    const near = nearest(key, known);
    const hint = near === null ? `; known: ${known.join(", ") || "none"}` : `; did you mean ${near}?`;
    return {
      path: pointer(path, key),
      code: "unknown_member",
      message: `unknown member ${quoted(key)}${hint}`,
    };
  });
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function said(issue: z.core.$ZodIssue): { readonly code: string; readonly message: string } {
  switch (issue.code) {
    case "invalid_type":
      return { code: "type", message: `expected ${TYPE_WORDS[issue.expected] ?? issue.expected}` };
    case "invalid_value":
      return { code: "value", message: `expected one of ${issue.values.map(String).join(", ")}` };
    case "invalid_union":
      return { code: "type", message: "the value has none of the accepted types" };
    case "too_big":
      return { code: "range", message: `expected at most ${issue.maximum} characters` };
    default:
      return { code: "format", message: issue.message };
  }
}
