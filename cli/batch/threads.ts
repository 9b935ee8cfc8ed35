/**
 * A batch over threads: chunks go to the one that has the fewest, this thread first; parts of their rows come back and are written in the order of the chunks
 * where that is wanted. Few chunks are under way at a time, so memory does not grow with the input.
 */
import { Worker } from "node:worker_threads";
import type { Piece } from "../../vm/batch/rows/cut-lines.ts";
import type { FrameChunk } from "../../vm/batch/rows/frame-lines.ts";
import type { RowsPart } from "../../vm/batch/rows/rows-part.ts";
import { partOf } from "../../vm/batch/rows/run-rows.ts";
import type { Clock } from "../../vm/run.ts";
import type { FromThread, ThreadStart } from "./messages.ts";
import type { CallTimes } from "./part.ts";
import { keepHeapSmall } from "./small-heap.ts";

export type ThreadedOptions = {
  /** Path of the built program. */
  readonly program: string;
  /** This one and others. */
  readonly threads: number;
  /** The others are started at once, and not when that has proved to be worth its while. */
  readonly isAsked: boolean;
  /** Bytes of the input; null: not known. */
  readonly bytes: number | null;
  readonly clock: Pick<Clock, "now">;
  readonly start: ThreadStart;
  /** Runs a chunk in this thread. */
  readonly runHere: (chunk: FrameChunk) => AsyncGenerator<RowsPart, void>;
  readonly signal: AbortSignal;
  readonly called: (times: CallTimes) => void;
};

/** One runs while the next is on its way. */
const CHUNKS_EACH = 2;
/** Chunks that may be over before the first one is, where their order counts. */
const CHUNKS_AHEAD = 32;
/** What a thread makes for a row is gone with it: more room for it would only be memory. */
const YOUNG_MB = 4;
/** Others are started when the rest would take this thread this many milliseconds longer: starting one and warming it up takes about a quarter of it. */
const WORTH_MS = 2000;
/** This thread runs alone for so long before anything is estimated. */
const ALONE_MS = 200;

/** Parts of whole rows as they come. Ending the iteration ends the threads, and what runs there. */
export async function* runOnThreads(
  pieces: AsyncIterator<Piece, void>,
  options: ThreadedOptions,
): AsyncGenerator<RowsPart, void> {
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
type Delivery = { readonly parts: RowsPart[]; done: boolean };
/** Where chunks run. */
type Lane = {
  /** Of the chunks that it has, in their order. */
  readonly deliveries: Delivery[];
  /** How many it may have. */
  readonly most: number;
  send(chunk: FrameChunk, delivery: Delivery): void;
  close(): Promise<unknown>;
};

class ThreadedBatch {
  readonly #pieces: AsyncIterator<Piece, void>;
  readonly #options: ThreadedOptions;
  readonly #lanes: Lane[];
  /** Chunks that are not over, in their order. */
  #deliveries: Delivery[] = [];
  readonly #started: number;
  #sentBytes = 0;
  #ended = false;
  #asking = false;
  #defect: Error | null = null;
  #wake: () => void = () => {};

  constructor(pieces: AsyncIterator<Piece, void>, options: ThreadedOptions) {
    this.#pieces = pieces;
    this.#options = options;
    this.#lanes = [this.#here()];
    this.#started = options.clock.now();
    if (options.isAsked) this.#openOthers();
    this.#ended = options.signal.aborted;
    this.#ask();
  }

  get over(): boolean {
    return this.#ended && !this.#asking && this.#deliveries.length === 0;
  }

  get #isOrdered(): boolean {
    const { rows, pace } = this.#options.start;
    return rows !== "full" || pace.ordered === true;
  }

  take(): RowsPart | undefined {
    if (this.#defect !== null) throw this.#defect;
    this.#deliveries = this.#deliveries.filter(({ done, parts }) => !done || parts.length > 0);
    const found = (this.#isOrdered ? this.#deliveries.slice(0, 1) : this.#deliveries).find(
      ({ parts }) => parts.length > 0,
    );
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
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  #here(): Lane {
    let running: AsyncGenerator<RowsPart, void> | null = null;
    const deliveries: Delivery[] = [];
    const run = async (parts: AsyncGenerator<RowsPart, void>, delivery: Delivery): Promise<void> => {
      for await (const part of parts) {
        delivery.parts.push(part);
        this.#wake();
      }
    };
    return {
      deliveries,
      most: 1,
      send: (chunk, delivery) => {
        running = this.#options.runHere(chunk);
        run(running, delivery)
          .catch((cause: unknown) => this.#fail(`a frame could not be run: ${messageOf(cause)}`))
          .finally(() => {
            delivery.done = true;
            deliveries.shift();
            if (!this.#ended && this.#isWorthMore()) this.#openOthers();
            this.#wake();
          });
      },
      close: async () => running?.return(),
    };
  }

  #openOthers(): void {
    while (this.#lanes.length < this.#options.threads) this.#lanes.push(this.#open());
  }

  #open(): Lane {
    const { program, start } = this.#options;
    const deliveries: Delivery[] = [];
    // No environment and none of the flags of this process reach the thread.
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const worker = new Worker(program, { env: {}, execArgv: [], workerData: start, resourceLimits });
    worker.on("online", keepHeapSmall);
    worker.on("message", (message: FromThread) => this.#hear(deliveries, message));
    worker.on("error", (cause) => this.#fail(`a thread of the batch died: ${cause.message}`));
    worker.on("exit", () => {
      if (deliveries.length > 0) this.#fail("a thread of the batch died");
    });
    return {
      deliveries,
      most: CHUNKS_EACH,
      send: (chunk) => worker.postMessage(chunk, [chunk.bytes.buffer]),
      close: () => {
        deliveries.length = 0;
        return worker.terminate();
      },
    };
  }

  #hear(deliveries: Delivery[], message: FromThread): void {
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
    const free = this.#lanes.find(({ deliveries, most }) => deliveries.length === 0 && most > 0) ?? this.#roomiest();
    const most = this.#isOrdered ? CHUNKS_AHEAD : this.#lanes.length * CHUNKS_EACH;
    if (this.#ended || this.#asking || this.#deliveries.length >= most) return;
    if (free.deliveries.length >= free.most) return;
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

  #roomiest(): Lane {
    const room = ({ most, deliveries }: Lane): number => most - deliveries.length;
    return this.#lanes.reduce((a, b) => (room(b) > room(a) ? b : a));
  }

  #send(lane: Lane, piece: Piece): void {
    if ("fault" in piece) {
      const { rows } = this.#options.start;
      this.#deliveries.push({ parts: [partOf(rows, { index: piece.index, ...piece.fault })], done: true });
      return;
    }
    const delivery: Delivery = { parts: [], done: false };
    this.#deliveries.push(delivery);
    lane.deliveries.push(delivery);
    this.#sentBytes += piece.bytes.length;
    lane.send(piece, delivery);
  }

  /** Whether other threads would shorten the batch, as far as that is known. An input of unknown size may be over soon: it must have gone on for long. */
  #isWorthMore(): boolean {
    const { bytes, clock } = this.#options;
    const ran = clock.now() - this.#started;
    if (bytes === null) return ran > WORTH_MS;
    return ran > ALONE_MS && (ran * (bytes - this.#sentBytes)) / this.#sentBytes > WORTH_MS;
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "unknown";
}
