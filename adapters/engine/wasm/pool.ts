/**
 * WebAssembly for all runs of a host: two threads that are started at the first call, a line of calls before them, and
 * the compiled modules by content. Knows neither settings nor files; the adapter says what is compiled and how long it
 * may run.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import { adapterError } from "../../errors.ts";
import { helperPath } from "../helpers.ts";
import { WaitingLine } from "../waiting-line.ts";
import { type LaneLimits, type LaneProgram, WorkerLane } from "./lane.ts";
import type { WasmJob, WasmReply } from "./messages.ts";
import type { ModuleExport, WasmModule } from "./types.ts";

/** A thread of its own for a run that keeps instances between its calls. */
export interface WasmLane {
  run(job: WasmJob, limits: LaneLimits): Promise<WasmReply>;
  close(): Promise<void>;
}

/** A module ready to run, and its functions. */
export type PreparedModule = { readonly module: WasmModule; readonly exports: readonly ModuleExport[] };

export interface WasmPool {
  /**
   * `timeoutMs` counts from the start of the call; the signal also ends its wait in the line. Rejects with
   * AdapterError.
   */
  run(job: WasmJob, limits: LaneLimits): Promise<WasmReply>;
  /** A thread that no one else uses. Throws ADAPTER_BUSY when there are too many. */
  lane(): WasmLane;
  /** The module with this key, prepared at its first use. What fails is not remembered. */
  prepared(key: string, prepare: () => Promise<PreparedModule>): Promise<PreparedModule>;
  close(): Promise<void>;
}

export type WasmPoolOptions = {
  /** Path of the program of the threads. */
  readonly program?: string;
  readonly threads?: number;
  /** Most threads of single runs at once. */
  readonly ownThreads?: number;
  readonly waiting?: number;
  readonly modules?: number;
};

export function createWasmPool(options: WasmPoolOptions = {}): WasmPool {
  return new Pool(options);
}

type Lane = WorkerLane<WasmJob, WasmReply>;

/** Memories of modules are bounded by their admission. */
const HEAP_MB = 128;

class Pool implements WasmPool {
  readonly #program: LaneProgram;
  readonly #lanes: readonly Lane[];
  readonly #own = new Set<Lane>();
  readonly #line: WaitingLine<Lane>;
  readonly #modules: BoundedMap<Promise<PreparedModule>>;
  readonly #maxOwn: number;
  #closed = false;

  constructor({ program, threads = 2, ownThreads = 8, waiting = 10_000, modules = 64 }: WasmPoolOptions) {
    this.#program = { path: program ?? helperPath("wasm-worker"), heapMb: HEAP_MB, late, lost };
    this.#lanes = Array.from({ length: threads }, (): Lane => new WorkerLane(this.#program));
    this.#line = new WaitingLine(this.#lanes, { waiting, busy });
    this.#modules = new BoundedMap({ max: modules });
    this.#maxOwn = ownThreads;
  }

  async run(job: WasmJob, limits: LaneLimits): Promise<WasmReply> {
    const lane = await this.#line.take(limits.signal);
    try {
      return await lane.run(job, limits);
    } finally {
      this.#line.give(lane);
    }
  }

  lane(): WasmLane {
    if (this.#closed || this.#own.size >= this.#maxOwn) throw busy();
    const lane: Lane = new WorkerLane(this.#program);
    this.#own.add(lane);
    let last: Promise<unknown> = Promise.resolve();
    return {
      run: (job, limits) => {
        const reply = last.then(() => lane.run(job, limits));
        last = reply.catch(() => {});
        return reply;
      },
      close: () => {
        this.#own.delete(lane);
        return lane.close();
      },
    };
  }

  prepared(key: string, prepare: () => Promise<PreparedModule>): Promise<PreparedModule> {
    const known = this.#modules.use(key);
    if (known !== undefined) return known;
    const module = prepare();
    this.#modules.set(key, module);
    module.catch(() => this.#modules.delete(key));
    return module;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#line.close();
    this.#modules.clear();
    await Promise.all([...this.#lanes, ...this.#own].map((lane) => lane.close()));
    this.#own.clear();
  }
}

function busy(): Error {
  return adapterError("ADAPTER_BUSY", "no thread is free for the module");
}

function late(): Error {
  return adapterError("ADAPTER_TIMEOUT", "the module ran longer than timeout_ms");
}

function lost(cause?: unknown): Error {
  return adapterError("ADAPTER_BUSY", "the thread of the module ended early", { cause });
}
