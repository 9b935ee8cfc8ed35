/**
 * Replicas that take jobs from one database, played event by event with a clock of its own and a seeded generator: what the arithmetic of
 * `model.ts` leaves out (waiting lines, chance, a replica that dies). No real time passes.
 */
import { type Installation, TAKEOVER_MS } from "./model.ts";

export type Load = {
  readonly jobsPerSecond: number;
  readonly seconds: number;
  readonly seed: number;
  /** The time, in milliseconds, at which one replica dies and does not come back. */
  readonly deathAtMs?: number;
  /** Part of the jobs that take a hundred times as long: a program that everybody calls and that became slow. */
  readonly hotShare?: number;
};

export type Played = {
  readonly done: number;
  readonly left: number;
  /** Ends per second, over the second half of the time. */
  readonly jobsPerSecond: number;
  /** Milliseconds from arrival to end. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Longest line of jobs that waited. */
  readonly longestLine: number;
  readonly startedTwice: number;
};

type Job = { readonly arrivedAt: number; readonly ms: number; starts: number; done: boolean };
type Event = { readonly at: number; readonly order: number; readonly happen: () => void };

const HOT = 100;

export function simulate(installation: Installation, load: Load): Played {
  const { replicas, workers, jobMs, cpuMs, coresPerReplica, commitsPerSecond } = installation;
  const random = mulberry32(load.seed);
  const exponential = (mean: number) => -mean * Math.log(1 - random());
  const end = load.seconds * 1000;
  const events = new Heap();
  const line: Job[] = [];
  const times: number[] = [];
  const ends: number[] = [];
  let now = 0;
  let order = 0;
  let databaseFreeAt = 0;
  let longestLine = 0;
  let startedTwice = 0;
  const cores = Array.from({ length: replicas }, () => new Array<number>(coresPerReplica).fill(0));
  const free = new Array<number>(replicas).fill(workers);
  const held = Array.from({ length: replicas }, () => new Set<Job>());
  const dead = new Array<boolean>(replicas).fill(false);

  const at = (time: number, happen: () => void) => events.add({ at: time, order: order++, happen });
  /** Commits go through one after the other, each for its share of a second. */
  const commit = (then: () => void) => {
    databaseFreeAt = Math.max(now, databaseFreeAt) + 1000 / commitsPerSecond;
    at(databaseFreeAt, then);
  };
  /** The processor is taken for `cpuMs`, on the core that is free first. */
  const cpuEnd = (replica: number) => {
    const own = cores[replica] as number[];
    const core = own.indexOf(Math.min(...own));
    own[core] = Math.max(now, own[core] as number) + cpuMs;
    return own[core] as number;
  };
  const claim = () => {
    const replica = free.findIndex((slots, which) => slots > 0 && !dead[which]);
    if (replica < 0) return;
    const job = line.shift();
    if (job === undefined) return;
    free[replica] = (free[replica] as number) - 1;
    (held[replica] as Set<Job>).add(job);
    commit(() => {
      if (dead[replica]) return;
      job.starts += 1;
      if (job.starts > 1) startedTwice += 1;
      at(Math.max(cpuEnd(replica), now + job.ms), () => {
        if (dead[replica]) return;
        commit(() => {
          if (dead[replica] || job.done) return;
          job.done = true;
          (held[replica] as Set<Job>).delete(job);
          free[replica] = (free[replica] as number) + 1;
          times.push(now - job.arrivedAt);
          ends.push(now);
          claim();
        });
      });
    });
  };
  const queue = (job: Job) => {
    line.push(job);
    longestLine = Math.max(longestLine, line.length);
    claim();
  };
  const arrive = () => {
    const ms = random() < (load.hotShare ?? 0) ? jobMs * HOT : jobMs;
    const job = { arrivedAt: now, ms, starts: 0, done: false };
    commit(() => queue(job));
    at(now + exponential(1000 / load.jobsPerSecond), arrive);
  };
  at(0, arrive);
  if (load.deathAtMs !== undefined)
    at(load.deathAtMs, () => {
      dead[0] = true;
      at(now + TAKEOVER_MS, () => {
        for (const job of held[0] as Set<Job>) queue(job);
      });
    });
  for (let next = events.take(); next !== undefined && next.at <= end; next = events.take()) {
    now = next.at;
    next.happen();
  }
  times.sort((a, b) => a - b);
  const late = ends.filter((time) => time > end / 2).length;
  return {
    done: times.length,
    left: line.length,
    jobsPerSecond: late / (end / 2000),
    medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    longestLine,
    startedTwice,
  };
}

/** Numbers from 0 to 1 from a seed (mulberry32, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Events by time; of those at one time the first one added comes first. */
class Heap {
  readonly #events: Event[] = [];

  add(event: Event): void {
    const events = this.#events;
    let at = events.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (before(events[parent] as Event, event)) break;
      events[at] = events[parent] as Event;
      at = parent;
    }
    events[at] = event;
  }

  take(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (first === undefined || last === undefined || events.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= events.length) break;
      if (child + 1 < events.length && before(events[child + 1] as Event, events[child] as Event)) child += 1;
      if (before(last, events[child] as Event)) break;
      events[at] = events[child] as Event;
      at = child;
    }
    events[at] = last;
    return first;
  }
}

const before = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
