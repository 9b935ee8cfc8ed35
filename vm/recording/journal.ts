import type { Json } from "../../compiler/json.ts";
import { causeOf } from "../calls/call-errors.ts";
import type { CheckedCall } from "../calls/checked-call.ts";
import type { WaitSpec } from "../calls/wait-spec.ts";
import type { RunDesk } from "../durable/approvals.ts";
import type { CancelledAt } from "../durable/records.ts";
import { RUNTIME_CODES } from "../errors/error-codes.ts";
import type { FailureCause, FatalFailure } from "../errors/failures.ts";
import type { Executor } from "../machine/slices/executor.ts";
import type { Extras } from "../memory/shared-budget.ts";
import type { Outcome } from "../run.ts";
import type { AdapterUsage, Charge } from "../usage.ts";
import { Recorder } from "./record.ts";
import type { CallOutcome, HashOnly, JournalledCall } from "./record-log.ts";
import { Replayer } from "./replay.ts";
import { readReplayLog } from "./replay-log.ts";

export type JournalOptions = {
  readonly record: boolean;
  /** The log to replay as it was given; undefined: none. */
  readonly replay: unknown;
  /** Calls beyond the log's end are made instead of ending the run. */
  readonly continues?: boolean;
  readonly hashOnly?: HashOnly | undefined;
  /** Bytes of the calls that are recorded; beyond them the record ends. */
  readonly maxRecordBytes?: number | undefined;
  readonly extras?: Extras | null;
};

/** The journal of one run; null when nothing is recorded or replayed. Throws ReplayLogInvalid. */
export function openJournal(options: JournalOptions): CallJournal | null {
  const { record, replay, hashOnly = () => false, continues = false, maxRecordBytes, extras = null } = options;
  if (!record && replay === undefined) return null;
  const replayer = replay === undefined ? null : new Replayer(readReplayLog(replay), hashOnly, continues);
  return new CallJournal(record ? new Recorder(hashOnly, maxRecordBytes, extras) : null, replayer);
}

/** The machine of a branch: it perhaps cleans up when it is cancelled, and says where it stands. */
export type BranchMachine = {
  readonly executor: Pick<Executor, "cleansUp" | "places" | "begun"> | null;
  readonly branch: { readonly name: string };
};

/** What a machine reports of its calls, and who may answer them. */
export interface MachineJournal {
  /** Nothing real happens, waits included. */
  readonly replaying: boolean;
  /** Branches run one after the other, because they follow a log. Absent: they do not. */
  readonly inTurns?: boolean;
  /** The branch makes no call for now: it tries again when no other one can run. */
  readonly holds?: boolean;
  /** A branch of the run is about to run. */
  runs?(): void;
  /** No branch can run: `waiting` of them wait for something, and `held` are held. Returns why the run ends with that; null: it does not. */
  stalls?(waiting: number, held: number): FatalFailure | null;
  /** A cancellation is not heard yet, because what the journal answers is not over. */
  readonly defersCancel?: boolean;
  /** How many branches whose names begin so had begun when the run was cancelled, or have calls in the journal. */
  begun?(names: string): number;
  /** Where the run was cancelled before, and is again; null: nowhere. */
  readonly cancelled?: CancelledAt | null;
  /** The run is cancelled where it stands, and its cleanup begins. */
  cancels?(at: CancelledAt): void;
  /** Of a branch: why it was cancelled before the call that is next; null: it was not, or not there. */
  readonly cancelledNext?: string | null;
  /** The branch whose calls these are runs on `m`. */
  runsOn?(m: BranchMachine): void;
  /** For a branch that runs next to others: `join` adds what it has recorded. Absent: all branches use this one. */
  apart?(branch: string): MachineJournal;
  /** Adds the calls of a branch, when those of all branches before it were added. */
  join?(branch: MachineJournal): void;
  /**
   * The answer that is known; null when the call must be made and its outcome passed to `end`; "stands": the branch is held here, and never continues.
   * Throws when another call is known.
   */
  begin(call: JournalledCall): CallOutcome | "stands" | null;
  end(outcome: CallOutcome): void;
  threw(thrown: unknown, cause?: FailureCause | null, charged?: Charge): void;
  /** The run has paid for this job. Absent: it pays for none. */
  hasPaid?(job: string): boolean;
  /** The outcome with what the journal adds to it. */
  conclude?(outcome: Outcome, programChecksum: string): Outcome;
  /** Milliseconds to wait before an attempt is repeated, of the `delay` that Retry asks for. Absent: all, or none while replaying. */
  pause?(at: { readonly label: string; readonly node: string; readonly attempt: number }, delay: number): number;
  /** The call begun last waits (`RunScope.wait`). Absent: it cannot. */
  wait?(spec: WaitSpec): PromiseLike<Json>;
  /** What the adapters of the run used before, in another process. Absent: nothing. */
  readonly usage?: AdapterUsage | undefined;
  /** What verbs may do in the store of the journal (`RunScope.desk`). Absent: nothing. */
  readonly desk?: RunDesk | undefined;
  /** Called after `begin` and before the adapter: the call waits for the promise, and is not made when that rejects. */
  before?(call: CheckedCall): PromiseLike<void> | null;
}

export class CallJournal implements MachineJournal {
  readonly #recorder: Recorder | null;
  readonly #replayer: Replayer | null;
  readonly #branch: string;

  /** `branch`: the name of the one whose calls these are. */
  constructor(recorder: Recorder | null, replayer: Replayer | null, branch = "") {
    this.#recorder = recorder;
    this.#replayer = replayer;
    this.#branch = branch;
  }

  /** Nothing real happens, waits included. */
  get replaying(): boolean {
    return this.#replayer !== null && !this.#replayer.isLive(this.#branch);
  }

  /** Branches run one after the other, because they follow a log. */
  get inTurns(): boolean {
    return this.#replayer !== null;
  }

  /** For a branch that runs next to others: `join` adds what it has recorded. */
  apart(branch: string): CallJournal {
    return new CallJournal(this.#recorder?.apart() ?? null, this.#replayer, branch);
  }

  /** Adds the calls of a branch, when those of all branches before it were added. */
  join(branch: CallJournal): void {
    if (branch.#recorder !== null) this.#recorder?.take(branch.#recorder);
  }

  /** Checksum of the program the replayed log was made with, when it says so. */
  get replayedChecksum(): string | null {
    return this.#replayer?.checksum ?? null;
  }

  /** The log's answer; null when the call must be made and its outcome passed to `end`. Throws when the log has another call. */
  begin(call: JournalledCall): CallOutcome | null {
    this.#recorder?.begin(call);
    const answer = this.#replayer?.next(call) ?? null;
    if (answer !== null) this.#recorder?.end(answer);
    return answer;
  }

  /** The call begun last has its outcome. Says nothing when that was said before. */
  end(outcome: CallOutcome): void {
    this.#replayer?.check(outcome, this.#branch);
    this.#recorder?.end(outcome);
  }

  /** The call begun last threw; `cause` when it is known. A fatal failure ends the run and is not recorded. */
  threw(thrown: unknown, cause: FailureCause | null = causeOf(thrown), charged?: Charge): void {
    if (cause !== null && RUNTIME_CODES[cause.code].class === "ordinary")
      this.end({ ok: false, failure: cause, ...(charged === undefined ? {} : { charged }) });
  }

  /** The outcome with log and figures; a success that leaves entries of a complete log unused counts as a failure. */
  conclude(outcome: Outcome, program_checksum: string): Outcome {
    const leftover = outcome.ok ? (this.#replayer?.leftover() ?? null) : null;
    const ended = leftover === null ? outcome : failed(outcome, leftover);
    return {
      ...ended,
      ...(this.#recorder === null ? {} : { record: this.#recorder.log(program_checksum, outcome.label, ended.ok) }),
      ...(this.#replayer === null ? {} : { replay: this.#replayer.figures() }),
    };
  }
}

/** The whole run failed, and no step of it. */
function failed(outcome: Outcome, failure: FatalFailure): Outcome {
  const { label, usage, trace, frame } = outcome;
  return {
    ok: false,
    label,
    error: {
      code: failure.code,
      message: failure.message,
      label,
      node: null,
      op: null,
      line: null,
      step_index: null,
      stack: [label],
      data: { cause_type: failure.causeType, retryable: false, ...failure.data },
    },
    usage,
    ...(trace === undefined ? {} : { trace }),
    ...(frame === undefined ? {} : { frame }),
  };
}
