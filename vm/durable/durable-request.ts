/** What a durable run is asked for, what it tells meanwhile, and what came of it. */
import type { BegunCall, RunPlace } from "../run.ts";
import type { HostRunRequest, RunAnswer } from "../runs/requests.ts";
import type { OnUnknown, RehearsedCall } from "./call-options.ts";
import type { CallKey, JournalRecord, ParkedWait, ResumeReason, RunJournal } from "./records.ts";
import type { SnapshotRules } from "./stored-snapshot.ts";

/** What a run that continues reports, for logs and figures. */
export type DurableEvent =
  | {
      readonly kind: "resumed";
      readonly why: ResumeReason;
      readonly records: number;
      readonly fromSeq: number;
      readonly newerVersion: boolean;
    }
  /** Everything that was in the journal is replayed. */
  | { readonly kind: "live"; readonly ms: number }
  | { readonly kind: "outcome_unknown"; readonly seq: number; readonly adapter: string; readonly verb: string }
  | { readonly kind: "snapshot_unused"; readonly reason: string }
  /** Of a rehearsal, at its end: the functions that are under way, outermost first. */
  | { readonly kind: "stands"; readonly places: readonly RunPlace[] }
  /** Of a rehearsal: a call that is not pure, when the program makes it. */
  | ({ readonly kind: "call" } & RehearsedCall)
  /** Of a rehearsal: a branch, at its first call, or where it stands at the end. */
  | { readonly kind: "branch"; readonly branch: string; readonly begun: BegunCall | null };

/** Absent members: see `docs/embedding.md`. */
export type DurableRequest = Omit<HostRunRequest, "replay" | "replayContinues"> & {
  readonly journal: RunJournal;
  /** Default: the call fails. */
  readonly onUnknown?: ((adapter: string, verb: string) => OnUnknown) | undefined;
  /** Why it continues, when it does. Default: crash. */
  readonly why?: ResumeReason | undefined;
  readonly owner?: string | null | undefined;
  /** Bytes. Default: 64 MiB. */
  readonly maxJournalBytes?: number | undefined;
  /** Milliseconds. Default: 250. */
  readonly lingerMs?: number | undefined;
  readonly snapshots?: SnapshotRules | undefined;
  /** Nothing is made: the run ends where its journal does, and says where that is. It stays in the loop, so that its variables can be read. */
  readonly rehearses?: boolean | undefined;
  /** The last records are handed over with the end, for a caller who keeps them in the same commit as that. */
  readonly handsOver?: boolean | undefined;
  /** A cancellation while it waits has it come to its end, which says what it used. */
  readonly tellsEnd?: boolean | undefined;
  /** Must not throw. */
  readonly told?: ((event: DurableEvent) => void) | undefined;
};

/** What came of a durable run in this process. */
export type DurableEnd =
  /** `records`: not durable yet, only of a run that hands over. `isBehind`: it ended before it came to where it had been before. */
  | {
      readonly state: "ended";
      readonly answer: RunAnswer;
      readonly records: readonly JournalRecord[];
      readonly isBehind: boolean;
    }
  /** The run waits for a person to say whether the call of the intent `of` happened. */
  | { readonly state: "asks"; readonly of: number }
  /** It waits, or each of its live branches does, and its journal says when it continues. */
  | { readonly state: "parked"; readonly waits: readonly ParkedWait[] }
  /** Of a rehearsal: the first call that the journal does not answer. */
  | { readonly state: "rehearsed"; readonly next: CallKey }
  /** It did not end here: it was asked to stop, or belongs to somebody else by now. */
  | { readonly state: "left"; readonly why: "stopped" | "stale" }
  /** The journal is not one of this program; nothing was made. */
  | { readonly state: "diverged"; readonly inTransaction: boolean; readonly answer: RunAnswer };

/** A durable run that was begun, or continued. */
export type DurableRun = {
  /** Rejects when the journal cannot be loaded, for what is wrong with the request, and for defects. */
  readonly result: Promise<DurableEnd>;
  /** No further call is begun; the run leaves when the call under way has ended. */
  stop(): void;
};
