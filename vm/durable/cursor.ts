/**
 * The position of a run in its journal. A call is answered by the next record when both name the same place, words and arguments;
 * everything else is a divergence: the program, or the machine, is not the one that the journal was written by.
 */
import type { Json } from "../../compiler/json.ts";
import { FatalFailure } from "../errors/failures.ts";
import { type CallKey, isOfRun, type JournalRecord, type RecordOf as Of, type RunRecord } from "./records.ts";

/** What the journal knows of a call. */
export type Found =
  /** Nothing: the call is to be made. */
  | { readonly state: "live" }
  | { readonly state: "answered"; readonly record: Of<"call"> }
  /** It was begun, and may have acted. `decided`: what a person said of it. */
  | { readonly state: "unknown"; readonly intent: Of<"intent">; readonly decided: Of<"decision"> | null }
  /** It waited. `woken`: null while nothing has come. */
  | { readonly state: "waiting"; readonly wait: Of<"wait">; readonly woken: Of<"woken"> | null };

const LIVE: Found = { state: "live" };
const COMPARED = ["label", "node", "visit", "attempt", "adapter", "verb", "args_hash"] as const;

export class Cursor {
  readonly #records: readonly RunRecord[];
  readonly #woken = new Map<string, Of<"woken">>();
  readonly #decisions = new Map<number, Of<"decision">>();
  #at = 0;
  #lastTaken: JournalRecord | null = null;

  /** `after`: records up to this one are part of the state already. */
  constructor(records: readonly JournalRecord[], after = 0) {
    this.#records = records.filter(isOfRun).filter(({ seq }) => seq > after);
    for (const record of records) {
      if (record.kind === "woken") this.#woken.set(record.wait, record);
      if (record.kind === "decision") this.#decisions.set(record.of, record);
    }
  }

  /** Nothing is left to be replayed. */
  get isAtEnd(): boolean {
    return this.#at >= this.#records.length;
  }

  /** The record that was taken last; null before the first. */
  get lastTaken(): JournalRecord | null {
    return this.#lastTaken;
  }

  /** What is known of the call, whose records are before the cursor then. Throws RUNTIME_REPLAY_MISMATCH. */
  call(key: CallKey): Found {
    let found: Found = LIVE;
    for (let next = this.#records[this.#at]; next !== undefined; next = this.#records[this.#at]) {
      // A call that was made again after an unknown outcome has an intent for each time.
      const isFirst = found.state === "live";
      if (next.kind === "backoff" || (!isFirst && !isSameSite(next, key))) break;
      this.#check(next, key);
      this.#take(next);
      if (next.kind === "call") return { state: "answered", record: next };
      if (next.kind === "wait") found = { state: "waiting", wait: next, woken: this.#woken.get(next.wait) ?? null };
      else found = { state: "unknown", intent: next, decided: this.#decisions.get(next.seq) ?? null };
    }
    return found.state === "live" && !this.isAtEnd ? this.#diverged(key) : found;
  }

  /** The pause of this repeat when it was begun before; null: it is not in the journal. */
  pause(at: { readonly label: string; readonly node: string; readonly attempt: number }): Of<"backoff"> | null {
    const next = this.#records[this.#at];
    if (next?.kind !== "backoff") return null;
    const isIt = next.label === at.label && next.node === at.node && next.attempt === at.attempt;
    if (!isIt) return null;
    this.#take(next);
    return next;
  }

  /** Of a run that has ended: the record that it should have come to. */
  leftover(): FatalFailure | null {
    const next = this.#records[this.#at];
    return next === undefined ? null : mismatch(next, null, "");
  }

  #check(record: Of<"intent" | "call" | "wait">, key: CallKey): void {
    for (const name of COMPARED) {
      const wanted = name in record ? (record as unknown as CallKey)[name] : key[name];
      if (wanted !== key[name]) throw mismatch(record, key, `/${name}`);
    }
  }

  #diverged(key: CallKey): never {
    throw mismatch(this.#records[this.#at] as RunRecord, key, "/kind");
  }

  #take(record: JournalRecord): void {
    this.#at += 1;
    this.#lastTaken = record;
  }
}

function isSameSite(record: Of<"intent" | "call" | "wait">, key: CallKey): boolean {
  const { label, node, visit, attempt } = record;
  return label === key.label && node === key.node && visit === key.visit && attempt === key.attempt;
}

/** Values only as hashes. */
function mismatch(record: RunRecord, key: CallKey | null, path: string): FatalFailure {
  const expected = shownOf(record);
  const got = key === null ? null : { ...key };
  const asked = key === null ? "the run ended" : `the program now asks for ${key.adapter}.${key.verb}`;
  const message = `the journal has record ${record.seq} next, and ${asked}`;
  const place = key === null ? {} : { label: key.label, node: key.node };
  return new FatalFailure("RUNTIME_REPLAY_MISMATCH", message, "replay", {
    index: record.seq,
    expected,
    got,
    ...place,
    path,
    journal: true,
  });
}

function shownOf(record: RunRecord): Json {
  const { seq, kind } = record;
  if (record.kind === "backoff") return { seq, kind, label: record.label, node: record.node, attempt: record.attempt };
  const { label, node, visit, attempt, adapter, verb, args_hash } = record;
  return { seq, kind, label, node, visit, attempt, adapter, verb, ...(args_hash === undefined ? {} : { args_hash }) };
}
