/**
 * The fields of the events about runs, the same on every surface that logs them. Hashes replace arguments and results; no field
 * holds a value of a program. Each surface decides how lines are written, and at which level.
 */

import { createHash, createHmac } from "node:crypto";
import type { Json } from "../../compiler/json.ts";
import { placedMessage } from "../../vm/errors/placed-message.ts";
import { canonicalText } from "../../vm/recording/record.ts";
import type { CallEvent, Limits, RunError, Usage } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";

type Fields = { readonly [name: string]: Json };

export type RunStart = {
  readonly limits: Limits;
  readonly policyPresent: boolean;
  readonly label: string;
  readonly checksum: string;
  /** null: no source was given. */
  readonly sourceHash: string | null;
  /** null: every adapter. */
  readonly allowed: readonly string[] | null;
  readonly replay: boolean;
};
export type RunEnd = {
  readonly label: string;
  readonly duration_ms: number;
  readonly usage: Usage;
  /** Calls of which no line is written, because the run had written as much as it may. */
  readonly unlogged?: number;
};
export type RunFailure = {
  readonly error: string;
  /** Without secrets. */
  readonly message: string;
  readonly duration_ms: number;
  /** Absent: it was refused before it ran. */
  readonly usage?: Usage;
  readonly unlogged?: number;
  readonly place?: RunError;
};

export function runStartFields(run: RunStart): Fields {
  return {
    limits_summary: { ...run.limits },
    policy_present: run.policyPresent,
    label: run.label,
    ir_checksum: run.checksum,
    ...(run.sourceHash === null ? {} : { source_sha256: run.sourceHash }),
    allowed_adapters: run.allowed,
    replay: run.replay,
  };
}

/** `seq` counts the calls of a run from 1. */
export function adapterCallFields(seq: number, call: CallEvent, hash: ValueHash): Fields {
  return {
    adapter: call.adapter,
    verb: call.verb,
    status: call.status,
    duration_ms: thousandths(call.duration_ms),
    result_hash: call.code === null ? hash(call.result, call.result_text) : null,
    seq,
    label_id: call.label,
    node_id: call.node,
    attempt: call.attempt,
    arg_count: call.args.length,
    args_hash: hash(call.args, call.args_text),
    ...(call.branch === "" ? {} : { branch: call.branch }),
    ...(call.code === null ? {} : { error_code: call.code }),
  };
}

export function runCompleteFields({ label, duration_ms, usage, unlogged = 0 }: RunEnd): Fields {
  const { steps, adapter_calls } = usage;
  return { label, duration_ms, steps, adapter_calls, usage: { ...usage }, ...unloggedField(unlogged) };
}

function unloggedField(calls: number): Fields {
  return calls === 0 ? {} : { adapter_calls_unlogged: calls };
}

export function runFailedFields({ error, message, duration_ms, usage, unlogged = 0, place }: RunFailure): Fields {
  return {
    ok: false,
    error,
    error_code: place?.code ?? null,
    label_id: place?.label ?? null,
    node_id: place?.node ?? null,
    line: place?.line ?? null,
    duration_ms,
    adapter_calls: usage?.adapter_calls ?? 0,
    usage: usage === undefined ? null : { ...usage },
    ...unloggedField(unlogged),
    message: saidOf(message, place),
  };
}

/** The message of an exception of a program is a value of it: the log has its class and place. */
function saidOf(message: string, place: RunError | undefined): string {
  return place?.exception === undefined ? message : placedMessage(place, place.exception);
}

/** What the lines about the calls of one run may take: some 2,400 of them. */
export const RUN_LOG_MAX_BYTES = 1024 * 1024;

/** Numbers the calls of a run, and bounds the lines that are written about them. */
export class RunCallLog {
  readonly #write: (seq: number, call: CallEvent) => number;
  #left: number;
  #seq = 0;
  #unlogged = 0;

  /** `write` returns the length of the line. */
  constructor(maxBytes: number, write: (seq: number, call: CallEvent) => number) {
    this.#left = maxBytes;
    this.#write = write;
  }

  /** Calls of which no line was written. */
  get unlogged(): number {
    return this.#unlogged;
  }

  /** Returns the number of the call, from 1. */
  called(call: CallEvent): number {
    this.#seq += 1;
    if (this.#left > 0) this.#left -= this.#write(this.#seq, call);
    else this.#unlogged += 1;
    return this.#seq;
  }
}

/** Equal exactly when the canonical JSON of the values is equal. `text`: that JSON, where it is known. */
export type ValueHash = (value: Json, text?: string) => string;

/** With a key the hashes of common values cannot be looked up. */
export function createValueHash(key: string | null): ValueHash {
  return (value, text = canonicalText(value)) => {
    if (key !== null) return `hmac-sha256:${createHmac("sha256", key).update(text, "utf8").digest("hex")}`;
    return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
  };
}
