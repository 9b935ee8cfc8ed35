/**
 * A service with many replicas that share a queue, played event by event with a clock of its own: rows take different times, replicas have different speeds
 * and die, requests get lost before or after they are done, the queue has a bound, and old results go. No real time passes.
 */
import type { BulkJobs, GivenResult } from "../../../../cli/batch/via/service.ts";
import { CliFault, EXIT } from "../../../../cli/session/faults.ts";

export type Installation = {
  readonly replicas: number;
  readonly workers: number;
  /** Milliseconds of a row on a replica of speed 1. */
  readonly rowMs: (row: number) => number;
  /** Speed of a replica, 1 by default. */
  readonly speed?: (replica: number) => number;
  /** Jobs that the database queues, claims and ends in a second. */
  readonly jobsPerSecond?: number;
  readonly queueMax?: number;
  readonly resultMax?: number;
  /** Jobs whose replica dies begin again. */
  readonly restarts?: boolean;
  /** False: too many wait for results already, so every answer comes at once. */
  readonly waits?: boolean;
};

type SimulatedJob = {
  readonly id: string;
  readonly row: number;
  readonly name: string;
  state: "queued" | "running" | "over" | "expired";
  starts: number;
  result: GivenResult | null;
};
type Replica = { readonly speed: number; readonly running: Set<SimulatedJob>; alive: boolean };
type Timed = { readonly at: number; readonly order: number; readonly happen: () => void };

const DAY_MS = 86_400_000;
const TAKEOVER_MS = 45_000;

/** Time that passes when nothing else is left to do. */
export class SimulatedTime {
  #now = 0;
  #order = 0;
  #events: Timed[] = [];

  now = (): number => this.#now;
  wall = (): number => Date.UTC(2030, 0, 1) + this.#now;

  readonly wait = (ms: number, then: () => void): (() => void) => {
    const event = { at: this.#now + ms, order: this.#order++, happen: then };
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.#events[middle] as Timed;
      if (one.at > event.at || (one.at === event.at && one.order > event.order)) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
    return () => {
      this.#events = this.#events.filter((one) => one !== event);
    };
  };

  after(ms: number): Promise<void> {
    return new Promise((resolve) => void this.wait(ms, resolve));
  }

  /** Plays until `work` is settled. */
  async play<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    for (;;) {
      // What was resolved goes as far as it can without time.
      await new Promise((resolve) => setImmediate(resolve));
      if (isOver) return work;
      const event = this.#events.pop();
      if (event === undefined) throw new Error("nothing will happen any more, and the work is not over");
      this.#now = event.at;
      event.happen();
    }
  }
}

export class SimulatedService {
  readonly jobs: SimulatedJob[] = [];
  /** Requests that were lost. */
  lost = 0;
  /** Requests for results. */
  asked = 0;
  readonly #time: SimulatedTime;
  readonly #installation: Installation;
  readonly #random: () => number;
  readonly #keys = new Map<string, { readonly ids: readonly string[]; readonly at: number }>();
  readonly #byId = new Map<string, SimulatedJob>();
  readonly #line: SimulatedJob[] = [];
  readonly #over: SimulatedJob[] = [];
  readonly #replicas: Replica[];
  #databaseFreeAt = 0;
  #watchers = new Set<() => void>();
  /** Part of the requests that get lost, from 0 to 1. */
  #lossy: number;

  constructor(time: SimulatedTime, installation: Installation, random: () => number, lossy = 0) {
    this.#time = time;
    this.#installation = installation;
    this.#random = random;
    this.#lossy = lossy;
    const { replicas, speed = () => 1 } = installation;
    this.#replicas = Array.from({ length: replicas }, (_, at) => ({
      speed: speed(at),
      running: new Set(),
      alive: true,
    }));
  }

  /** As one process of the command uses it; nothing comes back to one that is `dead`. */
  client(dead: { readonly isDead: boolean } = { isDead: false }): BulkJobs {
    const reached = async <T>(ms: number, act: () => T | Promise<T>): Promise<T> => {
      await this.#time.after(ms / 2);
      if (dead.isDead) return forever();
      if (this.#random() < this.#lossy) throw this.#unreachable();
      const answer = await act();
      await this.#time.after(ms / 2);
      if (dead.isDead) return forever();
      if (this.#random() < this.#lossy) throw this.#unreachable();
      return answer;
    };
    return {
      queue: (request, key) => reached(20 + request.length / 2000, () => this.#queue(request, key)),
      results: (ids, waitS) =>
        reached(10, () => this.#results(ids, this.#installation.waits === false ? 0 : waitS * 1000)),
      named: (name) => reached(10, () => this.jobs.filter((job) => job.name === name).map(({ id }) => id)),
    };
  }

  /** A replica dies; others take its jobs over later, and another one comes in its place. */
  die(at: number): void {
    const dying = this.#replicas[at];
    if (dying === undefined || !dying.alive) return;
    dying.alive = false;
    const held = [...dying.running];
    dying.running.clear();
    this.#time.wait(TAKEOVER_MS, () => {
      for (const job of held)
        if (this.#installation.restarts === true) {
          job.state = "queued";
          this.#line.unshift(job);
        } else this.#end(job, { ok: false, error: "interrupted", message: "the process ended during the run" });
      dying.alive = true;
      this.#dispatch();
    });
  }

  #unreachable(): CliFault {
    this.lost += 1;
    return new CliFault("no service answers", { error: "server_unreachable", exitCode: EXIT.usage });
  }

  #queue(request: string, key: string): readonly string[] {
    const known = this.#keys.get(key);
    if (known !== undefined && this.#time.now() - known.at < DAY_MS) return known.ids;
    const { name, frames } = JSON.parse(request) as { name: string; frames: { row: number }[] };
    const { queueMax = Number.POSITIVE_INFINITY } = this.#installation;
    if (this.#line.length + frames.length > queueMax)
      throw new CliFault("the queue is full", { error: "queue_full", exitCode: EXIT.failed });
    const made = frames.map(({ row }): SimulatedJob => {
      return { id: `job-${this.jobs.length}-${row}`, row, name, state: "queued", starts: 0, result: null };
    });
    for (const job of made) {
      this.jobs.push(job);
      this.#byId.set(job.id, job);
      this.#line.push(job);
    }
    const ids = made.map(({ id }) => id);
    this.#keys.set(key, { ids, at: this.#time.now() });
    this.#dispatch();
    return ids;
  }

  async #results(ids: readonly string[], ms: number): Promise<readonly GivenResult[]> {
    this.asked += 1;
    const until = this.#time.now() + ms;
    const open = (): boolean => ids.some((id) => this.#byId.get(id)?.result === null);
    while (open() && this.#time.now() < until)
      await new Promise<void>((resolve) => {
        const stop = this.#time.wait(until - this.#time.now(), () => done());
        const done = (): void => {
          stop();
          this.#watchers.delete(done);
          resolve();
        };
        this.#watchers.add(done);
      });
    const given: GivenResult[] = [];
    for (const id of ids) {
      const job = this.#byId.get(id);
      if (job?.state === "expired" || job === undefined)
        given.push({ job_id: id, error: "job_expired", message: "gone" });
      else if (job.result === null) break;
      else given.push(job.result);
    }
    return given;
  }

  #dispatch(): void {
    for (const replica of this.#replicas)
      while (replica.alive && replica.running.size < this.#installation.workers && this.#line.length > 0) {
        const job = this.#line.shift() as SimulatedJob;
        job.state = "running";
        job.starts += 1;
        const attempt = job.starts;
        replica.running.add(job);
        this.#time.wait(this.#installation.rowMs(job.row) / replica.speed, () => {
          if (!replica.running.has(job) || job.starts !== attempt) return;
          this.#commit(() => {
            if (!replica.running.delete(job)) return;
            this.#end(job, { ok: true, out: job.row * 2 });
            this.#dispatch();
          });
        });
      }
  }

  #commit(then: () => void): void {
    const { jobsPerSecond } = this.#installation;
    if (jobsPerSecond === undefined) then();
    else {
      this.#databaseFreeAt = Math.max(this.#time.now(), this.#databaseFreeAt) + 1000 / jobsPerSecond;
      this.#time.wait(this.#databaseFreeAt - this.#time.now(), then);
    }
  }

  #end(job: SimulatedJob, result: object): void {
    job.state = "over";
    job.result = { job_id: job.id, result };
    this.#over.push(job);
    const { resultMax = Number.POSITIVE_INFINITY } = this.#installation;
    while (this.#over.length > resultMax) (this.#over.shift() as SimulatedJob).state = "expired";
    for (const wake of [...this.#watchers]) wake();
  }
}

function forever(): Promise<never> {
  return new Promise(() => {});
}
