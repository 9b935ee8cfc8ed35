/**
 * A simulated service: two replicas, the jobs they run, and everything that can go wrong, as a seed says. After each step the rules hold that
 * a durable job promises (docs/durable.md), and when nothing goes wrong any more every job comes to its end.
 */

import { type ClaimedJob, isTerminal, PARKED } from "../../../../../service/jobs/job.ts";
import { jobId } from "../../../../../service/jobs/job-id.ts";
import type { CallContext } from "../../../../../vm/adapter.ts";
import type { JournalRecord } from "../../../../../vm/durable/records.ts";
import { newJob } from "../../store-cases.ts";
import { BRANCHED, PROGRAM_NAMES, PROGRAMS, type ProgramName } from "./programs.ts";
import { type Faults, SILENT_MS, SimulatedReplica } from "./replica.ts";
import type { JobServer } from "./servers.ts";
import { randomOf, Timeline } from "./timeline.ts";

export const TROUBLES = ["kill", "stop", "store", "network", "cancel", "takeover"] as const;
type Trouble = (typeof TROUBLES)[number];

export type Scenario = {
  readonly seed: number;
  readonly troubles: readonly Trouble[];
  readonly jobs: number;
  /** How long things go wrong. */
  readonly troubledMs: number;
};

export type Figures = { jobs: number; steps: number; kills: number; zombies: number; unknown: number; decided: number };

const CALM: Faults = { lostRequests: 0, lostAnswers: 0 };
const LOSSY: Faults = { lostRequests: 0.04, lostAnswers: 0.06 };
/** When every job is over, were it not for a lost wake. */
const MAX_CALM_MS = 120_000;
const WAKE_EVERY_MS = 50;
const HOUR_MS = 3_600_000;
/** Of one run, at the same time. */
const MAX_BRANCHES = 3;

/** Rejects with what was broken, and when. */
export async function simulate(server: JobServer, scenario: Scenario, figures: Figures): Promise<void> {
  await new SimulatedWorld(server, scenario, figures).run();
}

class SimulatedWorld {
  readonly #timeline = new Timeline();
  readonly #server: JobServer;
  readonly #scenario: Scenario;
  readonly #figures: Figures;
  readonly #random: () => number;
  readonly #replicas: SimulatedReplica[] = [];
  /** By owner, when its last beat reached the store. */
  readonly #beats = new Map<string, number>();
  readonly #jobs: { readonly id: string; readonly program: ProgramName }[] = [];
  /** Results of jobs that are over. */
  readonly #over = new Map<string, string>();
  readonly #unsafe = new Map<string, number>();
  readonly #keyed = new Map<string, string>();
  /** Jobs whose call of unknown outcome a person had made again. */
  readonly #madeAgain = new Set<string>();
  #sent = 0;
  #owners = 0;
  #storeDownUntil = 0;
  #isTroubled = true;
  #failure: unknown = null;

  constructor(server: JobServer, scenario: Scenario, figures: Figures) {
    this.#server = server;
    this.#scenario = scenario;
    this.#figures = figures;
    this.#random = randomOf(scenario.seed);
  }

  async run(): Promise<void> {
    const { jobs, troubledMs } = this.#scenario;
    for (let at = 0; at < 2; at++) this.#start(at);
    this.#wakeDue();
    this.#takeOver();
    for (let at = 0; at < jobs; at++) this.#timeline.after(this.#random() * troubledMs * 0.5, () => this.#queue());
    this.#every(180, () => this.#signal());
    this.#every(260, () => this.#decide());
    this.#trouble("kill", 900, () => this.#kill());
    this.#trouble("stop", 1100, () => this.#stop());
    this.#trouble("store", 1500, () => this.#storeDown());
    this.#trouble("cancel", 1200, () => this.#cancel());
    await this.#until(troubledMs, () => false);
    this.#isTroubled = false;
    await this.#until(troubledMs + MAX_CALM_MS, () => this.#over.size === this.#jobs.length);
    await this.#expectAllOver();
    this.#figures.jobs += this.#jobs.length;
  }

  async #until(end: number, isDone: () => boolean): Promise<void> {
    for (let steps = 0; !isDone() && (await this.#timeline.step(end)); steps++) {
      this.#figures.steps += 1;
      if (steps % 40 === 0) await this.#check();
      if (this.#failure !== null) throw this.#failure;
    }
  }

  #has(trouble: Trouble): boolean {
    return this.#isTroubled && this.#scenario.troubles.includes(trouble);
  }

  #every(ms: number, act: () => unknown): void {
    this.#timeline.after(this.#random() * 2 * ms, () => {
      this.#every(ms, act);
      return act();
    });
  }

  #trouble(trouble: Trouble, ms: number, act: () => unknown): void {
    this.#every(ms, () => (this.#has(trouble) ? act() : undefined));
  }

  #start(at: number): void {
    this.#owners += 1;
    this.#replicas[at] = new SimulatedReplica(
      {
        timeline: this.#timeline,
        server: this.#server,
        random: this.#random,
        faults: () => (this.#has("network") ? LOSSY : CALM),
        isStoreDown: () => this.#isTroubled && this.#storeDownUntil > this.#timeline.now,
        effect: (job, verb, context) => this.#effect(job, verb, context),
        beat: (owner) => this.#beats.set(owner, this.#timeline.now),
        late: (owner) => this.#beats.set(owner, Number.NEGATIVE_INFINITY),
        failed: (thrown) => {
          this.#failure ??= thrown;
        },
      },
      `r${this.#owners}`,
    );
  }

  #kill(): void {
    const at = this.#random() < 0.5 ? 0 : 1;
    const replica = this.#replicas[at] as SimulatedReplica;
    replica.kill();
    // Also of one that was taken for dead before, and may have claimed a job since.
    if (!this.#beats.has(replica.owner)) this.#beats.set(replica.owner, this.#timeline.now);
    this.#figures.kills += 1;
    this.#timeline.after(this.#random() * 500, () => this.#start(at));
  }

  /** Longer than the others wait for it: it is a zombie when it continues. */
  #stop(): void {
    this.#replicas[this.#random() < 0.5 ? 0 : 1]?.process.stopFor(this.#random() * 3 * SILENT_MS);
  }

  #storeDown(): void {
    this.#storeDownUntil = this.#timeline.now + this.#random() * 800;
  }

  /** Jobs of owners that are silent are taken from them; now and then of one that is not. */
  #takeOver(): void {
    this.#every(SILENT_MS / 3, async () => {
      const able = this.#replicas.filter(({ process }) => process.isAlive && !process.isStopped);
      const by = able[0];
      if (by === undefined) return;
      const isSilent = [...this.#beats].some(
        ([owner, at]) => owner !== by.owner && this.#timeline.now - at > SILENT_MS,
      );
      if (!isSilent && !(this.#has("takeover") && this.#random() < 0.05)) return;
      for (const { owner, process } of this.#replicas)
        if (owner !== by.owner && process.isAlive) this.#figures.zombies += 1;
      await this.#server.recover(by.owner, this.#timeline.wall());
      for (const owner of [...this.#beats.keys()]) if (owner !== by.owner) this.#beats.delete(owner);
    });
  }

  #wakeDue(): void {
    this.#every(WAKE_EVERY_MS, () => this.#server.wakeDue(this.#timeline.wall()));
  }

  async #queue(): Promise<void> {
    const program = this.#pick(PROGRAM_NAMES);
    const now = this.#timeline.wall();
    const id = jobId(now, this.#hex());
    await this.#server.queue(
      newJob(now, { id, traceId: id, label: program, durable: { lifetimeMs: HOUR_MS }, checksum: program }),
    );
    this.#jobs.push({ id, program });
  }

  #hex(): string {
    return Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16)).join("");
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  /** To a job or under the key; some are sent twice. Data ascends with the order of sending. */
  async #signal(): Promise<void> {
    const { id } = this.#jobs.length === 0 ? { id: "" } : this.#pick(this.#jobs);
    if (id === "") return;
    this.#sent += 1;
    const isKeyed = this.#random() < 0.4;
    const signal = {
      id: `s${this.#sent}`,
      name: isKeyed ? "paid" : "go",
      target: isKeyed ? { key: "key" } : { job: id },
      data: String(this.#sent),
      expiresMs: this.#timeline.wall() + HOUR_MS,
    };
    for (let times = this.#random() < 0.3 ? 2 : 1; times > 0; times--)
      await this.#server.send(signal, this.#timeline.wall());
  }

  async #decide(): Promise<void> {
    for (const { id } of this.#jobs) {
      if (this.#over.has(id)) continue;
      const asking = (await this.#server.waits(id)).find(
        ({ spec, endedMs }) => spec.kind === "outcome" && endedMs === null,
      );
      if (asking?.spec.kind !== "outcome") continue;
      const { status } = (await this.#server.find(id)) ?? { status: "running" };
      // Something else has come for another branch.
      if (status !== "queued" && !PARKED.includes(status)) continue;
      const decision = this.#pick(["done", "make", "fail"] as const);
      const said = { of: asking.spec.of, decision, by: "ann", result: 1 };
      if (!(await this.#server.decide(id, said, this.#timeline.wall()))) throw new Error(`${id} heard no decision`);
      this.#figures.decided += 1;
      if (decision === "make") this.#madeAgain.add(id);
    }
  }

  async #cancel(): Promise<void> {
    if (this.#jobs.length > 0) await this.#server.cancel(this.#pick(this.#jobs).id, this.#timeline.wall());
  }

  /** A request reaches the other side: no effect without the record that announces it, and none twice. */
  async #effect(job: ClaimedJob, verb: string, { callId }: CallContext): Promise<void> {
    if (verb === "KEYED") {
      const site = `${job.id} ${callId.slice(job.id.length)}`;
      const known = this.#keyed.get(site);
      if (known !== undefined && known !== callId) throw new Error(`${site} has two keys`);
      this.#keyed.set(site, callId);
    }
    if (verb !== "UNSAFE") return;
    const times = (this.#unsafe.get(callId) ?? 0) + 1;
    this.#unsafe.set(callId, times);
    if (times > 1 && !this.#madeAgain.has(job.id)) throw new Error(`${callId} acted ${times} times`);
    const records = [...(await this.#server.load(job.id)).records];
    if (!records.some((record) => isIntentOf(record, callId))) throw new Error(`${callId} acted unannounced`);
  }

  /** Those that are over stay as they are, and no parked job has what it waits for. */
  async #check(): Promise<void> {
    for (const { id, program } of this.#jobs) {
      const job = await this.#server.find(id);
      if (job === null) throw new Error(`${id} is gone`);
      const known = this.#over.get(id);
      const text = `${job.status} ${job.result}`;
      if (known !== undefined && known !== text) throw new Error(`${id} was ${known} and is ${text}`);
      if (known !== undefined) continue;
      if (isTerminal(job.status)) {
        this.#over.set(id, text);
        await this.#expectEnd(id, program, job.status, job.result ?? "{}");
      } else if (PARKED.includes(job.status)) await this.#expectWaiting(id, program);
    }
  }

  async #expectWaiting(id: string, program: ProgramName): Promise<void> {
    const open = (await this.#server.waits(id)).filter(({ endedMs }) => endedMs === null);
    const most = BRANCHED.includes(program) ? MAX_BRANCHES : 1;
    if (open.length < 1 || open.length > most) throw new Error(`${id} is parked with ${open.length} waits`);
    for (const { spec } of open) {
      if (spec.kind === "signal" && spec.key === null) {
        const unread = await this.#server.unread(id);
        const there = spec.names.find((name) => (unread[name] ?? 0) > 0);
        if (there !== undefined) throw new Error(`${id} waits for ${there}, which is there`);
      }
      const until = spec.until ?? Number.POSITIVE_INFINITY;
      if (until < this.#timeline.wall() - 10 * WAKE_EVERY_MS) throw new Error(`${id} was not woken in time`);
    }
  }

  async #expectEnd(id: string, program: ProgramName, status: string, result: string): Promise<void> {
    const ends = await this.#server.ends(id);
    if (ends !== 1) throw new Error(`${id} ended ${ends} times`);
    const records = [...(await this.#server.load(id)).records];
    records.forEach(({ seq }, at) => {
      if (seq !== at + 1) throw new Error(`the journal of ${id} has no record ${at + 1}`);
    });
    expectOrder(id, records);
    if (status === "cancelled") return;
    if (status !== "succeeded") throw new Error(`${id} ended as ${status}: ${result}`);
    const { usage } = JSON.parse(result);
    if (usage.adapter_calls !== PROGRAMS[program].calls) throw new Error(`${id} counts ${usage.adapter_calls} calls`);
    if (result.includes('"unknown"')) this.#figures.unknown += 1;
  }

  async #expectAllOver(): Promise<void> {
    await this.#check();
    for (const { id, program } of this.#jobs)
      if (!this.#over.has(id))
        throw new Error(`${id} (${program}) did not end: ${JSON.stringify(await this.#server.find(id))}`);
  }
}

function isIntentOf(record: JournalRecord, callId: string): boolean {
  if (record.kind !== "intent" || !callId.includes(`/${record.branch}`)) return false;
  return callId.endsWith(`${record.label}/${record.node}/${record.visit}`);
}

/** Signals are read in the order in which they were sent, and each once. */
function expectOrder(id: string, records: readonly JournalRecord[]): void {
  const last = new Map<string, number>();
  for (const record of records) {
    if (record.kind !== "woken" || record.why !== "signal") continue;
    const { name, data } = record.result as { readonly name: string; readonly data: number };
    const before = last.get(name) ?? 0;
    if (data <= before) throw new Error(`${id} read signal ${data} after ${before}`);
    last.set(name, data);
  }
}
