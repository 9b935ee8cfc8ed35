/**
 * How a host runs a request: limits, journal and program first, then the machine, then the answer. A run that ends in its first slice
 * costs one promise and two readings of the clock; everything that only other runs need is made only for them.
 */

import type { Ir } from "../compiler/ir/graph.ts";
import { writtenLabel } from "../grammar/written-label.ts";
import type { RunSession } from "./adapter-session.ts";
import { driveOn, firstSlice, isOver, type Turn } from "./driver.ts";
import { type EffectiveLimits, limitSource } from "./grant/limits.ts";
import type { HostDeps, HostRunRequest, RunAnswer } from "./host.ts";
import { type CallJournal, openJournal } from "./journal.ts";
import type { Stop } from "./loop.ts";
import type { Machine } from "./machine.ts";
import type { MachineOptions } from "./machine-options.ts";
import type { Isolate } from "./moved/isolation.ts";
import type { RunEnd } from "./moved/messages.ts";
import { type Programs, resolveLabel } from "./programs.ts";
import { isPrivate } from "./record.ts";
import { givenAdapters, givenFrame, givenIr, givenLabel } from "./request-invalid.ts";
import { type Limits, NO_USAGE, type Outcome, type RunError } from "./run.ts";
import { outcomeOf, usageOf } from "./run-outcome.ts";
import { createTrace } from "./trace.ts";

export type RunnerOptions = {
  readonly deps: HostDeps;
  readonly programs: Programs;
  readonly server: Limits;
  readonly limitsOf: (asked: Limits) => EffectiveLimits;
  readonly quantum: number;
  readonly turn: Turn;
};

/** A request with what was settled before its program began. */
type Begun = EffectiveLimits & {
  readonly request: HostRunRequest;
  readonly journal: CallJournal | null;
  readonly traceId: string;
  readonly startedAt: number;
};

/** A run that was to end at once has to wait. It goes on: `answer` is what `run` would have given. */
export class RunWaits extends Error {
  readonly answer: Promise<RunAnswer>;

  constructor(answer: Promise<RunAnswer>) {
    super("the run has to wait for an adapter or a timer: await the answer, or start it with run");
    this.name = "RunWaits";
    this.answer = answer;
    // Who does not want it any more need not handle its failure.
    answer.catch(() => {});
  }
}

const NO_LIMITS: Limits = Object.freeze({});
const NO_TIMES: RunEnd["callTimes"] = new Map();
const NO_FIGURES: RunAnswer["adapter_p95_ms"] = Object.freeze({});
const NO_WARNINGS: readonly string[] = Object.freeze([]);

export class Runner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Not async: a function that is takes a tenth of a short run more than the promise of its answer does. */
  run(request: HostRunRequest): Promise<RunAnswer> {
    try {
      const answer = this.begin(request);
      return answer instanceof Promise ? answer : Promise.resolve(answer);
    } catch (defect) {
      return Promise.reject(defect);
    }
  }

  /** Throws defects of the first slice. */
  begin(request: HostRunRequest): RunAnswer | Promise<RunAnswer> {
    return this.#run(request, true);
  }

  /** Throws RunWaits, which carries the answer that is still to come, and defects. */
  runSync(request: HostRunRequest): RunAnswer {
    const answer = this.#run(request, false);
    if (answer instanceof Promise) throw new RunWaits(answer);
    return answer;
  }

  /** `sliced`: other work of the process has its turn after the first slice. */
  #run(request: HostRunRequest, sliced: boolean): RunAnswer | Promise<RunAnswer> {
    const { deps, programs } = this.#options;
    const ir = givenIr(request.ir);
    const frame = givenFrame(request.frame);
    const asked = givenLabel(request.label);
    const begun = this.#begin(request);
    const label = asked === undefined ? ir.entry : (resolveLabel(ir, asked).id ?? asked);
    const program = programs.find(ir, label);
    if (!("machines" in program)) {
      const outcome = refusal(label ?? "", program, request);
      return this.#answer(begun, writtenLabel(label ?? ""), outcome, NO_TIMES, deps.clock.now());
    }
    const { machines, labelWritten } = program;
    const m = machines.take(frame, this.#machineOptions(begun));
    if (deps.isolate !== undefined) return this.#isolated(m, begun, labelWritten, deps.isolate);
    let stop: Stop;
    try {
      stop = firstSlice(m, sliced);
    } catch (defect) {
      if (m.openSession === null) throw defect;
      return closedBy(m.openSession, defect);
    }
    if (!isOver(m, stop)) return this.#goOn(m, stop, begun, labelWritten);
    const now = m.error === null ? m.endedAt : deps.clock.now();
    const outcome = outcomeOf(m, request.finalFrame ?? false, now);
    const answer = this.#answer(begun, labelWritten, outcome, m.callTimes, now, m.openSession?.warnings);
    machines.give(m);
    return answer;
  }

  /** The rest of a run whose first slice ended in `stop`. */
  async #goOn(m: Machine, stop: Stop, begun: Begun, labelWritten: string): Promise<RunAnswer> {
    const { outcome, callTimes } = await this.#finish(m, stop, begun.request);
    const now = this.#options.deps.clock.now();
    return this.#answer(begun, labelWritten, outcome, callTimes, now, m.openSession?.warnings);
  }

  /** The journal of an isolated run is kept, and concluded, where it runs. */
  async #isolated(m: Machine, begun: Begun, labelWritten: string, isolate: Isolate): Promise<RunAnswer> {
    const { deps, turn } = this.#options;
    const { request, journal } = begun;
    const { ir, progress, trace, record = false, replay, replayContinues: continues = false } = request;
    const adapters = deps.catalog.names().flatMap((name) => {
      const entry = deps.catalog.adapter(name);
      return entry?.verbs.some((verb) => verb.record === "hash") === true ? [entry] : [];
    });
    const { outcome, callTimes } = await isolate(m, turn, {
      ir,
      finalFrame: request.finalFrame ?? false,
      progress,
      begins: {
        frame: givenFrame(request.frame),
        trace: isTraced(request) ? (typeof trace === "object" ? trace : {}) : null,
        journal: journal === null ? null : { record, replay, continues, adapters },
      },
    });
    const said = m.openSession?.warnings;
    return this.#answer({ ...begun, journal: null }, labelWritten, outcome, callTimes, deps.clock.now(), said);
  }

  #begin(request: HostRunRequest): Begun {
    const { deps, limitsOf } = this.#options;
    const { record = false, replay, replayContinues: continues = false } = request;
    const startedAt = deps.clock.now();
    const { limits, asked, warnings } = limitsOf(request.limits ?? NO_LIMITS);
    const traceId = request.traceId ?? deps.traceId();
    if (!record && replay === undefined) return { request, limits, asked, warnings, journal: null, traceId, startedAt };
    const hashOnly = deps.hashOnly ?? ((adapter, verb) => isPrivate(deps.catalog, adapter, verb));
    const journal = openJournal({ record, replay, hashOnly, continues });
    const noticed = journal === null ? warnings : [...warnings, ...checksumWarning(journal, request.ir)];
    return { request, limits, asked, warnings: noticed, journal, traceId, startedAt };
  }

  #machineOptions({ request, limits, journal, traceId, startedAt }: Begun): MachineOptions {
    const { deps, quantum } = this.#options;
    const { trace } = request;
    return {
      deps,
      traceId,
      limits,
      allowed: givenAdapters(request.allowedAdapters),
      trace: isTraced(request) ? createTrace(typeof trace === "object" ? trace : {}) : null,
      signal: request.signal,
      quantum,
      startedAt,
      journal,
      adapters: request.adapters,
      dryRun: request.dryRun ?? false,
      allowEnv: request.allowEnv,
      observer: request.observer,
    };
  }

  /** Finishes a run whose first slice ended in `stop` and left something to wait for. */
  async #finish(m: Machine, stop: Stop, request: HostRunRequest): Promise<RunEnd> {
    const { turn, deps } = this.#options;
    const { ir, progress, finalFrame = false } = request;
    if (deps.driveMovable !== undefined && m.options.journal === null && m.kind !== "traced")
      return deps.driveMovable(m, stop, turn, { ir, finalFrame, progress });
    const paused = (at: Machine): Machine => {
      progress?.(usageOf(at));
      return at;
    };
    await driveOn(m, stop, turn, progress === undefined ? undefined : paused);
    return { outcome: outcomeOf(m, finalFrame), callTimes: m.callTimes };
  }

  /** `now`: the clock's time. `said`: warnings of adapters. */
  #answer(
    begun: Begun,
    labelWritten: string,
    outcome: Outcome,
    times: RunEnd["callTimes"],
    now: number,
    said = NO_WARNINGS,
  ): RunAnswer {
    const { journal, limits, warnings, traceId } = begun;
    const whole = journal === null ? outcome : journal.conclude(outcome, begun.request.ir.checksum);
    const duration = Math.round((now - begun.startedAt) * 1000) / 1000;
    const figures = times.size === 0 ? NO_FIGURES : p95(times);
    const noticed = said.length === 0 ? warnings : [...warnings, ...said];
    const { label, usage } = whole;
    // Both spelled out: an object that is spread first and then added to cost more than a short run takes.
    const answer: RunAnswer = whole.ok
      ? {
          ok: true,
          out: whole.out,
          label,
          usage,
          trace_id: traceId,
          label_written: labelWritten,
          duration_ms: duration,
          adapter_p95_ms: figures,
          limits,
          warnings: noticed,
        }
      : {
          ok: false,
          error: withSource(whole.error, this.#options.server, begun.asked),
          label,
          usage,
          trace_id: traceId,
          label_written: labelWritten,
          duration_ms: duration,
          adapter_p95_ms: figures,
          limits,
          warnings: noticed,
        };
    return hasMore(whole) ? { ...whole, ...answer } : answer;
  }
}

/** Closes the adapters of a run that ended with `defect`, and fails with it. */
async function closedBy(session: RunSession, defect: unknown): Promise<never> {
  await session.close();
  throw defect;
}

/** There is more to it than its value or error and its usage. */
function hasMore({ trace, frame, record, replay }: Outcome): boolean {
  return trace !== undefined || frame !== undefined || record !== undefined || replay !== undefined;
}

function refusal(label: string, error: RunError, request: HostRunRequest): Outcome {
  const events = isTraced(request) ? { trace: createTrace().finish() } : {};
  return { ok: false, label, error, usage: NO_USAGE, ...events };
}

function isTraced({ trace }: HostRunRequest): boolean {
  return trace !== undefined && trace !== false;
}

/** Replaying an old log against changed source is the point of it, so this is no error. */
function checksumWarning(journal: CallJournal, ir: Ir): string[] {
  const recorded = journal.replayedChecksum;
  if (recorded === null || recorded === ir.checksum) return [];
  return ["replay_checksum_differs: the log was recorded with another version of the program"];
}

/** A breach tells whose limit it was. */
export function withSource(error: RunError, server: Limits, asked: Limits): RunError {
  const { meter, limit } = error.data;
  if (typeof meter !== "string") return error;
  return { ...error, data: { ...error.data, source: limitSource(meter, limit, server, asked) } };
}

function p95(times: RunEnd["callTimes"]): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [adapter, all] of times) {
    const sorted = [...all].sort((a, b) => a - b);
    figures[adapter] = Math.round((sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0) * 1000) / 1000;
  }
  return figures;
}
