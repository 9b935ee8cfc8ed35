/** Failures of branches (`Each`, `Par`) as the run that has them sees them. Shared by every executor. */
import type { Json } from "../../compiler/json.ts";
import type { RunError } from "../run.ts";
import { errorInfo } from "./error-info.ts";
import type { FailureCause } from "./failures.ts";
import { OperationFailure } from "./failures.ts";

/** Branches inside branches: more would be a machine for each, and no program needs them. */
export const MAX_BRANCH_NESTING = 32;

export function nestedTooDeep(): OperationFailure {
  return new OperationFailure(`branches are nested more than ${MAX_BRANCH_NESTING} deep`, "too_deep");
}

export function transactionInBranch(): OperationFailure {
  return new OperationFailure("a branch can neither begin nor end a transaction", "value_error");
}

/** `<label>/<node>/<visit>#<number>`, after the name of the branch around it and `>`. */
export function branchName(around: string, place: string, at: number | ""): string {
  return `${around === "" ? "" : `${around}>`}${place}#${at}`;
}

/** What is to stand before a place in a call id. */
export function branchPrefix(branch: string): string {
  return branch === "" ? "" : `${branch}:`;
}

/** What ended the run inside of a branch, as a failure of the step that has the branch. */
export function insideBranch({ code, message, data, ...place }: RunError, branch: string): FailureCause {
  const { label, node, op, line } = place;
  return { code, message, data: { ...data, inside: data["inside"] ?? { branch, label, node, op, line } } };
}

/** The failure of branch number `branch`, of `failed` that did not succeed. It keeps its place; `stack` is that of the step. */
export function branchFailure(error: RunError, branch: number, failed: number, stack: readonly string[]): RunError {
  return {
    ...error,
    stack: [...stack, ...error.stack],
    data: { ...error.data, branch, branches_failed: failed },
  };
}

/** A failed branch as an element of the list. */
export function settledFailure(error: RunError): Json {
  return { ok: false, error: errorInfo(error) };
}

/** An ordinary failure that a branch ended with: number `branch`, of `failed` that did not succeed. Thrown at the step that has it. */
export class BranchFailed extends Error {
  readonly error: RunError;
  readonly branch: number;
  readonly failed: number;
  constructor(error: RunError, branch: number, failed: number) {
    super(error.message);
    this.name = "BranchFailed";
    this.error = error;
    this.branch = branch;
    this.failed = failed;
  }
}
