/**
 * Pieces of input to parts of output: in this thread through the gateway, as one run would be, or over worker threads when nothing but
 * functions of core is called and there is enough to do. The results are the same either way.
 */

import { availableParallelism } from "node:os";
import { helperPath } from "../../adapters/engine/helpers.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { type Prepared, usedAdapters } from "../../vm/admission/prepare.ts";
import type { BatchItem } from "../../vm/batch/result.ts";
import { type BatchPace, runItems } from "../../vm/batch/run-items.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { type FrameRules, itemsOf } from "../input/frame-lines.ts";
import type { Session } from "../session/session.ts";
import type { Piece } from "./chunks.ts";
import type { ThreadStart } from "./messages.ts";
import { type BatchPart, type CallTimes, partsOfResults } from "./part.ts";
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
type Parts = AsyncGenerator<BatchPart, void>;

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

async function* inThisThread(pieces: Pieces, { plan, prepared, signal, called }: Execution): Parts {
  const { grant, label, dryRun } = plan;
  const runner = grant.gateway.batch(prepared, {
    dryRun,
    inputs: plan.inputs,
    outText: true,
    ...(label === undefined ? {} : { label }),
  });
  for await (const results of runItems(
    runner,
    groups(pieces, { strict: plan.strict, keepsDigits: isPythonIr(prepared.ir) }),
    {
      ...paceOf(plan),
      onError: plan.onError,
      signal,
      called,
    },
  ))
    yield* partsOfResults(results);
}

async function* groups(pieces: AsyncIterable<Piece>, rules: FrameRules): AsyncGenerator<readonly BatchItem[], void> {
  for await (const piece of pieces) yield "fault" in piece ? [piece] : itemsOf(piece, rules);
}

function overThreads(pieces: Pieces, execution: Execution): Parts {
  const { plan, signal, called } = execution;
  return runOnThreads(pieces, {
    program: helperPath("batch-worker"),
    threads: threadsOf(plan),
    start: threadStart(execution),
    signal,
    called,
  });
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
    pace: paceOf(plan),
  };
}
