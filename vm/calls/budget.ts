/**
 * The budget of a run, and what it pays for jobs that share it (docs/adapters/job.md, a shared budget). What such a job used is charged when its answer
 * is taken, live or from a record: so a run that is gone through again has the same meters.
 */
import { limitFailure } from "../errors/fatal-failures.ts";
import type { Limits } from "../run.ts";
import { type AdapterUsage, addedModelUsage, addedUse, type BudgetUse, type Charge } from "../usage.ts";

/** What a run has left; null: it has no such limit. */
export type BudgetLeft = { readonly steps: number | null; readonly adapter_calls: number | null };

/** What a call may know of the budget of its run. */
export interface RunBudget {
  /** At the place of the call. Throws RUNTIME_MAX_STEPS where not one step is left. */
  left(): BudgetLeft;
  /** By now. */
  used(): BudgetUse;
}

/** Of an executor: its meters. */
export type Metered = {
  readonly options: { readonly limits: Limits };
  /** Steps that were not granted yet; of those that were, the ones that were not made. */
  rest: number;
  granted: number;
  fuel: number;
  calls: number;
  readonly maxCalls: number;
  steps(): number;
};

export function budgetOf(m: Metered, { llm }: AdapterUsage): RunBudget {
  const { max_steps, max_adapter_calls } = m.options.limits;
  return {
    left() {
      const steps = m.rest + m.fuel;
      if (steps < 1) throw outOfSteps(m);
      return {
        steps: max_steps === undefined ? null : steps,
        adapter_calls: max_adapter_calls === undefined ? null : Math.max(0, m.maxCalls - m.calls),
      };
    },
    used: () => ({ steps: m.steps(), adapter_calls: m.calls, ...(llm === undefined ? {} : { llm }) }),
  };
}

/** Counts what a job spent on models, and what it used at all. Steps and calls are charged apart, in replays too. */
export function addCharge(usage: AdapterUsage, { job: _, ...use }: Charge): void {
  if (use.llm !== undefined) usage.llm = addedModelUsage(usage.llm, use.llm);
  usage.shared = addedUse(usage.shared, use);
}

/** Throws the failure of the limit that is passed. */
export function charge(m: Metered, { steps, adapter_calls }: BudgetUse): void {
  // Steps that were granted and not made are granted anew.
  m.rest += m.fuel - steps;
  m.granted += steps - m.fuel;
  m.fuel = 0;
  m.calls += adapter_calls;
  if (m.rest < 0) throw outOfSteps(m);
  if (m.calls > m.maxCalls) throw limitFailure("RUNTIME_MAX_ADAPTER_CALLS", "max_adapter_calls", m.maxCalls, m.calls);
}

function outOfSteps(m: Metered): Error {
  return limitFailure("RUNTIME_MAX_STEPS", "max_steps", m.options.limits.max_steps ?? 0, m.steps());
}
