/** Durable jobs in PostgreSQL, as the runs and routes of one replica know them. */
import type { JournalRecord, RunJournal } from "../../../../vm/durable/records.ts";
import type { Clock } from "../../../../vm/run.ts";
import { approvalStore, type DurableAsks, linkStore } from "../../../state/durable-store.ts";
import type { Port } from "../../../state/port.ts";
import { type Append, appendRows, keepSnapshot, lastSeq, loadRows, readRows } from "../../../state/postgres/journal.ts";
import { asking, performed, reading } from "../../../state/postgres/perform.ts";
import { durableChanges, durableReads } from "../../../state/rules/durable.ts";
import { jobChanges } from "../../../state/rules/job-moves.ts";
import type { DurableJobs } from "../../durable/durable-store.ts";
import {
  type JournalRows,
  journalBytes,
  journalRows,
  packed,
  readableRecords,
  recordsOf,
  snapshotsOf,
} from "../../durable/journal-rows.ts";
import { type KeptSignals, SignalRoom } from "../../durable/signal-room.ts";
import { type Moment, type NewSignal, timeLeft } from "../../durable/waits.ts";
import { WakeTimes } from "../../durable/wake-times.ts";
import { type ClaimedJob, claimOf, type Job } from "../../job.ts";
import { ROWS_A_ROUND } from "../../retention/retention.ts";
import type { StoreTime } from "../../steady-time.ts";
import type { Database } from "../database.ts";
import { Gathering } from "../gathered/gathering.ts";

export type PostgresDurableDeps = {
  readonly database: Database;
  readonly port: Port;
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
  /** A job was parked, woken or ended. */
  readonly told: (job: Job) => Job;
  /** The job is parked, and waits for others: one of them may have ended meanwhile. */
  readonly waitsForJobs: (id: string) => void;
};

/** Jobs that another replica parks are found then, should that one die. */
const LOOK_AGAIN_MS = 5000;

export type PostgresDurableJobs = {
  readonly jobs: DurableJobs;
  /** The records that are to be kept with the end of a job; null: none. */
  readonly lastRecords: (job: ClaimedJob) => JournalRows | null;
};

export function postgresDurableJobs(deps: PostgresDurableDeps): PostgresDurableJobs {
  const {
    database,
    port,
    clock,
    time,
    maxSnapshotBytes,
    maxParked,
    maxSignals,
    isHeard,
    released,
    told,
    waitsForJobs,
  } = deps;
  const { now } = time;
  const moment = (): Moment => ({ now: now(), wall: clock.wall() });
  const appends = new Gathering({
    perform: (some: readonly Append[]) => performed(database, appendRows(some)),
    bytesOf: ({ rows }) => journalBytes(rows),
  });
  /** Of jobs that are about to be settled. */
  const last = new WeakMap<ClaimedJob, readonly JournalRecord[]>();
  const asks: DurableAsks = {
    read: reading(database, durableReads, port),
    change: asking(database, durableChanges, port),
    told,
  };
  const { read, change } = asks;
  const room = new SignalRoom({ most: maxSignals, count: () => read("keptSignals", null), now });
  // To jobs. Those under a key may wake many: they would keep the others waiting.
  const sends = new Gathering({
    perform: (signals: readonly NewSignal[]) => change("sendSignals", signals),
    bytesOf: ({ data }) => data.length,
    nameOf: ({ target }) => JSON.stringify(target),
  });
  const times = new WakeTimes({
    wakeDue: (most) => change("wakeDue", most),
    nextWake: () => read("nextWake", null),
    lookAgainMs: LOOK_AGAIN_MS,
    ...{ clock, time, told },
  });
  const journal = (job: ClaimedJob): RunJournal => {
    let keeping = Promise.resolve();
    return {
      async load() {
        const { rows, values, lastSeq, snapshots } = await loadRows(database, job.id);
        return { records: recordsOf(rows, values), lastSeq, snapshots: snapshotsOf(snapshots) };
      },
      append: async (records) => ((await appends.add({ writer: job, rows: journalRows(records) })) ? "kept" : "stale"),
      async park(records, waits, isWhole) {
        const request = { writer: claimOf(job), rows: journalRows(records), waits, isWhole, maxParked };
        const { job: parked, wakes = [], ...answer } = await change("park", request);
        if (parked !== undefined) {
          released(job);
          told(parked);
          if (waits.some(({ spec }) => spec.kind === "job")) waitsForJobs(parked.id);
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
      approvals: approvalStore(asks),
      links: linkStore(asks),
      journal,
      last(job, records) {
        if (records.length > 0) last.set(job, records);
      },
      // Its end was written with what was to be forgotten (`gathered/settle.ts`).
      ended() {},
      async page(id, after, most) {
        const [job] = await database.query("SELECT 1 FROM weft.jobs WHERE id = $1", [id]);
        if (job === undefined) return null;
        const { rows, values } = await readRows(database, id, after, most);
        const { records, isWhole } = readableRecords({ rows, values });
        const woken = isWhole ? null : await change("wakeUnreadable", id);
        if (woken !== null) told(woken);
        return records;
      },
      lastSeq: (id) => lastSeq(database, id),
      async decide(id, decision) {
        const job = await change("decide", { id, ...decision });
        return job === null ? null : told(job);
      },
      async send(signal) {
        const sent = await room.send(signal, () =>
          "job" in signal.target ? sends.add(signal) : change("sendSignal", signal),
        );
        if (sent.state === "kept") for (const job of sent.woken) told(job);
        return sent;
      },
      keptSignals: () => room.kept(),
      waits: (id) => read("waitsOf", id),
      waitedKeys: (name, after, most) => read("waitedKeys", { name, after, most }),
      unread: (id) => read("unreadSignals", id),
      watchTimes: (hear) => times.start(hear),
      async endLifetimes() {
        const ended = await asking(database, jobChanges, port)("endLifetimes", ROWS_A_ROUND);
        return ended.map(told);
      },
    },
  };
}
