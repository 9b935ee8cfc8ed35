/**
 * K-8: for random lines, zones, outages, pauses, overlaps, jitter, clock jumps, deployments and rollbacks, what two replicas fire is what a
 * slow minute-by-minute enumerator says, minus what catch-up and overlap leave out. The store is the real one, in memory.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { FIRES_KEPT, LATE_MS, OVERLAPS, type ScheduleSpec } from "../../../service/schedules/schedule.ts";
import { jitterMs } from "../../../service/schedules/zones-and-jitter.ts";
import { SPEC, simulated } from "./simulated.ts";
import { slowTimes } from "./slow-times.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CRONS = [
  "0 * * * *",
  "*/20 * * * *",
  "30 2 * * *",
  "15,45 */3 * * *",
  "5 0 L * *",
  "0 12 * * 1",
  "10 1 * * 6,0",
  "0,30 1,2 * * *",
  "*/15 2 * * *",
  "40 1-3 * * *",
  "0 0-4/2 * * *",
];
/** Zone, and a day on which its clocks do something. */
const ZONES: readonly (readonly [string, string])[] = [
  ["UTC", "2030-01-01T00:00:00Z"],
  ["Europe/Berlin", "2030-03-30T12:00:00Z"],
  ["Europe/Berlin", "2030-10-26T12:00:00Z"],
  ["Australia/Lord_Howe", "2030-04-06T00:00:00Z"],
  ["Australia/Lord_Howe", "2030-10-05T00:00:00Z"],
  ["Pacific/Apia", "2011-12-28T12:00:00Z"],
  ["Africa/Casablanca", "2030-01-04T12:00:00Z"],
];

/** The rules of docs/programs.md about one schedule, written down once more without a store. */
class Model {
  readonly outcomes = new Map<number, string>();
  fired = 0;
  paused = false;
  enabled = true;
  #spec: ScheduleSpec;
  /** Times after this one are to come. */
  #after: number;
  /** A time that was due, but had not fired, when another line became current. */
  #kept: { readonly due: number; readonly at: number } | null = null;
  #isBusy = false;
  #waiting: number | null = null;

  constructor(spec: ScheduleSpec, start: number) {
    this.#spec = spec;
    this.#after = start;
  }

  endJobs(): void {
    this.#isBusy = false;
  }

  become(spec: ScheduleSpec, now: number): void {
    const [pending] = this.#due(now);
    if (spec.cron !== this.#spec.cron || spec.jitterS !== this.#spec.jitterS) {
      this.#kept = pending ?? null;
      if (pending === undefined) this.#after = now;
    }
    this.#spec = spec;
  }

  tick(now: number): void {
    const rests = this.paused || !this.enabled;
    if (this.#waiting !== null && !this.#isBusy && !rests) {
      this.#fire(this.#waiting);
      this.#waiting = null;
    }
    const times = this.#due(now).filter(({ at }) => at <= now);
    for (const { due, at } of times) {
      if (rests) this.outcomes.set(due, "paused");
      else if (!this.#isCaughtUp(due, at, now)) this.outcomes.set(due, "missed");
      else this.#overlapping(due);
      this.#after = due;
      this.#kept = null;
    }
  }

  /** Times that are due and have not fired, with the moments at which they fire. */
  #due(now: number): readonly { readonly due: number; readonly at: number }[] {
    const { cron, tz } = this.#spec;
    const times = slowTimes(cron, tz, this.#kept?.due ?? this.#after, now).map((due) => ({ due, at: this.#at(due) }));
    return this.#kept === null ? times : [this.#kept, ...times];
  }

  #at(due: number): number {
    return due + jitterMs("p/L1", due, this.#spec.jitterS);
  }

  #isCaughtUp(due: number, at: number, now: number): boolean {
    const { cron, tz, catchUp, catchUpWindowS } = this.#spec;
    if (now - at <= LATE_MS) return true;
    if (catchUp === "none" || now - due > catchUpWindowS * 1000) return false;
    const recent = slowTimes(cron, tz, now - DAY - 60 * MINUTE, now).filter((one) => this.#at(one) <= now);
    return catchUp === "all" ? recent.slice(-100).includes(due) : recent.at(-1) === due;
  }

  #overlapping(due: number): void {
    const { overlap } = this.#spec;
    if (overlap === "allow" || overlap === "replace") this.#fire(due);
    else if (overlap === "skip" && !this.#isBusy) this.#fire(due);
    else if (overlap === "queue" && this.#waiting === null) {
      if (!this.#isBusy) this.#fire(due);
      else {
        this.outcomes.set(due, "waiting");
        this.#waiting = due;
      }
    } else this.outcomes.set(due, "skipped_overlap");
  }

  #fire(due: number): void {
    this.outcomes.set(due, "fired");
    this.fired += 1;
    this.#isBusy = true;
  }
}

const round = fc.record({
  afterMin: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 60, max: 1500 })),
  /** Of the moment within its minute. */
  afterMs: fc.integer({ min: 0, max: MINUTE - 1 }),
  paused: fc.boolean(),
  enabled: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  /** The clock is set back for a while. */
  back: fc.boolean(),
  ends: fc.boolean(),
  /** Another version becomes current: the second one, or by a rollback the first. */
  changes: fc.boolean(),
});
const lines = fc.record({ cron: fc.constantFrom(...CRONS), jitterS: fc.constantFrom(0, 40, 300) });
const rules = fc.record({
  overlap: fc.constantFrom(...OVERLAPS),
  catchUp: fc.constantFrom<ScheduleSpec["catchUp"]>("none", "last", "all"),
  catchUpWindowS: fc.constantFrom(900, 3600, 86_400),
});

it("K-8, K-9: what two replicas fire is what a slow enumerator says", { timeout: 240_000 }, async () => {
  const plans = fc.array(round, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(lines, lines),
      fc.constantFrom(...ZONES),
      rules,
      plans,
      async (both, zone, rule, plan) => {
        const [tz, day] = zone;
        const start = Date.parse(day);
        const [first, second] = both.map((line): ScheduleSpec => ({ ...SPEC, ...rule, ...line, tz })) as [
          ScheduleSpec,
          ScheduleSpec,
        ];
        const world = await simulated([first], start);
        const model = new Model(first, start);
        const { programs, schedules } = world.store;
        let now = start;
        let version = 1;
        for (const { afterMin, afterMs, paused, enabled, back, ends, changes } of plan) {
          if (paused !== model.paused) await schedules.pause("p/L1", paused);
          const change = { name: "p", enabled, tags: undefined, description: undefined, ifMatch: undefined };
          if (enabled !== model.enabled) await programs.change({ ...change, source: "api" });
          Object.assign(model, { paused, enabled });
          if (changes) {
            version = 3 - version;
            const back = { name: "p", version, ifMatch: undefined, source: "api", maxSchedules: 10 } as const;
            const known = (await programs.version("p", version)) !== null;
            expect(known ? await programs.rollback(back) : await world.deploy([second], 1)).toMatchObject(
              known ? { state: "changed" } : { state: "deployed" },
            );
            if (JSON.stringify(first) !== JSON.stringify(second)) model.become(version === 1 ? first : second, now);
          }
          if (ends) {
            await world.endJobs();
            model.endJobs();
          }
          now += afterMin * MINUTE + afterMs;
          model.tick(now);
          await world.tick(now);
          if (back) {
            await world.tick(now - 6 * 60 * MINUTE);
            world.set(now);
          }
        }
        const fires = await schedules.fires("p/L1", FIRES_KEPT);
        const found = fires.map(({ dueMs, outcome }) => shown([dueMs, outcome])).reverse();
        await world.close();
        expect(found).toEqual([...model.outcomes].sort(([a], [b]) => a - b).map(shown));
        expect(world.jobs()).toBe(model.fired);
      },
    ),
    { numRuns: 60 },
  );
});

it("K-1: jitter is within its bound, the same on every replica, and differs between times", () => {
  const times = Array.from({ length: 200 }, (_, at) => at * 60 * MINUTE);
  const found = times.map((due) => jitterMs("p/L1", due, 300));
  for (const ms of found) expect(ms >= 0 && ms < 300_000).toBe(true);
  expect(times.map((due) => jitterMs("p/L1", due, 300))).toEqual(found);
  expect(new Set(found).size).toBeGreaterThan(150);
  // In every third of the range there are some.
  for (const third of [0, 1, 2])
    expect(found.filter((ms) => Math.floor(ms / 100_000) === third).length).toBeGreaterThan(30);
});

it("1,000 schedules that are due at one moment are all queued", { timeout: 60_000 }, async () => {
  const start = Date.parse("2030-01-01T00:00:30Z");
  const specs = Array.from({ length: 1000 }, (_, at): ScheduleSpec => ({ ...SPEC, id: `p/L${at}`, label: `L${at}` }));
  const world = await simulated(specs, start);
  await world.tick(start);
  await world.tick(Date.parse("2030-01-01T01:00:01Z"));
  await world.close();
  expect(world.jobs()).toBe(1000);
});

const shown = ([due, outcome]: readonly [number, string]) => `${new Date(due).toISOString()} ${outcome}`;
