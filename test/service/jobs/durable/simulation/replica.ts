/** One replica of a simulated service: it claims jobs and runs them with the real durable host, over a network that delays and loses. */

import { type ClaimedJob, claimName } from "../../../../../service/jobs/job.ts";
import type { Adapter, AdapterVerb, CallContext } from "../../../../../vm/adapter.ts";
import type { DurableRun } from "../../../../../vm/durable/durable-request.ts";
import type { RunJournal } from "../../../../../vm/durable/records.ts";
import { createHost, type Host } from "../../../../../vm/host.ts";
import { Cancelling } from "../../../../../vm/runs/cancellation.ts";
import { fakeFacts } from "../../../../support/mock-adapters.ts";
import { testCatalog } from "../../../../support/run-case.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";
import type { JobServer } from "./servers.ts";
import { Process, type Timeline } from "./timeline.ts";

/** Without a beat for so long a replica is taken for dead. */
export const SILENT_MS = 1000;
const BEAT_MS = SILENT_MS / 6;
const MAX_RUNS = 3;
const LOOK_MS = 100;
const STORE_AGAIN_MS = 100;
const CANCELS_MS = 300;
const SNAPSHOTS = { steps: 40, records: 2, activeMs: Number.POSITIVE_INFINITY, maxBytes: 1_000_000 };

export type Faults = {
  /** Of each request to the store, from 0 to 1. */
  readonly lostRequests: number;
  readonly lostAnswers: number;
};

/** What a replica needs of its world. */
export type Surroundings = {
  readonly timeline: Timeline;
  readonly server: JobServer;
  readonly random: () => number;
  readonly faults: () => Faults;
  /** The store does not answer. */
  readonly isStoreDown: () => boolean;
  /** A request of a run reaches the other side, and may change something there. Rejects when a rule is broken. */
  readonly effect: (job: ClaimedJob, verb: string, context: CallContext) => Promise<void>;
  /** A beat of this owner has reached the store. */
  readonly beat: (owner: string) => void;
  /** A request of this owner was done after its death. */
  readonly late: (owner: string) => void;
  readonly failed: (thrown: unknown) => void;
};

export class SimulatedReplica {
  readonly process: Process;
  readonly #around: Surroundings;
  readonly #running = new Map<ClaimedJob, Cancelling>();
  #beatHeard: number;
  #isClaiming = false;

  constructor(around: Surroundings, owner: string) {
    this.#around = around;
    this.process = new Process(around.timeline, owner);
    this.#beatHeard = around.timeline.now;
    around.beat(owner);
    this.#beat();
    this.#look();
    this.#hearCancels();
  }

  get owner(): string {
    return this.process.name;
  }

  kill(): void {
    this.process.isAlive = false;
  }

  /** A request to the store: it may be lost, and so may its answer. `make` is done in the store. */
  ask<T>(make: (server: JobServer, now: number) => Promise<T>): Promise<T> {
    const { timeline, server, random, faults, isStoreDown, failed } = this.#around;
    const { lostRequests, lostAnswers } = faults();
    const [isLost, isUnanswered] = [random() < lostRequests, random() < lostAnswers];
    const [there, back] = [this.#delay(), this.#delay()];
    return new Promise((resolve, reject) => {
      const refuse = (): void => void this.process.after(back, () => reject(new Error("the store did not answer")));
      timeline.after(there, async () => {
        if (isLost || isStoreDown()) return refuse();
        try {
          const made = await make(server, timeline.wall());
          if (!this.process.isAlive) this.#around.late(this.owner);
          if (isUnanswered) refuse();
          else this.process.after(back, () => resolve(made));
        } catch (thrown) {
          failed(thrown);
        }
      });
    });
  }

  /** Mostly short, sometimes long. */
  #delay(): number {
    const { random } = this.#around;
    return random() < 0.03 ? random() * 600 : 1 + random() * 8;
  }

  async #untilDone<T>(make: (server: JobServer, now: number) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.ask(make);
      } catch {
        await new Promise<void>((resolve) => this.process.after(STORE_AGAIN_MS, resolve));
      }
    }
  }

  #beat(): void {
    const { timeline, beat } = this.#around;
    const sent = timeline.now;
    void this.ask(async () => beat(this.owner)).then(
      () => {
        this.#beatHeard = Math.max(this.#beatHeard, sent);
      },
      () => {},
    );
    this.process.after(BEAT_MS, () => this.#beat());
  }

  /** Claims what is in line, while there are places to run. */
  #look(): void {
    const claim = async (): Promise<void> => {
      if (this.#isClaiming || this.#running.size >= MAX_RUNS) return;
      this.#isClaiming = true;
      const job = await this.#claim();
      this.#isClaiming = false;
      if (job === null) return;
      const cancel = new Cancelling();
      this.#running.set(job, cancel);
      try {
        await this.#run(job, cancel);
      } catch (thrown) {
        this.#around.failed(thrown);
      }
      this.#running.delete(job);
    };
    void claim();
    this.process.after(LOOK_MS, () => this.#look());
  }

  /** A claim whose answer was lost would run nowhere. */
  async #claim(): Promise<ClaimedJob | null> {
    try {
      return await this.ask((server, now) => server.claim(this.owner, now));
    } catch {
      const known = new Set([...this.#running.keys()].map(claimName));
      await this.#untilDone((server, now) => server.release(this.owner, known, now));
      return null;
    }
  }

  /** Ends the runs of jobs that somebody wants cancelled. */
  #hearCancels(): void {
    for (const [{ id }, cancel] of this.#running)
      void this.ask((server) => server.find(id)).then(
        (found) => found?.status === "cancelling" && cancel.abort("cancelled"),
        () => {},
      );
    this.process.after(CANCELS_MS, () => this.#hearCancels());
  }

  async #run(job: ClaimedJob, signal: Cancelling): Promise<void> {
    const { ir, onUnknown } = PROGRAMS[job.label as ProgramName];
    let run: DurableRun | null = null;
    const journal: RunJournal = {
      load: () => this.#untilDone((server) => server.load(job.id)),
      append: (records) => this.ask((server) => server.append(job, records)),
      park: (records, waits, isWhole) => this.ask((server, now) => server.park(job, records, waits, isWhole, now)),
      keep: (snapshot) =>
        void this.ask((server) => server.keep(job, snapshot as { readonly seq: number })).catch(() => {}),
      isOurs: () => this.#around.timeline.now - this.#beatHeard < SILENT_MS / 2,
    };
    run = this.#host(job).durable({
      ir,
      frame: { id: job.id },
      traceId: job.id,
      journal,
      signal,
      onUnknown: () => onUnknown,
      why: job.why ?? "crash",
      owner: this.owner,
      handsOver: true,
      snapshots: SNAPSHOTS,
      limits: { max_adapter_calls: 40 },
    });
    const end = await run.result;
    if (end.state === "ended") {
      const { answer } = end;
      const result = JSON.stringify(answer.ok ? { out: answer.out, usage: answer.usage } : { error: answer.error });
      const outcome = answer.ok ? "succeeded" : signal.aborted ? "cancelled" : "failed";
      await this.#untilDone((server, now) => server.settle(job, end.records, outcome, result, now));
    } else if (end.state === "left") await this.#untilDone((server, now) => server.interrupt(job, now));
    else if (end.state !== "parked") throw new Error(`a run ended as ${end.state}: ${JSON.stringify(end)}`);
  }

  #host(job: ClaimedJob): Host {
    return createHost({
      clock: this.process.clock,
      facts: fakeFacts(),
      catalog: testCatalog,
      adapters: new Map([["ext", this.#adapter(job)]]),
      traceId: () => job.id,
    });
  }

  /** READ changes nothing, KEYED has one effect for a call id, UNSAFE acts each time. WAIT and SLEEP park. */
  #adapter(job: ClaimedJob): Adapter {
    const { timeline, random, effect, failed } = this.#around;
    const request =
      (verb: string) =>
      (_instance: unknown, context: CallContext): Promise<number> =>
        new Promise((resolve) => {
          const [there, back] = [1 + random() * 20, 1 + random() * 20];
          // It is on its way, whatever becomes of the process.
          timeline.after(there, async () => {
            await effect(job, verb, context).catch(failed);
            this.process.after(back, () => resolve(1));
          });
        });
    const verb = (
      name: string,
      effectTier: AdapterVerb["effectTier"],
      facts: object,
      run = request(name),
    ): AdapterVerb => ({
      ...{ name, effectTier },
      bind: (args) => ({
        ...{ timeoutMs: null, maxResultBytes: null, repeatable: true, ...facts },
        run: (instance, context) => waitOf(name, args, context) ?? run(instance, context),
      }),
    });
    const verbs: readonly AdapterVerb[] = [
      verb("READ", "io-read", {}),
      verb("KEYED", "io-write", { keyed: true }),
      verb("UNSAFE", "io-write", { repeatable: false }),
      verb("WAIT", "io-read", {}),
      verb("SLEEP", "control", {}),
    ];
    return { name: "ext", concurrent: true, verb: (word) => verbs.find(({ name }) => name === word.toUpperCase()) };
  }
}

/** Arguments of WAIT: name, key or null, milliseconds; of SLEEP: milliseconds. Null: another verb. */
function waitOf(verb: string, args: readonly unknown[], context: CallContext): unknown {
  if (verb === "SLEEP")
    return context.run.wait?.({ kind: "timer", until: Math.round(context.now() + Number(args[0])) });
  if (verb !== "WAIT") return null;
  const [name, key, ms] = args;
  const until = Math.round(context.now() + Number(ms));
  return context.run.wait?.({ kind: "signal", names: [String(name)], key: key === null ? null : String(key), until });
}
