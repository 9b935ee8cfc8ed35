/**
 * Where an ordinary failure goes: Retry, handler, or up to the node that entered the failed label (docs/runtime.md, errors).
 */
import type { IrNode } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { RUNTIME_CODES } from "../../../vm/errors/error-codes.ts";
import { errorInfo } from "../../../vm/errors/error-info.ts";
import { OperationFailure } from "../../../vm/errors/failures.ts";
import { handlerRecursionFailure } from "../../../vm/errors/fatal-failures.ts";
import type { RunError } from "../../../vm/run.ts";
import { readNumber } from "../../../vm/values/numbers.ts";
import { readOperand } from "./operands.ts";
import {
  type Activation,
  approach,
  currentVisit,
  describe,
  enter,
  leaveLabel,
  type RetryPlan,
  RunFailed,
  type RunState,
  reportFailure,
  restoreItem,
  top,
  write,
} from "./state.ts";

const MAX_WAIT_MS = 300_000;
const MAX_EXPONENTIAL_MS = 30_000;

/** Routes a failure to its handler; a fatal or unhandled one ends the run. */
export async function route(state: RunState, thrown: unknown): Promise<void> {
  const error = describe(state, thrown);
  if (RUNTIME_CODES[error.code].class !== "ordinary") throw new RunFailed(error);
  try {
    while (!(await repeats(state, error)) && !handles(state, error)) endFailed(state, error);
  } catch (fatal) {
    throw fatal instanceof RunFailed ? fatal : new RunFailed(describe(state, fatal));
  }
}

/** Ends the innermost label; the failed node is then the one that entered it. A failing handler ends what it handled too. */
function endFailed(state: RunState, error: RunError): void {
  reportFailure(state, currentVisit(state), error, null);
  let ended: Activation | undefined;
  do {
    if (state.stack.length === 1) throw new RunFailed(error);
    ended = leaveLabel(state);
  } while (ended?.kind === "handler");
}

async function repeats(state: RunState, error: RunError): Promise<boolean> {
  const activation = top(state);
  const visit = currentVisit(state);
  const edge = state.graph.edge(visit.node, "retry");
  if (edge === undefined || error.data["retryable"] !== true) return false;
  const retry = state.graph.node(visit.node.label, edge.to);
  const plan = activation.retries.get(visit.node.id) ?? readPlan(state, retry);
  activation.retries.set(visit.node.id, plan);
  if (plan.made >= plan.count) return false;
  plan.made += 1;
  if (visit.loop !== null && !visit.loop.restored) restoreItem(state, visit.loop);
  const delay = delayBefore(plan, retry, error.data["retry_after_ms"]);
  state.clock.checkWait(delay);
  reportFailure(state, visit, error, null);
  state.trace?.push("retry", {
    label: visit.node.label,
    node_id: visit.node.id,
    op: visit.node.op,
    lineno: visit.node.line ?? null,
    attempt: plan.made,
    count: plan.count,
    delay_ms: delay,
  });
  approach(state, visit.node);
  if (delay > 0) await state.clock.wait(delay);
  return true;
}

function readPlan(state: RunState, retry: IrNode): RetryPlan {
  if (retry.op !== "Retry") throw new Error("a retry edge leads to no Retry");
  const count = numberOr(3, () => readOperand(retry.data.count, state.frame));
  const backoff = numberOr(0, () => readOperand(retry.data.backoff_ms, state.frame));
  return {
    count: Math.min(1000, Math.max(1, Math.trunc(count))),
    backoffMs: Math.max(0, Math.trunc(backoff)),
    made: 0,
  };
}

function numberOr(otherwise: number, read: () => Json): number {
  try {
    return readNumber(read());
  } catch (failure) {
    if (failure instanceof OperationFailure) return otherwise;
    throw failure;
  }
}

function delayBefore(plan: RetryPlan, retry: IrNode, asked: Json | undefined): number {
  const exponential = retry.op === "Retry" && retry.data.strategy === "exponential";
  const own = exponential
    ? Math.min(plan.backoffMs * 2 ** (plan.made - 1), MAX_EXPONENTIAL_MS)
    : Math.min(plan.backoffMs, MAX_WAIT_MS);
  return typeof asked === "number" ? Math.max(own, asked) : own;
}

function handles(state: RunState, error: RunError): boolean {
  const activation = top(state);
  const visit = currentVisit(state);
  const handler = ownHandler(state, visit.node) ?? activation.activeHandler;
  if (handler === null) return false;
  if (state.stack.some((one) => one.label === handler)) throw handlerRecursionFailure(handler);
  write(state, "_error", error.message);
  write(state, "_error_info", errorInfo(error));
  enter(state, handler, "handler");
  reportFailure(state, visit, error, handler);
  return true;
}

function ownHandler(state: RunState, node: IrNode): string | null {
  const edge = state.graph.edge(node, "err");
  if (edge === undefined) return null;
  return state.graph.edge(state.graph.node(node.label, edge.to), "handler")?.to ?? null;
}
