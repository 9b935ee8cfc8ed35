/** How a host runs a request: limits, journal and program, then machine, then answer. A short run costs one promise and two readings of the clock. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { labelName } from "../../compiler/ir/references.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { RunSession } from "../calls/session.ts";
import { type EffectiveLimits, limitSource } from "../grant/limits.ts";
import { type InputFindings, InputInvalid, type InputShape, inputWarnings } from "../inputs/check-inputs.ts";
import { copyText, exactText } from "../inputs/exact-text.ts";
import { givenAdapters, givenFrame, givenIr, givenLabel, withFrame } from "../inputs/request-invalid.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { usageOf } from "../machine/outcome.ts";
import type { Stop } from "../machine/slices/stop.ts";
import { adoptInPieces, isLargeValue } from "../memory/copy-in.ts";
import type { Extras, FrameShare } from "../memory/shared-budget.ts";
import type { Isolate } from "../offload/isolation.ts";
import type { RunEnd } from "../offload/messages.ts";
import { type CallJournal, type MachineJournal, openJournal } from "../recording/journal.ts";
import { isPrivate } from "../recording/record.ts";
import { createTrace, DEFAULT_EVENTS } from "../recording/trace.ts";
import { type Limits, NO_USAGE, type Outcome, type RunError } from "../run.ts";
import { inTurns, otherWork } from "../tasks/task.ts";
import { p95, thousandths } from "../values/durations.ts";
import { boundOutcome, recordWarning } from "./answer-bounds.ts";
import { driveOn, firstSlice, isOver, type Turn } from "./driver.ts";
import { type Programs, resolveLabel } from "./programs.ts";
import type { HostDeps, HostRunRequest, RunAnswer } from "./requests.ts";
import { RunWaits } from "./run-waits.ts";
import type { SettledRun } from "./settled-run.ts";
import { toldOutcome } from "./told-outcome.ts";

export type RunnerOptions = {
  readonly deps: HostDeps;
  readonly frames: FrameShare;
  readonly programs: Programs;
  readonly server: Limits;
  readonly limitsOf: (asked: Limits) => EffectiveLimits;
  readonly quantum: number;
  readonly turn: Turn;
};

/** A request with what was settled before its program began. */
type Begun = EffectiveLimits & {
  readonly request: HostRunRequest;
  readonly journal: MachineJournal | null;
  readonly traceId: string;
  readonly startedAt: number;
  /** Where its record and its trace count while it is under way; null: it has none. */
  readonly extras: Extras | null;
  /** The frame is a copy of the run's own. */
  readonly isAdopted: boolean;
};

const NO_LIMITS: Limits = Object.freeze({});
const NO_TIMES: RunEnd["callTimes"] = new Map();
const NO_FIGURES: RunAnswer["adapter_p95_ms"] = Object.freeze({});
const NO_WARNINGS: readonly string[] = Object.freeze([]);

export class Runner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  async run(asked: HostRunRequest): Promise<RunAnswer> {
    const { deps, turn } = this.#options;
    const begins = deps.begins?.() ?? null;
    if (begins !== null) await begins;
    const request = withFrame(asked);
    const frame = givenFrame(request.frame);
    if (deps.isolate !== undefined || !isLargeValue(frame)) return this.#run(request, true);
    // Looking at the size of a large object lists all of its members.
    await otherWork(turn);
    const adopted = (await inTurns(adoptInPieces(frame), deps.clock, turn)) as JsonObject;
    copyText(frame, adopted);
    return this.#run({ ...request, frame: adopted }, true, true);
  }

  /** Throws RunWaits, which carries the answer that is still to come, and defects. */
  runSync(request: HostRunRequest): RunAnswer {
    const answer = this.#run(withFrame(request), false);
    if (answer instanceof Promise) throw new RunWaits(answer);
    return answer;
  }

  /** Throws RequestInvalid and InputInvalid. */
  settle(asking: HostRunRequest): SettledRun {
    const { deps, programs } = this.#options;
    const request = withFrame(asking);
    const ir = givenIr(request.ir);
    const frame = givenFrame(request.frame);
    const asked = givenLabel(request.label);
    let begun = this.#begin(request, false);
    const recorder = begun.journal;
    const label = asked === undefined ? ir.entry : (resolveLabel(ir, asked).id ?? asked);
    const found = programs.find(ir, label);
    const program = "machines" in found ? found : null;
    const findings = request.inputs === "checked" ? null : (program?.inputs?.check(frame) ?? null);
    if (findings !== null) begun = noticed(begun, findings);
    return {
      program,
      refused: "machines" in found ? null : this.#refused(begun, label ?? "", found),
      frame,
      recorder,
      options: this.#machineOptions(begun, null),
      answer: (m) => {
        const outcome = toldOutcome(m, ir, request.finalFrame ?? false);
        const written = program?.labelWritten ?? "";
        const told = { ...begun, journal: m.options.journal ?? null };
        return this.#answer(told, written, outcome, m.callTimes, deps.clock.now(), m.openSession?.warnings);
      },
      close: () => begun.extras?.close(),
    };
  }

  /** `sliced`: other work of the process has its turn after the first slice. `isAdopted`: the frame is a copy of the run's own. */
  #run(request: HostRunRequest, sliced: boolean, isAdopted = false): RunAnswer | Promise<RunAnswer> {
    const ir = givenIr(request.ir);
    const frame = givenFrame(request.frame);
    const asked = givenLabel(request.label);
    const begun = this.#begin(request, isAdopted);
    const { extras } = begun;
    if (extras === null) return this.#start(begun, ir, frame, asked, sliced);
    return closing(extras, () => this.#start(begun, ir, frame, asked, sliced));
  }

  #start(
    given: Begun,
    ir: Ir,
    frame: JsonObject,
    asked: string | undefined,
    sliced: boolean,
  ): RunAnswer | Promise<RunAnswer> {
    const { deps, programs } = this.#options;
    let begun = given;
    const { request } = begun;
    const label = asked === undefined ? ir.entry : (resolveLabel(ir, asked).id ?? asked);
    const program = programs.find(ir, label);
    if (!("machines" in program)) return this.#refused(begun, label ?? "", program);
    const { machines, labelWritten, inputs, short } = program;
    const looksAt = request.inputs === "checked" ? null : inputs;
    if (short !== null && !short.isGivenUp && this.#isPlain(begun)) {
      const { limits, startedAt } = begun;
      const asked = { frame, limits, check: looksAt?.check ?? null, startedAt, signal: request.signal };
      const ended = short.attempt(asked, deps.clock);
      if (ended !== null) return this.#answer(begun, labelWritten, ended, NO_TIMES, short.endedAt);
    }
    const m = machines.take(frame, this.#machineOptions(begun, looksAt?.shape ?? null));
    if (m.misfit) {
      const found = looksAt?.check(frame) ?? null;
      if (found !== null) begun = noticed(begun, found);
    }
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
    const outcome = toldOutcome(m, request.ir, request.finalFrame ?? false, now);
    const answer = this.#answer(begun, labelWritten, outcome, m.callTimes, now, m.openSession?.warnings);
    machines.give(m);
    return answer;
  }

  #refused(begun: Begun, label: string, error: RunError): RunAnswer {
    const outcome = refusal(label, error, begun.request);
    return this.#answer(begun, labelName(begun.request.ir, label), outcome, NO_TIMES, this.#options.deps.clock.now());
  }

  /** Whether nothing watches the run, so that it may be one of the tier. Throws RequestInvalid, although no adapter is called. */
  #isPlain({ request, journal, isAdopted }: Begun): boolean {
    givenAdapters(request.allowedAdapters);
    const isWatched = journal !== null || request.finalFrame === true || isTraced(request);
    return !isWatched && !isAdopted && this.#options.deps.isolate === undefined;
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
    const { ir, progress, trace, record = false, replay, replayContinues: continues = false, answerBounds } = request;
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
        frameText: exactText(request.frame),
        trace: isTraced(request) ? (typeof trace === "object" ? trace : {}) : null,
        traceBytes: answerBounds?.maxBytes,
        journal:
          journal === null ? null : { record, replay, continues, adapters, maxRecordBytes: maxRecordBytes(request) },
      },
    });
    const said = m.openSession?.warnings;
    return this.#answer({ ...begun, journal: null }, labelWritten, outcome, callTimes, deps.clock.now(), said);
  }

  #begin(request: HostRunRequest, isAdopted: boolean): Begun {
    const { deps, frames, limitsOf } = this.#options;
    const { record = false, replay, replayContinues: continues = false } = request;
    const startedAt = deps.clock.now();
    const { limits, asked, warnings } = limitsOf(request.limits ?? NO_LIMITS);
    const traceId = request.traceId ?? deps.traceId();
    const extras = record || isTraced(request) ? frames.extras() : null;
    if (!record && replay === undefined)
      return { request, limits, asked, warnings, journal: null, traceId, startedAt, extras, isAdopted };
    const hashOnly = deps.hashOnly ?? ((adapter, verb) => isPrivate(deps.catalog, adapter, verb));
    const journal = openJournal({
      record,
      replay,
      hashOnly,
      continues,
      maxRecordBytes: maxRecordBytes(request),
      extras,
    });
    const noticed = journal === null ? warnings : [...warnings, ...checksumWarning(journal, request.ir)];
    return { request, limits, asked, warnings: noticed, journal, traceId, startedAt, extras, isAdopted };
  }

  #machineOptions(
    { request, limits, journal, traceId, startedAt, extras, isAdopted }: Begun,
    inputs: InputShape | null,
  ): MachineOptions {
    const { deps, quantum } = this.#options;
    const { trace, answerBounds } = request;
    const bounds = { maxBytes: answerBounds?.maxBytes, extras };
    return {
      deps,
      traceId,
      limits,
      allowed: givenAdapters(request.allowedAdapters),
      trace: isTraced(request) ? createTrace(typeof trace === "object" ? trace : {}, bounds) : null,
      signal: request.signal,
      halt: request.halt,
      cleans: request.cleans,
      quantum,
      startedAt,
      journal,
      inputs,
      isFrameAdopted: isAdopted,
      outText: request.outText ?? false,
      adapters: request.adapters,
      dryRun: request.dryRun ?? false,
      allowEnv: request.allowEnv,
      observer: request.observer,
      wait: request.wait,
      desk: request.desk,
      shown: request.shown,
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
    return { outcome: toldOutcome(m, ir, finalFrame), callTimes: m.callTimes };
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
    const concluded = journal?.conclude?.(outcome, begun.request.ir.checksum) ?? outcome;
    const { outcome: whole, warnings: cut } = bounded(concluded, begun.request);
    const duration = thousandths(now - begun.startedAt);
    const figures =
      times.size === 0 ? NO_FIGURES : Object.fromEntries([...times].map(([adapter, all]) => [adapter, p95(all)]));
    const noticed = said.length + cut.length === 0 ? warnings : [...warnings, ...said, ...cut];
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

/** The run with the warnings about its frame. Throws InputInvalid in the mode `strict`, which is the default. */
function noticed(begun: Begun, found: InputFindings): Begun {
  const { inputs: mode = "strict" } = begun.request;
  if (mode === "strict" && found.problems.length > 0) throw new InputInvalid(found.problems);
  return { ...begun, warnings: [...begun.warnings, ...inputWarnings(found)] };
}

/** Closes the adapters of a run that ended with `defect`, and fails with it. */
async function closedBy(session: RunSession, defect: unknown): Promise<never> {
  await session.close();
  throw defect;
}

/** Within the bytes that its caller can take. */
function bounded(outcome: Outcome, { answerBounds, trace }: HostRunRequest): ReturnType<typeof boundOutcome> {
  if (!hasMore(outcome)) return { outcome, warnings: NO_WARNINGS };
  if (answerBounds === undefined) {
    const dropped = outcome.record?.dropped;
    return { outcome, warnings: dropped === undefined ? NO_WARNINGS : [recordWarning(dropped)] };
  }
  const maxEvents = (typeof trace === "object" ? trace.max_events : undefined) ?? DEFAULT_EVENTS;
  return boundOutcome(outcome, answerBounds, maxEvents);
}

function maxRecordBytes({ answerBounds }: HostRunRequest): number | undefined {
  return answerBounds === undefined ? undefined : Math.floor(answerBounds.maxBytes / answerBounds.recordCopies);
}

/** Closes the account of a run when it is over. */
function closing(extras: Extras, run: () => RunAnswer | Promise<RunAnswer>): RunAnswer | Promise<RunAnswer> {
  let answer: RunAnswer | Promise<RunAnswer>;
  try {
    answer = run();
  } catch (defect) {
    extras.close();
    throw defect;
  }
  if (answer instanceof Promise) return answer.finally(() => extras.close());
  extras.close();
  return answer;
}

/** There is more to it than its value or error and its usage. */
function hasMore({ trace, frame, record, replay, out_text, printed }: Outcome): boolean {
  return (trace ?? frame ?? record ?? replay ?? out_text ?? printed) !== undefined;
}

function refusal(label: string, error: RunError, request: HostRunRequest): Outcome {
  const events = isTraced(request) ? { trace: createTrace().finish() } : {};
  return { ok: false, label, error, usage: NO_USAGE, ...events };
}

function isTraced({ trace }: HostRunRequest): boolean {
  return trace !== undefined && trace !== false;
}

/** Replaying an old log against changed source is intended, so a difference is not an error. */
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
