/**
 * The adapters of one run: which are there, which are open, and the duties around every call in their order: availability,
 * arguments, dry run, deadline and signal, opening, and the answer (docs/adapters/README.md, what a call needs). Counting, gate and
 * record come before and belong to the executor. Knows neither machine nor interpreter, so both use it, and so does a
 * single call from outside a program.
 */
import type { Json } from "../../compiler/json.ts";
import type { Adapter, BoundCall, CallContext, RunScope } from "../adapter.ts";
import { AdapterError, isWithoutAnswer } from "../errors/failures.ts";
import { detachedExactly, detachedPlainly } from "../memory/copy-out.ts";
import type { Clock, HostFacts } from "../run.ts";
import type { Pace, Task } from "../tasks/task.ts";
import type { AdapterUsage, Charge } from "../usage.ts";
import { budgetOf, type Metered, type RunBudget } from "./budget.ts";
import { notConfigured, unknownVerb } from "./call-errors.ts";
import type { CheckedCall } from "./checked-call.ts";
import { isLargeAnswer, takenAnswer, takenInPieces } from "./take-answer.ts";
import type { WaitSpec } from "./wait-spec.ts";

/** How long an adapter may continue after its signal fired, before its instance is abandoned; and how long closing may take. */
const GRACE_MS = 1000;

export type SessionOptions = {
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly traceId: string;
  /** Writing verbs check their arguments and do nothing. */
  readonly dryRun: boolean;
  /** How verbs wait for what is not a call (`RunScope.wait`). */
  readonly wait?: RunScope["wait"];
  readonly desk?: RunScope["desk"];
  /** What the run used before, in another process. */
  readonly usage?: AdapterUsage | undefined;
};

/** Who writes down what comes of a call, each branch of a run for itself (`MachineJournal`). */
type CallJournal = {
  before?(call: CheckedCall): PromiseLike<void> | null;
  wait?(spec: WaitSpec): PromiseLike<Json>;
};

/** Where and when a call is made. */
export type CallPlace = {
  readonly callId: string;
  readonly attempt: number;
  /** End of the run in milliseconds of the clock; Infinity without a deadline. */
  readonly runEndsAt: number;
  readonly journal?: CallJournal | null;
  /** Absent: in a branch. */
  readonly meters?: Metered | null;
};

/** A call under way. Its answer is a plain value, or a promise of one. */
export type StartedCall = {
  readonly adapter: string;
  readonly answer: unknown;
  /** null: the dry run answered. */
  readonly bound: BoundCall | null;
  /** When its own time is over, in milliseconds of the clock; Infinity: when the run's is. It may move while the call is under way. */
  endsAt(): number;
  /** Fires the signal. */
  abort(): void;
  /** What the run pays with the answer; null, or absent: nothing. */
  charged?(): Charge | null;
};

const DRY_RUN: Json = { dry_run: true };

export class AdapterSession implements RunScope {
  readonly traceId: string;
  readonly warnings: string[] = [];
  readonly wait: RunScope["wait"];
  readonly desk: RunScope["desk"];
  readonly usage: AdapterUsage;
  readonly #options: SessionOptions;
  /** Open instances, and those being opened as promises. */
  readonly #instances = new Map<string, unknown>();
  readonly #releases: (() => void | Promise<void>)[] = [];

  constructor(options: SessionOptions) {
    this.#options = options;
    this.traceId = options.traceId;
    this.wait = options.wait;
    this.desk = options.desk;
    this.usage = { ...options.usage };
  }

  /** Makes the call. Throws AdapterError for what is refused before the adapter is asked. */
  start(adapter: string, verb: string, args: readonly Json[], place: CallPlace): StartedCall {
    const { clock, dryRun } = this.#options;
    const known = this.#adapter(adapter);
    const handler = known.verb(verb);
    if (handler === undefined) throw unknownVerb(adapter, verb);
    if (known.lacks !== undefined) throw notConfigured(adapter, known.lacks);
    const bound = handler.bind(args.map(handler.exact === true ? detachedExactly : detachedPlainly));
    if (dryRun && handler.effectTier === "io-write" && bound.harmless !== true) {
      this.#warnOnce("dry_run: nothing was written; verbs that write answered without acting");
      return { adapter, answer: DRY_RUN, bound: null, endsAt: () => Number.POSITIVE_INFINITY, abort: () => {} };
    }
    const endsAt = bound.timeoutMs === null ? Number.POSITIVE_INFINITY : clock.now() + bound.timeoutMs;
    const context = new Context(this, this.#options, place, endsAt);
    const { effectTier } = handler;
    const first = place.journal?.before?.({ adapter, verb: handler.name, effectTier, bound }) ?? null;
    const answer = first === null ? this.#made(known, bound, context) : this.#later(first, known, bound, context);
    const told = { endsAt: () => context.endsAt, abort: () => context.abort(), charged: () => context.charged };
    return { adapter, answer, bound, ...told };
  }

  #made(adapter: Adapter, bound: BoundCall, context: Context): unknown {
    const instance = this.#open(adapter);
    if (!isPromise(instance)) return this.#run(bound, instance, context);
    return Promise.resolve(instance).then((opened) => {
      checkWanted(context);
      return bound.run(opened, context);
    });
  }

  /** A call that the run has given up meanwhile is not made. */
  async #later(first: PromiseLike<void>, adapter: Adapter, bound: BoundCall, context: Context): Promise<unknown> {
    await first;
    checkWanted(context);
    return this.#made(adapter, bound, context);
  }

  /** What throws here has begun, as what fails later has. */
  #run(bound: BoundCall, instance: unknown, context: CallContext): unknown {
    try {
      return bound.run(instance, context);
    } catch (thrown) {
      throw this.failure({ bound }, thrown);
    }
  }

  /** Whether branches of the run may have calls to it at the same time. */
  isConcurrent(adapter: string): boolean {
    return this.#options.adapters.get(adapter)?.concurrent === true;
  }

  /** The answer as a value of the machine; `isExact`: of one that runs Python. Throws AdapterError when it is invalid or too large. */
  taken(call: StartedCall, answer: unknown, isExact = false): Json {
    return takenAnswer(answer, call.bound?.maxResultBytes ?? null, isExact);
  }

  /** The same in pieces; null: the answer is small enough to be taken in one go. */
  takenInPieces(call: StartedCall, answer: unknown, pace: Pace, isExact = false): Task<Json> | null {
    return isLargeAnswer(answer) ? takenInPieces(answer, call.bound?.maxResultBytes ?? null, pace, isExact) : null;
  }

  /** What the call failed with: a write whose outcome is unknown must not be repeated. */
  failure(call: Pick<StartedCall, "bound">, thrown: unknown): unknown {
    if (!(thrown instanceof AdapterError) || call.bound === null || call.bound.repeatable) return thrown;
    if (!isWithoutAnswer(thrown.code)) return thrown;
    return new AdapterError(thrown.code, thrown.message, {
      retryable: false,
      retryAfterMs: thrown.retryAfterMs,
      data: { ...membersOf(thrown.data), outcome: "unknown" },
      cause: thrown.cause,
    });
  }

  /** The call's own time is over: it is aborted, and given up when it does not end soon. */
  expire(call: StartedCall): unknown {
    this.abandon(call);
    return this.failure(call, new AdapterError("ADAPTER_TIMEOUT", `adapter ${call.adapter} took too long`));
  }

  /** Aborts the call; an adapter that continues anyway loses its instance. */
  abandon(call: StartedCall): void {
    call.abort();
    if (!isPromise(call.answer)) return;
    const instance = this.#instances.get(call.adapter);
    const stop = this.#options.clock.wait(GRACE_MS, () => {
      if (this.#instances.get(call.adapter) !== instance) return;
      this.#instances.delete(call.adapter);
      void this.#close(call.adapter, instance);
    });
    Promise.resolve(call.answer).then(stop, stop);
  }

  /** Ends the session: releases what was registered and closes instances. One that fails or hangs does not block the others. */
  async close(): Promise<void> {
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop())
      await this.#ended(release);
    const open = [...this.#instances].reverse();
    this.#instances.clear();
    for (const [adapter, instance] of open) await this.#ended(() => this.#close(adapter, instance));
  }

  /** Nothing was opened and nothing is to be released. */
  get idle(): boolean {
    return this.#instances.size === 0 && this.#releases.length === 0;
  }

  onEnd(release: () => void | Promise<void>): void {
    this.#releases.push(release);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  instanceOf(adapter: string): unknown {
    const known = this.#options.adapters.get(adapter);
    return known === undefined ? undefined : this.#open(known);
  }

  #warnOnce(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  #adapter(name: string): Adapter {
    const known = this.#options.adapters.get(name);
    if (known === undefined) throw notConfigured(name);
    return known;
  }

  #open(adapter: Adapter): unknown {
    if (adapter.open === undefined) return undefined;
    if (this.#instances.has(adapter.name)) return this.#instances.get(adapter.name);
    const opened = adapter.open(this);
    this.#instances.set(adapter.name, opened);
    if (isPromise(opened)) {
      // Given up or closed meanwhile, it is no longer this session's.
      const ours = (): boolean => this.#instances.get(adapter.name) === opened;
      opened.then(
        (instance) => ours() && this.#instances.set(adapter.name, instance),
        () => ours() && this.#instances.delete(adapter.name),
      );
    }
    return opened;
  }

  /** Waits for the end of something, but not for ever: the run's answer waits for it. */
  #ended(end: () => void | Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      let stop = (): void => {};
      const done = (): void => {
        stop();
        resolve();
      };
      try {
        const ending = end();
        if (!isPromise(ending)) return done();
        stop = this.#options.clock.wait(GRACE_MS, done);
        ending.then(done, done);
      } catch {
        // One adapter's trouble keeps neither the others open nor the run from its answer.
        done();
      }
    });
  }

  async #close(name: string, instance: unknown): Promise<void> {
    try {
      await this.#options.adapters.get(name)?.close?.(await instance);
    } catch {
      // Nothing is left to be done for an instance that cannot be opened or closed.
    }
  }
}

/** What an executor needs of a session, wherever the adapters are. */
export type RunSession = Pick<
  AdapterSession,
  | "start"
  | "isConcurrent"
  | "taken"
  | "takenInPieces"
  | "failure"
  | "expire"
  | "abandon"
  | "close"
  | "idle"
  | "warnings"
  | "usage"
>;

/** What a call may know. Most adapters never ask for the signal, so it is made on demand. */
class Context implements CallContext {
  /** When the time of the call itself is over. */
  endsAt: number;
  readonly callId: string;
  readonly attempt: number;
  readonly traceId: string;
  readonly run: RunScope;
  readonly #options: SessionOptions;
  readonly #runEndsAt: number;
  readonly #meters: Metered | null;
  charged: Charge | null = null;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(run: RunScope, options: SessionOptions, place: CallPlace, endsAt: number) {
    const { journal } = place;
    this.run = journal?.wait === undefined ? run : waitingScope(run, journal.wait.bind(journal));
    this.#options = options;
    this.endsAt = endsAt;
    this.#runEndsAt = place.runEndsAt;
    this.#meters = place.meters ?? null;
    this.callId = place.callId;
    this.attempt = place.attempt;
    this.traceId = options.traceId;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  get budget(): RunBudget | undefined {
    return this.#meters === null ? undefined : budgetOf(this.#meters, this.run.usage);
  }

  charge(used: Charge): void {
    this.charged = used;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(): void {
    this.#aborted = true;
    this.#controller?.abort();
  }

  get deadlineMs(): number {
    return Math.min(this.endsAt, this.#runEndsAt);
  }

  extend(ms: number): void {
    this.endsAt += ms;
  }

  remainingMs(): number {
    return Math.max(0, this.deadlineMs - this.#options.clock.now());
  }

  now(): number {
    return this.#options.clock.wall();
  }

  uuid(): string {
    return this.#options.facts.uuid();
  }

  random(): number {
    return this.#options.facts.random?.() ?? Math.random();
  }
}

/** The run as a call sees it that waits in its own branch. */
function waitingScope(run: RunScope, wait: NonNullable<RunScope["wait"]>): RunScope {
  const { traceId, desk, usage } = run;
  return {
    ...{ traceId, desk, usage, wait },
    onEnd: (release) => run.onEnd(release),
    warn: (text) => run.warn(text),
    instanceOf: (adapter) => run.instanceOf(adapter),
  };
}

/** The run no longer waits for the call, so it must not start. */
function checkWanted(context: Context): void {
  if (context.aborted) throw new AdapterError("ADAPTER_CANCELLED", "the call was given up", { retryable: false });
}

function membersOf(data: Json): { readonly [key: string]: Json } {
  return data !== null && typeof data === "object" && !Array.isArray(data) ? (data as { [key: string]: Json }) : {};
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
