/**
 * The calls of a durable run: answered by its journal as far as that goes, then made and written down. Before anything leaves the process,
 * what the run learned until then is durable (docs/durable.md, what is written, and when).
 */
import type { Json } from "../../compiler/json.ts";
import { callCauseOf, causeOf, notConfigured } from "../calls/call-errors.ts";
import type { CheckedCall } from "../calls/checked-call.ts";
import { RUNTIME_CODES } from "../errors/error-codes.ts";
import { AdapterError, type FailureCause, FatalFailure } from "../errors/failures.ts";
import type { Machine } from "../machine/machine.ts";
import { detached } from "../memory/copy-out.ts";
import type { MachineJournal, PausePlace } from "../recording/journal.ts";
import { hashOf, recordedAnswer } from "../recording/record.ts";
import type { CallOutcome, JournalledCall } from "../recording/record-log.ts";
import { outcomeOfRecorded } from "../recording/replay.ts";
import type { Clock, Outcome } from "../run.ts";
import { jsonBytes } from "../values/json-size.ts";
import type { RunDesk } from "./approvals.ts";
import type { Cursor, Found } from "./cursor.ts";
import type { CallKey, ParkedWait, WaitSpec } from "./records.ts";
import type { JournalWriter } from "./writer.ts";

/** What happens to a call that may have acted: its outcome is unknown. */
export type OnUnknown = "fail" | "retry" | "ask";

/** Pauses of Retry shorter than this are not written down: they are paused again. */
const LONG_PAUSE_MS = 1000;
/** Keys are remembered for seven days by the other side, so a call that is older than this is not made again. */
const KEY_KEPT_MS = 6 * 24 * 60 * 60 * 1000;

export type DurableCallsOptions = {
  readonly cursor: Cursor;
  readonly writer: JournalWriter;
  readonly clock: Clock;
  /** The clock of the store. */
  readonly now: () => number;
  /** Bytes of the journal; more end the run. */
  readonly maxBytes: number;
  readonly onUnknown: (adapter: string, verb: string) => OnUnknown;
  /** A call of unknown outcome. `seq`: of its intent. */
  readonly toldUnknown: (seq: number, adapter: string, verb: string) => void;
  /** The run has such a call, of now or of before. */
  readonly hasUnknown: (adapter: string, verb: string) => void;
  /** The run parks until a person has decided about the call of the intent `seq`. Never returns. */
  readonly askOutcome: (seq: number, key: CallKey) => never;
  /** The run waits; resolves with what it waited for, and never when it leaves. null: it cannot wait. */
  readonly park: ((wait: ParkedWait) => Promise<Json>) | null;
  /** What verbs may do in the store. */
  readonly desk: RunDesk | undefined;
  /** Why no further call is made; null: calls are made. */
  readonly stopped: () => FatalFailure | null;
  /** Why no call that writes is made: the run may be somebody else's by now. null: it is ours. */
  readonly lost: () => FatalFailure | null;
  /** Told when a call that was made has its outcome. */
  readonly callEnded: () => void;
  /** Called in place of a call that the journal does not answer, and throws; null: it is made. */
  readonly rehearsal: ((key: CallKey) => never) | null;
  /** Records the calls for the caller as well. */
  readonly recorder: MachineJournal | null;
  readonly keepsArguments: boolean;
  /** When the last record was written that this process found; null: it found none. */
  readonly lastAt: number | null;
};

/** `wait`: that it began before, in another process; `waited`: its answer is in the journal as that of a wait. */
type Open = {
  readonly key: CallKey;
  readonly call: JournalledCall;
  readonly since: number;
  readonly wait: ParkedWait | null;
  waited: boolean;
};

/** Shorter waits for a time, in milliseconds, stay in memory. */
const PARK_AFTER_MS = 50;

export class DurableCalls implements MachineJournal {
  /** The journal has one order of calls, so branches run one after the other. */
  readonly inTurns = true;
  readonly #options: DurableCallsOptions;
  #machine: Machine | null = null;
  #open: Open | null = null;
  #pure = false;
  #madeAny = false;
  /** Number of the last record before the call that is under way. */
  #seqBefore = 0;

  constructor(options: DurableCallsOptions) {
    this.#options = options;
  }

  /** The run's clock and time limit follow the journal until it is at its end. */
  attach(m: Machine): void {
    this.#machine = m;
    if (this.replaying) m.maxTime = Number.POSITIVE_INFINITY;
  }

  /** A machine that was restored in the middle of a pause waits for what is left of it, and not at all when it continued before. */
  takeUp(m: Machine): void {
    const { pending } = m;
    if (pending?.kind === "wait" && this.replaying) m.pending = { ...pending, due: m.elapsed() };
  }

  get desk(): RunDesk | undefined {
    return this.#options.desk;
  }

  /** Of a run that has ended: the failure to come to what is left in the journal. */
  leftover(): FatalFailure | null {
    return this.#options.cursor.leftover();
  }

  get replaying(): boolean {
    return !this.#options.cursor.isAtEnd;
  }

  /** A call is under way. */
  get isCalling(): boolean {
    return this.#open !== null;
  }

  /** Of the last record that the state of the run contains. */
  get seq(): number {
    return this.#open === null ? this.#options.writer.seq : this.#seqBefore;
  }

  begin(call: JournalledCall): CallOutcome | null {
    const { recorder, cursor, writer, clock, stopped } = this.#options;
    recorder?.begin(call);
    this.#pure = call.pure;
    if (call.pure) return null;
    const why = stopped();
    if (why !== null && cursor.isAtEnd) throw why;
    const key = keyOf(call);
    const found = cursor.call(key);
    this.#follow();
    const answer = this.#answerOf(found, key, call);
    if (answer !== null) {
      recorder?.end(answer);
      return answer;
    }
    this.#options.rehearsal?.(key);
    this.#seqBefore = writer.seq;
    const wait = found.state === "waiting" ? { ...found.wait, place: placeOf(key) } : null;
    this.#open = { key, call, since: clock.now(), wait, waited: false };
    return null;
  }

  /** A wait that began before continues as it was asked for then. */
  wait(spec: WaitSpec): Promise<Json> {
    const { writer, clock, now, park } = this.#options;
    const open = this.#open;
    if (open === null || park === null) throw notConfigured(open?.key.adapter ?? "timer", CANNOT_WAIT);
    const left = spec.kind === "timer" ? (spec.span ?? spec.until - clock.wall()) : Number.POSITIVE_INFINITY;
    if (open.wait === null && left <= PARK_AFTER_MS)
      return new Promise((resolve) => clock.wait(Math.max(0, left), () => resolve(timeCame(spec))));
    open.waited = true;
    if (open.wait !== null) return park(open.wait);
    const wait = `w-${writer.seq + 1}`;
    const kept = spec.kind === "outcome" || spec.span === undefined ? spec : { ...spec, until: now() + spec.span };
    writer.add({ kind: "wait", wait, spec: kept, ...open.key }, open.call.branch);
    return park({ wait, spec: kept, place: placeOf(open.key) });
  }

  before({ adapter, verb, effectTier, bound }: CheckedCall): PromiseLike<void> | null {
    const { writer, toldUnknown, hasUnknown, lost } = this.#options;
    const open = this.#open;
    const isFirst = !this.#madeAny;
    this.#madeAny = true;
    if (open === null || effectTier !== "io-write") return null;
    if (bound.keyed === true && isFirst && this.#isKeyForgotten()) {
      toldUnknown(this.#seqBefore, adapter, verb);
      hasUnknown(adapter, verb);
      throw outcomeUnknown();
    }
    const check = (): void => {
      const why = lost();
      if (why !== null) throw why;
    };
    check();
    if (!bound.repeatable) writer.add({ kind: "intent", ...open.key }, open.call.branch);
    // The process may have been stopped while the records were under way.
    return writer.isClean ? null : writer.commit().then(check);
  }

  end(outcome: CallOutcome): void {
    const { recorder, writer, clock, callEnded } = this.#options;
    recorder?.end(outcome);
    if (this.#pure) {
      this.#pure = false;
      return;
    }
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    if (open.waited && outcome.ok) {
      callEnded();
      return;
    }
    const answer = recordedAnswer(outcome);
    const ms = Math.max(0, clock.now() - open.since);
    const head = { kind: "call", ...open.key, ...this.#argumentsOf(open.call), ms } as const;
    if (answer.error !== undefined) {
      writer.add({ ...head, ok: false, error: answer.error }, open.call.branch);
    } else {
      const result = answer.result ?? null;
      this.#checkRoom(answer.result_hash === undefined ? jsonBytes(result) : Number.POSITIVE_INFINITY);
      writer.add({ ...head, ok: true, result: detached(result) }, open.call.branch);
    }
    callEnded();
  }

  threw(thrown: unknown, cause: FailureCause | null = causeOf(thrown)): void {
    if (cause !== null && RUNTIME_CODES[cause.code].class === "ordinary") this.end({ ok: false, failure: cause });
    else this.#open = null;
  }

  pause({ branch, ...at }: PausePlace, delay: number): number {
    const { cursor, writer, clock } = this.#options;
    const known = cursor.pause(at);
    if (known !== null) {
      const wasReplayed = !cursor.isAtEnd;
      this.#follow();
      return wasReplayed ? 0 : Math.min(delay, Math.max(0, known.until - clock.wall()));
    }
    if (this.replaying || this.#options.rehearsal !== null) return 0;
    if (delay >= LONG_PAUSE_MS) writer.add({ kind: "backoff", ...at, until: clock.wall() + delay }, branch);
    return delay;
  }

  conclude(outcome: Outcome, programChecksum: string): Outcome {
    return this.#options.recorder?.conclude?.(outcome, programChecksum) ?? outcome;
  }

  /** The run's clock stands where it stood when the record was written. */
  #follow(): void {
    const m = this.#machine;
    const { lastTaken, isAtEnd } = this.#options.cursor;
    if (m === null || lastTaken === null || m.maxTime !== Number.POSITIVE_INFINITY) return;
    m.resumeClock(lastTaken.active_ms);
    if (isAtEnd) m.maxTime = m.options.limits.max_time_ms ?? Number.POSITIVE_INFINITY;
  }

  #answerOf(found: Found, key: CallKey, call: JournalledCall): CallOutcome | null {
    const { onUnknown, toldUnknown, hasUnknown, askOutcome, writer } = this.#options;
    const { adapter, verb } = key;
    switch (found.state) {
      case "live":
        return null;
      case "answered":
        if (!found.record.ok && found.record.error.message === UNKNOWN) hasUnknown(adapter, verb);
        return outcomeOfRecorded(found.record, call);
      case "waiting":
        return found.woken === null ? null : { ok: true, result: detached(found.woken.result) };
      default: {
        const { intent, decided } = found;
        const way = decided?.decision ?? onUnknown(adapter, verb);
        if (way === "make" || way === "retry") return null;
        if (way === "ask") return askOutcome(intent.seq, key);
        const head = { kind: "call", ...key, ...this.#argumentsOf(call), ms: 0 } as const;
        if (way === "done" && decided !== null) {
          writer.add({ ...head, ok: true, result: decided.result }, call.branch);
          return { ok: true, result: detached(decided.result) };
        }
        toldUnknown(intent.seq, adapter, verb);
        hasUnknown(adapter, verb);
        const failure = callCauseOf(outcomeUnknown(), call.adapter, call.verb);
        const { error } = recordedAnswer({ ok: false, failure });
        if (error !== undefined) writer.add({ ...head, ok: false, error }, call.branch);
        return { ok: false, failure };
      }
    }
  }

  #argumentsOf(call: JournalledCall): { readonly args?: readonly Json[] } {
    return this.#options.keepsArguments ? { args: call.args.map((arg) => detached(arg)) } : {};
  }

  /** The first call after a long pause may have been under way before it. */
  #isKeyForgotten(): boolean {
    const { lastAt, clock } = this.#options;
    return lastAt !== null && clock.wall() - lastAt > KEY_KEPT_MS;
  }

  #checkRoom(bytes: number): void {
    const { writer, maxBytes } = this.#options;
    if (writer.bytes + bytes <= maxBytes) return;
    const message = `the journal of the run may have ${maxBytes} bytes`;
    throw new FatalFailure("RUNTIME_JOURNAL_FULL", message, "limit", { limit: maxBytes });
  }
}

function keyOf({ label, node, visit = 0, attempt, adapter, verb, args }: JournalledCall): CallKey {
  return { label, node, visit, attempt, adapter, verb: verb.toUpperCase(), args_hash: hashOf(args) };
}

const CANNOT_WAIT = "this run cannot wait: queue the program as a job";

function placeOf({ label, node, adapter, verb }: CallKey): string {
  return JSON.stringify({ label, node, adapter, verb });
}

/** What a wait for a time answers. */
function timeCame(spec: WaitSpec): Json {
  return { at: new Date(spec.until ?? 0).toISOString() };
}

const UNKNOWN = "the process ended during the call, and it is unknown whether it had its effect";

function outcomeUnknown(): AdapterError {
  return new AdapterError("ADAPTER_TRANSPORT", UNKNOWN, { retryable: false, data: { outcome: "unknown" } });
}
