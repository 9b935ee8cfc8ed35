/**
 * The record of a run: one entry per adapter call and host function, successes and ordinary failures (docs/replay.md). Entries become
 * text at call time, so nothing that happens to a variable later can reach them. Nothing is redacted: the log is the caller's data.
 */
import { createHash } from "node:crypto";
import { type AdapterCatalog, findAdapter, findVerb } from "../compiler/catalog.ts";
import { canonicalJson } from "../compiler/ir/canonical.ts";
import type { Json } from "../compiler/json.ts";
import type { FailureCause } from "./dispatch-errors.ts";
import { OperationFailure } from "./errors.ts";
import type { CallOutcome, JournalledCall } from "./journal.ts";
import { isTooLongToWrite } from "./text.ts";
import { checkDepth } from "./values.ts";

export type RecordedError = {
  /** RUNTIME_OP_ERROR; absent: RUNTIME_ADAPTER_ERROR. */
  readonly code?: string;
  readonly message: string;
  /** Only of RUNTIME_OP_ERROR. */
  readonly cause_type?: string;
  /** Only of RUNTIME_ADAPTER_ERROR. */
  readonly adapter_code?: string;
  readonly retryable: boolean;
  readonly retry_after_ms: number | null;
  readonly details: Json;
  readonly details_truncated?: true;
};

/** `args_hash` stands for arguments that must not, or cannot, be written down; `result_hash` for a result nested too deeply or too large. */
export type RecordedCall = {
  readonly seq: number;
  readonly label_id: string;
  readonly node_id: string;
  readonly attempt: number;
  readonly adapter: string;
  readonly verb: string;
  readonly args?: readonly Json[];
  readonly args_hash?: string;
  readonly ok: boolean;
  readonly result?: Json;
  readonly result_hash?: string;
  readonly error?: RecordedError;
};

/** The calls of a run, to be replayed. */
export type RecordLog = {
  readonly format: "weft-record";
  readonly version: 1;
  readonly program_checksum: string;
  readonly label: string;
  /** The run succeeded and every call is in the log. */
  readonly complete: boolean;
  /** Added by surfaces that hand the log on. */
  readonly sensitive?: true;
  /** Calls beyond the ceiling of a log. */
  readonly dropped?: number;
  readonly calls: readonly RecordedCall[];
};

/** Hash-only verbs: their arguments are compared but never written down. */
export type HashOnly = (adapter: string, verb: string) => boolean;

/** UTF-16 units of all entries together: a program must not be able to fill the process with its log. */
const LOG_CEILING = 128 * 1024 * 1024;

export class Recorder {
  readonly #hashOnly: HashOnly;
  readonly #ceiling: number;
  readonly #entries: string[] = [];
  #units = 0;
  #dropped = 0;
  /** The call that was begun and has no answer yet. */
  #open: string | null = null;

  constructor(hashOnly: HashOnly, ceiling = LOG_CEILING) {
    this.#hashOnly = hashOnly;
    this.#ceiling = ceiling;
  }

  begin(call: JournalledCall): void {
    const verb = call.verb.toUpperCase();
    const head = {
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
    const tail = JSON.stringify(recordedAnswer(outcome)).slice(1);
    const entry = `{"seq":${this.#entries.length},${this.#open},${tail}`;
    this.#open = null;
    this.#units += entry.length;
    // A gap would make everything behind it useless.
    if (this.#units > this.#ceiling) this.#dropped += 1;
    else this.#entries.push(entry);
  }

  log(program_checksum: string, label: string, succeeded: boolean): RecordLog {
    const head = { format: "weft-record", version: 1, program_checksum, label } as const;
    const complete = succeeded && this.#dropped === 0;
    const dropped = this.#dropped === 0 ? {} : { dropped: this.#dropped };
    return { ...head, complete, ...dropped, calls: this.#entries.map((text): RecordedCall => JSON.parse(text)) };
  }
}

/** The arguments as entries and errors show them: values, or their hash where values must not or cannot be shown. */
export function recordedArguments(args: readonly Json[], hashOnly: boolean): Pick<RecordedCall, "args" | "args_hash"> {
  return hashOnly || args.some(isUnwritable) ? { args_hash: hashOf(args) } : { args };
}

export function recordedAnswer(outcome: CallOutcome): Pick<RecordedCall, "ok" | "result" | "result_hash" | "error"> {
  if (!outcome.ok) return { ok: false, error: recordedError(outcome.failure) };
  const { result } = outcome;
  return isUnwritable(result) ? { ok: true, result_hash: hashOf(result) } : { ok: true, result };
}

function recordedError({ code, message, data }: FailureCause): RecordedError {
  const retryable = data["retryable"] === true;
  if (code === "RUNTIME_OP_ERROR") {
    const cause_type = String(data["cause_type"]);
    return { code, message, cause_type, retryable, retry_after_ms: null, details: null };
  }
  const wait = data["retry_after_ms"];
  return {
    message,
    adapter_code: String(data["adapter_code"]),
    retryable,
    retry_after_ms: typeof wait === "number" ? wait : null,
    details: data["details"] ?? null,
    ...(data["details_truncated"] === true ? { details_truncated: true } : {}),
  };
}

/** SHA-256 of the canonical JSON. Values nested or large beyond any reason are all alike to it. */
export function hashOf(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalText(value), "utf8").digest("hex")}`;
}

/** The canonical JSON, or the words that stand for a value which has none within bounds. */
export function canonicalText(value: Json): string {
  if (isTooLongToWrite(value)) return "too large";
  try {
    return canonicalJson(value);
  } catch (failure) {
    if (failure instanceof RangeError) return "nested too deeply";
    throw failure;
  }
}

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
