/**
 * The journal of a durable run: an ordered list of what the run learned from outside, from which a new process finds again where the run
 * stood. Records are JSON; a store keeps them whole and in order (docs/durable.md).
 */
import type { Json } from "../../compiler/json.ts";
import type { WaitSpec } from "../calls/wait-spec.ts";
import type { RecordedError } from "../recording/record-log.ts";
import type { Limits } from "../run.ts";
import type { AdapterUsage, Charge } from "../usage.ts";
import type { RunDesk } from "./approvals.ts";

/** Where a call was made: label, node, and the visit and attempt of its call id. `visit` is 0 for host functions. */
type CallSite = {
  readonly label: string;
  readonly node: string;
  readonly visit: number;
  readonly attempt: number;
};

/**
 * A call by its place and words. `args_hash`: SHA-256 of the canonical JSON of the arguments. `tx`: the transaction that it begins, ends or is
 * part of.
 */
export type CallKey = CallSite & {
  readonly adapter: string;
  readonly verb: string;
  readonly args_hash: string;
  readonly tx?: string;
};

/** Why a run continues: its process died, another one took it, it was asked to stop, its wait is over, it took over another's records, or it cleans up. */
export type ResumeReason = "crash" | "takeover" | "stop" | "wake" | "retry" | "cancel";
/** What ended a wait: a signal or an event, the time, a decision, the end of a job, the time of a wait that has one, or the cancellation of the run. */
export type WokenBy = "signal" | "time" | "decision" | "job" | "expired" | "cancelled";
export type OutcomeDecision = "done" | "make" | "fail";

/**
 * Where a run was cancelled whose cleanup ran: before the step after `steps`, before the call after `calls`, while the last of these was under way, or
 * inside of the last step. "branches": while it had those that began after `steps`; each of them has such a record of its own. `by`: why.
 */
export type CancelledAt = {
  readonly steps: number;
  readonly calls: number;
  readonly where: "step" | "call" | "wait" | "inside" | "branches";
  /** By what the names of the branches begin with: how many had begun. */
  readonly begun?: Readonly<Record<string, number>>;
  readonly by: string;
};

/** `result_text`: its JSON text, where that says more than the value. */
type ExactResult = { readonly result: Json; readonly result_text?: string | undefined };

export type RecordBody =
  | {
      readonly kind: "start";
      readonly semantics: number;
      readonly layout: string;
      readonly label: string;
      readonly limits: Limits;
      /** Absent in journals of earlier versions: the records of all branches are of one order, as their calls were. */
      readonly branches?: "apart";
      /** The program may have a cleanup, which runs when it is cancelled, or is to say what it used. */
      readonly cleans?: true;
    }
  /** A call that acts again when it is repeated is about to be made. */
  | ({ readonly kind: "intent" } & CallKey)
  /**
   * `ms`: how long it took. `args`: only where the run is recorded too. `usage`: of the adapters of the run by now, where the call changed it. `charged`:
   * what a job used that shared the budget of the run.
   */
  | ({
      readonly kind: "call";
      readonly args?: readonly Json[];
      readonly ms: number;
      readonly usage?: AdapterUsage;
      readonly charged?: Charge;
    } & CallKey &
      (({ readonly ok: true } & ExactResult) | { readonly ok: false; readonly error: RecordedError }))
  /** A pause of Retry of at least a second begins. */
  | {
      readonly kind: "backoff";
      readonly label: string;
      readonly node: string;
      readonly attempt: number;
      readonly until: number;
    }
  /** Journals of earlier versions have no `args_hash` here. */
  | ({ readonly kind: "wait"; readonly wait: string; readonly spec: WaitSpec } & Omit<CallKey, "args_hash"> &
      Partial<Pick<CallKey, "args_hash">>)
  | ({ readonly kind: "woken"; readonly wait: string; readonly why: WokenBy } & ExactResult)
  /** What a person said of the call of the intent `of`. */
  | {
      readonly kind: "decision";
      readonly of: number;
      readonly decision: OutcomeDecision;
      readonly by: string | null;
      readonly result: Json;
    }
  /** The run is cancelled, and its cleanup begins. */
  | ({ readonly kind: "cancelled" } & CancelledAt)
  | {
      readonly kind: "resume";
      readonly why: ResumeReason;
      readonly owner: string | null;
      readonly semantics: number;
      readonly layout: string;
    };

/** `at`: milliseconds since 1970; `active_ms`: the run's own clock; `branch`: "" outside of branches. */
type RecordHead = { readonly at: number; readonly active_ms: number; readonly branch: string };

/** `seq` counts from 1. */
export type JournalRecord = RecordBody & RecordHead & { readonly seq: number };
/** One on its way to the store. */
export type UnnumberedRecord = RecordBody & RecordHead;

/** `wait` names it within the run. */
export type ParkedWait = { readonly wait: string; readonly spec: WaitSpec; readonly place: string };

/** What a wait was given. `seq`: of the record that says so. */
export type WokenWait = { readonly wait: string; readonly seq: number } & ExactResult;

/** What a store answers to a run that waits. */
export type Parked =
  /** The run is to leave: somebody continues with it when something that it waits for is there. */
  | { readonly state: "parked" }
  /** Some of it was there already; the others wait on. */
  | { readonly state: "woken"; readonly woken: readonly WokenWait[] }
  /** Nothing has come, for a run that does something else meanwhile. */
  | { readonly state: "waits" }
  /** As many runs wait as may: the call fails. */
  | { readonly state: "full"; readonly maxParked: number }
  /** The run is about to be ended, and does not park. */
  | { readonly state: "ending" }
  | { readonly state: "stale" };

/**
 * What a store has of a run. `snapshots`: the newest first; they may be left out. `lastSeq`: of the last record that the store knows to
 * have kept, where it remembers that apart from the records: a journal that ends before it has lost some.
 */
export type LoadedJournal = {
  readonly records: Iterable<JournalRecord>;
  readonly lastSeq?: number;
  readonly snapshots?: readonly unknown[];
};

/** Where the journal of one run is kept. */
export interface RunJournal {
  load(): Promise<LoadedJournal>;
  /**
   * Resolves when the records are durable. `stale`: the run belongs to somebody else by now, and nothing was kept. Rejects when the
   * store cannot say; the same records are then given again, so a record whose `seq` is there already must be left as it is.
   */
  append(records: readonly JournalRecord[]): Promise<"kept" | "stale">;
  /**
   * The run waits: keeps the records, and looks in the same transaction whether something that it waits for is there. `isWhole`: nothing
   * else is left of it, so it parks when nothing is; else some of its branches wait and others run. Absent: runs of this journal cannot
   * wait. Rejects as `append` does.
   */
  park?(records: readonly JournalRecord[], waits: readonly ParkedWait[], isWhole: boolean): Promise<Parked>;
  /** The clock of the store, in milliseconds since 1970. Absent: that of the wall. */
  now?(): number;
  /** What verbs may do in the store. Absent: nothing. */
  readonly desk?: RunDesk | undefined;
  /**
   * False: this process was cut off from its store for so long that another one may have the run by now. Looked at before each call that writes;
   * the run leaves then. Absent: no other process can have it.
   */
  isOurs?(): boolean;
  /** A snapshot may replace a part of the replay. Called when its records are durable; may do nothing, and must not throw. */
  keep(snapshot: unknown): void;
}

export type RecordOf<K extends JournalRecord["kind"]> = Extract<JournalRecord, { readonly kind: K }>;
/** Records that a replay goes through, in the order of the run. */
export type RunRecord = RecordOf<"intent" | "call" | "backoff" | "wait" | "cancelled">;

export function isOfRun(record: JournalRecord): record is RunRecord {
  const { kind } = record;
  return kind === "intent" || kind === "call" || kind === "backoff" || kind === "wait" || kind === "cancelled";
}
