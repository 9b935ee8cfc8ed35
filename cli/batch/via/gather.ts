/**
 * A batch on a service: blocks are queued as jobs, a bounded number of rows ahead, and their rows come back in the order of the input. What is queued is
 * recorded before and after each request, so that a batch that was cut continues without queueing a row twice.
 */
import { createHash } from "node:crypto";
import type { Rows, RowsPart } from "../../../vm/batch/rows/rows-part.ts";
import type { Clock } from "../../../vm/run.ts";
import { CliFault, EXIT } from "../../session/faults.ts";
import type { QueuedBlock } from "../resume/record.ts";
import type { Block, RowFault } from "./blocks.ts";
import type { Patience } from "./patience.ts";
import { RowWriter } from "./rows.ts";
import type { BulkJobs, GivenResult } from "./service.ts";

/** Results of one request, as many as a service gives. */
const ASKED_AT_ONCE = 1000;
const WAIT_S = 10;
/** A service remembers the answers of requests for a day. Requests that are older are looked for among its jobs. */
const REMEMBERED_MS = 23 * 3_600_000;

export type Batch = {
  readonly jobs: BulkJobs;
  readonly clock: Pick<Clock, "wall">;
  readonly patience: Patience;
  /** Names its jobs, and begins the keys of its requests. */
  readonly id: string;
  /** The members of a request but its frames, name and tags, as JSON without the last brace. */
  readonly request: string;
  readonly rows: Rows;
  /** Rows that may be queued and not yet written. */
  readonly ahead: number;
  /** Blocks that were queued before, in their order. */
  readonly before: readonly QueuedBlock[];
  /** Rows before this one are written. */
  readonly written: number;
  /** Keeps what is queued and not written. */
  readonly record: (blocks: readonly QueuedBlock[]) => void;
  /** What was given on is on the disk. */
  readonly settled: () => Promise<void>;
};

/** Parts of rows in the order of the input. Each is written before the next one is asked for. */
export function gatherRows(blocks: AsyncIterable<Block>, batch: Batch): AsyncGenerator<RowsPart, void> {
  return new Gathering(batch).parts(blocks);
}

/** Ids of jobs, and faults of rows that are not jobs. */
type Places = readonly (string | RowFault)[];
type Flight = {
  readonly from: number;
  readonly places: Places;
  /** Places that are written. */
  at: number;
};

class Gathering {
  readonly #batch: Batch;
  /** Queued, in their order. */
  readonly #flights: Flight[] = [];
  #recorded: QueuedBlock[];
  #fed = false;
  #stopped = false;
  #fault: { readonly cause: unknown } | null = null;
  #wake = (): void => {};

  constructor(batch: Batch) {
    this.#batch = batch;
    this.#recorded = [...batch.before];
  }

  async *parts(blocks: AsyncIterable<Block>): AsyncGenerator<RowsPart, void> {
    void this.#feed(blocks);
    try {
      for (;;) {
        const [head] = this.#flights;
        if (head === undefined) {
          if (this.#fault !== null) throw this.#fault.cause;
          if (this.#fed) return;
          await this.#change();
          continue;
        }
        const part = head.at < head.places.length ? await this.#take(head) : null;
        if (part !== null && part.count > 0) yield part;
        if (head.at < head.places.length) continue;
        await this.#batch.settled();
        this.#flights.shift();
        this.#keep(this.#recorded.filter(({ from }) => from !== head.from));
        this.#wake();
      }
    } finally {
      this.#stopped = true;
      this.#wake();
    }
  }

  /** Queues blocks while there is room. Never rejects. */
  async #feed(blocks: AsyncIterable<Block>): Promise<void> {
    try {
      for await (const block of blocks) {
        while (!this.#stopped && !this.#hasRoom(block.rows.length)) await this.#change();
        if (this.#stopped) return;
        const places = await this.#queued(block);
        this.#flights.push({ from: block.from, places, at: Math.max(0, this.#batch.written - block.from) });
        this.#wake();
      }
    } catch (cause) {
      // What is queued is gathered first.
      this.#fault = { cause };
    } finally {
      this.#fed = true;
      this.#wake();
    }
  }

  #hasRoom(rows: number): boolean {
    const queued = this.#flights.reduce((sum, { places }) => sum + places.length, 0);
    return queued === 0 || queued + rows <= this.#batch.ahead;
  }

  /** Resolves at the next change. Both who queue and who gather may wait. */
  #change(): Promise<void> {
    const before = this.#wake;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => {};
        before();
        resolve();
      };
    });
  }

  async #queued(block: Block): Promise<Places> {
    const { clock } = this.#batch;
    const known = this.#recorded.find(({ from }) => from === block.from);
    if (known?.rows !== undefined) return known.rows;
    const at = known?.at ?? clock.wall();
    const sent = { from: block.from, count: block.rows.length, at };
    if (known === undefined) this.#keep([...this.#recorded, sent]);
    const places = await this.#sent(block, known === undefined ? null : at);
    this.#keep(this.#recorded.map((one) => (one.from === block.from ? { ...sent, rows: [...places] } : one)));
    return places;
  }

  /** `before`: when the block was sent already, and nothing is known of the answer; null: it was not. */
  async #sent(block: Block, before: number | null): Promise<Places> {
    const { jobs, clock, patience } = this.#batch;
    const faults = new Map<number, RowFault>();
    for (const [at, row] of block.rows.entries()) if ("fault" in row) faults.set(at, row.fault);
    const isForgotten = before !== null && clock.wall() - before >= REMEMBERED_MS;
    for (;;) {
      const frames = block.rows.flatMap((row, at) => ("frame" in row && !faults.has(at) ? [row.frame] : []));
      if (frames.length === 0) return placed(block, faults, []);
      const found = isForgotten ? await patience.until(() => jobs.named(this.#name(block))) : [];
      if (found.length === frames.length) return placed(block, faults, found);
      if (found.length > 0) throw uncertain(this.#name(block));
      const text = this.#requestOf(block, frames);
      const key = `wf-batch-${this.#batch.id}-${block.from}-${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
      try {
        const ids = await patience.until(() => jobs.queue(text, key));
        return placed(block, faults, ids);
      } catch (cause) {
        const refused = refusedRow(cause, frames.length);
        if (refused === null) throw cause;
        const left = [...block.rows.keys()].filter((at) => !faults.has(at));
        faults.set(left[refused.at] ?? 0, refused.fault);
      }
    }
  }

  #requestOf(block: Block, frames: readonly string[]): string {
    const about = `"name":${JSON.stringify(this.#name(block))},"tags":${JSON.stringify({ batch: this.#batch.id })}`;
    return `${this.#batch.request},${about},"frames":[${frames.join(",")}]}`;
  }

  #name({ from }: Block): string {
    return `wf batch ${this.#batch.id} from ${from}`;
  }

  /** Rows of a block that are there, in their order; waits a while for the next one. */
  async #take(flight: Flight): Promise<RowsPart> {
    const { jobs, patience, rows } = this.#batch;
    const { places, from } = flight;
    const ids = places
      .slice(flight.at)
      .filter((place) => typeof place === "string")
      .slice(0, ASKED_AT_ONCE);
    const given = ids.length === 0 ? [] : await patience.until(() => jobs.results(ids, WAIT_S));
    // A service where too many wait answers at once.
    if (ids.length > 0 && given.length === 0) await patience.pause();
    const results = new Map(given.map((one): [string, GivenResult] => [one.job_id, one]));
    const writer = new RowWriter(rows, from + flight.at);
    for (; flight.at < places.length; flight.at += 1) {
      const place = places[flight.at];
      if (place === undefined) break;
      if (typeof place !== "string") writer.fault(place);
      else {
        const result = results.get(place);
        if (result === undefined) break;
        writer.result(result);
      }
    }
    return writer.part();
  }

  #keep(blocks: QueuedBlock[]): void {
    this.#recorded = blocks;
    this.#batch.record(blocks);
  }
}

const DROPPED: RowFault = { error: "job_dropped", message: "a rule of the service queued no job for this row" };

function placed({ rows }: Block, faults: ReadonlyMap<number, RowFault>, ids: readonly (string | null)[]): Places {
  const next = ids.values();
  return rows.map((_row, at) => faults.get(at) ?? next.next().value ?? DROPPED);
}

/** Which of the frames is refused, and why; null: the request is refused for another reason. */
function refusedRow(cause: unknown, frames: number): { readonly at: number; readonly fault: RowFault } | null {
  if (!(cause instanceof CliFault)) return null;
  const { error, message, members } = cause;
  const isLarge = error === "payload_too_large" || (error === "proxy_refused" && members["status"] === 413);
  if (isLarge) return frames === 1 ? { at: 0, fault: { error: "payload_too_large", message } } : null;
  const issues = Array.isArray(members["issues"]) ? members["issues"] : [];
  for (const issue of issues) {
    const { path, message: why } = issue as { readonly path: string; readonly message: string };
    const [, at, inner = ""] = /^\/frames\/(\d+)(\/.*)?$/s.exec(path) ?? [];
    if (at !== undefined) return { at: Number(at), fault: { error, message: `input ${inner}: ${why}` } };
  }
  return null;
}

function uncertain(name: string): CliFault {
  return new CliFault("some jobs of a block that was sent more than a day ago are gone from the service", {
    error: "job_expired",
    exitCode: EXIT.failed,
    notes: [`wf jobs list --name '${name}' shows those that are there; to run all rows again, omit --resume`],
  });
}
