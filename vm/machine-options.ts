/** What a machine is made with, and what it may be waiting for. */
import type { Adapter } from "./adapter.ts";
import type { RunSession, StartedCall } from "./adapter-session.ts";
import type { FrameShare } from "./frame-share.ts";
import type { HostDeps } from "./host.ts";
import type { CallJournal } from "./journal.ts";
import type { CallObserver, Cancellation, Limits } from "./run.ts";
import type { TraceSink } from "./trace.ts";

/** What a run waits for. */
export type PendingCall = {
  readonly kind: "call";
  readonly call: StartedCall;
  readonly promise: PromiseLike<unknown>;
  readonly pc: number;
  /** When it was made, in milliseconds of the clock. */
  readonly since: number;
};
export type Pending =
  | PendingCall
  | { readonly kind: "wait"; readonly ms: number; readonly then: "retry" | "host"; readonly pc: number };

export type RetryPlan = { readonly site: number; readonly count: number; readonly backoff: number; made: number };

export type TracedVisit = { site: number; start: number; reported: boolean };

type MachineDeps = Pick<HostDeps, "clock" | "facts" | "adapters" | "frameCeilingBytes" | "crashed"> & {
  /** What the runs of a host share; absent: each has its own ceiling alone. */
  readonly frames?: FrameShare;
};

export type MachineOptions = {
  readonly deps: MachineDeps;
  readonly traceId: string;
  readonly limits: Limits;
  /** null: every adapter. */
  readonly allowed: ReadonlySet<string> | null;
  readonly trace: TraceSink | null;
  /** Absent: nothing is recorded or replayed. */
  readonly journal?: CallJournal | null;
  readonly signal: Cancellation | undefined;
  readonly quantum: number;
  /** When the run began, in milliseconds of the clock; default: when it is loaded. */
  readonly startedAt?: number;
  /** Default: those of the host. */
  readonly adapters?: ReadonlyMap<string, Adapter> | undefined;
  readonly dryRun?: boolean;
  /** Makes the calls; default: one of its own over `adapters`. */
  readonly session?: RunSession;
  /** Host variables this run may read, of those the host exposes; absent or null: all of them. */
  readonly allowEnv?: readonly string[] | null | undefined;
  /** Told of every call when it is over. */
  readonly observer?: CallObserver | undefined;
};
