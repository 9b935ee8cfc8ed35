/**
 * One thread that runs one call after the other. A call that is out of time or no longer wanted is ended by ending the
 * thread, which takes milliseconds; the next call starts another one. What runs there, only the helper program knows.
 */
import { Worker } from "node:worker_threads";
import { adapterError } from "../errors.ts";
import type { WasmJob, WasmReply } from "./worker-messages.ts";

export type LaneLimits = { readonly timeoutMs: number; readonly signal: AbortSignal };

/** Of the thread's own heap; memories of modules are bounded by their admission. */
const RESOURCES = { maxOldGenerationSizeMb: 128, stackSizeMb: 4 };

export class WorkerLane {
  readonly #path: string;
  #worker: Worker | null = null;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Rejects with ADAPTER_TIMEOUT, ADAPTER_CANCELLED, or ADAPTER_BUSY when the thread ended by itself. */
  run(job: WasmJob, { timeoutMs, signal }: LaneLimits): Promise<WasmReply> {
    if (this.#closed) return Promise.reject(lost());
    if (signal.aborted) return Promise.reject(cancelled());
    const worker = this.#started();
    return new Promise((resolve, reject) => {
      const release = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        worker.off("message", onReply).off("error", onError).off("exit", onExit).unref();
      };
      const end = (error: Error) => {
        release();
        this.#drop(worker);
        void worker.terminate();
        reject(error);
      };
      const onReply = (reply: WasmReply) => {
        release();
        resolve(reply);
      };
      const onAbort = () => end(cancelled());
      const onError = (cause: unknown) => end(lost(cause));
      const onExit = () => end(lost());
      const timer = setTimeout(() => end(late()), timeoutMs);
      signal.addEventListener("abort", onAbort, { once: true });
      worker.on("message", onReply).on("error", onError).on("exit", onExit).ref();
      worker.postMessage(job);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    // No environment and none of the flags of this process reach the thread.
    const worker = new Worker(this.#path, { env: {}, execArgv: [], resourceLimits: RESOURCES });
    const drop = () => this.#drop(worker);
    worker.on("error", drop).on("exit", drop);
    this.#worker = worker;
    return worker;
  }

  #drop(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
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
