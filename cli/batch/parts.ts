/**
 * Pieces of input to parts of output: in this thread through the gateway, as one run would be, or over worker threads when nothing but
 * functions of core is called and there is enough to do. The results are the same either way.
 */

import { availableParallelism } from "node:os";
import { helperPath } from "../../adapters/engine/helpers.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { type Prepared, usedAdapters } from "../../vm/admission/prepare.ts";
import type { FrameRunner } from "../../vm/batch/frame-runner.ts";
import type { Piece } from "../../vm/batch/rows/cut-lines.ts";
import type { FrameChunk } from "../../vm/batch/rows/frame-lines.ts";
import type { RowsPart } from "../../vm/batch/rows/rows-part.ts";
import { runRows } from "../../vm/batch/rows/run-rows.ts";
import type { BatchPace } from "../../vm/batch/run-groups.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import type { Session } from "../session/session.ts";
import type { ThreadStart } from "./messages.ts";
import type { CallTimes } from "./part.ts";
import type { BatchPlan } from "./plan.ts";
import { runOnThreads } from "./threads.ts";

/** Less input than this is run sooner than threads are started. */
const THREADED_BYTES = 1024 * 1024;

export type Execution = {
  readonly session: Session;
  readonly plan: BatchPlan;
  readonly prepared: Prepared;
  /** Bytes of the input; null: not known. */
  readonly bytes: number | null;
  readonly signal: AbortSignal;
  readonly called: (times: CallTimes) => void;
};

type Pieces = AsyncGenerator<Piece, void>;
type Parts = AsyncGenerator<RowsPart, void>;

export function partsOf(pieces: Pieces, execution: Execution): Parts {
  return isThreaded(execution) ? overThreads(pieces, execution) : inThisThread(pieces, execution);
}

/**
 * Threads have no adapters, and are worth their start for large inputs only. Each would begin frames for a while after one failed
 * in another.
 */
function isThreaded({ plan, prepared, bytes }: Execution): boolean {
  if (plan.onError === "stop") return false;
  const used = usedAdapters(prepared.ir, plan.grant.gateway.host);
  const pure = used !== null && [...used].every((name) => name === "core") && prepared.gate.has("core");
  return pure && threadsOf(plan) > 1 && (bytes ?? Number.POSITIVE_INFINITY) >= THREADED_BYTES;
}

function threadsOf({ jobs = Number.POSITIVE_INFINITY }: BatchPlan): number {
  return Math.min(jobs, availableParallelism());
}

function paceOf({ jobs, ordered }: BatchPlan): Pick<BatchPace, "concurrency" | "ordered"> {
  return { ordered, ...(jobs === undefined ? {} : { concurrency: jobs }) };
}

/** Runs chunks and faults through the gateway, as one run would be. */
function inThisThread(pieces: AsyncIterable<Piece>, execution: Execution): Parts {
  const { plan, prepared, signal, called } = execution;
  return runRows(runnerOf(execution), pieces, {
    ...paceOf(plan),
    rows: plan.rows,
    rules: { strict: plan.strict, keepsDigits: isPythonIr(prepared.ir) },
    onError: plan.onError,
    signal,
    called,
  });
}

function runnerOf({ plan, prepared }: Execution): FrameRunner {
  const { grant, label, dryRun } = plan;
  return grant.gateway.batch(prepared, {
    dryRun,
    inputs: plan.inputs,
    outText: true,
    ...(label === undefined ? {} : { label }),
  });
}

function overThreads(pieces: Pieces, execution: Execution): Parts {
  const { session, plan, prepared, signal, called, bytes } = execution;
  const runner = runnerOf(execution);
  const rules = { strict: plan.strict, keepsDigits: isPythonIr(prepared.ir) };
  return runOnThreads(pieces, {
    program: helperPath("batch-worker"),
    threads: threadsOf(plan),
    isAsked: plan.jobs !== undefined,
    bytes,
    clock: session.io.clock,
    start: threadStart(execution),
    runHere: (chunk) => runRows(runner, only(chunk), { ...paceOf(plan), rows: plan.rows, rules, signal, called }),
    signal,
    called,
  });
}

async function* only(chunk: FrameChunk): AsyncGenerator<FrameChunk, void> {
  yield chunk;
}

function threadStart({ session, plan, prepared: { ir, admission, gate, allowEnv } }: Execution): ThreadStart {
  return {
    ir,
    label: plan.label,
    inputs: plan.inputs,
    limits: admission.limits,
    limitSources: Object.fromEntries(LIMIT_KEYS.map((key) => [key, admission.explanation.limit(key)[0] ?? "default"])),
    allowlistSources: admission.explanation.allowlist("core"),
    requested: admission.explanation.requested,
    allowedAdapters: [...gate],
    allowEnv,
    environment: plan.grant.runtime.environment,
    frameCeilingBytes: session.environment.host.frameCeilingBytes,
    tier: session.environment.host.tier ?? "auto",
    strict: plan.strict,
    rows: plan.rows,
    pace: paceOf(plan),
  };
}
