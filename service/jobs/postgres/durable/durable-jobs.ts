/** Durable jobs in PostgreSQL, as the runs and routes of one replica know them. */
import type { JournalRecord, RunJournal } from "../../../../vm/durable/records.ts";
import type { Clock } from "../../../../vm/run.ts";
import type { DurableJobs } from "../../durable/durable-store.ts";
import {
  type JournalRows,
  journalRows,
  packed,
  readableRecords,
  recordsOf,
  snapshotsOf,
} from "../../durable/journal-rows.ts";
import { type KeptSignals, SignalRoom } from "../../durable/signal-room.ts";
import { type Moment, timeLeft } from "../../durable/waits.ts";
import { WakeTimes } from "../../durable/wake-times.ts";
import type { ClaimedJob, Job } from "../../job.ts";
import { ROWS_A_ROUND } from "../../retention.ts";
import type { StoreTime } from "../../steady-time.ts";
import { postgresApprovals } from "../approvals/approval-store.ts";
import { postgresLinks } from "../approvals/link-store.ts";
import type { Database } from "../database.ts";
import { AppendQueue } from "./append-queue.ts";
import { endDurable, keepSnapshot, lastSeq, lastSnapshot, readRows, readSnapshots } from "./journal.ts";
import { endLifetimes, park } from "./parking.ts";
import {
  decide,
  keptSignals,
  nextWake,
  sendSignal,
  unreadSignals,
  waitedKeys,
  waitsOf,
  wakeDue,
  wakeUnreadable,
} from "./waking.ts";

export type PostgresDurableDeps = {
  readonly database: Database;
  readonly clock: Pick<Clock, "wait" | "wall">;
  readonly time: StoreTime;
  readonly maxSnapshotBytes: number;
  /** Jobs that wait. */
  readonly maxParked: number;
  /** Signals under keys. */
  readonly maxSignals: KeptSignals;
  /** The other replicas heard of this one lately enough. */
  readonly isHeard: () => boolean;
  /** The job is no longer run here. */
  readonly released: (job: ClaimedJob) => void;
};

/** Jobs that another replica parks are found then, should that one die. */
const LOOK_AGAIN_MS = 5000;

export type PostgresDurableJobs = {
  readonly jobs: DurableJobs;
  /** The records that are to be kept with the end of a job; null: none. */
  readonly lastRecords: (job: ClaimedJob) => JournalRows | null;
};

export function postgresDurableJobs(deps: PostgresDurableDeps): PostgresDurableJobs {
  const { database, clock, time, maxSnapshotBytes, maxParked, maxSignals, isHeard, released } = deps;
  const { now } = time;
  const moment = (): Moment => ({ now: now(), wall: clock.wall() });
  const appends = new AppendQueue(database);
  /** Of jobs that are about to be settled. */
  const last = new WeakMap<ClaimedJob, readonly JournalRecord[]>();
  const room = new SignalRoom({ most: maxSignals, count: () => keptSignals(database, now()), now });
  const times = new WakeTimes({
    wakeDue: (most) => database.transaction((on) => wakeDue(on, moment(), most)),
    nextWake: () => nextWake(database, moment()),
    // Replicas hear of jobs by notifications of the database.
    told: (job: Job) => job,
    lookAgainMs: LOOK_AGAIN_MS,
    ...{ clock, time },
  });
  const journal = (job: ClaimedJob): RunJournal => {
    let keeping = Promise.resolve();
    return {
      async load() {
        // Read before the records: what is added in between makes the journal longer, never shorter.
        const { lastSeq, snapshots } = await readSnapshots(database, job.id);
        const { rows, values } = await readRows(database, job.id, 0, null);
        return { records: recordsOf(rows, values), lastSeq, snapshots: snapshotsOf(snapshots) };
      },
      append: async (records) => ((await appends.append(job, journalRows(records))) ? "kept" : "stale"),
      async park(records, waits, isWhole) {
        const {
          job: parked,
          wakes = [],
          ...answer
        } = await park(database, job, journalRows(records), { waits, isWhole }, { maxParked, moment });
        if (parked !== undefined) {
          released(job);
          for (const { spec, until } of wakes) times.parked(timeLeft(spec, until, moment()));
        }
        return answer;
      },
      now,
      isOurs: isHeard,
      keep(snapshot) {
        const data = packed(JSON.stringify(snapshot));
        const { seq } = snapshot as { readonly seq: number };
        if (data.byteLength > maxSnapshotBytes) return;
        // One after the other, because each drops those before it.
        keeping = keeping.then(() => keepSnapshot(database, job, seq, data)).catch(() => {});
      },
    };
  };
  return {
    lastRecords(job) {
      const records = last.get(job);
      return records === undefined ? null : journalRows(records);
    },
    jobs: {
      approvals: postgresApprovals(database, now),
      links: postgresLinks(database, now),
      journal,
      last(job, records) {
        if (records.length > 0) last.set(job, records);
      },
      ended(job) {
        endDurable(database, job.id, now()).catch(() => {});
      },
      async page(id, after, most) {
        const [job] = await database.query("SELECT 1 FROM weft.jobs WHERE id = $1", [id]);
        if (job === undefined) return null;
        const { rows, values } = await readRows(database, id, after, most);
        const { records, isWhole } = readableRecords({ rows, values });
        if (!isWhole) await database.transaction((on) => wakeUnreadable(on, id, now()));
        return records;
      },
      lastSeq: (id) => lastSeq(database, id),
      async snapshot(id) {
        const data = await lastSnapshot(database, id);
        return data === null ? null : snapshotsOf([data])[0];
      },
      decide: (id, decision) => database.transaction((on) => decide(on, id, decision, now())),
      send: (signal) => room.send(signal, () => database.transaction((on) => sendSignal(on, signal, now()))),
      keptSignals: () => room.kept(),
      waits: (id) => waitsOf(database, id),
      waitedKeys: (name, after, most) => waitedKeys(database, name, after, most),
      unread: (id) => unreadSignals(database, id),
      watchTimes: (hear) => times.start(hear),
      endLifetimes: () => database.transaction((on) => endLifetimes(on, now(), ROWS_A_ROUND)),
    },
  };
}
