/**
 * What one run may still spend on models, and what it has spent. Every request reserves the most that it can cost before it is sent, so that
 * no budget is ever exceeded by a request that keeps to its bounds; afterwards the reservation becomes what the provider counted. The account
 * belongs to the run, not to the open adapter, so that an instance that was given up takes nothing with it.
 */
import type { RunScope } from "../../../vm/adapter.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterUsage, addedModelUsage, type ModelFigures, type ModelUsage } from "../../../vm/usage.ts";
import { adapterError, cancelledCall } from "../../errors.ts";
import type { ReportedTokens } from "./apis/api.ts";
import type { Model } from "./models.ts";
import type { LlmBudgets as Budgets } from "./settings.ts";

/** The most tokens that one request can use. */
type Bound = { readonly input: number; readonly output: number };
type Held = Bound & { readonly cost: number };

/** Tokens of a request and what they cost. `estimated`: the provider did not count them, so they are the upper bound. */
export type Spent = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost: number;
  readonly estimated?: true;
};

/** One request that was paid for in advance. Exactly one of its functions is called. */
export type Reservation = {
  readonly bound: Bound;
  /** What the provider counted. `wrote`: the answer holds something. */
  settle(reported: ReportedTokens, wrote: boolean): Spent;
  /** The provider refused the request, so nothing but the request itself counts. */
  release(): void;
  /** It is unknown whether the provider did the work: the upper bound counts. */
  lose(): void;
};

const TOKENS_OF_A_PRICE = 1_000_000;
const NOTHING: ModelFigures = { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 };

/** By what is counted of the run: calls of one run may see it through scopes of their own. */
const accounts = new WeakMap<AdapterUsage, Spending>();

export function spendingOf({ usage }: Pick<RunScope, "usage">): Spending {
  const account = accounts.get(usage) ?? new Spending(usage);
  accounts.set(usage, account);
  return account;
}

class Spending {
  /** What was spent, here or by jobs that share the budget, and before in another process. */
  readonly #usage: AdapterUsage;
  /** What the requests under way can use at most. */
  readonly #held = new Set<Held>();
  /** Resolves when the requests that came before have their reservations, or none. */
  #admitted: Promise<void> = Promise.resolve();
  /** Wakes the request that waits for room. */
  #wake: (() => void) | null = null;

  constructor(usage: AdapterUsage) {
    this.#usage = usage;
  }

  /**
   * Reserves a request whose answer has up to `asked.output` tokens, or fewer where the budgets hold fewer. While requests under way hold
   * room that it needs, it waits for their end, and later ones wait for it, so requests fail for lack of room only when it is spent.
   * Rejects with ADAPTER_QUOTA when not even one token is left, and with ADAPTER_NOT_CONFIGURED for a model without a price under max_cost.
   */
  async reserve(model: Model, asked: Bound, budgets: Budgets, signal: AbortSignal): Promise<Reservation> {
    const before = this.#admitted;
    let isAdmitted = (): void => {};
    this.#admitted = new Promise((resolve) => {
      isAdmitted = resolve;
    });
    try {
      await before;
      for (;;) {
        if (signal.aborted) throw cancelledCall();
        const bound = this.#room(model, asked, budgets);
        if (this.#shortage(model, bound, budgets, this.#held) === null) return this.#reserved(model, bound);
        await this.#freed(signal);
      }
    } finally {
      isAdmitted();
    }
  }

  /** What a request may use when no other is under way. */
  #room(model: Model, { input, output: asked }: Bound, budgets: Budgets): Bound {
    const least = this.#shortage(model, { input, output: Math.min(asked, 1) }, budgets);
    if (least !== null) throw least;
    if (asked === 0) return { input, output: 0 };
    const { total, cost } = this.#used();
    const left = budgets.max_output_tokens - total.output;
    const price = model.config.price?.output ?? 0;
    const affordable =
      budgets.max_cost === undefined || price === 0
        ? Number.POSITIVE_INFINITY
        : ((budgets.max_cost - cost - costOf(model, { input, output: 0 })) / price) * TOKENS_OF_A_PRICE;
    const bound = { input, output: Math.max(1, Math.floor(Math.min(asked, left, affordable))) };
    const shortage = this.#shortage(model, bound, budgets);
    if (shortage !== null) throw shortage;
    return bound;
  }

  /** Why a request has no room besides those of `held`; null: it has. */
  #shortage(model: Model, bound: Bound, budgets: Budgets, held: Iterable<Held> = []): AdapterError | null {
    const { total, cost } = this.#used(held);
    const { max_calls, max_input_tokens, max_output_tokens, max_cost } = budgets;
    if (total.calls + 1 > max_calls) return exhausted("max_calls", max_calls, total.calls);
    if (total.input + bound.input > max_input_tokens)
      return exhausted("max_input_tokens", max_input_tokens, total.input, bound.input);
    if (total.output + bound.output > max_output_tokens)
      return exhausted("max_output_tokens", max_output_tokens, total.output, bound.output);
    if (max_cost === undefined) return null;
    if (model.config.price === undefined)
      return adapterError("ADAPTER_NOT_CONFIGURED", "the model has no price, so it cannot be used under max_cost");
    const more = costOf(model, bound);
    // Sums of prices are off by a few units of their last digit.
    const isOver = rounded(cost + more) > max_cost || max_cost === 0;
    return isOver ? exhausted("max_cost", max_cost, cost, more) : null;
  }

  #reserved(model: Model, bound: Bound): Reservation {
    const cost = costOf(model, bound);
    const held: Held = { ...bound, cost };
    this.#held.add(held);
    this.#count(model.name, { ...NOTHING, calls: 1 });
    const free = (): void => {
      this.#held.delete(held);
      this.#wake?.();
    };
    return {
      bound,
      settle: (reported, wrote) => {
        const spent = spentOf(model, reported, bound, wrote);
        const { input_tokens, output_tokens, cost: real } = spent;
        this.#count(model.name, { calls: 0, input_tokens, output_tokens, cost: real });
        free();
        return spent;
      },
      release: free,
      lose: () => {
        this.#count(model.name, { calls: 0, input_tokens: bound.input, output_tokens: bound.output, cost });
        free();
      },
    };
  }

  /** Resolves when a request under way has ended, or this one is given up. */
  #freed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#wake = null;
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener("abort", wake);
    });
  }

  /** What was spent, and what `held` can use. */
  #used(held: Iterable<Held> = []) {
    const { calls, input_tokens, output_tokens, cost } = this.#usage.llm ?? NOTHING;
    const used = { total: { calls, input: input_tokens, output: output_tokens }, cost };
    for (const one of held) {
      used.total.input += one.input;
      used.total.output += one.output;
      used.cost += one.cost;
    }
    return used;
  }

  #count(model: string, more: ModelFigures): void {
    const one: ModelUsage = { ...more, models: { [model]: more } };
    this.#usage.llm = addedModelUsage(this.#usage.llm, one);
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
  const message = `llm.${budget} of this run is ${limit}: ${rounded(used)} are used, and the request needs up to ${rounded(needed)}`;
  return adapterError("ADAPTER_QUOTA", message, { data: { budget, limit, used, needed } });
}
