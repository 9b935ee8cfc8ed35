/**
 * The operands and delays of Retry. They are read when the first failure happens, outside the loop, straight from the IR.
 */
import type { RetrySite } from "../../compiler/bytecode/program.ts";
import type { IrOperand } from "../../compiler/ir/graph.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { unknownFunctionFailure } from "../errors/fatal-failures.ts";
import { functionOf } from "../functions/table.ts";
import { readNumber } from "../values/numbers.ts";
import { walk } from "../values/paths.ts";
import type { Machine } from "./machine.ts";
import type { RetryPlan } from "./options.ts";

const DEFAULT_COUNT = 3;
export const MAX_ATTEMPTS = 1000;
const MAX_WAIT_MS = 300_000;
const MAX_EXPONENTIAL_MS = 30_000;

export function readPlan(m: Machine, site: number, retry: RetrySite): RetryPlan {
  const count = numberOr(DEFAULT_COUNT, m, retry.count);
  const backoff = numberOr(0, m, retry.backoff_ms);
  return {
    site,
    count: Math.min(MAX_ATTEMPTS, Math.max(1, Math.trunc(count))),
    backoff: Math.max(0, Math.trunc(backoff)),
    made: 0,
  };
}

/**
 * Milliseconds before the extra visit `made`. `asked` is what the failure itself asks for: it is never cut, so that a wait that the
 * run has no time for ends the run instead of asking again too early.
 */
export function retryDelay(
  { strategy, backoff, made }: Pick<RetryPlan, "backoff" | "made"> & Pick<RetrySite, "strategy">,
  asked: unknown,
): number {
  const own =
    strategy === "exponential"
      ? Math.min(backoff * 2 ** (made - 1), MAX_EXPONENTIAL_MS)
      : Math.min(backoff, MAX_WAIT_MS);
  return typeof asked === "number" ? Math.max(own, asked) : own;
}

/** What is left of the pause before a repeat: none while a log answers, for a run that continued after it. */
export function pauseLeft(
  m: Machine,
  at: { readonly label: string; readonly node: string; readonly attempt: number },
  delay: number,
): number {
  const journal = m.options.journal ?? null;
  if (journal === null || delay === 0) return delay;
  if (journal.pause === undefined) return journal.replaying ? 0 : delay;
  return journal.pause(at, delay);
}

function numberOr(otherwise: number, m: Machine, operand: IrOperand): number {
  try {
    return readNumber(evaluate(m, operand));
  } catch (failure) {
    if (failure instanceof OperationFailure) return otherwise;
    throw failure;
  }
}

/** Recursion follows the nesting of the program text, which is bounded. */
function evaluate(m: Machine, operand: IrOperand): Json {
  switch (operand.k) {
    case "null":
      return null;
    case "var":
      return variable(m, operand.v) ?? null;
    case "name": {
      const value = variable(m, operand.v);
      return value === undefined ? operand.v : value;
    }
    case "path": {
      const root = variable(m, operand.root);
      return root === undefined ? (operand.text ?? null) : walk(root, operand.segments, m.meter);
    }
    case "list":
      return operand.items.map((item) => evaluate(m, item));
    case "map": {
      const object: { [key: string]: Json } = {};
      for (const [key, value] of operand.entries) setMember(object, key, evaluate(m, value));
      return object;
    }
    case "call": {
      const pure = functionOf(operand.fn, "call");
      if (pure === undefined) throw unknownFunctionFailure(operand.fn);
      return pure(
        operand.args.map((arg) => evaluate(m, arg)),
        m.meter,
      );
    }
    default:
      return operand.v;
  }
}

/** The value of a variable where the machine stands. */
export function variable(m: Machine, name: string): Json | undefined {
  const slot = m.program.slots.get(name);
  return slot === undefined ? undefined : m.V[slot];
}
