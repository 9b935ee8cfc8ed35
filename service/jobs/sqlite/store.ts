/**
 * Jobs in one SQLite file, or in memory, for one process. The lock of the state directory is the lease of every job it runs: the process that
 * holds it knows that all other owners are gone. `calls.ts` defines the operations on the tables, `call-batching.ts` their transport.
 */

import type { Clock } from "../../../vm/run.ts";
import { MOST_EVENTS } from "../../events/event.ts";
import { restoring } from "../../state/copies/restoring.ts";
import { eventStore } from "../../state/event-store.ts";
import { familyStore } from "../../state/family-store.ts";
import { noticeStore } from "../../state/notice-store.ts";
import type { Ask } from "../../state/port.ts";
import type { eventChanges } from "../../state/rules/events/all.ts";
import type { familyChanges } from "../../state/rules/families/all.ts";
import type { flowChanges, flowReads } from "../../state/rules/flow/all.ts";
import { deadLetterStore } from "../../state/rules/flow/dead-letters.ts";
import type { jobChanges } from "../../state/rules/job-moves.ts";
import { shownStates } from "../../state/rules/shown-states.ts";
import { asking } from "../../state/sqlite/asking.ts";
import { sqlitePrograms, sqliteSchedules } from "../../state/sqlite/stores.ts";
import type { JobStore } from "../../state/store.ts";
import { errorOf } from "../../wire/about.ts";
import { MAX_CRASHES, MAX_PARKED, MAX_SNAPSHOT_BYTES } from "../durable/durable-store.ts";
import { type KeptSignals, MAX_KEPT_SIGNALS } from "../durable/signal-room.ts";
import { familyWatch } from "../families/family-watch.ts";
import { type FlowQueued, FlowWatch, watchAll } from "../flow/flow-watch.ts";
import { type ClaimedJob, claimOf, expiryOf, type Job, type KeptJob, moved } from "../job.ts";
import { idempotencyOn, keyKeptMs } from "../keys.ts";
import { PROGRAM_KEPT_MS, RECOVERED_A_ROUND, ROWS_A_ROUND, TOMBSTONE_KEPT_MS } from "../retention/retention.ts";
import { untilDone } from "../run/until-done.ts";
import { JobSignals } from "../signals.ts";
import { StoreTime, watchTime } from "../steady-time.ts";
import { StoreHealth } from "../store-health.ts";
import { SqliteLine } from "./call-batching.ts";
import { Claims } from "./claims.ts";
import { dispatchFrom } from "./dispatch.ts";
import { sqliteDurableJobs } from "./durable-jobs.ts";
import { checkInBackground } from "./file-check.ts";
import type { Held } from "./tables/job-moves.ts";
import { submittedRows } from "./tables/submission-rows.ts";

export type SqliteStoreDeps = {
  /** null: in memory. */
  readonly stateDir: string | null;
  /** Results and requests of jobs that are over, together, while they are in memory. Default: no bound. */
  readonly memoryBytes?: number | undefined;
  /** Queued jobs, together, while they are in memory. Default: no bound. */
  readonly queueBytes?: number | undefined;
  /** Stored states of durable runs above it are not kept. Default: 16 MiB. */
  readonly maxSnapshotBytes?: number | undefined;
  /** Durable jobs that wait; the wait of one more fails. Default: 100,000. */
  readonly maxParked?: number | undefined;
  /** Signals under keys that are kept; one more is refused. */
  readonly maxSignals?: KeptSignals | undefined;
  /** Resumes of a durable run in a row, without a new record, after which it does not continue. Default: 5. */
  readonly maxCrashes?: number | undefined;
  /** Names this process; another one at every start. */
  readonly owner: string;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
  readonly clock: Pick<Clock, "now" | "wait" | "wall" | "slept">;
};

/** Jobs that rules hold back, and whose change went unheard, are found then. */
const LOOK_THROUGH_MS = 60_000;
/** The queue counts as full from here on. */
const FULL_PART = 0.9;

/** Throws StartFault. */
export async function openSqliteStore(deps: SqliteStoreDeps): Promise<JobStore> {
  const { stateDir, owner, clock, maxSnapshotBytes = MAX_SNAPSHOT_BYTES, maxCrashes = MAX_CRASHES } = deps;
  const { maxParked = MAX_PARKED, maxSignals = MAX_KEPT_SIGNALS } = deps;
  const health = new StoreHealth();
  const signals = new JobSignals();
  const line = await SqliteLine.open(stateDir, health, deps);
  const latest = await unlessDamaged(health, line.call("latest", undefined), null);
  const wall = () => clock.wall();
  const time = new StoreTime(deps.now, clock, { wall: clock.wall(), latest });
  const { now } = time;
  const clocks = { now, wall };
  const move: Ask<typeof jobChanges> = asking(line, clocks);
  const look = () => ({ wall: wall() });
  const stopLooking = watchTime(time, { look, everyMs: WATCH_EVERY_MS, clock });
  const stopWatching = stateDir === null ? () => {} : watchState(line, clock);
  const stopChecking =
    stateDir === null || health.isDamaged
      ? () => {}
      : checkInBackground({
          ...{ stateDir, clock, isUnclean: line.isUnclean },
          // What a process that died had begun.
          whole: () => void (line.isUnclean && line.call("tidy", undefined).catch(() => {})),
          damaged: (what) => void line.call("damaged", { what }).catch(() => {}),
        });
  const queued = new Set<() => void>();
  const changeFlow: Ask<typeof flowChanges> = asking(line, clocks);
  const readFlow: Ask<typeof flowReads> = asking(line, clocks);
  const flow = new FlowWatch({
    look: (request) => changeFlow("lookAtFlow", request),
    told({ begun, ended }) {
      for (const { id } of ended) signals.changed(id);
      if (begun.length > 0) for (const listener of queued) listener();
    },
    concerns: (job) => job.flow,
    ...{ clock, time, allEveryMs: LOOK_THROUGH_MS },
  });
  const changeFamily: Ask<typeof familyChanges> = asking(line, clocks);
  const changeEvents: Ask<typeof eventChanges> = asking(line, clocks);
  const family = familyWatch({
    look: (request) => changeFamily("lookAtFamilies", request),
    moved: (job) => void told(job),
    ...{ clock, time, allEveryMs: LOOK_THROUGH_MS },
  });
  const flowed = (done: FlowQueued): void => {
    for (const job of done.ended) told(job);
    flow.queued(done);
  };
  const closing = new AbortController();

  const held = ({ id, attempt, resumes, owner: by }: KeptJob): Held => ({
    id,
    attempt,
    resumes,
    owner: by,
    now: now(),
  });
  const told = <T extends Job>(job: T): T => {
    flow.changed(job);
    family.changed(job);
    signals.changed(job.id, job.status);
    if (job.status === "cancelling") signals.cancelling(job.id);
    if (job.status === "queued") for (const listener of queued) listener();
    return job;
  };
  const toldAll = (jobs: readonly Job[]): readonly Job[] => jobs.map(told);
  const toldIfMoved = (job: Job | null): Job | null => (job === null ? null : told(job));

  const toldQueued = (ids: readonly string[]): void => {
    for (const id of ids) signals.changed(id, "queued");
    for (const listener of queued) listener();
  };
  const claims = new Claims({ line, signals, owner, now, putBack: told });
  let hasRecovered = false;
  return {
    kind: stateDir === null ? "memory" : "durable",
    replica: null,
    health,
    signals,
    time,
    now,
    keys: idempotencyOn(
      {
        claim: (of, bodyHash, traceId) =>
          line.call("claimKey", { ...of, bodyHash, traceId, owner, now: now(), keepMs: keyKeptMs(of) }),
        finish: (of, answer) => line.call("finish", { ...of, answer }),
        release: (of) => line.call("releaseKey", { ...of, owner }),
        body: (of) => line.call("keyBody", of),
      },
      clock,
    ),
    programs: sqlitePrograms(line, clocks),
    schedules: sqliteSchedules(line, clocks, toldQueued, flowed),
    notices: noticeStore({ read: asking(line, clocks), change: asking(line, clocks) }),
    dead: deadLetterStore({ read: asking(line, clocks), change: asking(line, clocks) }),
    states: shownStates({ read: asking(line, clocks), change: asking(line, clocks) }),
    restoring: restoring(asking(line, clocks)),
    durable:
      stateDir === null
        ? null
        : sqliteDurableJobs({
            line,
            numberOf: (job) => claims.numberOf(job),
            released: (job) => claims.ended(job),
            time,
            clock,
            maxSnapshotBytes,
            maxParked,
            maxSignals,
            told,
            waitsForJobs: (id) => family.look(id),
          }),
    programEvents: eventStore({
      read: asking(line, clocks),
      change: changeEvents,
      deliver: (delivery) => changeEvents("deliverEvent", delivery),
      queued: toldQueued,
      flowed,
      told,
    }),
    families: familyStore({
      read: asking(line, clocks),
      start: (request) => changeFamily("startChild", request),
      queued({ queued: queuing, answer }) {
        if (queuing !== null) flowed(queuing);
        if (answer.state === "started") toldQueued([answer.id]);
      },
      again: (request) => changeFamily("nextRound", request),
      tellAgain({ job, nextMs }, claimed) {
        claims.ended(claimed);
        if (job !== null) told(job);
        flowed({ ended: [], nextMs });
      },
    }),
    async enqueue(submission, options) {
      if (submission.flow === undefined) {
        const answer = await line.call("enqueue", { ...submittedRows(submission), ...options });
        if (answer.state !== "full") toldQueued(submission.jobs.map(({ id }) => id));
        return answer;
      }
      const request = { submission, ...options, now: now(), wall: wall() };
      const { answer, ended, nextMs } = await line.call("enqueueFlow", request);
      flowed({ ended, nextMs });
      if (answer.state === "queued") toldQueued((answer.ids ?? []).flatMap((id) => id ?? []));
      return answer;
    },
    async find(id) {
      const found = await line.call("find", { id });
      return found?.held === true ? { ...found, heldBy: await readFlow("heldBy", id) } : found;
    },
    result: (id) => line.call("result", { id }),
    list: (listing) => line.call("list", listing),
    notes: (ids) => line.call("notes", { ids }),
    stats: (fromMs, toMs) => line.call("stats", { fromMs, toMs }),
    work: (id) => line.call("work", { id }),
    program: (checksum) => line.call("program", { checksum }),
    async cancel(id) {
      const found = await move("cancelJob", id);
      if (found?.moved === true) told(found.job);
      else if (found?.job.status === "cancelling") signals.insisting(id);
      return found;
    },
    watchFlow: (hear) => watchAll([flow, family], hear),
    dispatch(worker, most) {
      const claim = (count: number) => claims.claim(count);
      // A job that the store does not know would stay claimed and never run.
      const release = async (job: ClaimedJob): Promise<Job | null> => {
        const act = () => line.call("release", held(job));
        const done = await untilDone(act, (ms, then) => clock.wait(ms, then), closing.signal);
        claims.ended(job);
        return toldIfMoved(done);
      };
      const onQueued = (listener: () => void) => {
        queued.add(listener);
        return () => void queued.delete(listener);
      };
      const onCancelling = (listener: (id: string) => void) => signals.onCancelling(listener);
      return dispatchFrom({ claim, release, onQueued, onCancelling, clock }, worker, most);
    },
    settle(job, outcome, result) {
      const { id, attempt, owner } = job;
      const finishedMs = now();
      const number = claims.numberOf(job);
      const settled = line.settle(
        [number, id, attempt, owner, outcome, finishedMs, expiryOf(job, outcome, finishedMs), result],
        (made) => {
          claims.ended(job);
          if (made) return told({ ...moved(job, outcome, finishedMs), error: errorOf(result) });
          // The change may have been committed without an answer: those who wait for the end look again.
          signals.changed(id);
          return null;
        },
      );
      // In the same commit, if it can be: the place is given to the next one at once.
      if (job.flow) flow.changed({ ...job, status: outcome });
      return settled;
    },
    async interrupt(job, known) {
      const done = await move("interruptJob", { writer: claimOf(job), known });
      claims.ended(job);
      return toldIfMoved(done);
    },
    cancelling: (ids) => line.call("cancelling", { ids }),
    async addEvents(job, events) {
      await line.call("addEvents", { events, ...held(job) });
      signals.changed(job.id, "running");
    },
    events: (id, seq) => line.call("events", { id, seq }),
    async recover() {
      // Every dead owner died before this process had the lock.
      if (hasRecovered || health.isDamaged) return [];
      const jobs = await unlessDamaged(health, line.call("recover", { owner, now: now(), maxCrashes }), []);
      hasRecovered = jobs.length < RECOVERED_A_ROUND;
      return toldAll(jobs);
    },
    due: ({ mostResults }) => line.call("due", { now: now(), most: ROWS_A_ROUND, mostResults }),
    async sweep({ mostResults, mostEvents = MOST_EVENTS, only = null }) {
      const round = { now: now(), most: ROWS_A_ROUND };
      const expired = await line.call("expire", { ...round, mostResults, only });
      await line.call("forget", { ...round, tombstoneMs: TOMBSTONE_KEPT_MS, programMs: PROGRAM_KEPT_MS });
      await line.call("expireKeys", round);
      await line.call("forgetSignals", round);
      await changeFlow("forgetFlow", null);
      await changeFamily("forgetFamilies", null);
      await changeEvents("forgetEvents", mostEvents);
      await line.call("forgetPrograms", undefined);
      await line.call("forgetLinks", { now: now() });
      // The next process continues from here at the latest, wherever its clock is.
      await line.call("probe", { now: now() });
      return toldAll(expired);
    },
    figures: () => line.call("figures", { now: now() }),
    async queueFault() {
      if (stateDir !== null) return null;
      const room = await line.call("queueRoom", undefined);
      return room !== null && room.bytes > room.maxBytes * FULL_PART
        ? "queued jobs take nearly all their memory"
        : null;
    },
    async probe() {
      await line.call("probe", { now: now() });
      health.worked();
    },
    close() {
      closing.abort();
      stopWatching();
      stopLooking();
      stopChecking();
      return line.close();
    },
  };
}

/** A damaged store is opened all the same: what can be read of it is, and the service says what to do. */
async function unlessDamaged<T>(health: StoreHealth, asked: Promise<T>, instead: T): Promise<T> {
  try {
    return await asked;
  } catch (thrown) {
    if (!health.isDamaged) throw thrown;
    return instead;
  }
}

const WATCH_EVERY_MS = 1000;

/** Notices within a second, on an idle store too, that its files are gone: the call that fails marks the store as unavailable. */
function watchState(line: SqliteLine, clock: Pick<Clock, "wait">): () => void {
  let stop = (): void => {};
  let stopped = false;
  const watch = (): void => {
    if (stopped) return;
    stop = clock.wait(WATCH_EVERY_MS, () => {
      line.call("present", undefined).then(watch, watch);
    });
  };
  watch();
  return () => {
    stopped = true;
    stop();
  };
}
