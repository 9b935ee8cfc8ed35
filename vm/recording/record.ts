/**
 * The record of a run: one entry per adapter call and host function, successes and ordinary failures (docs/replay.md). Entries become
 * text at call time, so nothing that happens to a variable later can reach them. Nothing is redacted: the log is the caller's data.
 */
import { createHash } from "node:crypto";
import { type AdapterCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import { canonicalJson, canonicalTask } from "../../compiler/ir/canonical.ts";
import type { Json } from "../../compiler/json.ts";
import { type FailureCause, OperationFailure } from "../errors/failures.ts";
import { exactListText, exactText, plainly } from "../inputs/exact-text.ts";
import { exactSize } from "../memory/accounting.ts";
import type { Extras } from "../memory/shared-budget.ts";
import { type Pace, paced, type Task } from "../tasks/task.ts";
import { canonicalOfText } from "../values/exact-numbers.ts";
import { isTooLongToWrite } from "../values/text.ts";
import { checkDepth, MAX_TEXT_UNITS } from "../values/values.ts";
import type { CallOutcome, HashOnly, JournalledCall, RecordedCall, RecordedError, RecordLog } from "./record-log.ts";

/** Bytes of all entries together: a program must not be able to fill the process with its log. */
const LOG_CEILING = 128 * 1024 * 1024;

export class Recorder {
  readonly #hashOnly: HashOnly;
  readonly #ceiling: number;
  readonly #extras: Extras | null;
  /** Without their numbers. */
  readonly #entries: string[] = [];
  #branched = false;
  #inBranch = false;
  #bytes = 0;
  #dropped = 0;
  /** The call that was begun and has no answer yet. */
  #open: string | null = null;

  /** `ceiling`: bytes of all entries. `extras`: where they are counted while the run is under way. */
  constructor(hashOnly: HashOnly, ceiling = LOG_CEILING, extras: Extras | null = null) {
    this.#hashOnly = hashOnly;
    this.#ceiling = Math.min(ceiling, LOG_CEILING);
    this.#extras = extras;
  }

  begin(call: JournalledCall): void {
    // A gap would make everything after it useless, so nothing follows one.
    if (this.#dropped > 0) {
      this.#open = "";
      return;
    }
    const verb = call.verb.toUpperCase();
    const { branch = "" } = call;
    this.#inBranch = branch !== "";
    const head = {
      ...(branch === "" ? {} : { branch }),
      label_id: call.label,
      node_id: call.node,
      attempt: call.attempt,
      adapter: call.adapter,
      verb,
      ...recordedArguments(call.args, this.#hashOnly(call.adapter, verb)),
    };
    this.#open = JSON.stringify(head).slice(1, -1);
  }

  /** Only ordinary failures are entries: what ends the run ends the log. */
  end(outcome: CallOutcome): void {
    if (this.#open === null) return;
    if (this.#dropped > 0) {
      this.#open = null;
      this.#dropped += 1;
      return;
    }
    const tail = JSON.stringify(recordedAnswer(outcome)).slice(1);
    const entry = `${this.#open},${tail}`;
    this.#open = null;
    this.#branched ||= this.#inBranch;
    this.#add(entry, false);
  }

  /** `counted`: its bytes are in the account already. */
  #add(entry: string, counted: boolean): void {
    const bytes = Buffer.byteLength(entry) + numbered("", this.#entries.length).length;
    this.#bytes += bytes;
    if (this.#bytes > this.#ceiling || (!counted && this.#extras?.add(bytes) === false)) this.#dropped += 1;
    else this.#entries.push(entry);
  }

  /** For the calls of a branch that runs next to others: `take` adds them. */
  apart(): Recorder {
    return new Recorder(this.#hashOnly, this.#ceiling, this.#extras);
  }

  /** Adds the calls of a branch, when those of all branches before it were added. */
  take(branch: Recorder): void {
    this.#branched ||= branch.#branched;
    for (const entry of branch.#entries) {
      if (this.#dropped > 0) this.#dropped += 1;
      else this.#add(entry, true);
    }
    this.#dropped += branch.#dropped;
  }

  log(program_checksum: string, label: string, succeeded: boolean): RecordLog {
    const version = this.#branched ? 2 : 1;
    const head = { format: "weft-record", version, program_checksum, label } as const;
    const complete = succeeded && this.#dropped === 0;
    const dropped = this.#dropped === 0 ? {} : { dropped: this.#dropped };
    return {
      ...head,
      complete,
      ...dropped,
      calls: this.#entries.map((text, at): RecordedCall => JSON.parse(numbered(text, at))),
    };
  }
}

function numbered(entry: string, at: number): string {
  return `{"seq":${at},${entry}`;
}

/** The arguments as entries and errors show them: values, or their hash where values must not or cannot be shown. */
export function recordedArguments(
  args: readonly Json[],
  hashOnly: boolean,
): Pick<RecordedCall, "args" | "args_text" | "args_hash"> {
  if (hashOnly || args.some(isUnwritable)) return { args_hash: hashOf(args) };
  const text = exactListText(args);
  return text === undefined ? { args } : { args: args.map(plainly), args_text: text };
}

export function recordedAnswer(outcome: CallOutcome): RecordedAnswer {
  const answer = answerIn(outcome);
  return outcome.charged === undefined ? answer : { ...answer, charged: outcome.charged };
}

export type RecordedAnswer = Pick<RecordedCall, "ok" | "result" | "result_text" | "result_hash" | "error" | "charged">;

function answerIn(outcome: CallOutcome): RecordedAnswer {
  if (!outcome.ok) return { ok: false, error: recordedError(outcome.failure) };
  const { result } = outcome;
  if (isUnwritable(result)) return { ok: true, result_hash: hashOf(result) };
  const text = exactText(result);
  return text === undefined ? { ok: true, result } : { ok: true, result: plainly(result), result_text: text };
}

function recordedError({ code, message, data }: FailureCause): RecordedError {
  const retryable = data["retryable"] === true;
  if (code === "RUNTIME_OP_ERROR") {
    const cause_type = String(data["cause_type"]);
    return { code, message, cause_type, retryable, retry_after_ms: null, details: null };
  }
  const wait = data["retry_after_ms"];
  const details = data["details"] ?? null;
  const text = exactText(details);
  return {
    message,
    adapter_code: String(data["adapter_code"]),
    retryable,
    retry_after_ms: typeof wait === "number" ? wait : null,
    details,
    ...(text === undefined ? {} : { details_text: text }),
    ...(data["details_truncated"] === true ? { details_truncated: true } : {}),
  };
}

/** SHA-256 of the canonical JSON, in which whole floats are integers, and these are written in full. Values nested or large beyond any reason are all alike to it. */
export function hashOf(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalText(value), "utf8").digest("hex")}`;
}

/** The canonical JSON, or the words that stand for a value which has none within bounds. */
export function canonicalText(value: Json): string {
  if (isTooLongToWrite(value)) return TOO_LARGE;
  try {
    const text = Array.isArray(value) ? (exactText(value) ?? exactListText(value)) : exactText(value);
    return text === undefined ? canonicalJson(value) : canonicalOfText(text);
  } catch (failure) {
    if (failure instanceof RangeError) return TOO_DEEP;
    throw failure;
  }
}

/** The same in pieces, of a value that was measured: its JSON is no longer than it has bytes. */
export function* canonicalTextTask(value: Json, pace: Pace): Task<string> {
  if (exactSize(value) > MAX_TEXT_UNITS && isTooLongToWrite(value)) return TOO_LARGE;
  try {
    const text = exactText(value);
    return text === undefined ? yield* paced(canonicalTask(value), pace) : canonicalOfText(text);
  } catch (failure) {
    if (failure instanceof RangeError) return TOO_DEEP;
    throw failure;
  }
}

const TOO_LARGE = "too large";
const TOO_DEEP = "nested too deeply";

function isUnwritable(value: Json): boolean {
  if (isTooLongToWrite(value)) return true;
  try {
    checkDepth(value);
    return false;
  } catch (failure) {
    if (failure instanceof OperationFailure) return true;
    throw failure;
  }
}

/** Whether the catalog says that a record holds calls of this verb only as a hash. */
export function isPrivate(catalog: AdapterCatalog, adapter: string, verb: string): boolean {
  const entry = findAdapter(catalog, adapter);
  return entry !== undefined && findVerb(entry, verb)?.record === "hash";
}
