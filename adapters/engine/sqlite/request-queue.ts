/**
 * The line of requests before one helper process. They are sent one at a time, in order. A request that outlives its deadline costs the
 * process its life, because SQLite cannot be interrupted; those after it, which have not begun, are served by a new one. While a process
 * starts, no request's time passes: the start has a bound of its own. Knows nothing of databases beyond the messages.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError, cancelledCall } from "../../errors.ts";
import type { Timers } from "../timers.ts";
import type { FromHelper, HelperAction, HelperAnswer, ToHelper } from "./messages.ts";
import type { RequestLimits, SqlitePlace } from "./sqlite.ts";

export type LineDeps = {
  readonly helper: string;
  readonly timers: Timers;
  /** A process without requests for this long ends; null: it stays. */
  readonly idleMs: number | null;
  /** Asked before a line starts a process; false: there are too many. */
  admit(line: HelperLine): boolean;
  /** The process was killed or died: what was open in it is gone. */
  lost?(): void;
};

type Request = {
  readonly action: HelperAction;
  /** Time that is left to it, as of `sinceMs`. */
  leftMs: number;
  sinceMs: number;
  /** A process starts: its time does not pass. */
  isHeld: boolean;
  readonly extend: (ms: number) => void;
  callOff: () => void;
  settle(outcome: { readonly value: Json } | { readonly error: AdapterError }): void;
};

const MAX_WAITING = 1_000;
/** How long a process may take to start: seconds on a machine under load. */
const START_MS = 10_000;
/** How long an abandoned request may still take. */
const ABANDONED_MS = 100;
/** How long a process may take to close its file. */
const CLOSING_MS = 2_000;
const LOCK_MARGIN_MS = 150;
const MAX_LOCK_WAIT_MS = 60_000;
const HEAP_MIB = 512;

export class HelperLine {
  readonly #place: SqlitePlace;
  readonly #deps: LineDeps;
  readonly #waiting: Request[] = [];
  readonly #ending = new Set<Promise<void>>();
  #current: Request | null = null;
  #child: ChildProcess | null = null;
  #ready = false;
  #sent = 0;
  #stopIdle = () => {};
  #stopStart = () => {};

  constructor(place: SqlitePlace, deps: LineDeps) {
    this.#place = place;
    this.#deps = deps;
  }

  get running(): boolean {
    return this.#child !== null || this.#ending.size > 0;
  }
  get idle(): boolean {
    return this.#current === null && this.#waiting.length === 0;
  }

  submit(action: HelperAction, { timeoutMs, signal, extend = () => {} }: RequestLimits): Promise<Json> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelledCall());
      if (this.#waiting.length >= MAX_WAITING) return reject(busy("too many requests wait for the database"));
      const abandon = () => this.#abandon(request);
      const request: Request = {
        action,
        leftMs: timeoutMs,
        sinceMs: this.#deps.timers.now(),
        isHeld: false,
        extend,
        callOff: () => {},
        settle: (outcome) => {
          signal?.removeEventListener("abort", abandon);
          if ("value" in outcome) resolve(outcome.value);
          else reject(outcome.error);
        },
      };
      signal?.addEventListener("abort", abandon, { once: true });
      this.#waiting.push(request);
      this.#count(request);
      this.#next();
      if (this.#child !== null && !this.#ready) this.#hold(request);
    });
  }

  /** Ends the process; requests that wait are refused. Resolves when it is gone, and with it its locks. */
  async end(): Promise<void> {
    this.#refuse(adapterError("ADAPTER_UNAVAILABLE", "the database was closed"));
    if (this.#current !== null) this.#kill(this.#current, "ADAPTER_UNAVAILABLE");
    this.#dismiss();
    await Promise.all(this.#ending);
  }

  #next(): void {
    if (this.#current !== null) return;
    if (this.#waiting.length === 0) {
      this.#rest();
      return;
    }
    this.#stopIdle();
    if (this.#child === null && !this.#start()) {
      this.#refuse(busy("too many databases are in use"));
      return;
    }
    hold(this.#child, true);
    if (!this.#ready) return;
    const request = this.#waiting.shift() as Request;
    this.#current = request;
    this.#sent += 1;
    const leftMs = request.leftMs - (this.#deps.timers.now() - request.sinceMs);
    this.#say({ id: this.#sent, busyMs: lockWait(leftMs), action: request.action });
  }

  /** The time of the request passes from now on. */
  #count(request: Request): void {
    const now = this.#deps.timers.now();
    if (request.isHeld) request.extend(now - request.sinceMs - START_MS);
    request.isHeld = false;
    request.sinceMs = now;
    request.callOff = this.#deps.timers.after(request.leftMs, () => this.#overdue(request));
  }

  /** A process starts for the request: its time stands still, and its caller waits longer by what the start may take. */
  #hold(request: Request): void {
    if (request.isHeld) return;
    request.callOff();
    request.callOff = () => {};
    const now = this.#deps.timers.now();
    request.leftMs -= now - request.sinceMs;
    request.sinceMs = now;
    request.isHeld = true;
    request.extend(START_MS);
  }

  /** Without requests the process keeps nothing alive, and ends after a while. */
  #rest(): void {
    hold(this.#child, false);
    this.#stopIdle();
    const { idleMs, timers } = this.#deps;
    if (idleMs !== null && this.#child !== null) this.#stopIdle = timers.after(idleMs, () => this.#dismiss());
  }

  #start(): boolean {
    if (!this.#deps.admit(this)) return false;
    const child = fork(this.#deps.helper, [], {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
      env: {},
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    this.#ready = false;
    child.on("message", (message: FromHelper) => this.#heard(child, message));
    child.once("error", () => this.#died(child));
    child.once("exit", (_, signal) => this.#died(child, signal));
    this.#say({ start: this.#place });
    this.#stopStart = this.#deps.timers.after(START_MS, () => this.#neverStarted(child));
    for (const request of this.#waiting) this.#hold(request);
    return true;
  }

  #neverStarted(child: ChildProcess): void {
    if (child !== this.#child) return;
    this.#part();
    child.kill("SIGKILL");
    this.#refuse(adapterError("ADAPTER_FAILED", "the database process did not start in time"));
    this.#deps.lost?.();
  }

  #say(message: ToHelper): void {
    // A closed channel is reported by the exit of the process.
    this.#child?.send(message, () => {});
  }

  #heard(child: ChildProcess, message: FromHelper): void {
    if (child !== this.#child) return;
    if (message === "ready") {
      this.#ready = true;
      this.#stopStart();
      for (const request of this.#waiting) this.#count(request);
    } else this.#answered(message);
    this.#next();
  }

  #answered(answer: HelperAnswer): void {
    const request = this.#current;
    if (request === null || answer.id !== this.#sent) return;
    this.#current = null;
    request.callOff();
    request.settle(answer.ok ? { value: answer.result } : { error: errorOf(answer.failure) });
  }

  /** Its time is over: a request that waits leaves the line, one that runs is stopped with its process. */
  #overdue(request: Request): void {
    if (request === this.#current) this.#kill(request, "ADAPTER_TIMEOUT");
    else if (this.#leave(request)) request.settle({ error: busy("the database was not free in time") });
  }

  /** Abandons the request: the caller continues at once, and the process gets a moment to finish. */
  #abandon(request: Request): void {
    if (request === this.#current) {
      request.callOff();
      request.callOff = this.#deps.timers.after(ABANDONED_MS, () => this.#overdue(request));
    } else if (!this.#leave(request)) return;
    request.settle({ error: cancelledCall() });
  }

  #leave(request: Request): boolean {
    const place = this.#waiting.indexOf(request);
    if (place < 0) return false;
    this.#waiting.splice(place, 1);
    request.callOff();
    if (this.idle) this.#rest();
    return true;
  }

  #kill(request: Request, code: AdapterCode): void {
    const child = this.#child;
    this.#current = null;
    request.callOff();
    request.settle({ error: adapterError(code, "the database call was stopped") });
    // What waits in a line of its own belongs to what was lost with the process.
    if (this.#deps.lost !== undefined) this.#refuse(busy("the database was stopped by another call"));
    this.#part();
    child?.kill("SIGKILL");
    this.#deps.lost?.();
    this.#next();
  }

  /** The process is gone without being told to. */
  #died(child: ChildProcess, signal: NodeJS.Signals | null = null): void {
    if (child !== this.#child) return;
    const started = this.#ready;
    const request = this.#current;
    this.#child = null;
    this.#current = null;
    this.#ready = false;
    this.#stopStart();
    request?.callOff();
    request?.settle({ error: endedBy(signal, request.action) });
    if (!started) this.#refuse(adapterError("ADAPTER_FAILED", "the database process did not start"));
    this.#deps.lost?.();
    this.#next();
  }

  /** Lets the process close its file and end. */
  #dismiss(): void {
    const child = this.#child;
    if (child === null) return;
    this.#part();
    if (child.connected) child.disconnect();
    const stop = this.#deps.timers.after(CLOSING_MS, () => child.kill("SIGKILL"));
    child.once("exit", stop);
  }

  /** From here on the process is no longer that of this line. */
  #part(): void {
    const child = this.#child;
    this.#child = null;
    this.#ready = false;
    this.#stopIdle();
    this.#stopStart();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    // Keep this process alive for callers that wait for the end.
    hold(child, true);
    const gone = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    this.#ending.add(gone);
    void gone.then(() => this.#ending.delete(gone));
  }

  #refuse(error: AdapterError): void {
    for (const request of this.#waiting.splice(0)) {
      request.callOff();
      request.settle({ error });
    }
  }
}

/** Whether the process keeps this one alive. */
function hold(child: ChildProcess | null, alive: boolean): void {
  if (alive) {
    child?.ref();
    child?.channel?.ref();
  } else {
    child?.unref();
    child?.channel?.unref();
  }
}

/** How long SQLite may wait for a lock: well within the deadline, so that a locked file does not cost the process. */
function lockWait(remainingMs: number): number {
  const ms = Math.min(remainingMs * 0.75, remainingMs - LOCK_MARGIN_MS, MAX_LOCK_WAIT_MS);
  return Math.max(0, Math.floor(ms));
}

/** Processes whose memory is full are aborted, by the engine or by their watch; the same request would end the next one too. */
function endedBy(signal: NodeJS.Signals | null, { kind }: HelperAction): AdapterError {
  if (signal !== "SIGABRT" || kind !== "call") return adapterError("ADAPTER_TRANSPORT", "the database process ended");
  return new EndedForMemory();
}

/** A call that was ended with its process for the memory it took. */
export class EndedForMemory extends AdapterError {
  constructor(data: Json = null) {
    super("ADAPTER_TOO_LARGE", "the statement needs more memory than there is", { retryable: false, data });
  }
}

/** What a write outside of a transaction failed with: one that was ended for its memory may have been committed by then. */
export function failureOfWrite(thrown: unknown): unknown {
  return thrown instanceof EndedForMemory ? new EndedForMemory({ outcome: "unknown" }) : thrown;
}

function errorOf(failure: Extract<HelperAnswer, { ok: false }>["failure"]): AdapterError {
  const { code, message, cause, ...facts } = failure;
  return new AdapterError(code, message, cause === null ? facts : { ...facts, cause: new Error(cause) });
}
function busy(message: string): AdapterError {
  return adapterError("ADAPTER_BUSY", message);
}
