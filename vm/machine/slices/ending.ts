/** What a run hears of its cancellation: it ends at once, unless its program has a cleanup that is to run first. */

import type { JsonObject } from "../../../compiler/json.ts";
import type { FatalFailure } from "../../errors/failures.ts";
import { cancelledFailure, limitFailure } from "../../errors/fatal-failures.ts";
import { cleanupBudget } from "../../grant/limits.ts";
import type { MachineOptions } from "../options.ts";

/** Of a run that cleans up, or whose journal says where it will. */
export interface Ending {
  /** Why the run is cancelled where it stands; null: it is not. */
  due(): FatalFailure | null;
  /** Where it will be cancelled. */
  readonly steps: number;
  /** A cancellation ends what the run waits for. */
  readonly hears: boolean;
  /** The cleanup must be over by this time of the run, in milliseconds. */
  readonly endsMs: number;
}

/** Why a run ends from outside where it stands; null: it does not. Only `halt` ends one that cleans up. */
export function whyCancelled({ signal, halt, journal }: MachineOptions, ending: Ending | null): FatalFailure | null {
  if (halt?.aborted === true) return cancelledFailure(halt);
  if (ending !== null) return ending.due();
  return signal?.aborted === true && journal?.defersCancel !== true ? cancelledFailure(signal) : null;
}

/** Of a run that cleans up: it was cancelled, and is not again. */
export class Cleaning implements Ending {
  readonly steps = Number.POSITIVE_INFINITY;
  readonly hears = false;
  readonly endsMs: number;

  constructor(endsMs: number) {
    this.endsMs = endsMs;
  }

  due(): null {
    return null;
  }
}

/** What of a run bounds its calls and its time. */
type Bounded = {
  readonly options: MachineOptions;
  readonly calls: number;
  ending: Ending | null;
  maxCalls: number;
  maxTime: number;
  elapsed(): number;
};

/** The cleanup of a run begins, which has made `calls` calls: it has a budget of its own. */
export function beginCleaning(m: Bounded, calls: number): Cleaning {
  const { journal, limits, cleans } = m.options;
  const budget = cleanupBudget(limits);
  const cleaning = new Cleaning(m.elapsed() + budget.ms);
  m.ending = cleaning;
  m.maxCalls = calls + budget.calls;
  if (journal?.defersCancel !== true) m.maxTime = Math.min(m.maxTime, cleaning.endsMs);
  cleans?.(budget.ms);
  return cleaning;
}

/** The time of a run is over, or that of its cleanup. */
export function lateFailure({ maxTime, options }: Bounded, elapsed: number): FatalFailure {
  const { limits } = options;
  if (maxTime === limits.max_time_ms) return limitFailure("RUNTIME_MAX_TIME", "max_time_ms", maxTime, elapsed);
  return limitFailure("RUNTIME_MAX_TIME", "cleanup_ms", cleanupBudget(limits).ms, elapsed);
}

/** It has made as many calls as it may, or its cleanup has. */
export function callsFailure({ calls, maxCalls, options }: Bounded, more: JsonObject): FatalFailure {
  const { limits } = options;
  const isOwn = maxCalls === limits.max_adapter_calls;
  const [meter, limit] = isOwn ? ["max_adapter_calls", maxCalls] : ["cleanup_calls", cleanupBudget(limits).calls];
  return limitFailure("RUNTIME_MAX_ADAPTER_CALLS", meter, limit, calls, more);
}
