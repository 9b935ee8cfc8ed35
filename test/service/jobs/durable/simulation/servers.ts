/** What the simulated replicas share: the code of both stores that runs where the rows are, told the time and the owner with each call. */
import { journalRows, packed, recordsOf, snapshotsOf } from "../../../../../service/jobs/durable/journal-rows.ts";
import type { Decision, JobWait, Moment, NewSignal, SignalSent } from "../../../../../service/jobs/durable/waits.ts";
import { type ClaimedJob, claimName, type Job, type JobOutcome } from "../../../../../service/jobs/job.ts";
import { Claims } from "../../../../../service/jobs/postgres/claims.ts";
import { type Database, openDatabase } from "../../../../../service/jobs/postgres/database.ts";
import { COLUMNS, jobOf, releaseLocked } from "../../../../../service/jobs/postgres/job-rows.ts";
import { recoverJobs } from "../../../../../service/jobs/postgres/recover.ts";
import type { Replica } from "../../../../../service/jobs/postgres/replica.ts";
import { openPostgresStore } from "../../../../../service/jobs/postgres/store.ts";
import { openDatabase as openSqlite } from "../../../../../service/jobs/sqlite/batch.ts";
import type { CallInput, CallName, CallOutput } from "../../../../../service/jobs/sqlite/calls.ts";
import { claimedJobs } from "../../../../../service/jobs/sqlite/tables/claimed-rows.ts";
import { submittedRows } from "../../../../../service/jobs/sqlite/tables/submission-rows.ts";
import { StoreHealth } from "../../../../../service/jobs/store-health.ts";
import type { Port } from "../../../../../service/state/port.ts";
import { appendRows, keepSnapshot, loadRows } from "../../../../../service/state/postgres/journal.ts";
import { asking, performed } from "../../../../../service/state/postgres/perform.ts";
import { postgresPort } from "../../../../../service/state/postgres/port.ts";
import { durableChanges } from "../../../../../service/state/rules/durable.ts";
import { signalReads } from "../../../../../service/state/rules/signals.ts";
import { waitReads } from "../../../../../service/state/rules/waits.ts";
import type { FoundJob, JobStore } from "../../../../../service/state/store.ts";
import type { JournalRecord, LoadedJournal, Parked, ParkedWait } from "../../../../../vm/durable/records.ts";
import type { TestPostgres } from "../../../../support/postgres.ts";
import { realClock } from "../../../serving.ts";
import { alone, type NewJob } from "../../store-cases.ts";

/** Each is one transaction, or several where the store makes several. */
export type JobServer = {
  queue(job: NewJob): Promise<void>;
  /** The first job in line. */
  claim(owner: string, now: number): Promise<ClaimedJob | null>;
  /** The answer of a claim was lost: puts back what this owner has without knowing it. `known`: names of claims. */
  release(owner: string, known: ReadonlySet<string>, now: number): Promise<void>;
  load(id: string): Promise<LoadedJournal>;
  append(job: ClaimedJob, records: readonly JournalRecord[]): Promise<"kept" | "stale">;
  park(
    job: ClaimedJob,
    records: readonly JournalRecord[],
    waits: readonly ParkedWait[],
    isWhole: boolean,
    now: number,
  ): Promise<Parked>;
  keep(job: ClaimedJob, snapshot: { readonly seq: number }): Promise<void>;
  /** With the last records. False: it was not made. */
  settle(
    job: ClaimedJob,
    records: readonly JournalRecord[],
    outcome: JobOutcome,
    result: string,
    now: number,
  ): Promise<boolean>;
  interrupt(job: ClaimedJob, now: number): Promise<boolean>;
  cancel(id: string, now: number): Promise<Job | null>;
  /** Jobs of all owners but this one are taken from them. */
  recover(owner: string, now: number): Promise<void>;
  send(signal: NewSignal, now: number): Promise<SignalSent>;
  decide(id: string, decision: Decision, now: number): Promise<boolean>;
  wakeDue(now: number): Promise<void>;
  find(id: string): Promise<FoundJob | null>;
  waits(id: string): Promise<readonly JobWait[]>;
  /** How many signals came to the job that it has not read, by name. */
  unread(id: string): Promise<Readonly<Record<string, number>>>;
  /** How often the job ended, by its events. */
  ends(id: string): Promise<number>;
  close(): Promise<void>;
};

const MAX_CRASHES = 1000;
const KEEP_MS = 3_600_000_000;
const MAX_PARKED = 100_000;

/** Both clocks go alike. */
const moment = (now: number): Moment => ({ now, wall: now });

export function sqliteServer(): JobServer {
  const db = openSqlite(null);
  const numbers = new WeakMap<ClaimedJob, number>();
  const call = <N extends CallName>(name: N, input: CallInput<N>): CallOutput<N> => {
    const [answer] = db.perform([{ name, input }]);
    if (answer?.ok !== true) throw new Error(`${name}: ${answer?.message}`);
    return answer.output as CallOutput<N>;
  };
  const writing = (job: ClaimedJob) => ({ ...claimOf(job), number: numbers.get(job) ?? -1 });
  const append = (job: ClaimedJob, records: readonly JournalRecord[]) =>
    call("appendJournal", { ...writing(job), ...journalRows(records) });
  return {
    async queue(job) {
      call("enqueue", { ...submittedRows(alone(job)), most: 1000, key: null });
    },
    async claim(owner, now) {
      const claimed = call("claim", { owner, now, most: 1 });
      const [job] = claimedJobs(claimed, owner, now);
      if (job === undefined) return null;
      numbers.set(job, claimed.rows[0]?.[6] ?? -1);
      return job;
    },
    async release(owner, known, now) {
      call("releaseUnknown", { owner, now, known });
    },
    async load(id) {
      const { rows, values, lastSeq, snapshots } = call("loadJournal", { id });
      return { records: recordsOf(rows, values), lastSeq, snapshots: snapshotsOf(snapshots) };
    },
    append: async (job, records) => (append(job, records) ? "kept" : "stale"),
    async park(job, records, waits, isWhole, now) {
      const input = { writer: claimOf(job), rows: journalRows(records), waits, isWhole, maxParked: MAX_PARKED };
      const { job: _parked, wakes: _wakes, ...answer } = call("park", { input, ...moment(now) });
      return answer;
    },
    async keep(job, snapshot) {
      call("keepSnapshot", { ...writing(job), seq: snapshot.seq, data: packed(JSON.stringify(snapshot)) });
    },
    async settle(job, records, outcome, result, now) {
      if (records.length > 0) append(job, records);
      const { number, id, attempt, owner } = writing(job);
      const [made] = call("settle", [[number, id, attempt, owner, outcome, now, now + KEEP_MS, result]]);
      return made === true;
    },
    interrupt: async (job, now) =>
      call("interruptJob", { input: { writer: claimOf(job), known: null }, ...moment(now) }) !== null,
    cancel: async (id, now) => call("cancelJob", { input: id, ...moment(now) })?.job ?? null,
    async recover(owner, now) {
      call("recover", { owner, now, maxCrashes: MAX_CRASHES });
    },
    send: async (signal, now) => call("sendSignal", { input: signal, ...moment(now) }),
    decide: async (id, decision, now) => call("decide", { input: { id, ...decision }, ...moment(now) }) !== null,
    async wakeDue(now) {
      call("wakeDue", { input: 100, ...moment(now) });
    },
    find: async (id) => call("find", { id }),
    waits: async (id) => call("waitsOf", { input: id, ...moment(0) }),
    unread: async (id) => call("unreadSignals", { input: id, ...moment(0) }),
    ends: async (id) => call("events", { id, seq: 0 }).filter(({ kind }) => kind === "end").length,
    async close() {
      db.close();
    },
  };
}

function claimOf({ id, owner, attempt, resumes }: ClaimedJob) {
  return { id, owner, attempt, resumes };
}

export async function postgresServer(postgres: TestPostgres): Promise<JobServer> {
  const url = await postgres.createDatabase();
  const health = new StoreHealth();
  let time = 0;
  const shared = { url, version: "1", clock: realClock, now: () => time, silentMs: 600_000 };
  const store = await openPostgresStore({ ...shared, owner: "tables" });
  const database = await openDatabase(url, health);
  const port = postgresPort({ now: () => time, wall: () => time });
  const change = asking(database, durableChanges, port);
  const owners = new Map<string, Claims>();
  const claims = (owner: string): Claims => {
    const known = owners.get(owner) ?? new Claims({ database, owner: () => owner, now: () => time });
    owners.set(owner, known);
    return known;
  };
  return {
    ...reads(store, database, port),
    async queue(job) {
      await store.enqueue(alone(job), { most: 1000, key: null });
    },
    async claim(owner, now) {
      time = now;
      await beReplica(database, owner);
      const [first] = await database.query(
        "SELECT id FROM weft.jobs WHERE status = 'queued' ORDER BY why IS NOT NULL DESC, queued_ms, id LIMIT 1",
      );
      return first === undefined ? null : claims(owner).claim(first["id"]);
    },
    async release(owner, known, now) {
      await database.transaction(async (on) => {
        const rows = await on.query(
          `SELECT ${COLUMNS} FROM weft.jobs WHERE owner = $1 AND status IN ('running', 'cancelling') FOR UPDATE`,
          [owner],
        );
        for (const job of rows.map(jobOf)) if (!known.has(claimName(job))) await performed(on, releaseLocked(job, now));
      });
    },
    append: async (job, records) =>
      (await performed(database, appendRows([{ writer: job, rows: journalRows(records) }])))[0] === true
        ? "kept"
        : "stale",
    async park(job, records, waits, isWhole, now) {
      time = now;
      const request = { writer: claimOf(job), rows: journalRows(records), waits, isWhole, maxParked: MAX_PARKED };
      const { job: _parked, ...answer } = await change("park", request);
      return answer;
    },
    keep: (job, snapshot) => keepSnapshot(database, job, snapshot.seq, packed(JSON.stringify(snapshot))),
    async settle(job, records, outcome, result, now) {
      time = now;
      store.durable?.last(job, records);
      return (await store.settle(job, outcome, result)) !== null;
    },
    async interrupt(job, now) {
      time = now;
      return (await store.interrupt(job, null)) !== null;
    },
    async cancel(id, now) {
      time = now;
      return (await store.cancel(id))?.job ?? null;
    },
    async recover(owner, now) {
      await beReplica(database, owner);
      await database.query("DELETE FROM weft.replicas WHERE id <> $1", [owner]);
      const silent = async () => [];
      await database.transaction((on) => recoverJobs(on, port, { silent } as unknown as Replica, now, MAX_CRASHES));
    },
    async send(signal, now) {
      time = now;
      const [sent] = await change("sendSignals", [signal]);
      return sent as SignalSent;
    },
    async decide(id, decision, now) {
      time = now;
      return (await change("decide", { id, ...decision })) !== null;
    },
    async wakeDue(now) {
      time = now;
      await change("wakeDue", 100);
    },
    async close() {
      await database.close();
      await store.close();
    },
  };
}

/** Only a replica may settle jobs. One that was declared dead is one again when it claims the next job. */
async function beReplica(database: Database, id: string): Promise<void> {
  await database.query(
    "INSERT INTO weft.replicas (id, version, journals) VALUES ($1, '1', true) ON CONFLICT DO NOTHING",
    [id],
  );
}

function reads(
  store: JobStore,
  database: Database,
  port: Port,
): Pick<JobServer, "load" | "find" | "waits" | "unread" | "ends"> {
  return {
    async load(id) {
      const { rows, values, lastSeq, snapshots } = await loadRows(database, id);
      return { records: recordsOf(rows, values), lastSeq, snapshots: snapshotsOf(snapshots) };
    },
    find: (id) => store.find(id),
    waits: (id) => performed(database, waitReads.waitsOf(port, id)),
    unread: (id) => performed(database, signalReads.unreadSignals(port, id)),
    ends: async (id) => (await store.events(id, 0)).filter(({ kind }) => kind === "end").length,
  };
}
