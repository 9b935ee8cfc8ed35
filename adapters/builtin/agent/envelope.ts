/**
 * Task requests and task results as agents exchange them, and what is wrong with one. All of it is advisory: nothing here routes,
 * approves or charges, and members that are not listed pass. Errors are what a receiver cannot do without, warnings what it
 * may miss.
 */
import { z } from "zod";
import { isObject } from "../../../compiler/json.ts";
import { isTaskId } from "./task-id.ts";

type EnvelopeIssue = {
  readonly kind: "error" | "warning";
  /** JSON Pointer, `""` for the whole. */
  readonly path: string;
  /** Without values. */
  readonly message: string;
};
/** `ok`: no error; there may be warnings. */
export type EnvelopeVerdict = { readonly ok: boolean; readonly issues: readonly EnvelopeIssue[] };

const text = z.string().min(1);
const amount = z.number().nonnegative().optional();
const references = z.array(z.looseObject({ kind: text, uri: text }));
const time = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

export const taskRequestSchema = z.looseObject({
  schema_version: text,
  task_id: z.string().refine(isTaskId, "expected 1 to 128 of the characters A-Z a-z 0-9 . _ -"),
  requester_id: text,
  target_agent: text,
  target_role: text,
  task_type: text,
  description: text,
  input: z.looseObject({ refs: references.optional() }),
  required_output_contract: z.looseObject({}).optional(),
  budget_limit: z.looseObject({ tokens: amount, usd_cents: amount }).optional(),
  allowed_tools: z.array(z.string()).optional(),
  approval_required: z.string().optional(),
  deadline: time.nullable().optional(),
});

export const taskResultSchema = z.looseObject({
  schema_version: text,
  task_id: text,
  agent_id: text,
  status: text,
  output: z.looseObject({
    summary: text,
    actions: z.array(z.looseObject({ kind: text, description: text, status: text })).optional(),
  }),
  confidence: z.number().min(0).max(1).nullable().optional(),
});

/** Members that a receiver can do without: what is wrong there is a warning. */
const ADVISORY: ReadonlySet<PropertyKey> = new Set([
  "budget_limit",
  "allowed_tools",
  "approval_required",
  "deadline",
  "confidence",
]);
const USUAL_STATUS: ReadonlySet<string> = new Set(["completed", "failed", "needs_review", "rejected"]);

export function validateTaskRequest(value: unknown): EnvelopeVerdict {
  const issues = issuesOf(taskRequestSchema, value);
  const version = memberAt(value, ["schema_version"]);
  if (typeof version === "string" && version !== "" && !/^1(\.|$)/.test(version)) {
    issues.push(warning("/schema_version", "another version than 1.x"));
  }
  const input = memberAt(value, ["input"]);
  if (isObject(input) && memberAt(input, ["payload"]) === undefined) issues.push(warning("/input/payload", "missing"));
  return verdict(issues);
}

export function validateTaskResult(value: unknown): EnvelopeVerdict {
  const issues = issuesOf(taskResultSchema, value);
  const status = memberAt(value, ["status"]);
  if (typeof status === "string" && status !== "" && !USUAL_STATUS.has(status)) {
    issues.push(warning("/status", `not one of ${[...USUAL_STATUS].join(", ")}`));
  }
  return verdict(issues);
}

function verdict(issues: readonly EnvelopeIssue[]): EnvelopeVerdict {
  return { ok: issues.every((issue) => issue.kind === "warning"), issues };
}

function warning(path: string, message: string): EnvelopeIssue {
  return { kind: "warning", path, message };
}

function issuesOf(schema: z.ZodType, value: unknown): EnvelopeIssue[] {
  const read = schema.safeParse(value);
  if (read.success) return [];
  return read.error.issues.map((issue) => ({
    kind: ADVISORY.has(issue.path[0] ?? "") ? "warning" : "error",
    path: issue.path.map((step) => `/${String(step)}`).join(""),
    message: messageOf(issue, memberAt(value, issue.path)),
  }));
}

function messageOf(issue: z.core.$ZodIssue, found: unknown): string {
  if (found === undefined) return "missing";
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "too_small":
      return issue.origin === "string" ? "expected text that is not empty" : `expected at least ${issue.minimum}`;
    case "too_big":
      return `expected at most ${issue.maximum}`;
    case "invalid_union":
      return "expected an ISO 8601 time";
    default:
      return issue.message;
  }
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as { readonly [key: PropertyKey]: unknown })[step];
  }
  return found;
}
