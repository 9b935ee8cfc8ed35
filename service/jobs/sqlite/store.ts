/**
 * Jobs in one SQLite file, or in memory, for one process. The lock of the state directory is the lease of every job it runs: whoever
 * holds it knows that all other owners are gone. `calls.ts` says what is done to the tables, `line.ts` how calls get there.
 */
import type { Clock } from "../../../vm/run.ts";
import { type ClaimedJob, type Job, type KeptJob, moved } from "../job.ts";
import { idempotencyOn } from "../keys.ts";
import { KEY_KEPT_MS, PROGRAM_KEPT_MS, ROWS_A_ROUND, TOMBSTONE_KEPT_MS } from "../retention.ts";
import { JobSignals } from "../signals.ts";
import { goingOn } from "../steady-time.ts";
import type { JobStore } from "../store.ts";
import { StoreHealth } from "../store-health.ts";
import { untilDone } from "../until-done.ts";
import { Claims } from "./claims.ts";
import { dispatchFrom } from "./dispatch.ts";
import type { Held } from "./job-moves.ts";
import { SqliteLine } from "./line.ts";
import { submittedRows } from "./submission-rows.ts";

export type SqliteStoreDeps = {
  /** null: in memory. */
  readonly stateDir: string | null;
  /** Results and requests of jobs that are over, together, while they are in memory. Default: no bound. */
  readonly memoryBytes?: number | undefined;
  /** Names this process; another one at every start. */
  readonly owner: string;
  /** Milliseconds since 1970, steady. */
  readonly now: () => number;
  readonly clock: Pick<Clock, "now" | "wait">;
};

/** Throws StartFault. */
export async function openSqliteStore(deps: SqliteStoreDeps): Promise<JobStore> {
  const { stateDir, owner, clock } = deps;
  const health = new StoreHealth();
  const signals = new JobSignals();
  const line = await SqliteLine.open(stateDir, health, deps.memoryBytes);
  const now = goingOn(deps.now, await line.call("latest", undefined));
  const queued = new Set<() => void>();
  const closing = new AbortController();

  const held = ({ id, attempt, owner: by }: KeptJob): Held => ({ id, attempt, owner: by, now: now() });
  const told = <T extends Job>(job: T): T => {
    signals.changed(job.id);
    if (job.status === "cancelling") signals.cancelling(job.id);
    if (job.status === "queued") for (const listener of queued) listener();
    return job;
  };
  const toldAll = (jobs: readonly Job[]): readonly Job[] => jobs.map(told);
  const toldIfMoved = (job: Job | null): Job | null => (job === null ? null : told(job));

  const claims = new Claims({ line, signals, owner, now, putBack: told });
  let hasRecovered = false;
  return {
    kind: stateDir === null ? "memory" : "durable",
    replica: null,
    health,
    signals,
    now,
    keys: idempotencyOn(
      {
        claim: (of, bodyHash, traceId) =>
          line.call("claimKey", { ...of, bodyHash, traceId, owner, now: now(), keepMs: KEY_KEPT_MS }),
        finish: (of, answer) => line.call("finish", { ...of, answer }),
        release: (of) => line.call("releaseKey", { ...of, owner }),
        body: (of) => line.call("keyBody", of),
      },
      clock,
    ),
    async enqueue(submission, options) {
      const answer = await line.call("enqueue", { ...submittedRows(submission), ...options });
      if (answer.state === "full") return answer;
      for (const { id } of submission.jobs) signals.changed(id);
      for (const listener of queued) listener();
      return answer;
    },
    find: (id) => line.call("find", { id }),
    result: (id) => line.call("result", { id }),
    list: (listing) => line.call("list", listing),
    work: (id) => line.call("work", { id }),
    async cancel(id) {
      const found = await line.call("cancel", { id, now: now() });
      if (found?.moved === true) told(found.job);
      return found;
    },
    dispatch(worker, most) {
      const claim = (count: number) => claims.claim(count);
      // One that the store has not heard of would stay claimed, and run by nobody.
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
      const { id, attempt, owner, keepMs } = job;
      const finishedMs = now();
      const number = claims.numberOf(job);
      return line.settle([number, id, attempt, owner, outcome, finishedMs, finishedMs + keepMs, result], (made) => {
        claims.ended(job);
        if (made) return told(moved(job, outcome, finishedMs));
        // It may have been made without an answer: whoever waits for its end looks again.
        signals.changed(id);
        return null;
      });
    },
    async interrupt(job, known) {
      const done = await line.call("interrupt", { ...held(job), known });
      claims.ended(job);
      return toldIfMoved(done);
    },
    cancelling: (ids) => line.call("cancelling", { ids }),
    async addEvents(job, events) {
      await line.call("addEvents", { events, ...held(job) });
      signals.changed(job.id);
    },
    events: (id, seq) => line.call("events", { id, seq }),
    async recover() {
      // Whoever is dead now died before this process had the lock.
      if (hasRecovered) return [];
      const jobs = await line.call("recover", { owner, now: now() });
      hasRecovered = true;
      return toldAll(jobs);
    },
    async sweep({ mostResults }) {
      const round = { now: now(), most: ROWS_A_ROUND };
      const expired = await line.call("expire", { ...round, mostResults });
      await line.call("forget", { ...round, tombstoneMs: TOMBSTONE_KEPT_MS, programMs: PROGRAM_KEPT_MS });
      await line.call("expireKeys", round);
      return toldAll(expired);
    },
    figures: () => line.call("figures", { now: now() }),
    async probe() {
      await line.call("probe", { now: now() });
      health.worked();
    },
    close() {
      closing.abort();
      return line.close();
    },
  };
}
