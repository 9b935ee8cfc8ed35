/**
 * One thread that runs one call after the other. A call that is out of time or no longer wanted is ended by ending the
 * thread, which takes milliseconds; the next call starts another one. What runs there, only the helper program knows.
 */
import { Worker } from "node:worker_threads";
import { adapterError } from "../errors.ts";
import type { WasmJob, WasmReply, WorkerMessage } from "./worker-messages.ts";

export type LaneLimits = { readonly timeoutMs: number; readonly signal: AbortSignal };

/** Of the thread's own heap; memories of modules are bounded by their admission. */
const RESOURCES = { maxOldGenerationSizeMb: 128, stackSizeMb: 4 };

type Thread = { readonly worker: Worker; ready: boolean };

export class WorkerLane {
  readonly #path: string;
  #thread: Thread | null = null;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with ADAPTER_TIMEOUT, ADAPTER_CANCELLED, or ADAPTER_BUSY when the thread ended by itself. */
  run(job: WasmJob, { timeoutMs, signal }: LaneLimits): Promise<WasmReply> {
    if (this.#closed) return Promise.reject(lost());
    if (signal.aborted) return Promise.reject(cancelled());
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
      const onMessage = (message: WorkerMessage) => {
        if (message === "ready") return begin();
        release();
        resolve(message);
      };
      const onAbort = () => end(cancelled());
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
    const worker = new Worker(this.#path, { env: {}, execArgv: [], resourceLimits: RESOURCES });
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

function cancelled(): Error {
  return adapterError("ADAPTER_CANCELLED", "the call was cancelled");
}
function late(): Error {
  return adapterError("ADAPTER_TIMEOUT", "the module ran longer than timeout_ms");
}
function lost(cause?: unknown): Error {
  return adapterError("ADAPTER_BUSY", "the thread of the module ended early", { cause });
}
