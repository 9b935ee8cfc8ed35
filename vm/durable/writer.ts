/**
 * Records on their way to the store. They are gathered, and go together when something is about to leave the process, when they have waited
 * for a moment, or when they are many; so what a run only reads costs no commit of its own.
 */
import { FatalFailure } from "../errors/failures.ts";
import type { Clock } from "../run.ts";
import { jsonBytes } from "../values/json-size.ts";
import type { JournalRecord, Parked, ParkedWait, RecordBody, RunJournal, UnnumberedRecord } from "./records.ts";

/** Milliseconds that records wait at most. */
const LINGER_MS = 250;
/** Bytes of records that go at once. */
const GATHERED_BYTES = 256 * 1024;
/** Bytes of a record besides its values, about. */
const HEAD_BYTES = 256;
/** Milliseconds until a store that cannot say is asked again; twice as many the next time. */
const AGAIN_MS = 50;
const MAX_AGAIN_MS = 2000;

/** Bytes of a record, about: the same whether it is written here or was found. */
export function recordBytes(body: RecordBody): number {
  const value = "result" in body ? body.result : "error" in body ? (body.error.details ?? null) : null;
  return HEAD_BYTES + (value === null ? 0 : jsonBytes(value));
}

export type WriterOptions = {
  readonly journal: RunJournal;
  readonly clock: Pick<Clock, "wall" | "wait">;
  readonly lingerMs?: number | undefined;
  /** Milliseconds of the run's own clock. */
  readonly activeMs: () => number;
  /** Bytes of the journal, those that are there already included. */
  readonly bytes: number;
  readonly seq: number;
  /** The run belongs to somebody else. */
  readonly onStale: () => void;
};

export class JournalWriter {
  readonly #options: WriterOptions;
  /** They get their numbers when they are sent, because the store may add records of its own before. */
  #gathered: UnnumberedRecord[] = [];
  #gatheredBytes = 0;
  /** Of the last record that was sent. */
  #seq: number;
  #bytes: number;
  #stopLinger: (() => void) | null = null;
  #stopAgain: (() => void) | null = null;
  /** What is under way, and everything before it. */
  #sending: Promise<void> = Promise.resolve();
  #isSending = false;
  #closed = false;
  #stale = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#seq = options.seq;
    this.#bytes = options.bytes;
  }

  /** Of the last record, written or gathered: it may become a higher one while the store is asked. */
  get seq(): number {
    return this.#seq + this.#gathered.length;
  }

  /** Of all records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Nothing waits to become durable. */
  get isClean(): boolean {
    return this.#gathered.length === 0 && !this.#isSending;
  }

  /** Throws RUNTIME_JOURNAL_FULL where a record of `bytes` would make the journal larger than `maxBytes`. */
  checkRoom(bytes: number, maxBytes: number): void {
    if (this.#bytes + bytes <= maxBytes) return;
    const message = `the journal of the run may have ${maxBytes} bytes`;
    throw new FatalFailure("RUNTIME_JOURNAL_FULL", message, "limit", { limit: maxBytes });
  }

  add(body: RecordBody, branch = ""): void {
    const { clock, activeMs, lingerMs = LINGER_MS } = this.#options;
    const bytes = recordBytes(body);
    this.#gathered.push({ ...body, at: clock.wall(), active_ms: activeMs(), branch });
    this.#gatheredBytes += bytes;
    this.#bytes += bytes;
    if (this.#gatheredBytes >= GATHERED_BYTES) void this.commit().catch(() => {});
    else this.#stopLinger ??= clock.wait(lingerMs, () => void this.commit().catch(() => {}));
  }

  /** Resolves when every record that was added before is durable. Never resolves for a run that is no longer ours. */
  commit(): Promise<void> {
    this.#stopLinger?.();
    this.#stopLinger = null;
    if (this.#gathered.length === 0) return this.#sending;
    // What is added while records are under way goes with the next ones.
    if (!this.#isSending) {
      this.#isSending = true;
      this.#sending = this.#send();
      return this.#sending;
    }
    return this.#sending.then(() => this.commit());
  }

  /** The run waits, or some of its branches: what is gathered goes with it. Never resolves for a run that is no longer ours. */
  async park(waits: readonly ParkedWait[], isWhole: boolean): Promise<Exclude<Parked, { readonly state: "stale" }>> {
    // Others may have begun to send meanwhile, and the store keeps what comes first.
    do await this.#sending;
    while (this.#isSending);
    this.#stopLinger?.();
    this.#stopLinger = null;
    const records = this.#numbered();
    let parked: Parked | null = null;
    this.#isSending = true;
    const sent = this.#kept(async (journal) => {
      parked = (await journal.park?.(records, waits, isWhole)) ?? null;
      return parked?.state === "stale" ? "stale" : "kept";
    });
    this.#sending = sent.then(() => {});
    const kept = await sent;
    this.#isSending = false;
    const done = parked as Parked | null;
    if (!kept || done === null || done.state === "stale") return new Promise<never>(() => {});
    if (done.state === "woken") this.#seq = Math.max(this.#seq, ...done.woken.map(({ seq }) => seq));
    return done;
  }

  /** Nothing is sent any more, and nothing is tried again. */
  close(): void {
    this.#closed = true;
    this.#stopLinger?.();
    this.#stopAgain?.();
    this.#stopLinger = null;
  }

  #numbered(): readonly JournalRecord[] {
    const records = this.#gathered.map((record, at): JournalRecord => ({ ...record, seq: this.#seq + at + 1 }));
    this.#seq += records.length;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    return records;
  }

  async #send(): Promise<void> {
    const records = this.#numbered();
    const kept = await this.#kept((journal) => journal.append(records));
    this.#isSending = false;
    if (!kept) await new Promise<never>(() => {});
  }

  /** false: never, because the run is somebody else's or over. */
  async #kept(give: (journal: RunJournal) => Promise<"kept" | "stale">): Promise<boolean> {
    const { journal, clock, onStale } = this.#options;
    for (let ms = AGAIN_MS; ; ms = Math.min(2 * ms, MAX_AGAIN_MS)) {
      if (this.#closed || this.#stale) return false;
      try {
        if ((await give(journal)) === "kept") return true;
        this.#stale = true;
        onStale();
        return false;
      } catch {
        // The store may have kept them without being able to say so: the same records are given again.
        await new Promise<void>((resolve) => {
          this.#stopAgain = (): void => {
            stop();
            resolve();
          };
          const stop = clock.wait(ms, resolve);
        });
      }
    }
  }
}
