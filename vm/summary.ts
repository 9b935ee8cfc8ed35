/**
 * The result summary: the answer of a run, from whichever surface it comes, as one small object of fixed shape for people and
 * orchestrators. Pure; it reads the answer and never changes it.
 */
import { builtinCatalog } from "../compiler/catalog/builtin.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../compiler/catalog.ts";
import { RUNTIME_CODES, type RuntimeCode, surfaceWord } from "./error-codes.ts";

export type SummaryStatus = "ok" | "policy_violation" | "validation_error" | "runtime_error";

export type Artifact = { readonly kind: string; readonly uri: string };

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
  /** What a person should look at before going on; null: nothing known. */
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

type Members = { readonly [key: string]: unknown };

const VALIDATION_WORDS: ReadonlySet<string> = new Set([
  "compile_error",
  "invalid_request",
  "invalid_ir",
  "unknown_label",
  "adapter_config_error",
]);

/** Verbs that leave a file behind, and the argument that names it. */
const FILE_ARGUMENTS: Readonly<Record<string, number>> = { "fs.write": 0, "fs.copy": 1, "fs.move": 1 };

/** Accepts the answer of `Host.run`, of a surface, or a job with or without its result; anything else is a runtime error. */
export function summarize(given: unknown, options: SummaryOptions = {}): ResultSummary {
  const job = isJob(given) ? given : {};
  const result = isMembers(job["result"]) ? job["result"] : given;
  const facts = isMembers(result) ? readFacts(result) : null;
  const verdict = facts === null ? NO_RESULT : verdictOf(facts);
  const calls = facts === null ? [] : callsOf(facts.members);
  const hint = facts === null ? null : reviewHint(verdict.status, facts, calls, options.catalog ?? builtinCatalog);
  return {
    task_id: options.task_id ?? null,
    ...verdict,
    result,
    trace_id: textOf(facts?.members["trace_id"]) ?? textOf(job["trace_id"]),
    policy_errors: [...(facts?.policyErrors ?? [])],
    artifacts: [...(options.artifacts ?? []), ...filesOf(calls)],
    review_hint: options.review_hint ?? hint,
  };
}

type Verdict = { readonly status: SummaryStatus; readonly summary: string };
const NO_RESULT: Verdict = { status: "runtime_error", summary: "runtime error: not a result" };

/** What status and hint are decided from. */
type Facts = {
  readonly members: Members;
  readonly ok: boolean;
  /** Word of the failure. */
  readonly error: string;
  /** Details of a failure of the run. */
  readonly data: Members;
  readonly policyErrors: readonly unknown[];
  readonly issues: readonly unknown[];
};

function readFacts(members: Members): Facts {
  const { error, error_structured } = members;
  const structured = [error_structured, error].find(isMembers) ?? {};
  const data = isMembers(structured["data"]) ? structured["data"] : {};
  const lists = ["diagnostics", "errors", "issues"].map((key) => listOf(members[key]));
  return {
    members,
    // A job without result says `ok` of its own acceptance.
    ok: members["ok"] === true && !isJob(members),
    error: textOf(error) ?? wordOf(structured["code"], data) ?? textOf(members["status"]) ?? "unknown",
    data,
    policyErrors: listOf(members["policy_errors"]),
    issues: withoutWarnings(lists.find((list) => list.length > 0) ?? []),
  };
}

function verdictOf({ members, ok, error, policyErrors, issues }: Facts): Verdict {
  if (ok) {
    const label = textOf(members["label_written"]) ?? textOf(members["label"]);
    return { status: "ok", summary: label === null ? "run ok" : `run ok (${label})` };
  }
  if (error === "policy_violation" || policyErrors.length > 0) {
    return { status: "policy_violation", summary: `policy violation${counted(policyErrors.length, "error")}` };
  }
  if (VALIDATION_WORDS.has(error) || issues.length > 0) {
    return {
      status: "validation_error",
      summary: `validation error${counted(issues.length, "issue") || `: ${error}`}`,
    };
  }
  return { status: "runtime_error", summary: `runtime error: ${error}` };
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : ` (${count} ${noun}${count === 1 ? "" : "s"})`;
}

function reviewHint(
  status: SummaryStatus,
  facts: Facts,
  calls: readonly Call[],
  catalog: AdapterCatalog,
): string | null {
  if (status === "ok") return sideEffects(calls, catalog);
  if (status === "policy_violation") return policyHint(facts.policyErrors);
  const { error, data, members } = facts;
  const [, limit] = /^(max_\w+)_exceeded$/.exec(error) ?? [];
  if (limit !== undefined) {
    const limits = isMembers(members["limits"]) ? members["limits"] : {};
    const figure = data["limit"] ?? limits[limit];
    return typeof figure === "number" ? `${limit} ${figure} was not enough` : `${limit} was not enough`;
  }
  if (error !== "adapter_not_available") return null;
  const adapters = textOf(data["adapter"]) ?? texts(listOf(members["required_adapters"])).join(", ");
  return adapters === "" ? null : `enable ${adapters}`;
}

/** `review adapters: http; tiers: network` */
function policyHint(errors: readonly unknown[]): string | null {
  const details = errors.map((error) => (isMembers(error) && isMembers(error["data"]) ? error["data"] : {}));
  const named = (key: string): string => [...new Set(texts(details.map((data) => data[key])))].sort().join(", ");
  const parts = [
    ["adapters", named("adapter")],
    ["tiers", named("privilege_tier")],
  ].filter(([, names]) => names !== "");
  return parts.length === 0 ? null : `review ${parts.map((part) => part.join(": ")).join("; ")}`;
}

/** `review side effects: fs.write ×2` */
function sideEffects(calls: readonly Call[], catalog: AdapterCatalog): string | null {
  const times = new Map<string, number>();
  for (const { adapter, verb } of calls) {
    const entry = findAdapter(catalog, adapter);
    const known = entry === undefined ? undefined : findVerb(entry, verb);
    if (entry === undefined || known === undefined || !known.destructive) continue;
    const name = `${entry.name}.${known.name}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const shown = [...times].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return shown.length === 0 ? null : `review side effects: ${shown.join(", ")}`;
}

/** A recorded call that succeeded. */
type Call = { readonly adapter: string; readonly verb: string; readonly args: readonly unknown[] };

function callsOf(result: Members): readonly Call[] {
  const record = isMembers(result["record"]) ? result["record"]["calls"] : result["adapter_calls"];
  return listOf(record).flatMap((call) => {
    if (!isMembers(call) || call["ok"] !== true) return [];
    const { adapter, verb, args } = call;
    return typeof adapter === "string" && typeof verb === "string" ? [{ adapter, verb, args: listOf(args) }] : [];
  });
}

function filesOf(calls: readonly Call[]): readonly Artifact[] {
  const paths = calls.map(({ adapter, verb, args }) => {
    const name = `${adapter}.${verb}`;
    return Object.hasOwn(FILE_ARGUMENTS, name) ? textOf(args[FILE_ARGUMENTS[name] ?? 0]) : null;
  });
  return [...new Set(texts(paths))].map((uri) => ({ kind: "file", uri }));
}

function wordOf(code: unknown, data: Members): string | null {
  const text = textOf(code);
  return text !== null && Object.hasOwn(RUNTIME_CODES, text) ? surfaceWord(text as RuntimeCode, data) : text;
}

function withoutWarnings(issues: readonly unknown[]): readonly unknown[] {
  return issues.filter(
    (issue) => !isMembers(issue) || issue["severity"] === undefined || issue["severity"] === "error",
  );
}

function isJob(value: unknown): value is Members {
  return isMembers(value) && textOf(value["job_id"]) !== null && textOf(value["status"]) !== null;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something. */
function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value) => textOf(value) !== null) as readonly string[];
}
