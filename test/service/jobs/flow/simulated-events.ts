/** Events in the simulation: emitted under a few ids, delivered in steps by processes that die between them, or two at a time. */
import { expect } from "vitest";
import { type DueEvent, MAX_FAN_OUT, type Starting } from "../../../../service/events/event.ts";
import { flowOf, jobFlow } from "../../../../service/jobs/flow/flow-of.ts";
import type { ClaimedJob, Submission } from "../../../../service/jobs/job.ts";
import { claimOf } from "../../../../service/jobs/job.ts";
import { jobId } from "../../../../service/jobs/job-id.ts";
import type { JobStore } from "../../../../service/state/store.ts";
import { alone, newJob } from "../store-cases.ts";

/** By event, the programs that hear of it. */
const HEARD: Readonly<Record<string, readonly string[]>> = { a: ["e1", "e2", "e3"], b: ["e2", "e4"], again: ["e5"] };
const IDS = 12;
const MAX_HOPS = 3;
/** Programs of one step. */
const A_STEP = 2;

export class SimulatedEvents {
  readonly #random: () => number;
  /** Hears of a job that an event started. */
  readonly #started: (id: string) => void;
  readonly #names = new Map<string, string>();
  #tooMany = 0;

  constructor(random: () => number, started: (id: string) => void) {
    this.#random = random;
    this.#started = started;
  }

  async deploy({ programs }: JobStore): Promise<void> {
    for (const name of new Set(Object.values(HEARD).flat())) {
      const heard = Object.keys(HEARD).filter((event) => HEARD[event]?.includes(name));
      const declarations = heard.map((event) => ({ op: "On", slots: ["main", event] }));
      const texts = { source: "{}", settings: "{}", warnings: "[]", schedules: "[]" };
      const version = {
        ...{
          name,
          content: name,
          checksum: `sha256:${name}`,
          compiler: "1.0.0",
          semantics: 1,
          sourceHash: null,
          attestation: null,
        },
        ...{ createdMs: 0, ir: JSON.stringify({ declarations }), ...texts },
      };
      const bounds = { maxDeployments: 100, versionsKept: 5, maxSchedules: 10 };
      const facts = { base: null, source: "api", tags: undefined, description: undefined } as const;
      expect((await programs.deploy({ version, ...facts, ...bounds })).state).toBe("deployed");
    }
  }

  /** From outside, under an id that may have been used. */
  async emit({ programEvents, now }: JobStore): Promise<void> {
    const name = this.#random() < 0.5 ? "a" : "b";
    const id = `id-${Math.floor(this.#random() * IDS)}`;
    const atMs = this.#random() < 0.3 ? now() + 5 : null;
    const given = { key: null, data: "{}", isGiven: true, from: null, mostKept: 10_000 };
    const done = await programEvents.emit({ id, name, atMs, ...given });
    if (done.state !== "kept") throw new Error(`an event was not kept: ${done.state}`);
    if (done.isNew === this.#names.has(id))
      throw new Error(`the event ${id} was ${done.isNew ? "taken twice" : "lost"}`);
    this.#names.set(id, done.event.name);
  }

  /** By a job that runs. */
  async emitFrom(job: ClaimedJob, { programEvents }: JobStore): Promise<void> {
    const from = { writer: claimOf(job), maxHops: MAX_HOPS };
    const given = { key: null, data: "{}", isGiven: true, atMs: null, mostKept: 10_000 };
    const done = await programEvents.emit({ id: `of ${job.id}`, name: "again", from, ...given });
    if (done.state === "too_many_hops") this.#tooMany += 1;
    else if (done.state === "kept") this.#names.set(done.event.id, "again");
  }

  /** Some steps of what is due; not `isWhole`: it may leave an event in the middle. False: nothing was due. */
  async deliver(store: JobStore, isWhole: boolean): Promise<boolean> {
    const due = await store.programEvents.due(10);
    for (const event of due) {
      const others = this.#random() < 0.3 ? 2 : 1;
      await Promise.all(Array.from({ length: others }, () => this.#steps(event, store, isWhole)));
    }
    return due.length > 0;
  }

  async #steps(event: DueEvent, { programEvents, now }: JobStore, isWhole: boolean): Promise<void> {
    let { after, state } = event;
    while (state === "due") {
      if (!isWhole && this.#random() < 0.3) return;
      const found = await programEvents.subscribers(event.name, after, A_STEP + 1);
      const starts = found.slice(0, A_STEP).map(({ program, version }): Starting => {
        const submission = this.#submission(program, now());
        return { program, version, label: "main", outcome: "start", error: null, submission };
      });
      const next = starts.at(-1)?.program ?? after;
      const isLast = found.length <= A_STEP;
      const step = { number: event.number, after, starts, next, isLast, isCut: false, maxQueued: MAX_FAN_OUT };
      const done = await programEvents.deliver(step);
      if (done.state !== "done") return;
      for (const [at, outcome] of done.outcomes.entries())
        if (outcome === "started") this.#started(starts[at]?.submission?.jobs[0]?.id ?? "");
      after = next;
      if (isLast) state = "waking";
    }
    if (!isWhole && this.#random() < 0.3) return;
    await programEvents.wake(event);
  }

  #submission(program: string, now: number): Submission {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16)).join("");
    const job = newJob(now, { id: jobId(now, hex), deployment: program, version: 1 });
    const asked = flowOf({ program, layers: [{ concurrency: [{ limit: 1 }] }], runAtMs: null, ageMs: 60_000 });
    if (asked === null || this.#random() < 0.5) return alone(job);
    return { ...alone(job), flow: [jobFlow(asked, {}, now)] };
  }

  /** Every program that hears of an event has one job of it, and no event has too many before it. */
  async check({ programEvents }: JobStore): Promise<void> {
    const kept = await programEvents.list({ limit: 1000, before: null, name: null });
    expect(kept.map(({ id, name }) => [id, name]).sort()).toEqual([...this.#names].sort());
    for (const { id, name, hops, state } of kept) {
      const starts = (await programEvents.find(id, 1000))?.starts ?? [];
      expect([state, starts.map(({ program, outcome }) => [program, outcome])]).toEqual([
        "done",
        (HEARD[name] ?? []).map((program) => [program, "started"]),
      ]);
      expect(new Set(starts.map(({ job }) => job)).size).toBe(starts.length);
      expect(hops).toBeLessThanOrEqual(MAX_HOPS);
    }
  }
}
