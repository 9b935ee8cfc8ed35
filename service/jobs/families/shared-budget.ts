/**
 * Jobs that share the budget of the one that started them (docs/adapters/job.md, a shared budget): what they are given, how much of it their rounds
 * have left, and what the other one pays when they are over.
 */
import { lessUsed, llmLeft } from "../../../adapters/builtin/llm/budgets.ts";
import type { LlmBudgets } from "../../../adapters/builtin/llm/settings.ts";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { Prepared } from "../../../vm/admission/prepare.ts";
import type { BudgetLeft } from "../../../vm/calls/budget.ts";
import { limitFailure } from "../../../vm/errors/fatal-failures.ts";
import { constraintsOf } from "../../../vm/grant/normalize-grant.ts";
import { addedUse, type BudgetUse, type ModelFigures, type ModelUsage, NO_USE } from "../../../vm/usage.ts";
import type { Job } from "../job.ts";

/** Part of the request of such a job. */
export type SharedBudget = {
  /** What it may use in all its rounds: what was left to the job that started it, and no more than its deployment allows. null: any amount. */
  readonly given: BudgetLeft & { readonly llm: LlmBudgets | null };
  /** By rounds that are over. */
  readonly used: BudgetUse;
};

/** Members of the request of a job that may use no more than this. `llm`: null: it may ask no model. */
export function askedWithin({ steps, adapter_calls }: BudgetLeft, llm: LlmBudgets | null): JsonObject {
  const limits = {
    ...(steps === null ? {} : { max_steps: steps }),
    ...(adapter_calls === null ? {} : { max_adapter_calls: adapter_calls }),
  };
  const models = Object.entries(llm ?? {}).flatMap(([name, most]): [string, Json][] =>
    most === undefined ? [] : [[name, most]],
  );
  return { limits, ...(models.length === 0 ? {} : { adapters: { llm: Object.fromEntries(models) } }) };
}

/** What a job that shares its budget may spend on models; null: none is enabled for it. */
export function modelsLeft(
  { admission }: Pick<Prepared, "admission">,
  used: ModelUsage | undefined,
): LlmBudgets | null {
  const { enabled, grant } = admission;
  return enabled.includes("llm") ? llmLeft(constraintsOf(grant, "llm"), used) : null;
}

/** Of a job that was planned under what it is given. */
export function sharedFrom(prepared: Pick<Prepared, "admission" | "adapters">): SharedBudget {
  const { max_steps = null, max_adapter_calls = null } = prepared.admission.limits;
  const asksModels = ["llm", "job"].some((name) => prepared.adapters.has(name));
  const llm = asksModels ? modelsLeft(prepared, undefined) : null;
  return { given: { steps: max_steps, adapter_calls: max_adapter_calls, llm }, used: NO_USE };
}

/** The next round may use what this one leaves. Throws RUNTIME_MAX_STEPS where not one step is left. */
export function afterRound(
  { asked, share }: { readonly asked: JsonObject; readonly share: SharedBudget },
  usage: BudgetUse,
): { readonly asked: JsonObject; readonly share: SharedBudget } {
  const used = chargedFor(share, usage);
  const { steps, adapter_calls, llm } = share.given;
  if (steps !== null && steps <= used.steps) throw limitFailure("RUNTIME_MAX_STEPS", "max_steps", steps, used.steps);
  const left = {
    steps: steps === null ? null : steps - used.steps,
    adapter_calls: adapter_calls === null ? null : Math.max(0, adapter_calls - used.adapter_calls),
  };
  const within = askedWithin(left, llm === null ? null : lessUsed(llm, used.llm));
  const next = { ...asked, limits: { ...objectOf(asked["limits"]), ...objectOf(within["limits"]) } };
  const adapters = within["adapters"];
  const narrowed =
    adapters === undefined ? next : { ...next, adapters: { ...objectOf(asked["adapters"]), ...objectOf(adapters) } };
  return { asked: narrowed, share: { ...share, used } };
}

/** What the job is charged for by now, when its run used this. */
export function chargedFor({ used }: SharedBudget, { steps, adapter_calls, llm }: BudgetUse): BudgetUse {
  return addedUse(used, { steps, adapter_calls, ...(llm === undefined ? {} : { llm }) });
}

/**
 * What is paid for a job that is over, by its result. Where that does not say it, the job was ended from outside: one that had not begun used nothing
 * in that round, and of any other it is not known, so it counts as if it had used what it was given.
 */
export function paidFor(
  { given, used }: SharedBudget,
  { startedMs, status }: Pick<Job, "startedMs" | "status">,
  body: JsonObject,
): BudgetUse {
  const usage = objectOf(body["usage"]);
  if (isObject(usage["charged"])) return usage["charged"] as BudgetUse;
  if (startedMs === null || status === "rejected") return used;
  return wholeOf(given, addedUse(used, { ...NO_USE, ...pick(usage) }));
}

/** All of what it was given. `known`: what it used at least. */
export function wholeOf({ steps, adapter_calls, llm }: SharedBudget["given"], known: BudgetUse): BudgetUse {
  const models = llm === null ? known.llm : modelsOf(llm, known.llm);
  return {
    steps: steps ?? known.steps,
    adapter_calls: adapter_calls ?? known.adapter_calls,
    ...(models === undefined ? {} : { llm: models }),
  };
}

/** No model has such a name. */
const SOME_MODEL = "?";

function modelsOf(
  { max_calls, max_input_tokens, max_output_tokens, max_cost }: LlmBudgets,
  known?: ModelUsage,
): ModelUsage {
  const figures: ModelFigures = {
    calls: max_calls,
    input_tokens: max_input_tokens,
    output_tokens: max_output_tokens,
    cost: max_cost ?? known?.cost ?? 0,
  };
  return { ...figures, models: { [SOME_MODEL]: figures } };
}

function pick({ steps, adapter_calls, llm }: JsonObject): Partial<BudgetUse> {
  return {
    ...(typeof steps === "number" ? { steps } : {}),
    ...(typeof adapter_calls === "number" ? { adapter_calls } : {}),
    ...(isObject(llm) ? { llm: llm as unknown as ModelUsage } : {}),
  };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}
