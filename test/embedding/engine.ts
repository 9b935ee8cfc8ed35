/**
 * A store of durable runs as another engine would have it, in memory: a log and a lease for each run, timers, and signals. It is written
 * against the exports of the package alone, as an adapter to such an engine is (docs/embedding.md). Everything that it keeps is text.
 */
import type { JournalRecord, Json, Parked, ParkedWait, RunJournal } from "../../index.ts";

type Row = {
  readonly log: string[];
  readonly snapshots: string[];
  /** What the run waits for; null while it works. */
  waits: readonly ParkedWait[] | null;
  /** Counts the owners that the run had: only the last one may write. */
  epoch: number;
  /** Milliseconds since 1970. */
  leasedUntil: number;
  ended: string | null;
};
/** `epoch`: which owner of the run has it. */
export type Lease = { readonly run: string; readonly epoch: number; readonly why: "crash" | "wake" };
type Arrival = { readonly wait: string; readonly why: "signal" | "time" | "expired"; readonly result: Json };
type Signal = { readonly id: string; readonly name: string; readonly data: Json; readonly at: number };

const LEASE_MS = 1000;
const NO_SIGNAL = { received: false, name: null, data: null, id: null, at: null };

export class Engine {
  readonly #now: () => number;
  readonly #runs = new Map<string, Row>();
  readonly #signals = new Map<string, Signal[]>();
  /** Appends that break off, as over a network: before the store has them, or after. */
  breaks: ("before" | "after")[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  begin(run: string): void {
    if (this.#runs.has(run)) return;
    this.#runs.set(run, { log: [], snapshots: [], waits: null, epoch: 0, leasedUntil: 0, ended: null });
  }

  /** A run that has something to do and no living owner, for the one who asks. */
  claim(): Lease | null {
    for (const [run, row] of this.#runs) {
      if (row.ended !== null || row.leasedUntil > this.#now()) continue;
      const why = row.waits === null ? "crash" : "wake";
      if (row.waits !== null && this.#arrived(run, row.waits).length === 0) continue;
      row.waits = null;
      row.epoch += 1;
      row.leasedUntil = this.#now() + LEASE_MS;
      return { run, epoch: row.epoch, why };
    }
    return null;
  }

  end(lease: Lease, result: string): void {
    const row = this.#row(lease.run);
    if (this.#isOwner(row, lease)) row.ended = result;
  }

  /** What became of a run, and the kinds of its records in their order. */
  look(run: string): { readonly result: string | null; readonly kinds: readonly string[] } {
    const { ended, log } = this.#row(run);
    return { result: ended, kinds: log.map((text) => (JSON.parse(text) as JournalRecord).kind) };
  }

  signal(run: string, id: string, name: string, data: Json): void {
    const sent = this.#signals.get(run) ?? [];
    if (!sent.some((one) => one.id === id)) this.#signals.set(run, [...sent, { id, name, data, at: this.#now() }]);
  }

  journal(lease: Lease): RunJournal {
    const row = this.#row(lease.run);
    return {
      load: async () => ({
        records: row.log.map((text) => JSON.parse(text) as JournalRecord),
        lastSeq: row.log.length,
        snapshots: row.snapshots.map((text) => JSON.parse(text) as unknown),
      }),
      append: async (records) => {
        const fault = this.breaks.shift();
        if (fault === "before") throw new Error("the connection is gone");
        if (!this.#isOwner(row, lease)) return "stale";
        this.#keep(row, records);
        if (fault === "after") throw new Error("the connection is gone");
        return "kept";
      },
      park: async (...asked) => this.#park(lease, row, asked),
      now: () => this.#now(),
      isOurs: () => this.#isOwner(row, lease),
      keep: (snapshot) => {
        if (this.#isOwner(row, lease)) row.snapshots.splice(0, 2, JSON.stringify(snapshot));
      },
    };
  }

  /** One transaction: the records, what has come, and that the run waits. */
  #park(lease: Lease, row: Row, [records, waits, isWhole]: Parameters<NonNullable<RunJournal["park"]>>): Parked {
    if (!this.#isOwner(row, lease)) return { state: "stale" };
    this.#keep(row, records);
    const woken = this.#arrived(lease.run, waits).map(({ wait, why, result }) => {
      // A signal wakes once.
      const unread = this.#signals.get(lease.run)?.filter((one) => one.id !== (result as { id?: string }).id);
      this.#signals.set(lease.run, unread ?? []);
      const seq = row.log.length + 1;
      const record = { kind: "woken", wait, why, result, seq, at: this.#now(), active_ms: 0, branch: "" } as const;
      row.log.push(JSON.stringify(record));
      return { wait, seq, result };
    });
    if (woken.length > 0) return { state: "woken", woken };
    if (!isWhole) return { state: "waits" };
    row.waits = waits;
    row.leasedUntil = 0;
    return { state: "parked" };
  }

  #arrived(run: string, waits: readonly ParkedWait[]): Arrival[] {
    return waits.flatMap(({ wait, spec }): Arrival[] => {
      if (spec.kind === "signal") {
        const found = this.#signals.get(run)?.find(({ name }) => spec.names.includes(name));
        if (found !== undefined) {
          const at = new Date(found.at).toISOString();
          return [{ wait, why: "signal", result: { ...found, received: true, at } }];
        }
      }
      if (spec.until === null || spec.until > this.#now()) return [];
      if (spec.kind !== "timer") return [{ wait, why: "expired", result: NO_SIGNAL }];
      return [{ wait, why: "time", result: { at: new Date(spec.until).toISOString() } }];
    });
  }

  /** Records that are there already, of an append that was made again, are left as they are. */
  #keep(row: Row, records: readonly JournalRecord[]): void {
    for (const record of records) if (record.seq > row.log.length) row.log.push(JSON.stringify(record));
  }

  #isOwner(row: Row, { epoch }: Lease): boolean {
    return row.epoch === epoch && row.leasedUntil > this.#now();
  }

  #row(run: string): Row {
    const row = this.#runs.get(run);
    if (row === undefined) throw new Error(`no run is called ${run}`);
    return row;
  }
}
