/**
 * Replay: calls are answered from a log, one entry after the other (docs/replay.md, rules). A call that is not the recorded one ends
 * the run; pure core calls are computed all the same and their results compared. Reading logs: `replay-log.ts`.
 */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { counted } from "../../grammar/text/english.ts";
import { type FailureCause, FatalFailure } from "../errors/failures.ts";
import { exactListText, exactly, exactResult, plainly } from "../inputs/exact-text.ts";
import type { Charge } from "../usage.ts";
import { firstDifference } from "./json-difference.ts";
import { hashOf, recordedAnswer, recordedArguments } from "./record.ts";
import type { CallOutcome, HashOnly, JournalledCall, RecordedError, ReplayFigures } from "./record-log.ts";
import type { LoggedCall, ReplayLog } from "./replay-log.ts";

/** With its number in the log. */
type PlacedCall = LoggedCall & { readonly index: number };

/** The calls of one branch, or of the run outside of branches. */
type Line = {
  readonly calls: PlacedCall[];
  position: number;
  /** The pure call under way and its entry. */
  computed: { readonly call: JournalledCall; readonly entry: PlacedCall } | null;
};

export class Replayer {
  readonly #log: ReplayLog;
  readonly #hashOnly: HashOnly;
  /** Older tools leave pure core calls out: then none is expected. */
  readonly #expectsPure: boolean;
  /** After the log's end calls are made, and waits are waited. */
  readonly #continues: boolean;
  /** Of a log that knows no branches: one, for all calls. */
  readonly #isBranched: boolean;
  readonly #lines = new Map<string, Line>();

  constructor(log: ReplayLog, hashOnly: HashOnly, continues = false) {
    this.#log = log;
    this.#continues = continues;
    const branched = log.calls.some(({ branch }) => branch !== "");
    for (const [index, call] of log.calls.entries())
      this.#line(branched ? call.branch : "").calls.push({ ...call, index });
    this.#isBranched = branched;
    if (continues) this.#dropLastFailures(log.calls.at(-1)?.branch ?? "");
    this.#hashOnly = hashOnly;
    this.#expectsPure = log.calls.some((call) => call.pure);
  }

  get checksum(): string | null {
    return this.#log.program_checksum;
  }

  #line(branch: string): Line {
    const known = this.#lines.get(branch);
    if (known !== undefined) return known;
    const line: Line = { calls: [], position: 0, computed: null };
    this.#lines.set(branch, line);
    return line;
  }

  /** The log of this branch is used up, and the run continues with live calls. */
  isLive(branch: string): boolean {
    const { calls, position } = this.#lineOf(branch);
    return this.#continues && position >= calls.length;
  }

  #lineOf(branch: string): Line {
    return this.#line(this.#isBranched ? branch : "");
  }

  next(call: JournalledCall): CallOutcome | null {
    const { branch = "" } = call;
    const line = this.#lineOf(branch);
    if ((call.pure && !this.#expectsPure) || this.isLive(branch)) return null;
    const entry = line.calls[line.position];
    if (entry === undefined) throw this.#exhausted(call, line);
    const path = differenceOf(entry, call);
    if (path !== null) throw this.#mismatch(entry, call, path, {}, {});
    if (call.pure) {
      line.computed = { call, entry };
      return null;
    }
    line.position += 1;
    return answerOf(entry, call);
  }

  /** The outcome of a pure call of the branch that was computed. */
  check(outcome: CallOutcome, branch = ""): void {
    const line = this.#lineOf(branch);
    if (line.computed === null) return;
    const { call, entry } = line.computed;
    line.computed = null;
    const got: Answer = recordedAnswer(outcome);
    const path = answerDifference(entry.answer, got);
    if (path !== null) throw this.#mismatch(entry, call, path, shown(entry.answer), shown(got));
    line.position += 1;
  }

  figures(): ReplayFigures {
    let matched = 0;
    let remaining = 0;
    for (const { calls, position } of this.#lines.values()) {
      matched += position;
      remaining += calls.length - position;
    }
    return { matched, remaining };
  }

  /**
   * The call that ended the recorded run, with its attempts, is made anew; where the log ends among branches, the last ones of each
   * of them are.
   */
  #dropLastFailures(last: string): void {
    const siblings = last.slice(0, last.lastIndexOf("#") + 1);
    for (const [branch, { calls }] of this.#lines) {
      if (branch !== last && (siblings === "" || !branch.startsWith(siblings))) continue;
      while (calls.at(-1)?.answer.ok === false) calls.pop();
    }
  }

  /** The first entry that was not asked for. */
  #firstLeft(): PlacedCall | undefined {
    let first: PlacedCall | undefined;
    for (const { calls, position } of this.#lines.values()) {
      const entry = calls[position];
      if (entry !== undefined && (first === undefined || entry.index < first.index)) first = entry;
    }
    return first;
  }

  /** Of a run that succeeded: entries that a whole log still has. */
  leftover(): FatalFailure | null {
    const first = this.#firstLeft();
    if (first === undefined || this.#log.partial) return null;
    const { remaining } = this.figures();
    const calls = counted(remaining, "recorded call was", "recorded calls were");
    const message = `${calls} not made; the first is ${first.adapter}.${first.verb}`;
    const data = { remaining, index: first.index, expected: loggedMembers(first) };
    return new FatalFailure("RUNTIME_REPLAY_LEFTOVER", message, "replay", data);
  }

  #exhausted(call: JournalledCall, line: Line): FatalFailure {
    const index = line.position;
    const message = `the log ends after ${counted(index, "call")}; the program now asks for ${call.adapter}.${call.verb.toUpperCase()}`;
    const data = { index, got: this.#asked(call), label: call.label, node: call.node };
    return new FatalFailure("RUNTIME_REPLAY_EXHAUSTED", message, "replay", data);
  }

  #mismatch(
    entry: PlacedCall,
    call: JournalledCall,
    path: string,
    wanted: JsonObject,
    found: JsonObject,
  ): FatalFailure {
    const { index } = entry;
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

/** Pointer of the first difference within `{adapter, verb, args}`. */
function differenceOf(entry: LoggedCall, call: JournalledCall): string | null {
  if (entry.adapter !== call.adapter) return "/adapter";
  if (entry.verb !== call.verb.toUpperCase()) return "/verb";
  if (entry.args === null) return entry.args_hash === hashOf(call.args) ? null : "/args_hash";
  if (entry.legacy && isNothing(entry.args) && isNothing(call.args)) return null;
  const path = firstDifference(entry.args.map(plainly), call.args.map(plainly), "/args");
  if (path !== null || !saysMore(entry.args, call.args)) return path;
  return hashOf(entry.args) === hashOf(call.args) ? null : "/args";
}

function saysMore(...lists: readonly (readonly Json[])[]): boolean {
  return lists.some((list) => exactListText(list) !== undefined);
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
  return outcomeOfRecorded(answer, call);
}

/** What a recorded answer is for the run that asks for it again. */
export function outcomeOfRecorded(
  answer: {
    readonly result?: Json;
    readonly result_text?: string | undefined;
    readonly error?: RecordedError;
    readonly charged?: Charge | undefined;
  },
  call: JournalledCall,
): CallOutcome {
  const paid = answer.charged === undefined ? {} : { charged: answer.charged };
  if (answer.error !== undefined) return { ok: false, failure: failureOf(answer.error, call), ...paid };
  return { ok: true, result: exactResult(answer), ...paid };
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
      details: error.details_text === undefined ? error.details : exactly(error.details, error.details_text),
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

/** The run keeps the values, so errors get copies. Depth was checked. */
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
