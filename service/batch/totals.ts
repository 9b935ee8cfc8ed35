/** What the frames of a batch come to together: how many ended how, what they used, and how long their calls took. */

import type { RunCallLog } from "../../adapters/run-log/fields.ts";
import type { RowsPart } from "../../vm/batch/rows/rows-part.ts";
import { UsageTotals } from "../../vm/batch/usage-totals.ts";
import type { CallEvent, Usage } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";
import type { RunScope } from "../run/execute.ts";
import type { Services } from "../services.ts";
import { Ring } from "../telemetry/rolling-figures.ts";
import { faults, ServiceFault } from "../wire/errors.ts";

export type FrameFailure = { readonly error: string; readonly message: string };

export type BatchTotals = {
  readonly ok: boolean;
  readonly count: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly usage: Usage;
  readonly duration_ms: number;
  readonly adapter_p95_ms: Readonly<Record<string, number>>;
  /** What ended the input early. */
  readonly fault: ServiceFault | null;
  /** About rows that do not say so themselves. */
  readonly warnings: readonly string[];
};

export type BatchScope = Omit<RunScope, "signal" | "onCall">;

export class BatchTally {
  readonly #usage = new UsageTotals();
  succeeded = 0;
  failed = 0;
  firstFailure: FrameFailure | null = null;
  readonly #callTimes = new Map<string, Ring>();

  get usage(): Usage {
    return this.#usage.usage;
  }

  /** `failure`: null for a success. `frames`: number of frames whose usage is added together. */
  frameEnded(failure: FrameFailure | null, usage: Usage, frames = 1): void {
    this.#usage.add(usage);
    if (failure === null) this.succeeded += frames;
    else this.failed += frames;
    this.firstFailure ??= failure;
  }

  rowsEnded({ count, failed, failures, usage }: RowsPart): void {
    this.#usage.add(usage);
    this.succeeded += count - failed;
    this.failed += failed;
    this.firstFailure ??= failures[0] ?? null;
  }

  called({ adapter, duration_ms }: CallEvent): void {
    let times = this.#callTimes.get(adapter);
    if (times === undefined) {
      times = new Ring();
      this.#callTimes.set(adapter, times);
    }
    times.add(duration_ms);
  }

  /** 95th percentile of the calls of each adapter, in milliseconds. */
  callTimes(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#callTimes].map(([name, times]) => [name, times.p95()]));
  }
}

type Ended = {
  readonly label: string;
  readonly tally: BatchTally;
  /** null: no frame has been run. */
  readonly calls: RunCallLog | null;
  readonly fault: ServiceFault | null;
  readonly warnings?: readonly string[];
};

/** What a batch came to, reported to log and figures. */
export function concludedBatch(
  { clock, events, metrics }: Pick<Services, "clock" | "events" | "metrics">,
  { context, startedAt }: BatchScope,
  { label, tally, calls, fault, warnings = [] }: Ended,
): BatchTotals {
  const { succeeded, failed, usage, firstFailure } = tally;
  metrics.modelsAsked(usage.llm);
  const duration_ms = thousandths(clock.now() - startedAt);
  const failure = fault ?? firstFailure;
  const ran = { duration_ms, usage, unlogged: calls?.unlogged ?? 0 };
  if (failure === null) events.runComplete(context, { label, ...ran });
  else events.runFailed(context, { error: failure.error, message: failure.message, ...ran });
  const count = succeeded + failed;
  const adapter_p95_ms = tally.callTimes();
  return { ok: failure === null, count, succeeded, failed, usage, duration_ms, adapter_p95_ms, fault, warnings };
}

/** The fault that a batch ends with because of what was thrown. */
export function batchFault(
  cause: unknown,
  { events }: Pick<Services, "events">,
  { context }: BatchScope,
): ServiceFault {
  if (cause instanceof ServiceFault) return cause;
  const error = cause instanceof Error ? cause.name : "unknown";
  events.note("error", "defect", { error }, context);
  return faults.internal();
}

export function cancelledBatch(): ServiceFault {
  return new ServiceFault("cancelled", "the batch was cancelled before its last frame");
}
