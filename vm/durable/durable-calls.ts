/**
 * The calls of a durable run: answered by its journal as far as that goes, then made and written down. Before anything leaves the process,
 * what the run learned until then is durable (docs/durable.md, what is written, and when).
 */
import type { Json } from "../../compiler/json.ts";
import { callCauseOf, causeOf, notConfigured } from "../calls/call-errors.ts";
import type { CheckedCall } from "../calls/checked-call.ts";
import type { WaitSpec } from "../calls/wait-spec.ts";
import { RUNTIME_CODES } from "../errors/error-codes.ts";
import { type FailureCause, type FatalFailure, isWithoutAnswer } from "../errors/failures.ts";
import { cancelledFailure } from "../errors/fatal-failures.ts";
import { exactResult, plainly } from "../inputs/exact-text.ts";
import type { Machine } from "../machine/machine.ts";
import { detached } from "../memory/copy-out.ts";
import type { BranchMachine, MachineJournal } from "../recording/journal.ts";
import { recordedAnswer } from "../recording/record.ts";
import type { CallOutcome, JournalledCall } from "../recording/record-log.ts";
import { outcomeOfRecorded } from "../recording/replay.ts";
import type { Outcome } from "../run.ts";
import type { AdapterUsage, Charge } from "../usage.ts";
import { jsonBytes } from "../values/json-size.ts";
import type { RunDesk } from "./approvals.ts";
import type { DurableCallsOptions, Rehearsal } from "./call-options.ts";
import { type Cursor, type Found, isLookedAt, keyOf, seqOf } from "./cursor.ts";
import { CANNOT_WAIT, isKeyForgotten, outcomeUnknown, UNKNOWN } from "./failures.ts";
import { newShared, newUsage, type Open, type Shared } from "./phase.ts";
import type { CallKey, CancelledAt, ParkedWait } from "./records.ts";
import { recordOfLearned } from "./transactions/lost-transactions.ts";
import { OpenTransactions } from "./transactions/open-transactions.ts";
import { checkLife, deskWithin } from "./waits/job-life.ts";
import { type Parking, timeCame } from "./waits/parking.ts";

const LONG_PAUSE_MS = 1000; // Shorter pauses of Retry are not written down: they are paused again.
const PARK_AFTER_MS = 50; // Shorter waits for a time stay in memory.
/** The calls of a run, or of one of its branches. */
export class DurableCalls implements MachineJournal {
  readonly #options: DurableCallsOptions;
  readonly desk: RunDesk | undefined;
  readonly #shared: Shared;
  readonly #branch: string;
  readonly #cursor: Cursor;
  readonly #recorder: MachineJournal | null;
  readonly #transactions: OpenTransactions;
  readonly #of: DurableCalls | null;
  #machine: BranchMachine | null = null;
  #open: Open | null = null;
  #pure = false;
  /** Of a rehearsal: the branch is held at its call, for good. */
  #stands = false;
  #madeAny = false;
  /** Number of the last record before the call that is under way. */
  #seqBefore = 0;

  /** `of`: the run that the branch is of. */
  constructor(options: DurableCallsOptions, branch = "", of: DurableCalls | null = null) {
    const { replay, recorder, desk } = options;
    this.#options = options;
    this.#shared = of === null ? newShared(replay) : of.#shared;
    this.#branch = branch;
    this.#of = of;
    this.#cursor = replay.cursor(branch);
    this.#recorder = of === null ? recorder : (of.#recorder?.apart?.(branch) ?? of.#recorder);
    this.#transactions = new OpenTransactions(of === null ? null : of.#transactions);
    const checkWait = (): void => this.#transactions.checkWait();
    this.desk = desk === undefined ? undefined : deskWithin(desk, checkWait, () => this.#open, options.now);
  }

  /** Journals of earlier versions have one order for the calls of all branches. */
  get inTurns(): boolean {
    return !this.#options.replay.apart;
  }

  apart(branch: string): MachineJournal {
    return this.inTurns ? this : new DurableCalls(this.#options, branch, this);
  }

  join(branch: MachineJournal): void {
    if (!(branch instanceof DurableCalls)) return;
    this.#transactions.join(branch.#transactions);
    if (branch.#recorder !== null && branch.#recorder !== this.#recorder) this.#recorder?.join?.(branch.#recorder);
  }

  attach(m: Machine): void {
    this.#shared.machine = m;
    this.#shared.phase.attach(m);
  }

  /** A machine that was restored in the middle of a pause waits for what is left of it, and not at all when it continued before. */
  takeUp(m: Machine): void {
    const { pending } = m;
    if (pending?.kind === "wait" && this.replaying) m.pending = { ...pending, due: m.elapsed() };
  }

  /** What a run has open ends with its process. */
  get isInTransaction(): boolean {
    return !this.#transactions.isEmpty;
  }

  /** Of a run that has ended: the failure to come to what is left in the journal. */
  leftover(): FatalFailure | null {
    return this.#options.replay.leftover() ?? this.#options.again.leftover();
  }

  get replaying(): boolean {
    return !this.#shared.phase.isLive;
  }

  /** A call is under way, or what it waits for is given to the store. */
  get isCalling(): boolean {
    return this.#isMaking || this.#options.parking?.isAsking === true;
  }

  get #isMaking(): boolean {
    return [...this.#shared.open].some(({ isWaiting }) => !isWaiting);
  }

  /** Nothing is made before everything that the journal answers was replayed, nor while the run only waits for calls to end it. */
  get holds(): boolean {
    const { isLive, isStuck } = this.#shared.phase;
    if (this.#stands) return true;
    if (this.#cursor.answers || isStuck) return false;
    return !isLive || (this.#options.stopped() !== null && this.#isMaking);
  }

  get defersCancel(): boolean {
    return this.replaying;
  }

  get usage(): AdapterUsage | undefined {
    return this.#options.replay.usage;
  }

  get cancelled(): CancelledAt | null {
    return this.#options.replay.cancelled;
  }

  get cancelledNext(): string | null {
    const { next } = this.#cursor;
    return next?.kind === "cancelled" && next.where === "call" ? next.by : null;
  }

  begun(names: string): number {
    return this.#options.replay.begun(names);
  }

  runsOn(m: BranchMachine): void {
    this.#machine = m;
    this.#options.rehearsal?.branch(m);
  }

  cancels(at: CancelledAt): void {
    this.#closes();
    // Of a run whose branches were cancelled, that is known already.
    if (this.#branch === "" && this.#shared.isCleaning) return;
    this.#shared.isCleaning = true;
    if (this.#cursor.cancellation()) this.#shared.phase.took(this.#branch !== "");
    else this.#options.writer.add({ kind: "cancelled", ...at }, this.#branch);
  }

  runs(): void {
    this.#options.parking?.idle(null);
  }

  stalls(waiting: number, held: number): FatalFailure | null {
    const { rehearsal, parking } = this.#options;
    if (rehearsal !== null && waiting === 0 && held > 0 && held === this.#shared.standing) return rehearsal.over();
    this.#shared.phase.stalls(waiting);
    if (held === 0) parking?.idle(waiting);
    return null;
  }

  /** Of the last record that the state of the run contains. */
  get seq(): number {
    return this.#open === null ? this.#options.writer.seq : this.#seqBefore;
  }

  begin(call: JournalledCall): CallOutcome | "stands" | null {
    const { replay, writer, clock, stopped, rehearsal } = this.#options;
    this.#recorder?.begin(call);
    this.#pure = call.pure;
    if (call.pure) return null;
    const why = stopped();
    if (why !== null && this.#cursor.isAtEnd) throw why;
    const key = keyOf(call, this.#transactions.of(call));
    const isAnswered = this.#cursor.answers;
    const learned = this.replaying ? null : this.#options.again.learned(key, this.#branch);
    const found = learned ?? this.#cursor.call(key);
    if (!isAnswered && replay.left > 0 && call.adapter !== "core") throw replay.diverged(key);
    this.#shared.phase.took(this.#branch !== "");
    rehearsal?.call({ ...call, seq: seqOf(found) }, this.#machine);
    const answer = this.#answerOf(found, key, call);
    if (answer !== null) {
      const again = learned === null ? null : recordOfLearned(learned, key);
      if (again !== null) writer.add(again, this.#branch);
      this.#transactions.called(call, answer.ok);
      this.#recorder?.end(answer);
      return answer;
    }
    if (rehearsal !== null) return this.#standsAt(key, rehearsal);
    this.#seqBefore = writer.seq;
    const wait = this.#waitOf(found, key);
    const came = found.state === "waiting" && found.woken !== null ? exactResult(found.woken) : undefined;
    const before = found.state === "waiting" ? found.before.map(exactResult) : [];
    this.#open = { key, call, since: clock.now(), wait, came, before, waited: false, isWaiting: false };
    this.#shared.open.add(this.#open);
    return null;
  }

  #standsAt(key: CallKey, rehearsal: Rehearsal): "stands" {
    rehearsal.stands(key, this.#machine);
    if (this.#branch === "") throw rehearsal.over();
    this.#stands = true;
    this.#shared.standing += 1;
    return "stands";
  }

  /** A wait that began before continues as it was asked for then; those of one call come again in their order. */
  wait(spec: WaitSpec): Promise<Json> {
    const { writer, clock, now, parking } = this.#options;
    const open = this.#open;
    if (open === null || parking === null) throw notConfigured(open?.key.adapter ?? "timer", CANNOT_WAIT);
    const left = spec.kind === "timer" ? (spec.span ?? spec.until - clock.wall()) : Number.POSITIVE_INFINITY;
    if (open.wait === null && left <= PARK_AFTER_MS)
      return new Promise((resolve) => clock.wait(Math.max(0, left), () => resolve(timeCame(spec))));
    open.waited = !isLookedAt(spec);
    const before = open.before.shift();
    if (before !== undefined) return Promise.resolve(before);
    const { wait: begun, came } = open;
    open.wait = null;
    if (begun !== null) return came === undefined ? this.#park(parking, open, begun) : Promise.resolve(came);
    // One that only looks does not park.
    if (!("span" in spec) || spec.span !== 0) this.#transactions.checkWait();
    checkLife(this.desk?.life, spec, open.key, now());
    const wait = `w-${writer.seq + 1}`;
    const kept = spec.kind === "outcome" || spec.span === undefined ? spec : { ...spec, until: now() + spec.span };
    writer.add({ kind: "wait", wait, spec: kept, ...open.key }, this.#branch);
    return this.#park(parking, open, { wait, spec: kept, place: this.#placeOf(open.key) });
  }

  async #park(parking: Parking, open: Open, wait: ParkedWait): Promise<Json> {
    open.isWaiting = true;
    try {
      return await parking.wait(wait, this.#branch === "");
    } finally {
      open.isWaiting = false;
    }
  }

  before({ adapter, verb, effectTier, bound }: CheckedCall): PromiseLike<void> | null {
    const { writer, toldUnknown, hasUnknown, lost, parking } = this.#options;
    const open = this.#open;
    const isFirst = !this.#madeAny;
    this.#madeAny = true;
    if (open?.wait?.spec.kind === "outcome" && parking !== null)
      return this.#park(parking, open, open.wait).then(() => {});
    // Before a cleanup has any effect, it is durable that the run is cancelled.
    if (open !== null && this.#shared.isCleaning && effectTier !== "io-write")
      return writer.isClean ? null : writer.commit();
    if (open === null || effectTier !== "io-write") return null;
    if (bound.keyed === true && isFirst && isKeyForgotten(this.#options)) {
      toldUnknown(this.#seqBefore, adapter, verb);
      hasUnknown(adapter, verb);
      throw outcomeUnknown();
    }
    const check = (): void => {
      const why = lost();
      if (why !== null) throw why;
    };
    check();
    if (!bound.repeatable) writer.add({ kind: "intent", ...open.key }, this.#branch);
    // The process may have been stopped while the records were under way.
    return writer.isClean ? null : writer.commit().then(check);
  }

  end(outcome: CallOutcome): void {
    const { replay, writer, clock, callEnded, maxBytes } = this.#options;
    this.#recorder?.end(outcome);
    if (this.#pure) {
      this.#pure = false;
      return;
    }
    const open = this.#open;
    if (open === null) return;
    this.#closes();
    this.#transactions.called(open.call, outcome.ok);
    if (open.waited && outcome.ok) {
      callEnded();
      return;
    }
    const { result = null, result_hash, error, ...more } = recordedAnswer(outcome);
    const ms = Math.max(0, clock.now() - open.since);
    const head = { kind: "call", ...open.key, ...this.#argumentsOf(open.call), ms, ...newUsage(this.#shared) } as const;
    if (outcome.charged !== undefined) replay.paid.add(outcome.charged.job);
    if (error !== undefined) writer.add({ ...head, ...more, ok: false, error }, this.#branch);
    else {
      writer.checkRoom(result_hash === undefined ? jsonBytes(result) : Number.POSITIVE_INFINITY, maxBytes);
      writer.add({ ...head, ...more, ok: true, result: detached(result) }, this.#branch);
    }
    callEnded();
  }

  threw(thrown: unknown, cause: FailureCause | null = causeOf(thrown), charged?: Charge): void {
    const isOrdinary = cause !== null && RUNTIME_CODES[cause.code].class === "ordinary";
    // A process that was stopped may have missed the answer: the next one who has the run judges anew.
    const why = isOrdinary && isWithoutAnswer(cause.data["adapter_code"]) ? this.#options.lost() : null;
    if (isOrdinary && why === null)
      this.end({ ok: false, failure: cause, ...(charged === undefined ? {} : { charged }) });
    else this.#closes();
    if (why !== null) throw why;
  }

  #closes(): void {
    if (this.#open !== null) this.#shared.open.delete(this.#open);
    this.#open = null;
  }

  pause(at: { readonly label: string; readonly node: string; readonly attempt: number }, delay: number): number {
    const { writer, clock } = this.#options;
    const known = this.#cursor.pause(at);
    if (known !== null) {
      const wasReplayed = !this.#cursor.isAtEnd;
      this.#shared.phase.took(this.#branch !== "");
      return wasReplayed ? 0 : Math.min(delay, Math.max(0, known.until - clock.wall()));
    }
    if (this.replaying || this.#options.rehearsal !== null) return 0;
    if (delay >= LONG_PAUSE_MS) writer.add({ kind: "backoff", ...at, until: clock.wall() + delay }, this.#branch);
    return delay;
  }

  conclude(outcome: Outcome, programChecksum: string): Outcome {
    return this.#options.recorder?.conclude?.(outcome, programChecksum) ?? outcome;
  }

  /** The wait that a call continues: its own, or that for a person's word on it. */
  #waitOf(found: Found, key: CallKey): ParkedWait | null {
    const place = this.#placeOf(key);
    if (found.state === "waiting") return { ...found.wait, place };
    if (found.state !== "unknown" || found.decided !== null || this.#options.onUnknown(key.adapter, key.verb) !== "ask")
      return null;
    const of = found.intent.seq;
    return { wait: `outcome-${of}`, spec: { kind: "outcome", of, until: null }, place };
  }

  /** A cancellation begins a cleanup, here or around the branch. */
  get cleansUp(): boolean {
    const m = this.#branch === "" ? this.#shared.machine : this.#machine;
    return m?.executor?.cleansUp === true || this.#of?.cleansUp === true;
  }

  /** Shown where somebody looks at what the run waits for. */
  #placeOf({ label, node, adapter, verb }: CallKey): string {
    const branch = this.#branch;
    const cleans = this.cleansUp || this.#options.tellsEnd ? { cleans: true } : {};
    return JSON.stringify({ label, node, adapter, verb, ...(branch === "" ? {} : { branch }), ...cleans });
  }

  #answerOf(found: Found, key: CallKey, call: JournalledCall): CallOutcome | null {
    const { onUnknown, toldUnknown, hasUnknown, askOutcome, parking, writer } = this.#options;
    const { adapter, verb } = key;
    switch (found.state) {
      case "live":
        return null;
      case "cancelled":
        throw cancelledFailure({ reason: found.record.by });
      case "answered":
        if (!found.record.ok && found.record.error.message === UNKNOWN) hasUnknown(adapter, verb);
        return outcomeOfRecorded(found.record, call);
      case "waiting":
        if (found.woken?.why === "cancelled") throw cancelledFailure({ reason: found.woken.result });
        return found.woken === null || isLookedAt(found.wait.spec) ? null : outcomeOfRecorded(found.woken, call);
      default: {
        const { intent, decided } = found;
        const way = decided?.decision ?? onUnknown(adapter, verb);
        // It is reported before the run asks for a decision, and not again after it.
        if (decided === null) toldUnknown(intent.seq, adapter, verb);
        if (way === "make" || way === "retry") return null;
        if (way === "ask") return parking === null ? askOutcome(intent.seq) : null;
        const head = { kind: "call", ...key, ...this.#argumentsOf(call), ms: 0 } as const;
        if (way === "done" && decided !== null) {
          writer.add({ ...head, ok: true, result: decided.result }, this.#branch);
          return { ok: true, result: detached(decided.result) };
        }
        hasUnknown(adapter, verb);
        const failure = callCauseOf(outcomeUnknown(), call.adapter, call.verb);
        const { error } = recordedAnswer({ ok: false, failure });
        if (error !== undefined) writer.add({ ...head, ok: false, error }, this.#branch);
        return { ok: false, failure };
      }
    }
  }

  hasPaid(job: string): boolean {
    return this.#options.replay.paid.has(job);
  }

  #argumentsOf(call: JournalledCall): { readonly args?: readonly Json[] } {
    return this.#options.keepsArguments ? { args: call.args.map((arg) => detached(plainly(arg))) } : {};
  }
}
