/**
 * Replay: calls are answered from a log, one entry after the other (docs/replay.md, rules). A call that is not the recorded one ends
 * the run; pure core calls are computed all the same and their results compared. Reading logs: `replay-log.ts`.
 */
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { counted } from "../grammar/english.ts";
import type { FailureCause } from "./dispatch-errors.ts";
import { FatalFailure } from "./errors.ts";
import type { CallOutcome, JournalledCall } from "./journal.ts";
import { firstDifference } from "./json-difference.ts";
import { type HashOnly, hashOf, type RecordedError, recordedAnswer, recordedArguments } from "./record.ts";
import type { LoggedCall, ReplayLog } from "./replay-log.ts";

export type ReplayFigures = { readonly matched: number; readonly remaining: number };

export class Replayer {
  readonly #log: ReplayLog;
  readonly #hashOnly: HashOnly;
  /** Older tools leave pure core calls out: then none is expected. */
  readonly #expectsPure: boolean;
  /** After the log's end calls are made, and waits are waited. */
  readonly #continues: boolean;
  readonly #calls: readonly LoggedCall[];
  #position = 0;
  /** The pure call under way and its entry. */
  #computed: { readonly call: JournalledCall; readonly entry: LoggedCall } | null = null;

  constructor(log: ReplayLog, hashOnly: HashOnly, continues = false) {
    this.#log = log;
    this.#continues = continues;
    this.#calls = continues ? withoutLastFailure(log.calls) : log.calls;
    this.#hashOnly = hashOnly;
    this.#expectsPure = log.calls.some((call) => call.pure);
  }

  get checksum(): string | null {
    return this.#log.program_checksum;
  }

  /** The log is used up, and the run goes on with live calls. */
  get live(): boolean {
    return this.#continues && this.#position >= this.#calls.length;
  }

  next(call: JournalledCall): CallOutcome | null {
    if ((call.pure && !this.#expectsPure) || this.live) return null;
    const entry = this.#calls[this.#position];
    if (entry === undefined) throw this.#exhausted(call);
    const path = differenceOf(entry, call);
    if (path !== null) throw this.#mismatch(entry, call, path, {}, {});
    if (call.pure) {
      this.#computed = { call, entry };
      return null;
    }
    this.#position += 1;
    return answerOf(entry, call);
  }

  /** The outcome of a pure call that was computed. */
  check(outcome: CallOutcome): void {
    if (this.#computed === null) return;
    const { call, entry } = this.#computed;
    this.#computed = null;
    const got: Answer = recordedAnswer(outcome);
    const path = answerDifference(entry.answer, got);
    if (path !== null) throw this.#mismatch(entry, call, path, shown(entry.answer), shown(got));
    this.#position += 1;
  }

  figures(): ReplayFigures {
    return { matched: this.#position, remaining: this.#calls.length - this.#position };
  }

  /** Of a run that succeeded: entries that a whole log still has. */
  leftover(): FatalFailure | null {
    const first = this.#calls[this.#position];
    if (first === undefined || this.#log.partial) return null;
    const { remaining } = this.figures();
    const calls = counted(remaining, "recorded call was", "recorded calls were");
    const message = `${calls} not made; the first is ${first.adapter}.${first.verb}`;
    const data = { remaining, index: this.#position, expected: loggedMembers(first) };
    return new FatalFailure("RUNTIME_REPLAY_LEFTOVER", message, "replay", data);
  }

  #exhausted(call: JournalledCall): FatalFailure {
    const index = this.#position;
    const message = `the log ends after ${counted(index, "call")}; the program now asks for ${call.adapter}.${call.verb.toUpperCase()}`;
    const data = { index, got: this.#asked(call), label: call.label, node: call.node };
    return new FatalFailure("RUNTIME_REPLAY_EXHAUSTED", message, "replay", data);
  }

  #mismatch(
    entry: LoggedCall,
    call: JournalledCall,
    path: string,
    wanted: JsonObject,
    found: JsonObject,
  ): FatalFailure {
    const index = this.#position;
    return new FatalFailure("RUNTIME_REPLAY_MISMATCH", mismatchText(index, entry, call, path), "replay", {
      index,
      expected: { ...loggedMembers(entry), ...wanted },
      got: { ...this.#asked(call), ...found },
      label: call.label,
      node: call.node,
      path,
    });
  }

  #asked({ adapter, verb, args: given }: JournalledCall): JsonObject {
    const upper = verb.toUpperCase();
    const { args, args_hash } = recordedArguments(given, this.#hashOnly(adapter, upper));
    return {
      adapter,
      verb: upper,
      ...(args === undefined ? { args_hash: args_hash ?? null } : { args: copied(args) }),
    };
  }
}

type Answer = LoggedCall["answer"];

/** The call that ended the recorded run, with its attempts, is made anew. */
function withoutLastFailure(calls: readonly LoggedCall[]): readonly LoggedCall[] {
  let end = calls.length;
  while (end > 0 && calls[end - 1]?.answer.ok === false) end -= 1;
  return calls.slice(0, end);
}

/** Pointer of the first difference within `{adapter, verb, args}`. */
function differenceOf(entry: LoggedCall, call: JournalledCall): string | null {
  if (entry.adapter !== call.adapter) return "/adapter";
  if (entry.verb !== call.verb.toUpperCase()) return "/verb";
  if (entry.args === null) return entry.args_hash === hashOf(call.args) ? null : "/args_hash";
  if (entry.legacy && isNothing(entry.args) && isNothing(call.args)) return null;
  return firstDifference(entry.args, call.args, "/args");
}

/** The predecessor wrote a call without arguments as one with an empty text. */
function isNothing(args: readonly Json[]): boolean {
  return args.length === 0 || (args.length === 1 && args[0] === "");
}

function answerDifference(wanted: Answer, found: Answer): string | null {
  if (wanted.ok !== found.ok) return "/ok";
  if (wanted.error !== undefined || found.error !== undefined) {
    return firstDifference(comparedError(wanted.error), comparedError(found.error), "/error");
  }
  if (wanted.result_hash !== undefined || found.result_hash !== undefined) {
    return wanted.result_hash === found.result_hash ? null : "/result_hash";
  }
  return firstDifference(wanted.result ?? null, found.result ?? null, "/result");
}

function comparedError(error: RecordedError | undefined): Json {
  return error === undefined ? null : { code: error.code ?? "RUNTIME_ADAPTER_ERROR", message: error.message };
}

function answerOf({ answer }: LoggedCall, call: JournalledCall): CallOutcome {
  if (answer.error !== undefined) return { ok: false, failure: failureOf(answer.error, call) };
  return { ok: true, result: answer.result ?? null };
}

/** Members in the order of a live failure: handlers can see it. */
function failureOf(error: RecordedError, call: JournalledCall): FailureCause {
  const { message, retryable } = error;
  if (error.code === "RUNTIME_OP_ERROR") {
    return { code: "RUNTIME_OP_ERROR", message, data: { cause_type: error.cause_type ?? "value_error", retryable } };
  }
  return {
    code: "RUNTIME_ADAPTER_ERROR",
    message,
    data: {
      cause_type: "adapter",
      retryable,
      adapter: call.adapter,
      verb: call.verb,
      adapter_code: error.adapter_code ?? "ADAPTER_FAILED",
      retry_after_ms: error.retry_after_ms,
      details: error.details,
      ...(error.details_truncated === true ? { details_truncated: true } : {}),
    },
  };
}

function mismatchText(index: number, entry: LoggedCall, call: JournalledCall, path: string): string {
  const asked = `${call.adapter}.${call.verb.toUpperCase()}`;
  const logged = `${entry.adapter}.${entry.verb}`;
  if (/^\/(ok|error|result)/.test(path)) return `recorded call ${index}, ${logged}, had another result (at ${path})`;
  const sameCount = entry.args === null || entry.args.length === call.args.length;
  if (asked === logged && sameCount) return `recorded call ${index}, ${logged}, had other arguments (at ${path})`;
  const had = entry.args === null ? "" : ` (${counted(entry.args.length, "argument")})`;
  return `recorded call ${index} was ${logged}${had}; the program now asks for ${asked} (${counted(call.args.length, "argument")})`;
}

function loggedMembers({ adapter, verb, args, args_hash }: LoggedCall): JsonObject {
  return { adapter, verb, ...(args === null ? { args_hash } : { args }) };
}

/** The run goes on holding the values: errors have their own. Depth was checked. */
function copied(args: readonly Json[]): Json {
  return JSON.parse(JSON.stringify(args)) as Json;
}

function shown(answer: Answer): JsonObject {
  const members: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(answer)) {
    if (value !== undefined) setMember(members, key, JSON.parse(JSON.stringify(value)) as Json);
  }
  return members;
}
