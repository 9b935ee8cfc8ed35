/** What one run may spend on models, for those who hand a part of it on. */
import type { JsonObject } from "../../../compiler/json.ts";
import type { ModelFigures } from "../../../vm/usage.ts";
import { settingsOf } from "../../definition/link.ts";
import { llmAdapter } from "./definition.ts";
import type { LlmBudgets, LlmSettings } from "./settings.ts";

/** What is left under what a grant says of the adapter; null: that is not valid. */
export function llmLeft(constraints: JsonObject, used: ModelFigures | undefined): LlmBudgets | null {
  const read = settingsOf(llmAdapter, constraints);
  if (!read.ok) return null;
  return lessUsed(read.settings as LlmSettings, used);
}

export function lessUsed(budgets: LlmBudgets, used: ModelFigures | undefined): LlmBudgets {
  const { max_calls, max_input_tokens, max_output_tokens, max_cost } = budgets;
  return {
    max_calls: left(max_calls, used?.calls),
    max_input_tokens: left(max_input_tokens, used?.input_tokens),
    max_output_tokens: left(max_output_tokens, used?.output_tokens),
    max_cost: max_cost === undefined ? undefined : left(max_cost, used?.cost),
  };
}

/** Sums of prices are off by a few units of their last digit. */
function left(most: number, used = 0): number {
  return Math.max(0, Math.round((most - used) * 1e9) / 1e9);
}
