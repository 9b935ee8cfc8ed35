/**
 * A batch over worker threads: chunks go to the thread that has the fewest, parts of their results come back and are written in the order of the
 * chunks where that is wanted. Few chunks are under way at a time, so memory does not grow with the input.
 */
import { Worker } from "node:worker_threads";
import type { Piece } from "./chunks.ts";
import type { FromThread, ThreadStart } from "./messages.ts";
import { type BatchPart, type CallTimes, partsOfResults } from "./part.ts";

export type ThreadedOptions = {
  /** Path of the built program. */
  readonly program: string;
  readonly threads: number;
  readonly start: ThreadStart;
  readonly signal: AbortSignal;
  readonly called: (times: CallTimes) => void;
};

/** One runs while the next is on its way. */
const CHUNKS_EACH = 2;

/** Parts of whole lines as they come. Ending the iteration ends the threads, and what runs there. */
export async function* runOnThreads(
  pieces: AsyncIterator<Piece, void>,
  options: ThreadedOptions,
): AsyncGenerator<BatchPart, void> {
  const batch = new ThreadedBatch(pieces, options);
  const stop = (): void => batch.stop();
  options.signal.addEventListener("abort", stop);
  try {
    for (;;) {
      const part = batch.take();
      if (part !== undefined) yield part;
      else if (batch.over) return;
      else await batch.change();
    }
  } finally {
    options.signal.removeEventListener("abort", stop);
    await batch.close();
  }
}

/** What a chunk has come to so far. */
type Delivery = { readonly parts: BatchPart[]; done: boolean };
type Thread = { readonly worker: Worker; readonly deliveries: Delivery[] };

class ThreadedBatch {
  readonly #pieces: AsyncIterator<Piece, void>;
  readonly #options: ThreadedOptions;
  readonly #threads: readonly Thread[];
  /** Chunks that are not over, in their order. */
  #deliveries: Delivery[] = [];
  #ended = false;
  #asking = false;
  #defect: Error | null = null;
  #wake: () => void = () => {};

  constructor(pieces: AsyncIterator<Piece, void>, options: ThreadedOptions) {
    this.#pieces = pieces;
    this.#options = options;
    this.#threads = Array.from({ length: options.threads }, () => this.#open());
    this.#ended = options.signal.aborted;
    this.#ask();
  }

  get over(): boolean {
    return this.#ended && !this.#asking && this.#deliveries.length === 0;
  }

  take(): BatchPart | undefined {
    if (this.#defect !== null) throw this.#defect;
    const { ordered = false } = this.#options.start.pace;
    this.#deliveries = this.#deliveries.filter(({ done, parts }) => !done || parts.length > 0);
    const found = (ordered ? this.#deliveries.slice(0, 1) : this.#deliveries).find(({ parts }) => parts.length > 0);
    this.#ask();
    return found?.parts.shift();
  }

  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Nothing more is begun, and nothing is waited for. */
  stop(): void {
    this.#ended = true;
    this.#deliveries = [];
    this.#wake();
  }

  async close(): Promise<void> {
    this.#ended = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #open(): Thread {
    const { program, start } = this.#options;
    // No environment and none of the flags of this process reach the thread.
    const worker = new Worker(program, { env: {}, execArgv: [], workerData: start });
    const thread: Thread = { worker, deliveries: [] };
    worker.on("message", (message: FromThread) => this.#hear(thread, message));
    worker.on("error", (cause) => this.#fail(`a thread of the batch died: ${cause.message}`));
    return thread;
  }

  #hear({ deliveries }: Thread, message: FromThread): void {
    const [first] = deliveries;
    if (message.kind === "defect") this.#fail(`a frame could not be run: ${message.message}`);
    else if (message.kind === "done") {
      if (first !== undefined) first.done = true;
      deliveries.shift();
    } else {
      first?.parts.push(message.part);
      message.times.forEach(this.#options.called);
    }
    this.#wake();
  }

  #fail(message: string): void {
    this.#defect ??= new Error(message);
    this.#wake();
  }

  #ask(): void {
    const free = this.#threads.reduce((a, b) => (b.deliveries.length < a.deliveries.length ? b : a));
    const crowded = this.#deliveries.length >= this.#threads.length * CHUNKS_EACH;
    if (this.#ended || this.#asking || crowded || free.deliveries.length >= CHUNKS_EACH) return;
    this.#asking = true;
    this.#pieces
      .next()
      .then(
        ({ value, done }) => {
          if (done === true) this.#ended = true;
          else if (!this.#ended) this.#send(free, value);
        },
        (cause: unknown) => {
          this.#defect ??= cause instanceof Error ? cause : new Error(String(cause));
        },
      )
      .finally(() => {
        this.#asking = false;
        this.#wake();
      });
  }

  #send({ worker, deliveries }: Thread, piece: Piece): void {
    if ("fault" in piece) {
      this.#deliveries.push({ parts: [...partsOfResults([{ index: piece.index, ...piece.fault }])], done: true });
      return;
    }
    const delivery: Delivery = { parts: [], done: false };
    this.#deliveries.push(delivery);
    deliveries.push(delivery);
    worker.postMessage(piece, [piece.bytes.buffer]);
  }
}
