/**
 * What an executor tells of its calls, and what it hears back: the one interface behind recording and replaying (docs/replay.md).
 * A run without either has no journal. The journal knows nothing of how a run is executed, and executors nothing of logs.
 */
import type { Json } from "../compiler/json.ts";
import { causeOf, type FailureCause } from "./dispatch-errors.ts";
import { RUNTIME_CODES } from "./error-codes.ts";
import type { FatalFailure } from "./errors.ts";
import { type HashOnly, Recorder } from "./record.ts";
import { Replayer } from "./replay.ts";
import { readReplayLog } from "./replay-log.ts";
import type { Outcome } from "./run.ts";

/** A call that passed counter and gate. */
export type JournalledCall = {
  readonly adapter: string;
  /** As the program spells it. */
  readonly verb: string;
  readonly args: readonly Json[];
  /** A core function of its arguments alone: a replay computes it and compares. */
  readonly pure: boolean;
  readonly label: string;
  readonly node: string;
  readonly attempt: number;
};

export type CallOutcome =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly failure: FailureCause };

export type JournalOptions = {
  readonly record: boolean;
  /** The log to replay as it was given; undefined: none. */
  readonly replay: unknown;
  /** Calls beyond the log's end are made instead of ending the run. */
  readonly continues?: boolean;
  readonly hashOnly?: HashOnly | undefined;
};

/** The journal of one run; null when nothing is recorded or replayed. Throws ReplayLogInvalid. */
export function openJournal(options: JournalOptions): CallJournal | null {
  const { record, replay, hashOnly = () => false, continues = false } = options;
  if (!record && replay === undefined) return null;
  const replayer = replay === undefined ? null : new Replayer(readReplayLog(replay), hashOnly, continues);
  return new CallJournal(record ? new Recorder(hashOnly) : null, replayer);
}

export class CallJournal {
  readonly #recorder: Recorder | null;
  readonly #replayer: Replayer | null;

  constructor(recorder: Recorder | null, replayer: Replayer | null) {
    this.#recorder = recorder;
    this.#replayer = replayer;
  }

  /** Nothing real happens, waits included. */
  get replaying(): boolean {
    return this.#replayer !== null && !this.#replayer.live;
  }

  /** Checksum of the program the replayed log was made with, when it says so. */
  get replayedChecksum(): string | null {
    return this.#replayer?.checksum ?? null;
  }

  /** The log's answer, or null: the call is to be made, and `end` told of its outcome. Throws when the log has another call. */
  begin(call: JournalledCall): CallOutcome | null {
    this.#recorder?.begin(call);
    const answer = this.#replayer?.next(call) ?? null;
    if (answer !== null) this.#recorder?.end(answer);
    return answer;
  }

  /** The call begun last has its outcome. Says nothing when that was said before. */
  end(outcome: CallOutcome): void {
    this.#replayer?.check(outcome);
    this.#recorder?.end(outcome);
  }

  /** The call begun last threw; `cause` when it is known. What is fatal ends the run and is no entry. */
  threw(thrown: unknown, cause: FailureCause | null = causeOf(thrown)): void {
    if (cause !== null && RUNTIME_CODES[cause.code].class === "ordinary") this.end({ ok: false, failure: cause });
  }

  /** The outcome with log and figures; a success that leaves entries of a whole log unused is none. */
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
