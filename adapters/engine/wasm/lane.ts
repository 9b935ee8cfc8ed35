/**
 * One thread that runs one call after the other. A call that is out of time or no longer wanted is ended by ending the
 * thread, which takes milliseconds; the next call starts another one. What runs there, only the helper program knows.
 */
import { Worker } from "node:worker_threads";
import { cancelledCall } from "../../errors.ts";

export type LaneLimits = { readonly timeoutMs: number; readonly signal: AbortSignal };

/** A program in a thread, and how its failures are reported. It sends `ready` once, then a reply to each job. */
export type LaneProgram = {
  readonly path: string;
  /** Most MiB of the thread's own heap. */
  readonly heapMb: number;
  /** A call that took longer than it may. */
  late(): Error;
  /** A thread that ended by itself; the cause, where it says one. */
  lost(cause?: unknown): Error;
};

const STACK_MB = 4;

type Thread = { readonly worker: Worker; ready: boolean };

export class WorkerLane<Job, Reply> {
  readonly #program: LaneProgram;
  #thread: Thread | null = null;
  #closed = false;

  constructor(program: LaneProgram) {
    this.#program = program;
  }

  /** Rejects as the program says, and with ADAPTER_CANCELLED. */
  run(job: Job, { timeoutMs, signal }: LaneLimits): Promise<Reply> {
    const { late, lost } = this.#program;
    if (this.#closed) return Promise.reject(lost());
    if (signal.aborted) return Promise.reject(cancelledCall());
    const thread = this.#started();
    const { worker } = thread;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      // The time that a thread needs to start is not the module's.
      const begin = () => {
        timer = setTimeout(() => end(late()), timeoutMs);
        worker.postMessage(job);
      };
      const release = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit).unref();
      };
      const end = (error: Error) => {
        release();
        this.#drop(thread);
        void worker.terminate();
        reject(error);
      };
      const onMessage = (message: "ready" | Reply) => {
        if (message === "ready") return begin();
        release();
        resolve(message);
      };
      const onAbort = () => end(cancelledCall());
      const onError = (cause: unknown) => end(lost(cause));
      const onExit = () => end(lost());
      signal.addEventListener("abort", onAbort, { once: true });
      worker.on("message", onMessage).on("error", onError).on("exit", onExit).ref();
      if (thread.ready) begin();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#thread?.worker.terminate();
  }

  #started(): Thread {
    if (this.#thread !== null) return this.#thread;
    // No environment and none of the flags of this process reach the thread.
    const worker = new Worker(this.#program.path, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#program.heapMb, stackSizeMb: STACK_MB },
    });
    const thread: Thread = { worker, ready: false };
    const drop = () => this.#drop(thread);
    worker.on("error", drop).on("exit", drop);
    worker.once("message", () => {
      thread.ready = true;
    });
    this.#thread = thread;
    return thread;
  }

  #drop(thread: Thread): void {
    if (this.#thread === thread) this.#thread = null;
  }
}
