/**
 * The result summary: the answer of a run, from whichever surface it comes, as one small object of fixed shape for people and
 * orchestrators. Pure; it reads the answer and never changes it.
 */
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { isObject } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import type { SummaryStatus } from "./result-facts.ts";
import { isJob, membersOf, type ResultFacts, readFacts, type SucceededCall, textOf, textsOf } from "./result-facts.ts";
import { reviewHint } from "./review-hint.ts";

type Artifact = { readonly kind: string; readonly uri: string };

export type ResultSummary = {
  readonly task_id: string | null;
  readonly status: SummaryStatus;
  /** One line: `run ok (L1)`, `policy violation (2 errors)`, `runtime error: max_steps_exceeded`. */
  readonly summary: string;
  /** What was summarized, unchanged; of a job, the result in it. */
  readonly result: unknown;
  readonly trace_id: string | null;
  readonly policy_errors: readonly unknown[];
  readonly artifacts: readonly Artifact[];
  /** What a person should review before continuing; null when nothing is known. */
  readonly review_hint: string | null;
};

export type SummaryOptions = {
  readonly task_id?: string;
  /** Instead of the derived one. */
  readonly review_hint?: string;
  /** Files that the surface wrote, such as a record; they stand before those that the run wrote. */
  readonly artifacts?: readonly Artifact[];
  /** Which verbs are destructive; default: the built-in adapters. */
  readonly catalog?: AdapterCatalog;
};

const VALIDATION_WORDS: ReadonlySet<string> = new Set([
  "compile_error",
  "invalid_request",
  "invalid_ir",
  "unknown_label",
  "adapter_config_error",
]);

/** Verbs that write a file, in lower case, and the argument that names it. */
const FILE_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ["fs.write", 0],
  ["fs.copy", 1],
  ["fs.move", 1],
]);

/** Takes the answer of `Host.run` or of a surface, or a job with or without its result; anything else is a runtime error. */
export function summarize(given: unknown, options: SummaryOptions = {}): ResultSummary {
  const job = isJob(given) ? given : {};
  const result = isObject(job["result"]) ? job["result"] : given;
  const facts = readFacts(membersOf(result));
  const verdict = isObject(result) ? verdictOf(facts) : NO_RESULT;
  return {
    task_id: options.task_id ?? null,
    ...verdict,
    result,
    trace_id: facts.traceId ?? textOf(job["trace_id"]),
    policy_errors: [...facts.policyErrors],
    artifacts: [...(options.artifacts ?? []), ...writtenFiles(facts.calls)],
    review_hint: options.review_hint ?? reviewHint(verdict.status, facts, options.catalog ?? builtinCatalog),
  };
}

type Verdict = { readonly status: SummaryStatus; readonly summary: string };
const NO_RESULT: Verdict = { status: "runtime_error", summary: "runtime error: not a result" };

function verdictOf({ ok, label, error, policyErrors, issues }: ResultFacts): Verdict {
  if (ok) return { status: "ok", summary: label === null ? "run ok" : `run ok (${label})` };
  if (error === "policy_violation" || policyErrors.length > 0) {
    return { status: "policy_violation", summary: `policy violation${bracketed(policyErrors.length, "error")}` };
  }
  if (issues.length > 0)
    return { status: "validation_error", summary: `validation error${bracketed(issues.length, "issue")}` };
  if (VALIDATION_WORDS.has(error)) return { status: "validation_error", summary: `validation error: ${error}` };
  return { status: "runtime_error", summary: `runtime error: ${error}` };
}

function bracketed(count: number, noun: string): string {
  return count === 0 ? "" : ` (${counted(count, noun)})`;
}

function writtenFiles(calls: readonly SucceededCall[]): readonly Artifact[] {
  const paths = calls.map(({ adapter, verb, args }) => {
    const place = FILE_ARGUMENTS.get(`${adapter}.${verb}`.toLowerCase());
    return place === undefined ? null : args[place];
  });
  return [...new Set(textsOf(paths))].map((uri) => ({ kind: "file", uri }));
}
