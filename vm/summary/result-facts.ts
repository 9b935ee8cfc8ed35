/**
 * Reads the answer of a run, whatever surface wrote it: the library's, a JSON document of the command line or the service, a job. Members
 * of another type than expected count as absent, because such documents come from files too.
 */
import { isObject, type Members } from "../../compiler/json.ts";
import { RUNTIME_CODES, type RuntimeCode, surfaceWord } from "../errors/error-codes.ts";

/** What a summary is made from. */
export type ResultFacts = {
  readonly ok: boolean;
  /** Word of a failure. */
  readonly error: string;
  /** Written form of the entry label. */
  readonly label: string | null;
  readonly traceId: string | null;
  /** Details of a failure of the run. */
  readonly data: Members;
  readonly limits: Members;
  readonly policyErrors: readonly unknown[];
  /** Errors among diagnostics, errors or issues, whichever the answer has. */
  readonly issues: readonly unknown[];
  readonly requiredAdapters: readonly string[];
  /** Recorded calls that succeeded. */
  readonly calls: readonly SucceededCall[];
};

export type SucceededCall = { readonly adapter: string; readonly verb: string; readonly args: readonly unknown[] };

export function readFacts(answer: Members): ResultFacts {
  const structured = [answer["error_structured"], answer["error"]].find(isObject) ?? {};
  const data = membersOf(structured["data"]);
  const lists = ["diagnostics", "errors", "issues"].map((key) => listOf(answer[key]));
  return {
    // A job without result says `ok` of its own acceptance.
    ok: answer["ok"] === true && !isJob(answer),
    error: textOf(answer["error"]) ?? wordOf(structured["code"], data) ?? textOf(answer["status"]) ?? "unknown",
    label: textOf(answer["label_written"]) ?? textOf(answer["label"]),
    traceId: textOf(answer["trace_id"]),
    data,
    limits: membersOf(answer["limits"]),
    policyErrors: listOf(answer["policy_errors"]),
    issues: withoutWarnings(lists.find((list) => list.length > 0) ?? []),
    requiredAdapters: textsOf(listOf(answer["required_adapters"])),
    calls: callsOf(answer),
  };
}

/** Whether a value can be the answer of a run or of a surface, or a job: everything else has no facts to read. */
export function isAnswer(value: unknown): value is Members {
  return isJob(value) || (isObject(value) && typeof value["ok"] === "boolean");
}

export function isJob(value: unknown): value is Members {
  return isObject(value) && textOf(value["job_id"]) !== null && textOf(value["status"]) !== null;
}

function wordOf(code: unknown, data: Members): string | null {
  const text = textOf(code);
  return text !== null && Object.hasOwn(RUNTIME_CODES, text) ? surfaceWord(text as RuntimeCode, data) : text;
}

function withoutWarnings(issues: readonly unknown[]): readonly unknown[] {
  return issues.filter((issue) => ["error", undefined].includes(membersOf(issue)["severity"] as string | undefined));
}

function callsOf(answer: Members): readonly SucceededCall[] {
  const calls = isObject(answer["record"]) ? answer["record"]["calls"] : answer["adapter_calls"];
  return listOf(calls).flatMap((call) => {
    const { ok, adapter, verb, args } = membersOf(call);
    if (ok !== true || typeof adapter !== "string" || typeof verb !== "string") return [];
    return [{ adapter, verb, args: listOf(args) }];
  });
}

/** An empty list for a value that is not an object. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Those of the values that are text. */
export function textsOf(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => textOf(value) ?? []);
}

export type SummaryStatus = "ok" | "policy_violation" | "validation_error" | "runtime_error";
