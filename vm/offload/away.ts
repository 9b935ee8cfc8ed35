/**
 * The side of a moved run that stays: it makes the calls the guest asks for with the run's own adapters, passes on cancellation, and
 * ends a guest that does not stop when it must. Knows no threads; a place is whatever can take a run.
 */

import type { Ir } from "../../compiler/ir/graph.ts";
import type { Adapter } from "../adapter.ts";
import { callCauseOf, causeOf } from "../calls/call-errors.ts";
import { isPromise, type StartedCall } from "../calls/session.ts";
import { FatalFailure } from "../errors/failures.ts";
import { cancelledFailure } from "../errors/fatal-failures.ts";
import { cleanupBudget } from "../grant/limits.ts";
import { exactText, keepText, opened, plainly } from "../inputs/exact-text.ts";
import type { Machine } from "../machine/machine.ts";
import { usageOf, withAdapterUsage } from "../machine/outcome.ts";
import type { RunError, Usage } from "../run.ts";
import { type Turn, waitLong, whenCallEnds } from "../runs/driver.ts";
import type { Departure, FromGuest, RemoteCall, RunEnd, ToGuest } from "./messages.ts";
import { snapshot } from "./snapshot.ts";

/** Why a guest was ended. */
export type KillReason = "deadline" | "cancelled";

/** A place where one run may continue. It belongs to that run until it is released or killed. */
export interface RunPlace {
  /** Throws when the message cannot be copied. */
  post(message: ToGuest): void;
  /** `lost`: told once when the place ended by itself. */
  listen(hear: (message: FromGuest) => void, lost: () => void): void;
  /** Ends at once what runs there. */
  kill(reason: KillReason): void;
  release(): void;
}

export type AwayOptions = {
  /** Absent: the run continues where the machine is. */
  readonly begins?: Exclude<Departure, { readonly state: unknown }>;
  readonly ir: Ir;
  readonly finalFrame: boolean;
  readonly turn: Turn;
  readonly progress: ((usage: Usage) => void) | undefined;
};

/** How long a guest may take to stop after its deadline or its cancellation. */
const GRACE_MS = 250;

/**
 * Finishes the run of `m`, which is between two slices, at `place`. null: it could not be moved, `m` is as it was and the place is given
 * back. Rejects for a defect of the executor.
 */
export async function finishAway(m: Machine, place: RunPlace, options: AwayOptions): Promise<RunEnd | null> {
  let stays = false;
  try {
    const end = await new Away(m, place, options).end();
    stays = end === null;
    return end === null ? null : withUsage(end, m);
  } finally {
    if (!stays && m.openSession !== null && !m.openSession.idle) await m.openSession.close();
  }
}

function withUsage({ outcome, callTimes }: RunEnd, m: Machine): RunEnd {
  const usage = withAdapterUsage(outcome.usage, m.openSession?.usage);
  return usage === outcome.usage ? { outcome, callTimes } : { outcome: { ...outcome, usage }, callTimes };
}

type CallUnderWay = { readonly started: StartedCall; readonly stop: () => void };

class Away {
  readonly #m: Machine;
  readonly #place: RunPlace;
  readonly #options: AwayOptions;
  readonly #calls = new Map<number, CallUnderWay>();
  #usage: Usage;
  #over = false;
  #stopTimers: (() => void)[] = [];
  #conclude: (end: RunEnd | null) => void = () => {};
  #fail: (defect: Error) => void = () => {};

  constructor(m: Machine, place: RunPlace, options: AwayOptions) {
    this.#m = m;
    this.#place = place;
    this.#options = options;
    this.#usage = usageOf(m);
  }

  end(): Promise<RunEnd | null> {
    return new Promise((resolve, reject) => {
      this.#conclude = resolve;
      this.#fail = reject;
      this.#begin();
    });
  }

  #begin(): void {
    const { options, maxTime } = this.#m;
    const run = this.#movedRun();
    try {
      this.#place.post(run);
    } catch {
      // Nested too deeply to be copied: it can only continue here.
      this.#finish(null);
      return;
    }
    this.#place.listen(
      (message) => this.#hear(message),
      () => this.#finish(this.#failed(placeLost())),
    );
    const { signal, halt } = options;
    signal?.addEventListener("abort", this.#cancel);
    halt?.addEventListener("abort", this.#halt);
    if (signal?.aborted) this.#cancel();
    if (halt?.aborted) this.#halt();
    if (maxTime !== Number.POSITIVE_INFINITY)
      this.#mustEndIn(maxTime - this.#m.elapsed(), "deadline", () => this.#m.late());
  }

  #movedRun(): ToGuest {
    const { ir, finalFrame, begins } = this.#options;
    const { program, options, callTimes, hot } = this.#m;
    const { deps, limits, quantum, allowed, allowEnv, traceId, observer } = options;
    return {
      kind: "start",
      ir,
      entry: program.entry,
      from: begins ?? { state: snapshot(this.#m), callTimes },
      concurrent: concurrentOf(options.adapters ?? deps.adapters),
      limits,
      frameCeilingBytes: deps.frameCeilingBytes,
      quantum,
      mayBeHot: hot !== null,
      allowed,
      allowEnv,
      traceId,
      observed: observer !== undefined,
      finalFrame,
      outText: options.outText ?? false,
      shows: options.shown !== undefined,
    };
  }

  #hear(message: FromGuest): void {
    if (this.#over) return;
    const { observer } = this.#m.options;
    switch (message.kind) {
      case "refused":
        this.#finish(null);
        break;
      case "call":
        this.#call(message);
        break;
      case "abandon":
        this.#abandon(message.id);
        break;
      case "observed":
        observer?.(message.event);
        break;
      case "paused":
        this.#usage = message.usage;
        if (message.shown !== null) this.#m.options.shown?.replace(message.shown);
        this.#options.progress?.(message.usage);
        this.#place.post({ kind: "noted" });
        break;
      case "ended":
        this.#finish(message.end);
        break;
      case "defect":
        this.#finish(null, new Error(`a moved run failed: ${message.message}`));
    }
  }

  #call({ id, adapter, verb, args, argsText, callId, attempt }: RemoteCall): void {
    const { session, startedAt, maxTime } = this.#m;
    let started: StartedCall;
    try {
      if (argsText !== undefined) keepText(args, argsText);
      started = session.start(adapter, verb, opened(args), {
        callId,
        attempt,
        runEndsAt: startedAt + maxTime,
      });
    } catch (thrown) {
      this.#callFailed(id, adapter, verb, thrown);
      return;
    }
    const failed = (thrown: unknown): void => this.#callFailed(id, adapter, verb, session.failure(started, thrown));
    const answered = (answer: unknown): void => {
      try {
        const value = session.taken(started, answer, this.#m.executor !== null);
        this.#place.post({ kind: "answer", id, value: plainly(value), text: exactText(value) });
      } catch (thrown) {
        failed(thrown);
      }
    };
    if (isPromise(started.answer)) this.#wait(id, started, answered, failed);
    else answered(started.answer);
  }

  /** Waits for the answer of a call, no longer than the call may take. */
  #wait(
    id: number,
    started: StartedCall,
    answered: (answer: unknown) => void,
    failed: (thrown: unknown) => void,
  ): void {
    const { session, options } = this.#m;
    const { clock } = options.deps;
    const ended = (then: () => void): void => {
      if (!this.#calls.delete(id)) return;
      stop();
      then();
    };
    const stop = whenCallEnds(clock, started, () => ended(() => failed(session.expire(started))));
    this.#calls.set(id, { started, stop });
    Promise.resolve(started.answer).then(
      (answer) => ended(() => answered(answer)),
      (thrown: unknown) => ended(() => failed(thrown)),
    );
  }

  #callFailed(id: number, adapter: string, verb: string, thrown: unknown): void {
    const cause = callCauseOf(thrown, adapter, verb);
    if (cause.data["cause_type"] === "adapter_crash") this.#m.options.deps.crashed?.(adapter, verb, thrown);
    this.#place.post({ kind: "answer", id, cause });
  }

  #abandon(id: number): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    call.stop();
    this.#m.session.abandon(call.started);
  }

  readonly #cancel = (): void => {
    const { signal } = this.#m.options;
    if (signal === undefined) return;
    const reason: unknown = signal.reason;
    this.#place.post({ kind: "cancel", reason: typeof reason === "string" ? reason : null });
    // A program in Python may have a cleanup.
    const ms = this.#m.executor === null ? 0 : cleanupBudget(this.#m.options.limits).ms;
    this.#mustEndIn(ms, "cancelled", () => cancelledFailure(signal));
  };

  readonly #halt = (): void => {
    const { halt } = this.#m.options;
    if (halt !== undefined) this.#mustEndIn(0, "cancelled", () => cancelledFailure(halt));
  };

  /** Ends the guest when it has not stopped by itself soon after `ms`. What it has said already is heard first. */
  #mustEndIn(ms: number, reason: KillReason, failure: () => Error): void {
    const kill = (): void => {
      if (this.#over) return;
      this.#place.kill(reason);
      this.#finish(this.#failed(failure()));
    };
    const { clock } = this.#m.options.deps;
    this.#stopTimers.push(waitLong(clock, Math.max(0, ms) + GRACE_MS, () => this.#options.turn(kill)));
  }

  /** The end of a run that can no longer be asked where it was. */
  #failed(failure: Error): RunEnd {
    return failedAway(this.#m, failure, this.#usage);
  }

  #finish(end: RunEnd | null, defect: Error | null = null): void {
    if (this.#over) return;
    this.#over = true;
    for (const stop of this.#stopTimers) stop();
    this.#m.options.signal?.removeEventListener("abort", this.#cancel);
    this.#m.options.halt?.removeEventListener("abort", this.#halt);
    for (const id of this.#calls.keys()) this.#abandon(id);
    this.#place.release();
    if (defect === null) this.#conclude(end);
    else this.#fail(defect);
  }
}

/** Adapters that branches may call at the same time. */
function concurrentOf(adapters: ReadonlyMap<string, Adapter>): readonly string[] {
  return [...adapters.values()].filter(({ concurrent }) => concurrent === true).map(({ name }) => name);
}

/** The end of a run whose position is lost. */
export function failedAway(m: Machine, failure: Error, used: Usage): RunEnd {
  const cause = causeOf(failure);
  if (cause === null) throw failure;
  const nowhere = { label: null, node: null, op: null, line: null, step_index: null, stack: [] };
  const usage = { ...used, time_ms: Math.floor(m.elapsed()) };
  return {
    outcome: { ok: false, label: m.program.entry, error: { ...cause, ...nowhere }, usage },
    callTimes: m.callTimes,
  };
}

const PLACE_LOST = "place_lost";

function placeLost(): FatalFailure {
  return new FatalFailure("RUNTIME_INTERNAL", "the worker thread ended", "internal", { reason: PLACE_LOST });
}

/** The run itself has no defect: its thread died during the run. */
export function wasPlaceLost({ code, data }: Pick<RunError, "code" | "data">): boolean {
  return code === "RUNTIME_INTERNAL" && data["reason"] === PLACE_LOST;
}
