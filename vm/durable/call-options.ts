/** What the calls of a durable run are made with. */
import type { FatalFailure } from "../errors/failures.ts";
import type { BranchMachine, MachineJournal } from "../recording/journal.ts";
import type { JournalledCall } from "../recording/record-log.ts";
import type { Clock } from "../run.ts";
import type { RunDesk } from "./approvals.ts";
import type { Replay } from "./cursor.ts";
import type { CallKey } from "./records.ts";
import type { TransactionsAgain } from "./transactions/lost-transactions.ts";
import type { Parking } from "./waits/parking.ts";
import type { JournalWriter } from "./writer.ts";

/** What happens to a call that may have acted: its outcome is unknown. */
export type OnUnknown = "fail" | "retry" | "ask";

/** `seq`: of its record in the journal; null: it has none. `args` are the program's own values: they are to be read at once. */
export type RehearsedCall = Pick<JournalledCall, "adapter" | "verb" | "args"> & { readonly seq: number | null };

/** Of a run that makes no call: what hears of its calls and branches. */
export type Rehearsal = {
  /** A branch runs on this machine, which may have been that of another one. */
  readonly branch: (m: BranchMachine) => void;
  /** `branch`: what makes the call, if it is one. */
  readonly call: (call: RehearsedCall, branch: BranchMachine | null) => void;
  /** The run, or this branch of it, stands at a call that the journal does not answer. */
  readonly stands: (key: CallKey, branch: BranchMachine | null) => void;
  /** Nothing of the run can continue: what ends it. */
  readonly over: () => FatalFailure;
};

export type DurableCallsOptions = {
  readonly replay: Replay;
  readonly again: TransactionsAgain;
  readonly writer: JournalWriter;
  readonly clock: Clock;
  /** The clock of the store. */
  readonly now: () => number;
  /** Bytes of the journal; more end the run. */
  readonly maxBytes: number;
  readonly onUnknown: (adapter: string, verb: string) => OnUnknown;
  /** A call of unknown outcome. `seq`: of its intent. */
  readonly toldUnknown: (seq: number, adapter: string, verb: string) => void;
  /** The run has such a call, of now or of before. */
  readonly hasUnknown: (adapter: string, verb: string) => void;
  /** The run ends for a person who decides about the call of the intent `seq`, because it cannot wait. Never returns. */
  readonly askOutcome: (seq: number) => never;
  /** null: the run cannot wait. */
  readonly parking: Parking | null;
  /** What verbs may do in the store. */
  readonly desk: RunDesk | undefined;
  /** Why no further call is made; null: calls are made. */
  readonly stopped: () => FatalFailure | null;
  /** Why no call that writes is made, and a missing answer is not recorded: another process may have the run by now. null: it is ours. */
  readonly lost: () => FatalFailure | null;
  /** Told when a call that was made has its outcome. */
  readonly callEnded: () => void;
  /** null: calls that the journal does not answer are made. */
  readonly rehearsal: Rehearsal | null;
  /** Records the calls for the caller as well. */
  readonly recorder: MachineJournal | null;
  readonly keepsArguments: boolean;
  /** A cancelled run comes to its end itself, because somebody is to know what it used. */
  readonly tellsEnd: boolean;
  /** When the last record was written that this process found; null: it found none. */
  readonly lastAt: number | null;
};
