/**
 * How a frame of a batch is run. Frames whose runs are neither traced nor recorded, tell no labels, and stay on this thread, share what can
 * be shared between runs; each of the others is a run like any. Isolated runs share nothing: not their heap with each other, and not this
 * thread, where parts that a worker thread lost are run again (`worker-parts.ts`).
 */

import type { JsonObject } from "../../compiler/json.ts";
import type { FrameEnd, FrameRunner } from "../../vm/batch/frame-runner.ts";
import type { CallObserver, Cancellation } from "../../vm/run.ts";
import { RECORD_COPIES } from "../run/answer-body.ts";
import type { RunPlan } from "../run/plan.ts";
import type { Services } from "../services.ts";
import { runWithLabels, tellsLabels } from "../telemetry/label-spans.ts";
import type { RunTrace } from "../telemetry/tracing.ts";
import { QUICK_LINE } from "../workers/frame-messages.ts";
import type { Lane, RunFrame } from "./lanes.ts";
import type { FrameLines } from "./result-lines.ts";

export type FrameRuns = {
  readonly runFrame: RunFrame;
  /** Which the frames share; null: they share nothing. */
  readonly runner: FrameRunner | null;
};

export type FrameRunsDeps = {
  readonly services: Services;
  readonly plan: RunPlan;
  /** Of the batch. */
  readonly traceId: string;
  readonly lines: FrameLines;
  readonly observer: CallObserver;
  readonly span: RunTrace;
};

export function frameRuns(deps: FrameRunsDeps): FrameRuns {
  const { lines, traceId } = deps;
  if (!isOwnRun(deps)) return sharedRuns(deps);
  const run = ownRun(deps, traceId);
  return {
    runFrame: async (index, frame, { slot: { signal } }) => lines.ended(index, await run(frame, index, signal)),
    runner: null,
  };
}

/** Whether each frame is a run like any. */
export function isOwnRun({ services, plan, span }: Pick<FrameRunsDeps, "services" | "plan" | "span">): boolean {
  return plan.trace !== false || plan.record || services.config.workers.isolated || tellsLabels(services, span);
}

type OwnRun = (frame: JsonObject, index: number, signal: Cancellation) => Promise<FrameEnd>;

/** A frame of the batch `traceId` as a run of its own. */
export function ownRun(
  { services, plan, observer, span }: Pick<FrameRunsDeps, "services" | "plan" | "observer" | "span">,
  traceId: string,
): OwnRun {
  const { clock, dryRun } = services;
  const { prepared, entry, trace, record } = plan;
  return async (frame, index, signal) => {
    const startedAt = clock.now();
    const outcome = await runWithLabels(services, span, prepared, {
      label: entry,
      frame,
      outText: true,
      inputs: "checked",
      trace,
      record,
      answerBounds: { maxBytes: services.maxResultBytes, recordCopies: RECORD_COPIES },
      dryRun,
      signal,
      observer,
      // Calls of different frames must not share call ids.
      traceId: `${traceId}-${index}`,
    });
    // Its calls are known to the observer.
    return { outcome, startedAt, endedAt: clock.now(), warnings: outcome.warnings, callTimes: NO_CALLS };
  };
}

const NO_CALLS: FrameEnd["callTimes"] = new Map();

function sharedRuns({ services, plan, traceId, lines, observer }: FrameRunsDeps): FrameRuns {
  const { gateway, dryRun } = services;
  const runner = gateway.batch(plan.prepared, {
    label: plan.entry,
    inputs: "checked",
    dryRun,
    observer,
    outText: true,
  });
  const lineOf = (index: number, end: FrameEnd, lane: Lane): string => {
    lane.ran += 1;
    lane.ranMs += end.endedAt - end.startedAt;
    return lines.ended(index, end);
  };
  const runFrame: RunFrame = (index, frame, lane) => {
    const ended = runner.run(frame, traceId, index, lane.now, lane.slot.signal);
    if (ended instanceof Promise) return ended.then((end) => lineOf(index, end, lane));
    const line = lineOf(index, ended, lane);
    lane.now = line.length <= QUICK_LINE ? ended.endedAt : null;
    return line;
  };
  return { runFrame, runner };
}
