/** Durable jobs in SQLite: what their runs write goes through the same batches as everything else, so that many runs share a sync. */
import type { JournalRecord, RunJournal } from "../../../vm/durable/records.ts";
import type { Clock } from "../../../vm/run.ts";
import { approvalStore, type DurableAsks, linkStore } from "../../state/durable-store.ts";
import type { Ask } from "../../state/port.ts";
import type { jobChanges } from "../../state/rules/job-moves.ts";
import { asking } from "../../state/sqlite/asking.ts";
import type { DurableJobs } from "../durable/durable-store.ts";
import { isDamage, journalRows, packed, readableRecords, recordsOf, snapshotsOf } from "../durable/journal-rows.ts";
import { type KeptSignals, SignalRoom } from "../durable/signal-room.ts";
import { type Moment, timeLeft } from "../durable/waits.ts";
import { WakeTimes } from "../durable/wake-times.ts";
import { type ClaimedJob, claimOf, type Job } from "../job.ts";
import { ROWS_A_ROUND } from "../retention/retention.ts";
import type { StoreTime } from "../steady-time.ts";
import type { SqliteLine } from "./call-batching.ts";

export type DurableJobsDeps = {
  readonly line: SqliteLine;
  readonly numberOf: (job: ClaimedJob) => number;
  readonly time: StoreTime;
  readonly maxSnapshotBytes: number;
  /** Jobs that wait. */
  readonly maxParked: number;
  /** Signals under keys. */
  readonly maxSignals: KeptSignals;
  readonly clock: Pick<Clock, "wait" | "wall">;
  /** The job is no longer run here. */
  readonly released: (job: ClaimedJob) => void;
  /** Tells those who wait for the jobs. */
  readonly told: (job: Job) => Job;
  /** The job is parked, and waits for others: one of them may have ended meanwhile. */
  readonly waitsForJobs: (id: string) => void;
};

const LOOK_AGAIN_MS = 60_000;

export function sqliteDurableJobs({
  line,
  numberOf,
  time,
  clock,
  maxSnapshotBytes,
  maxParked,
  maxSignals,
  released,
  told,
  waitsForJobs,
}: DurableJobsDeps): DurableJobs {
  const { now } = time;
  const writing = (job: ClaimedJob) => ({
    number: numberOf(job),
    id: job.id,
    owner: job.owner,
    attempt: job.attempt,
    resumes: job.resumes,
  });
  const append = (job: ClaimedJob, records: readonly JournalRecord[]): Promise<boolean> =>
    line.call("appendJournal", { ...writing(job), ...journalRows(records) });

  const moment = (): Moment => ({ now: now(), wall: clock.wall() });
  const clocks = { now, wall: () => clock.wall() };
  const asks: DurableAsks = { read: asking(line, clocks), change: asking(line, clocks), told };
  const { read, change } = asks;
  const moves: Ask<typeof jobChanges> = asking(line, clocks);
  const room = new SignalRoom({ most: maxSignals, count: () => read("keptSignals", null), now });
  const times = new WakeTimes({
    wakeDue: (most) => change("wakeDue", most),
    nextWake: () => read("nextWake", null),
    lookAgainMs: LOOK_AGAIN_MS,
    ...{ clock, time, told },
  });
  return {
    approvals: approvalStore(asks),
    links: linkStore(asks),
    journal: (job): RunJournal => ({
      async load() {
        const { rows, values, lastSeq, snapshots } = await line.call("loadJournal", { id: job.id });
        try {
          return { records: recordsOf(rows, values), lastSeq, snapshots: snapshotsOf(snapshots) };
        } catch (thrown) {
          if (!isDamage(thrown)) throw thrown;
          // Rejects, and nothing more is written. The run stays where it is.
          await line.call("damaged", { what: `the journal of ${job.id}` });
          throw thrown;
        }
      },
      append: async (records) => ((await append(job, records)) ? "kept" : "stale"),
      now,
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
      keep(snapshot) {
        const data = packed(JSON.stringify(snapshot));
        const { seq } = snapshot as { readonly seq: number };
        if (data.byteLength > maxSnapshotBytes) return;
        line.call("keepSnapshot", { ...writing(job), seq, data }).catch(() => {});
      },
    }),
    last(job, records) {
      if (records.length > 0) void append(job, records).catch(() => {});
    },
    ended(job) {
      line.call("endDurable", { id: job.id, now: now() }).catch(() => {});
    },
    async page(id, after, most) {
      const page = await line.call("journalPage", { id, after, most });
      if (page === null) return null;
      const { records, isWhole } = readableRecords(page);
      const woken = isWhole ? null : await change("wakeUnreadable", id);
      if (woken !== null) told(woken);
      return records;
    },
    lastSeq: (id) => line.call("lastRecordNumber", { id }),
    async decide(id, decision) {
      const job = await change("decide", { id, ...decision });
      return job === null ? null : told(job);
    },
    async send(signal) {
      const sent = await room.send(signal, () => change("sendSignal", signal));
      if (sent.state === "kept") for (const job of sent.woken) told(job);
      return sent;
    },
    keptSignals: () => room.kept(),
    waits: (id) => read("waitsOf", id),
    waitedKeys: (name, after, most) => read("waitedKeys", { name, after, most }),
    unread: (id) => read("unreadSignals", id),
    watchTimes: (hear) => times.start(hear),
    async endLifetimes() {
      const ended = await moves("endLifetimes", ROWS_A_ROUND);
      return ended.map(told);
    },
  };
}
