/**
 * A program with everything settled that does not depend on the frame: limits, label, allowlist. What is left of a short run is little more
 * than its answer.
 */
import type { Ir } from "../compiler/ir/graph.ts";
import type { JsonObject } from "../compiler/json.ts";
import { frameResults, frameRows, rulesOf } from "./batch/frame-results.ts";
import type { FrameRunner } from "./batch/frame-runner.ts";
import type { Frames } from "./batch/frame-source.ts";
import type { BatchResult } from "./batch/result.ts";
import type { Rows, RowsPart } from "./batch/rows/rows-part.ts";
import type { BatchPace } from "./batch/run-groups.ts";
import type { EffectiveLimits } from "./grant/limits.ts";
import { givenAdapters, givenFrame } from "./inputs/request-invalid.ts";
import { isLargeValue } from "./memory/copy-in.ts";
import type { ReadyProgram } from "./runs/programs.ts";
import type { HostDeps, HostRunRequest, RunAnswer } from "./runs/requests.ts";
import { thousandths } from "./values/durations.ts";

/** What is settled once, as in a request for one run. */
export type PrepareOptions = Pick<HostRunRequest, "label" | "inputs" | "limits" | "allowedAdapters">;

/** A program that is run again and again. Each run is one of `Host.run` with the same request and another frame. */
export interface PreparedProgram {
  /** Rejects as `Host.run` does. */
  run(frame?: JsonObject): Promise<RunAnswer>;
  /** Runs to the end in one go; throws as `Host.runSync` does. */
  runSync(frame?: JsonObject): RunAnswer;
  /** Runs once for each frame, as `runBatch` does. */
  batch(frames: Frames, pace: BatchPace & { readonly rows: Rows }): AsyncIterableIterator<RowsPart>;
  batch(frames: Frames, pace?: BatchPace): AsyncIterableIterator<BatchResult>;
}

/** What a host gives to its prepared programs. */
export type PreparedParts = {
  readonly deps: HostDeps;
  readonly program: ReadyProgram;
  readonly limits: EffectiveLimits;
  readonly run: (request: HostRunRequest) => Promise<RunAnswer>;
  readonly runSync: (request: HostRunRequest) => RunAnswer;
  readonly batch: (outText: boolean) => FrameRunner;
};

const NO_FRAME: JsonObject = Object.freeze({});
const NO_FIGURES: RunAnswer["adapter_p95_ms"] = Object.freeze({});

export function prepared(ir: Ir, options: PrepareOptions, parts: PreparedParts): PreparedProgram {
  const { deps, program, limits: effective, run, runSync, batch } = parts;
  const { label, inputs: mode } = options;
  const { clock, traceId } = deps;
  const { limits, warnings } = effective;
  const { labelWritten, inputs } = program;
  const short = deps.isolate === undefined ? program.short : null;
  const check = mode === "checked" ? null : (inputs?.check ?? null);
  // Refused now, and not at the first run.
  const allowedAdapters = givenAdapters(options.allowedAdapters);
  const asked = { ...options.limits };
  /** Written out: members after a spread take a microsecond each. */
  const request = (frame: JsonObject): HostRunRequest => ({
    ir,
    label,
    frame,
    inputs: mode,
    limits: asked,
    allowedAdapters,
  });

  /** The answer of a run in the tier; null: it has to run in the loop. */
  const attempt = (frame: JsonObject): RunAnswer | null => {
    if (short === null || short.isGivenUp) return null;
    const startedAt = clock.now();
    const outcome = short.attempt({ frame, limits, check, startedAt, signal: undefined }, clock);
    if (outcome === null || !outcome.ok) return null;
    return {
      ok: true,
      out: outcome.out,
      label: outcome.label,
      usage: outcome.usage,
      trace_id: traceId(),
      label_written: labelWritten,
      duration_ms: thousandths(short.endedAt - startedAt),
      adapter_p95_ms: NO_FIGURES,
      limits,
      warnings,
    };
  };

  function batchOf(frames: Frames, pace: BatchPace & { readonly rows: Rows }): AsyncIterableIterator<RowsPart>;
  function batchOf(frames: Frames, pace?: BatchPace): AsyncIterableIterator<BatchResult>;
  function batchOf(frames: Frames, pace: BatchPace & { readonly rows?: Rows } = {}) {
    const { rows } = pace;
    if (rows === undefined) return frameResults(batch(false), frames, rulesOf(ir), pace);
    return frameRows(batch(true), frames, rulesOf(ir), { ...pace, rows });
  }

  return {
    async run(frame = NO_FRAME) {
      // Large frames are copied in pieces there.
      const isDirect = deps.begins === undefined && !isLargeValue(givenFrame(frame));
      return (isDirect ? attempt(frame) : null) ?? run(request(frame));
    },
    runSync: (frame = NO_FRAME) => attempt(givenFrame(frame)) ?? runSync(request(frame)),
    batch: batchOf,
  };
}
