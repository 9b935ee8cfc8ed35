/**
 * What one run may still spend on models, and what it has spent. Every request reserves the most that it can cost before it is sent, so that
 * no budget is ever exceeded by a request that keeps to its bounds; afterwards the reservation becomes what the provider counted. The account
 * belongs to the run, not to the open adapter, so that an instance that was given up takes nothing with it.
 */
import type { RunScope } from "../../../vm/adapter.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { addedFigures, type ModelFigures, type ModelUsage } from "../../../vm/run.ts";
import { adapterError } from "../../errors.ts";
import type { ReportedTokens } from "./apis/api.ts";
import type { Model } from "./models.ts";
import type { LlmSettings } from "./settings.ts";

type Budgets = Pick<LlmSettings, "max_calls" | "max_input_tokens" | "max_output_tokens" | "max_cost">;

/** The most that one request can use. */
export type Bound = { readonly input: number; readonly output: number };

/** Tokens of a request and what they cost. `estimated`: the provider did not count them, so they are the upper bound. */
export type Spent = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  readonly estimated?: true;
};

/** One request that was paid for in advance. Exactly one of its functions is called. */
export type Reservation = {
  /** What the provider counted. `wrote`: the answer holds something. */
  settle(reported: ReportedTokens, wrote: boolean): Spent;
  /** The provider refused the request, so nothing but the request itself counts. */
  release(): void;
  /** It is unknown whether the provider did the work: the upper bound counts. */
  lose(): void;
};

const TOKENS_OF_A_PRICE = 1_000_000;
const NOTHING: ModelFigures = { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 };

const accounts = new WeakMap<RunScope, Spending>();

export function spendingOf(run: RunScope): Spending {
  const account = accounts.get(run) ?? new Spending(run);
  accounts.set(run, account);
  return account;
}

class Spending {
  readonly #run: RunScope;
  readonly #models = new Map<string, ModelFigures>();
  #reserved = { input: 0, output: 0, cost: 0 };

  constructor(run: RunScope) {
    this.#run = run;
  }

  /**
   * Tokens that an answer may have: `asked`, or less where the budgets hold less. Throws ADAPTER_QUOTA when not even one is left, and
   * ADAPTER_NOT_CONFIGURED for a model without a price under max_cost.
   */
  outputFor(model: Model, input: number, asked: number, budgets: Budgets): number {
    this.#admit(model, { input, output: 1 }, budgets);
    const { total, cost } = this.#used();
    const left = budgets.max_output_tokens - total.output;
    const price = model.config.price?.output ?? 0;
    const affordable =
      budgets.max_cost === undefined || price === 0
        ? Number.POSITIVE_INFINITY
        : ((budgets.max_cost - cost - costOf(model, { input, output: 0 })) / price) * TOKENS_OF_A_PRICE;
    return Math.max(1, Math.floor(Math.min(asked, left, affordable)));
  }

  /** Throws as `outputFor` does. */
  reserve(model: Model, bound: Bound, budgets: Budgets): Reservation {
    this.#admit(model, bound, budgets);
    const cost = costOf(model, bound);
    const move = (sign: 1 | -1): void => {
      this.#reserved.input += sign * bound.input;
      this.#reserved.output += sign * bound.output;
      this.#reserved.cost += sign * cost;
    };
    move(1);
    this.#count(model.name, { ...NOTHING, calls: 1 });
    return {
      settle: (reported, wrote) => {
        move(-1);
        const spent = spentOf(model, reported, bound, wrote);
        const { input_tokens, output_tokens, cost: real } = spent;
        this.#count(model.name, { calls: 0, input_tokens, output_tokens, cost: real });
        return spent;
      },
      release: () => move(-1),
      lose: () => {
        move(-1);
        this.#count(model.name, { calls: 0, input_tokens: bound.input, output_tokens: bound.output, cost });
      },
    };
  }

  #admit(model: Model, bound: Bound, budgets: Budgets): void {
    const { total, cost } = this.#used();
    const { max_calls, max_input_tokens, max_output_tokens, max_cost } = budgets;
    if (total.calls + 1 > max_calls) throw exhausted("max_calls", max_calls, total.calls);
    if (total.input + bound.input > max_input_tokens)
      throw exhausted("max_input_tokens", max_input_tokens, total.input, bound.input);
    if (total.output + bound.output > max_output_tokens)
      throw exhausted("max_output_tokens", max_output_tokens, total.output, bound.output);
    if (max_cost === undefined) return;
    if (model.config.price === undefined)
      throw adapterError("ADAPTER_NOT_CONFIGURED", "the model has no price, so it cannot be used under max_cost");
    const more = costOf(model, bound);
    // Sums of prices are off by a few units of their last digit.
    if (rounded(cost + more) > max_cost || max_cost === 0) throw exhausted("max_cost", max_cost, cost, more);
  }

  /** Spent and reserved. */
  #used() {
    const figures = [...this.#models.values()].reduce(addedFigures, NOTHING);
    const { input, output, cost } = this.#reserved;
    const total = {
      calls: figures.calls,
      input: figures.input_tokens + input,
      output: figures.output_tokens + output,
    };
    return { total, cost: figures.cost + cost };
  }

  #count(model: string, more: ModelFigures): void {
    this.#models.set(model, addedFigures(this.#models.get(model), more));
    const all = [...this.#models];
    const usage: ModelUsage = {
      ...all.reduce((sum, [, figures]) => addedFigures(sum, figures), NOTHING),
      models: Object.fromEntries(all),
    };
    this.#run.usage.llm = usage;
  }
}

function costOf({ config: { price } }: Model, { input, output }: Bound): number {
  if (price === undefined) return 0;
  return rounded((input * price.input + output * price.output) / TOKENS_OF_A_PRICE);
}

/** To a billionth of the currency. */
function rounded(cost: number): number {
  return Math.round(cost * 1e9) / 1e9;
}

/** A provider that counts nothing for a prompt or for an answer is not believed. */
function spentOf(model: Model, reported: ReportedTokens, bound: Bound, wrote: boolean): Spent {
  const input = reported.input === 0 ? null : reported.input;
  const output = reported.output === 0 && wrote ? null : reported.output;
  const spent = { input: input ?? bound.input, output: output ?? bound.output };
  return {
    input_tokens: spent.input,
    output_tokens: spent.output,
    cost: costOf(model, spent),
    ...(input === null || output === null ? { estimated: true as const } : {}),
  };
}

function exhausted(budget: keyof Budgets, limit: number, used: number, needed = 1): AdapterError {
  return adapterError("ADAPTER_QUOTA", `${budget} of this run is used up`, { data: { budget, limit, used, needed } });
}
