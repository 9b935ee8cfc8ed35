/**
 * The worker threads for long runs (or all runs) and for frames of large batches; each has one run, or one batch, at a time. A thread that
 * ends, by itself or because its run did not stop, is
 * replaced. The protocol with its run is defined in `vm/offload/`.
 */
import { AsyncResource } from "node:async_hooks";
import { Worker } from "node:worker_threads";
import { helperPath } from "../../adapters/engine/helpers.ts";
import type { KillReason, RunPlace } from "../../vm/offload/away.ts";
import type { FromGuest, ToGuest } from "../../vm/offload/messages.ts";
import type { Clock } from "../../vm/run.ts";
import type { FrameProgram, FromFrameGuest, ToFrameGuest } from "./frame-messages.ts";
import type { FramePlace } from "./frames-away.ts";
import { HEAP_LIMIT_EXIT, HEAP_SPARE_MB } from "./heap-watch.ts";

/** What a thread is started with. */
export type ThreadStart = {
  readonly environment: ReadonlyMap<string, string>;
  /** MiB that may be live there. */
  readonly heapMb: number;
};
/** `ready` once, then what guests say; `worn` before the end of a run that leaves no heap to the next one. */
export type FromThread = "ready" | "worn" | FromGuest | FromFrameGuest;

export type RunThreadsOptions = {
  readonly threads: number;
  readonly heapMb: number;
  readonly clock: Pick<Clock, "wait">;
  /** Told when a thread ended that was not idle. */
  readonly killed: (reason: ThreadEnd) => void;
  /** For tests: another program than the built one. */
  readonly program?: string | undefined;
};

type ThreadEnd = KillReason | "heap_limit" | "crashed";

/** A thread that could not even start is tried again after a while. */
const RESTART_MS = 1000;

export class RunThreads {
  readonly #options: RunThreadsOptions;
  readonly #threads = new Set<RunThread>();
  /** Runs that wait for a thread. */
  readonly #line = new Set<(place: RunPlace) => void>();
  #environment: ThreadStart["environment"] = new Map();
  #closed = false;

  constructor(options: RunThreadsOptions) {
    this.#options = options;
  }

  /** Threads that can run something. */
  get live(): number {
    return [...this.#threads].filter(({ ready }) => ready).length;
  }

  /** Of those, the ones where a run is. */
  get busy(): number {
    return [...this.#threads].filter(({ ready, free }) => ready && !free).length;
  }

  /** There should be threads, and none could be started. */
  get lost(): boolean {
    return this.#options.threads > 0 && this.#threads.size === 0;
  }

  start(environment: ReadonlyMap<string, string>): void {
    this.#environment = environment;
    for (let at = 0; at < this.#options.threads; at++) this.#add();
  }

  /** A thread for one run, or for frames of one batch; null: all are busy. */
  take(): (RunPlace & FramePlace) | null {
    for (const thread of this.#threads) {
      if (!thread.free) continue;
      thread.free = false;
      return thread;
    }
    return null;
  }

  /** Gives a thread as soon as one is free, first come first served; returns the way to leave the line. */
  whenFree(give: (place: RunPlace) => void): () => void {
    this.#line.add(give);
    this.#serve();
    return () => void this.#line.delete(give);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  #serve(): void {
    for (const give of this.#line) {
      const place = this.take();
      if (place === null) return;
      this.#line.delete(give);
      give(place);
    }
  }

  #add(): void {
    const { program = helperPath("run-worker"), heapMb, killed } = this.#options;
    const ended = (reason: ThreadEnd | null): void => {
      this.#threads.delete(thread);
      if (this.#closed) return;
      if (!thread.free && reason !== null) killed(reason);
      if (thread.ready) this.#add();
      else
        this.#options.clock.wait(RESTART_MS, () => {
          if (!this.#closed) this.#add();
        });
    };
    const thread = new RunThread(
      program,
      { environment: this.#environment, heapMb },
      { ended, freed: () => this.#serve() },
    );
    this.#threads.add(thread);
  }
}

type ThreadListener = {
  /** null: it is replaced between two runs. */
  readonly ended: (reason: ThreadEnd | null) => void;
  /** It can take a run. */
  readonly freed: () => void;
};

class RunThread implements RunPlace, FramePlace {
  program: FrameProgram | null = null;
  ready = false;
  /** Ready, and no run is there. */
  free = false;
  readonly #worker: Worker;
  readonly #told: ThreadListener;
  #worn = false;
  #gone = false;
  #hear: (message: FromGuest | FromFrameGuest) => void = () => {};
  #lost: () => void = () => {};

  constructor(program: string, start: ThreadStart, told: ThreadListener) {
    this.#told = told;
    // When a heap suddenly exceeds the engine's own limit by far, the engine ends the whole process. So the thread checks the
    // live heap itself (`heap-watch.ts`), with a limit well below that of the engine.
    const resourceLimits = { maxOldGenerationSizeMb: 2 * start.heapMb + HEAP_SPARE_MB };
    // No environment and none of the flags of this process reach the thread.
    this.#worker = new Worker(program, { env: {}, execArgv: [], resourceLimits, workerData: start });
    this.#worker.on("message", (message: FromThread) => {
      if (message === "ready") {
        this.ready = true;
        this.free = true;
        this.#told.freed();
      } else if (message === "worn") this.#worn = true;
      else this.#hear(message);
    });
    this.#worker.on("error", (cause: Error & { readonly code?: string }) =>
      this.#end(cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? "heap_limit" : "crashed"),
    );
    this.#worker.on("exit", (code) => this.#end(code === HEAP_LIMIT_EXIT ? "heap_limit" : "crashed"));
    this.#worker.unref();
  }

  post(message: ToGuest | ToFrameGuest): void {
    this.#worker.postMessage(message);
  }

  /** What is heard belongs to the run that listens, also for those who follow it by its asynchronous context. */
  listen(hear: ((message: FromGuest) => void) | ((message: FromFrameGuest) => void), lost: () => void): void {
    // The thread answers in kind what it was sent.
    this.#hear = AsyncResource.bind(hear as (message: FromGuest | FromFrameGuest) => void);
    this.#lost = AsyncResource.bind(lost);
  }

  kill(reason: KillReason): void {
    this.#lost = () => {};
    this.#end(reason);
    void this.#worker.terminate();
  }

  release(): void {
    this.#hear = () => {};
    this.#lost = () => {};
    if (this.#worn) {
      this.#end(null);
      void this.#worker.terminate();
      return;
    }
    this.free = !this.#gone;
    if (this.free) this.#told.freed();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(reason: ThreadEnd | null): void {
    if (this.#gone) return;
    this.#gone = true;
    const lost = this.#lost;
    this.#told.ended(reason);
    lost();
  }
}
