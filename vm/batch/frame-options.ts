/** What frames share that run one after the other, and how each of them ends. */
import type { MachineOptions } from "../machine/options.ts";
import type { Cancellation, Outcome } from "../run.ts";

/** How one frame ended. Times are milliseconds of the clock. */
export type FrameEnd = {
  readonly outcome: Outcome;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of the adapters. */
  readonly warnings: readonly string[];
  /** Durations of its calls, by adapter. */
  readonly callTimes: ReadonlyMap<string, readonly number[]>;
};

/** What all frames share. */
export type SharedOptions = Omit<MachineOptions, "traceId" | "trace" | "journal" | "signal" | "startedAt" | "session">;

/** The options of frames that run one after the other: they differ in little, and putting them together anew takes a part of a short run. */
export class FrameOptions implements MachineOptions {
  readonly deps: SharedOptions["deps"];
  readonly limits: SharedOptions["limits"];
  readonly allowed: SharedOptions["allowed"];
  readonly trace = null;
  readonly journal = null;
  readonly quantum: number;
  readonly adapters: SharedOptions["adapters"];
  readonly dryRun: boolean;
  readonly allowEnv: SharedOptions["allowEnv"];
  readonly observer: SharedOptions["observer"];
  readonly outText: boolean;
  signal: Cancellation | undefined = undefined;
  startedAt = 0;
  batch = "";
  index = 0;

  constructor({
    deps,
    limits,
    allowed,
    quantum,
    adapters,
    dryRun = false,
    allowEnv,
    observer,
    outText = false,
  }: SharedOptions) {
    this.deps = deps;
    this.limits = limits;
    this.allowed = allowed;
    this.quantum = quantum;
    this.adapters = adapters;
    this.dryRun = dryRun;
    this.allowEnv = allowEnv;
    this.observer = observer;
    this.outText = outText;
  }

  /** Calls of different frames must not share call ids. Only calls ask. */
  get traceId(): string {
    return `${this.batch}-${this.index}`;
  }
}
