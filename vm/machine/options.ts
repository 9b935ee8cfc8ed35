/** What a machine is made with, and what it may be waiting for. */
import type { Adapter, RunScope } from "../adapter.ts";
import type { RunSession, StartedCall } from "../calls/session.ts";
import type { InputShape } from "../inputs/check-inputs.ts";
import type { FrameShare } from "../memory/shared-budget.ts";
import type { MachineJournal } from "../recording/journal.ts";
import type { ShownState } from "../recording/shown-state.ts";
import type { TraceSink } from "../recording/trace.ts";
import type { CallObserver, Cancellation, Clock, HostFacts, Limits } from "../run.ts";

import type { ForkPlan } from "./branching/fork-plan.ts";

/** What a run waits for. */
export type PendingCall = {
  readonly kind: "call";
  readonly call: StartedCall;
  readonly promise: PromiseLike<unknown>;
  readonly pc: number;
  /** When it was made, in milliseconds of the clock. */
  readonly since: number;
};
/** Branches that are under way; what is known of them is kept where they are run (`vm/runs/branches.ts`). */
type PendingFork<M> = {
  readonly kind: "fork";
  readonly pc: number;
  readonly plan: ForkPlan<M>;
  /** `<label>/<node>/<visit>` */
  readonly place: string;
};
/** `M`: what branches run on. */
export type Pending<M = never> =
  | PendingCall
  | PendingFork<M>
  /** For the end of another branch's call to an adapter that takes one call at a time. */
  | { readonly kind: "turn"; readonly adapter: string | null; readonly pc: number }
  | {
      readonly kind: "wait";
      /** As it was asked for. */
      readonly ms: number;
      /** When it is over, in milliseconds that the run has been active: a run that is stored and restored waits for what is left. */
      readonly due: number;
      readonly then: "retry" | "host";
      readonly pc: number;
    };

export type RetryPlan = { readonly site: number; readonly count: number; readonly backoff: number; made: number };

export type TracedVisit = { site: number; start: number; reported: boolean };

/** Everything impure that a run needs. */
export type MachineDeps = {
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Built-in ceiling of a run's frame; default 256 MiB. */
  readonly frameCeilingBytes?: number;
  /** Called when an adapter threw an unexpected error; for the operator's log, never for the run's answer. */
  readonly crashed?: (adapter: string, verb: string, thrown: unknown) => void;
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
  readonly journal?: MachineJournal | null;
  readonly signal: Cancellation | undefined;
  /** Ends the run without its cleanup, also in the middle of it. */
  readonly halt?: Cancellation | undefined;
  /** Called when the cleanup of the cancelled run begins, with the milliseconds it may take. */
  readonly cleans?: ((ms: number) => void) | undefined;
  readonly quantum: number;
  /** When the run began, in milliseconds of the clock; default: when it is loaded. */
  readonly startedAt?: number;
  /** Of the program's inputs, to look at while the frame is loaded; null or absent: frames are not looked at. */
  readonly inputs?: InputShape | null;
  /** The frame is a copy of the machine's own already (`adoptInPieces`). */
  readonly isFrameAdopted?: boolean;
  /** The caller takes the result as text, too, where that says more than the value. */
  readonly outText?: boolean;
  /** Default: those of the host. */
  readonly adapters?: ReadonlyMap<string, Adapter> | undefined;
  readonly dryRun?: boolean;
  /** Makes the calls; default: one of its own over `adapters`. */
  readonly session?: RunSession;
  /** How verbs wait for what is not a call; a journal that does so itself comes first. */
  readonly wait?: RunScope["wait"];
  /** As `wait`. */
  readonly desk?: RunScope["desk"];
  /** Host variables this run may read, of those the host exposes; absent or null: all of them. */
  readonly allowEnv?: readonly string[] | null | undefined;
  /** Called for every adapter call when it has ended. */
  readonly observer?: CallObserver | undefined;
  /** What the run shows of itself, for those who look at it meanwhile; absent: they cannot. */
  readonly shown?: ShownState | undefined;
};
