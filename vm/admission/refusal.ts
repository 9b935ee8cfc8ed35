/**
 * Why a program is not run. Nothing of it was executed. Every refusal has a word, a sentence and its details; surfaces add a status, an exit
 * code or advice, and decide nothing.
 */
import { stepName } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Violation } from "../../compiler/policy/validate.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { counted } from "../../grammar/text/english.ts";
import { RUNTIME_CODES } from "../errors/error-codes.ts";
import type { FatalFailure } from "../errors/failures.ts";
import type { Host } from "../host.ts";
import { missingLabelDetail, missingLabelHint, nearTarget } from "../words/missing-label.ts";

/** A problem of a request. `path`: pointer to it. */
export type RefusalIssue = { readonly path: string; readonly code: string; readonly message: string };

type Refused<Word extends string> = { readonly ok: false; readonly error: Word; readonly message: string };
type CompileRefusal = Refused<"compile_error"> & { readonly diagnostics: readonly Diagnostic[] };
type PolicyRefusal = Refused<"policy_violation"> & { readonly policy_errors: readonly Violation[] };
type IssuesRefusal<Word extends string> = Refused<Word> & { readonly issues: readonly RefusalIssue[] };

/** Of the policy or the settings, whatever label is to run. */
export type PrepareRefused = PolicyRefusal | IssuesRefusal<"adapter_config_error">;
/** Of the label as well. */
export type PlanRefused = PrepareRefused | IssuesRefusal<"invalid_ir" | "unknown_label">;
export type Refusal = PlanRefused | CompileRefusal | IssuesRefusal<"unsupported_ir_version">;

export function compileRefusal(diagnostics: readonly Diagnostic[]): CompileRefusal {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { ok: false, error: "compile_error", message: `${counted(errors, "error")} in the program`, diagnostics };
}

export function policyRefusal(policy_errors: readonly Violation[], ir: Ir): PolicyRefusal {
  const [first] = policy_errors;
  const what = first?.message.replace(/ is forbidden by policy$/, "") ?? "";
  const place = first === undefined ? "" : ` at ${stepName(ir, placeOf(first))}`;
  const violations = counted(policy_errors.length, "policy violation");
  const message = `${violations}: ${what.charAt(0).toLowerCase()}${what.slice(1)}${place}`;
  return { ok: false, error: "policy_violation", message, policy_errors };
}

const placeOf = ({ data }: Violation) => ({
  label: data.label_id,
  id: data.node_id,
  line: data.lineno,
  file: data.file,
});

/** `otherwise`: what is said without issues. */
export function issuesRefusal<Word extends string>(
  error: Word,
  issues: readonly RefusalIssue[],
  otherwise: string,
): IssuesRefusal<Word> {
  const [first] = issues;
  const message = first === undefined ? otherwise : `${first.path}: ${first.message}`;
  return { ok: false, error, message, issues };
}

/** `near`: the nearest labels that there are. `said`: what is wrong, to be completed with them. */
export function labelRefusal(
  ir: Ir,
  near: readonly string[],
  path: string,
  said: string,
): IssuesRefusal<"unknown_label"> {
  const issue = { path, code: "unknown_label", message: said + missingLabelDetail(ir, near) };
  return { ok: false, error: "unknown_label", message: said + missingLabelHint(ir, near), issues: [issue] };
}

/** Of a program that was compiled without strict checks, or is supplied as IR, and cannot be loaded. `path`: `/code` or `/ir`. */
export function loadRefusal(host: Host, ir: Ir, failure: FatalFailure, path: "/code" | "/ir"): Refusal {
  const { code, message, data } = failure;
  if (code === "RUNTIME_UNKNOWN_LABEL") return labelRefusal(ir, nearTarget(host, ir, data), path, message);
  if (code === "RUNTIME_UNSUPPORTED_IR_VERSION")
    return { ok: false, error: "unsupported_ir_version", message, issues: [] };
  if (path === "/ir") return { ok: false, error: "invalid_ir", message, issues: [{ path, code, message }] };
  return compileRefusal([
    {
      code,
      name: code.replace("RUNTIME_", "").toLowerCase(),
      severity: "error",
      message,
      span: null,
      label_id: null,
      node_id: null,
      expected: [],
      suggestion: RUNTIME_CODES[code].fix,
      fix: null,
      related: [],
    },
  ]);
}
