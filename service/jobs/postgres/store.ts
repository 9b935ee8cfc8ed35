/**
 * Jobs in PostgreSQL, shared by all replicas of a service: any of them answers for any job. Rows say what is, tasks say who runs what
 * (`dispatch.ts`), notifications say that something changed (`listener.ts`), and heartbeats say who is alive (`replica.ts`).
 */

import { createPostgresService } from "../../../adapters/engine/postgres/postgres.ts";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { installCommand, POSTGRES_PACKAGES } from "../../../adapters/packages.ts";
import { migrate } from "../../../adapters/store/postgres/migrate.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { Clock } from "../../../vm/run.ts";
import { MOST_EVENTS } from "../../events/event.ts";
import type { ProgramStore } from "../../programs/store.ts";
import { restoreChanges } from "../../state/copies/restored.ts";
import { restoring } from "../../state/copies/restoring.ts";
import type { Port } from "../../state/port.ts";
import { postgresAlarm } from "../../state/postgres/alarm.ts";
import { programMigrations } from "../../state/postgres/deployments-schema.ts";
import { postgresFamilies } from "../../state/postgres/families.ts";
import { asking, performed, reading } from "../../state/postgres/perform.ts";
import { postgresPort } from "../../state/postgres/port.ts";
import { scheduleMigrations } from "../../state/postgres/schedules-schema.ts";
import { postgresEvents, postgresNotices, postgresPrograms, postgresSchedules } from "../../state/postgres/stores.ts";
import { eventChanges } from "../../state/rules/events/all.ts";
import { flowChanges, flowReads } from "../../state/rules/flow/all.ts";
import { deadLetterChanges, deadLetterReads, deadLetterStore } from "../../state/rules/flow/dead-letters.ts";
import { jobChanges } from "../../state/rules/job-moves.ts";
import { shownStateChanges, shownStateReads, shownStates } from "../../state/rules/shown-states.ts";
import { type JobStore, LAST_JOBS } from "../../state/store.ts";
import { within } from "../../within.ts";
import { MAX_CRASHES, MAX_PARKED, MAX_SNAPSHOT_BYTES } from "../durable/durable-store.ts";
import { type KeptSignals, MAX_KEPT_SIGNALS } from "../durable/signal-room.ts";
import { type FlowQueued, FlowWatch, watchAll } from "../flow/flow-watch.ts";
import { claimOf, type Job, type StoredJobEvent } from "../job.ts";
import { idempotencyOn, keyKeptMs } from "../keys.ts";
import { JobSignals } from "../signals.ts";
import { StoreTime, watchTime } from "../steady-time.ts";
import { StoreHealth } from "../store-health.ts";
import { Claims } from "./claims.ts";
import { openDatabase, reasonOf, type Statements } from "./database.ts";
import { dispatchTasks } from "./dispatch.ts";
import { postgresDurableJobs } from "./durable/durable-jobs.ts";
import { enqueue } from "./enqueue.ts";
import { eventWrites } from "./gathered/events.ts";
import { finds } from "./gathered/finds.ts";
import { settlings } from "./gathered/settle.ts";
import { addTask, figures, jobWithWork, listOf, notesOf, programText, statsOf } from "./job-rows.ts";
import { claimKey, finishKey, keyBody, releaseKey } from "./key-rows.ts";
import { listenForJobs } from "./listener.ts";
import { recoverJobs } from "./recover.ts";
import { Replica } from "./replica.ts";
import { jobMigrations } from "./schema.ts";
import { dueIds, sweepRows } from "./sweep.ts";

export type PostgresStoreDeps = {
  /** Holds a password, so it is never shown. */
  readonly url: string;
  /** Names this process; another one at every start. */
  readonly owner: string;
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds since 1970, steady; how far it is from the clock of the database is asked at the start. */
  readonly now: () => number;
  /** Without a sign of life for so long a replica counts as dead. */
  readonly silentMs: number;
  /** Stored states of durable runs above it are not kept. Default: 16 MiB. */
  readonly maxSnapshotBytes?: number | undefined;
  /** Durable jobs that wait; the wait of one more fails. Default: 100,000. */
  readonly maxParked?: number | undefined;
  /** Signals under keys that are kept; one more is refused. */
  readonly maxSignals?: KeptSignals | undefined;
  /** Resumes of a durable run in a row, without a new record, after which it does not continue. Default: 5. */
  readonly maxCrashes?: number | undefined;
};

/** Another replica's steps are waited for. */
const MIGRATION_MS = 60_000;
/** Jobs that rules hold back, and that a replica which died left alone, are found then. */
const LOOK_THROUGH_MS = 5000;
/** Looks at the clock of the database within the time after which a replica counts as dead. */
const LOOKS = 3;
const LEAVE_MS = 2000;
/** A server that is silent is not waited for. */
const CLOSE_MS = 2000;

/** Throws StartFault. */
export async function openPostgresStore(deps: PostgresStoreDeps): Promise<JobStore> {
  const { url, owner, version, clock, silentMs } = deps;
  const { maxSnapshotBytes = MAX_SNAPSHOT_BYTES, maxParked = MAX_PARKED, maxCrashes = MAX_CRASHES } = deps;
  const { maxSignals = MAX_KEPT_SIGNALS } = deps;
  const health = new StoreHealth();
  const signals = new JobSignals();
  const database = await openDatabase(url, health);
  const queue = await loadedQueue();
  const replica = new Replica(database, clock, silentMs, owner, version);
  // For what the adapters' tables need too: steps of tables, and notifications.
  const connections = createPostgresService();
  let time: StoreTime;
  let port: Port;
  let programs: ProgramStore;
  let warnings: readonly string[];
  const disconnect = async (): Promise<void> => {
    const closed = Promise.allSettled([connections.close(), database.close()]);
    await within(clock, CLOSE_MS, closed);
    database.cut();
    await closed;
  };
  try {
    const shared = await connections.open({ url, pool: 1 });
    await migrate(shared, jobMigrations, { timeoutMs: MIGRATION_MS });
    await migrate(shared, programMigrations, { timeoutMs: MIGRATION_MS });
    await migrate(shared, scheduleMigrations, { timeoutMs: MIGRATION_MS });
    // Replicas that do this at once do not disturb each other: the queue sees to it.
    await queue.runMigrations({ pgPool: database.pool });
    const own = await databaseTime(database, deps.now);
    time = new StoreTime(own, clock, { wall: own(), latest: await latestTime(database) });
    warnings = await commitWarnings(database);
    await replica.join();
    await listenForJobs(shared, signals);
    port = postgresPort({ now: time.now, wall: () => clock.wall() });
    programs = postgresPrograms(database, shared, port);
  } catch (thrown) {
    await disconnect();
    throw startFault(thrown, health);
  }
  const { now } = time;
  const stopLooking = watchTime(time, {
    // Only those who continue from a time ahead of the database may find others that have gone further.
    look: async () => ({
      wall: await databaseWall(database),
      latest: time.behindMs > 0 ? await latestTime(database) : null,
    }),
    everyMs: silentMs / LOOKS,
    clock,
  });
  const tasks = { queue, database, clock, hasWorker: (id: string) => void replica.has(id).catch(() => {}) };
  const endings = settlings(database, now);
  const written = eventWrites(database);
  const looks = finds(database);
  const claims = new Claims({ database, owner: () => replica.id, now });
  const move = asking(database, jobChanges, port);
  const flow = new FlowWatch({
    look: (request) => asking(database, flowChanges, port)("lookAtFlow", request),
    told: () => {},
    concerns: (job) => job.flow,
    ...{ clock, time, allEveryMs: LOOK_THROUGH_MS },
  });
  const families = postgresFamilies({
    ...{ database, port, clock, time, flowed: (queued: FlowQueued) => flow.queued(queued) },
    tellAgain(job, claimed) {
      claims.released(claimed);
      if (job !== null) told(job);
    },
  });
  const told = <J extends Job>(job: J): J => flow.changed(families.watch.changed(job));
  const flowed = (queued: FlowQueued): void => flow.queued(queued);
  const toldIf = (job: Job | null): Job | null => (job === null ? null : told(job));
  const durable = postgresDurableJobs({
    ...{ database, port, clock, time, maxSnapshotBytes, maxParked, maxSignals },
    isHeard: () => replica.isHeard,
    released: (job) => claims.released(job),
    told,
    waitsForJobs: (id) => families.watch.look(id),
  });
  replica.onDeclaredDead = () => {
    for (const id of claims.held) signals.cancelling(id);
  };

  return {
    kind: "shared",
    replica: owner,
    health,
    signals,
    warnings,
    time,
    now,
    keys: idempotencyOn(
      {
        claim: (of, bodyHash, traceId) =>
          database.transaction((on) =>
            claimKey(on, { ...of, bodyHash, traceId, owner: replica.id, now: now(), keepMs: keyKeptMs(of) }),
          ),
        finish: (held, answer) => finishKey(database, held, answer).then(() => {}),
        release: (held) => releaseKey(database, held),
        body: (of) => keyBody(database, of),
      },
      clock,
    ),
    durable: {
      ...durable.jobs,
      async send(signal) {
        health.refuseDamaged();
        return durable.jobs.send(signal);
      },
    },
    families: families.store,
    programEvents: postgresEvents(database, port, flowed, told),
    programs,
    schedules: postgresSchedules(database, port, postgresAlarm(tasks), flowed),
    notices: postgresNotices(database, port),
    dead: deadLetterStore({
      read: reading(database, deadLetterReads, port),
      change: asking(database, deadLetterChanges, port),
    }),
    states: shownStates({
      read: reading(database, shownStateReads, port),
      change: asking(database, shownStateChanges, port),
    }),
    restoring: restoring(asking(database, restoreChanges, port)),
    async enqueue(job, options) {
      health.refuseDamaged();
      return enqueue({ database, port, flowed }, job, options);
    },
    async find(id) {
      const job = await looks.add(id);
      if (job === null || !job.held) return job;
      return { ...job, heldBy: await reading(database, flowReads, port)("heldBy", id) };
    },
    async result(id) {
      const [row] = await database.query("SELECT result FROM weft.jobs WHERE id = $1", [id]);
      return row === undefined ? null : row["result"];
    },
    list: (listing) => listOf(database, listing),
    notes: (ids) => notesOf(database, ids),
    stats: (fromMs, toMs) => statsOf(database, fromMs, toMs),
    work: (id) => jobWithWork(database, id),
    program: (checksum) => programText(database, checksum),
    async cancel(id) {
      const done = await move("cancelJob", id);
      if (done?.moved === true) told(done.job);
      return done;
    },
    watchFlow: (hear) => watchAll([flow, families.watch], hear),
    dispatch(worker, most) {
      const claim = async (id: string, group: number | null) => {
        await replica.heard();
        return claims.claim(id, group);
      };
      return dispatchTasks({ ...tasks, claim, again: (id) => performed(database, addTask(id)) }, worker, most);
    },
    settle(job, outcome, result) {
      const records = durable.lastRecords(job);
      return claims.ended(job, endings.add({ job, outcome, result, records })).then(toldIf);
    },
    interrupt: (job, known) => claims.ended(job, move("interruptJob", { writer: claimOf(job), known })).then(toldIf),
    async cancelling(ids) {
      const rows = await database.query("SELECT id FROM weft.jobs WHERE status = 'cancelling' AND id = ANY ($1)", [
        ids,
      ]);
      return rows.map(({ id }) => id);
    },
    addEvents: (job, events) => written.add({ writer: job, events }),
    // A number that a caller names may be larger than any of a job.
    async events(id, seq) {
      const rows = await database.query(
        "SELECT seq, kind, data FROM weft.job_events WHERE job_id = $1 AND seq > $2::bigint ORDER BY seq",
        [id, seq],
      );
      return rows as unknown as readonly StoredJobEvent[];
    },
    async recover() {
      await claims.putBack();
      const moved = await database.transaction((on) => recoverJobs(on, port, replica, now(), maxCrashes));
      return moved.map(told);
    },
    due: ({ mostResults }) => dueIds(database, now(), mostResults),
    async sweep({ mostResults, mostEvents = MOST_EVENTS, only = null }) {
      // The next process continues from here at the latest, wherever the clock of the database is.
      await writeProbe(database, now());
      await asking(database, flowChanges, port)("forgetFlow", null);
      await families.forget();
      await asking(database, eventChanges, port)("forgetEvents", mostEvents);
      return database.transaction((on) => sweepRows(on, now(), mostResults, only));
    },
    figures: () => figures(database, now()),
    queueFault: async () => null,
    async probe() {
      await writeProbe(database, now());
      health.worked();
    },
    async close() {
      stopLooking();
      // One that cannot say so is found dead.
      await within(
        clock,
        LEAVE_MS,
        replica.leave().catch(() => {}),
      );
      await disconnect();
    },
  };
}

/** `own`, set by the clock of the database: what one replica keeps until a certain time, another one ends by its own clock. */
async function databaseTime(on: Statements, own: () => number): Promise<() => number> {
  const asked = own();
  const told = await databaseWall(on);
  const ahead = told - Math.round((asked + own()) / 2);
  return () => own() + ahead;
}

async function databaseWall(on: Statements): Promise<number> {
  const [row] = await on.query("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS told");
  return Number(row?.["told"]);
}

async function writeProbe(on: Statements, now: number): Promise<void> {
  await on.query(
    `INSERT INTO weft.probe (id, at_ms) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET at_ms = greatest(weft.probe.at_ms, excluded.at_ms)`,
    [now],
  );
}

/** Journals promise what the database confirms. */
async function commitWarnings(on: Statements): Promise<readonly string[]> {
  const [row] = await on.query("SELECT current_setting('synchronous_commit') AS told");
  if (row?.["told"] !== "off") return [];
  return ["commits_may_be_lost: the database confirms commits before they are on its disk (synchronous_commit is off)"];
}

/** The newest time that was written: of a job, wait, question or signal, or by the probe. Null: the store is empty. */
async function latestTime(on: Statements): Promise<number | null> {
  const [row] = await on.query(
    `SELECT greatest(
       (SELECT max(greatest(queued_ms, started_ms, finished_ms))
         FROM (SELECT * FROM weft.jobs ORDER BY queued_ms DESC, id DESC LIMIT ${LAST_JOBS}) last),
       (SELECT max(greatest(began_ms, ended_ms)) FROM weft.waits),
       (SELECT max(opened_ms) FROM weft.approvals),
       (SELECT at_ms FROM weft.signals ORDER BY number DESC LIMIT 1),
       (SELECT max(at_ms) FROM weft.probe)
     ) AS latest`,
  );
  return row?.["latest"] ?? null;
}

/** What keeps the database from being used at the start; other failures stay what they are. */
function startFault(thrown: unknown, { fault }: StoreHealth): unknown {
  if (thrown instanceof AdapterError)
    return new StartFault(`the database of WF_DATABASE_URL: ${thrown.message} (${thrown.code})`);
  // The task queue makes its tables over connections of its own.
  const reason = fault ?? reasonOf(thrown);
  if (reason !== null) return new StartFault(`the database of WF_DATABASE_URL cannot be used: ${reason}`);
  return thrown;
}

async function loadedQueue() {
  try {
    return await import("graphile-worker");
  } catch {
    throw new StartFault(`WF_DATABASE_URL needs further packages: ${installCommand(POSTGRES_PACKAGES)}`);
  }
}
