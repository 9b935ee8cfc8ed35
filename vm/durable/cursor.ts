/**
 * The position of a run in its journal, branch by branch. A call is answered by the next record of its branch when both name the same place,
 * words and arguments; everything else is a divergence: the program, or the machine, is not the one that the journal was written by.
 */
import type { Json } from "../../compiler/json.ts";
import type { WaitSpec } from "../calls/wait-spec.ts";
import { FatalFailure } from "../errors/failures.ts";
import { hashOf } from "../recording/record.ts";
import type { JournalledCall } from "../recording/record-log.ts";
import type { AdapterUsage } from "../usage.ts";
import { type CallKey, isOfRun, type JournalRecord, type RecordOf as Of, type RunRecord } from "./records.ts";

/** What the journal knows of a call. */
export type Found =
  /** Nothing: the call is to be made. */
  | { readonly state: "live" }
  | { readonly state: "answered"; readonly record: Of<"call"> }
  /** It was begun, and may have acted. `decided`: what a person said of it. */
  | { readonly state: "unknown"; readonly intent: Of<"intent">; readonly decided: Of<"decision"> | null }
  /** While it was under way, the run was cancelled. */
  | { readonly state: "cancelled"; readonly record: Of<"cancelled"> }
  /** It waited. `woken`: null while nothing has come. `before`: what came of the waits before this one, the first first. */
  | {
      readonly state: "waiting";
      readonly wait: Of<"wait">;
      readonly woken: Of<"woken"> | null;
      readonly before: readonly Of<"woken">[];
    };

const LIVE: Found = { state: "live" };
const COMPARED = ["label", "node", "visit", "attempt", "adapter", "verb", "args_hash"] as const;

/** A journal that is replayed: what is left of it in each branch. */
export class Replay {
  readonly #cursors = new Map<string, Cursor>();
  readonly #woken = new Map<string, Of<"woken">>();
  readonly #decisions = new Map<number, Of<"decision">>();
  /** Branches have records of their own. In journals of earlier versions they do not: they ran one after the other. */
  readonly apart: boolean;
  /** Where the run was cancelled; null: nowhere. */
  readonly cancelled: Of<"cancelled"> | null;
  /** Of the adapters, when the last call that changed it had ended; undefined: they used nothing. */
  readonly usage: AdapterUsage | undefined;
  /** Jobs that the run has paid for. */
  readonly paid = new Set<string>();
  /** Records that answer something, and that were not taken yet. */
  left = 0;
  /** Of the last record that the run wrote, on its own clock; null: it wrote none. */
  readonly endsAtMs: number | null;
  #lastTaken: JournalRecord | null = null;

  /** `after`: records up to this one are part of the state already. `endsAtMs`: where the clock of the run stood when its process ended. */
  constructor(records: readonly JournalRecord[], after = 0, endsAtMs: number | null = null) {
    const first = records.find((record) => record.kind === "start");
    this.apart = first === undefined || first.branches === "apart";
    for (const record of records) {
      if (record.kind === "woken") this.#woken.set(record.wait, record);
      if (record.kind === "decision") this.#decisions.set(record.of, record);
      if (record.kind === "call" && record.charged !== undefined) this.paid.add(record.charged.job);
    }
    const own = records.filter((record) => isOfRun(record) && record.seq > after);
    this.endsAtMs = endsAtMs ?? own.at(-1)?.active_ms ?? null;
    this.cancelled = own.find((record): record is Of<"cancelled"> => record.kind === "cancelled") ?? null;
    const counted = records.findLast((record) => record.kind === "call" && record.usage !== undefined);
    this.usage = counted?.kind === "call" ? counted.usage : undefined;
    const grouped = new Map<string, RunRecord[]>();
    for (const record of own as RunRecord[]) {
      const group = grouped.get(record.branch) ?? [];
      grouped.set(record.branch, group);
      group.push(record);
    }
    for (const [branch, group] of grouped) this.#cursors.set(branch, this.#cursor(group));
  }

  cursor(branch: string): Cursor {
    const known = this.#cursors.get(branch) ?? this.#cursor([]);
    this.#cursors.set(branch, known);
    return known;
  }

  begun(names: string): number {
    const numbers = [...this.#cursors.keys()].map((name) =>
      name.startsWith(names) ? parseInt(name.slice(names.length), 10) : -1,
    );
    return numbers.reduce((most, number) => Math.max(most, number + 1), this.cancelled?.begun?.[names] ?? 0);
  }

  /** The record that was written last of those that were taken; null before the first. */
  get lastTaken(): JournalRecord | null {
    return this.#lastTaken;
  }

  /** Of a run that has ended: the failure to come to what is left in the journal. */
  leftover(): FatalFailure | null {
    const next = this.#next();
    return next === null ? null : mismatch(next, null, "");
  }

  /** A call that the journal does not have, though it has others: the failure for it. */
  diverged(key: CallKey): FatalFailure {
    return mismatch(this.#next() as RunRecord, key, "/kind");
  }

  #next(): RunRecord | null {
    const next = [...this.#cursors.values()].flatMap((cursor) => cursor.next ?? []);
    return next.reduce<RunRecord | null>((first, one) => (first === null || one.seq < first.seq ? one : first), null);
  }

  #cursor(records: readonly RunRecord[]): Cursor {
    const answers = 1 + records.findLastIndex((record) => this.#isAnswer(record));
    this.left += answers;
    return new Cursor(records, answers, {
      woken: (wait) => this.#woken.get(wait) ?? null,
      decided: (seq) => this.#decisions.get(seq) ?? null,
      taken: (record, isAnswer) => {
        if (isAnswer) this.left -= 1;
        if (record.seq > (this.#lastTaken?.seq ?? 0)) this.#lastTaken = record;
      },
    });
  }

  /** The run comes past it without anything being made. */
  #isAnswer(record: RunRecord): boolean {
    // The verb looks at the job that is over: that is made.
    if (record.kind === "wait")
      return (
        this.#woken.has(record.wait) && (!isLookedAt(record.spec) || this.#woken.get(record.wait)?.why === "cancelled")
      );
    if (record.kind === "intent") return false;
    return true;
  }
}

type Known = {
  readonly woken: (wait: string) => Of<"woken"> | null;
  readonly decided: (seq: number) => Of<"decision"> | null;
  readonly taken: (record: RunRecord, isAnswer: boolean) => void;
};

/** The position in the records of one branch. */
export class Cursor {
  readonly #records: readonly RunRecord[];
  readonly #answers: number;
  readonly #known: Known;
  #at = 0;

  /** `answers`: how many of the first records are known to be over; what comes after them is under way. */
  constructor(records: readonly RunRecord[], answers: number, known: Known) {
    this.#records = records;
    this.#answers = answers;
    this.#known = known;
  }

  get next(): RunRecord | null {
    return this.#records[this.#at] ?? null;
  }

  /** Nothing is left to be replayed. */
  get isAtEnd(): boolean {
    return this.#at >= this.#records.length;
  }

  /** The next call has an answer. */
  get answers(): boolean {
    return this.#at < this.#answers;
  }

  /** What is known of the call, whose records are before the cursor then. Throws RUNTIME_REPLAY_MISMATCH. */
  call(key: CallKey): Found {
    let found: Found = LIVE;
    for (let next = this.next; next !== null; next = this.next) {
      // A call that was made again after an unknown outcome has an intent for each time.
      const isFirst = found.state === "live";
      if (next.kind === "cancelled") return { state: "cancelled", record: next };
      if (next.kind === "backoff" || (!isFirst && !isSameSite(next, key))) break;
      check(next, key);
      this.#take(next);
      if (next.kind === "call") return { state: "answered", record: next };
      if (next.kind === "wait") {
        const before = found.state === "waiting" && found.woken !== null ? [...found.before, found.woken] : [];
        found = { state: "waiting", wait: next, woken: this.#known.woken(next.wait), before };
      } else found = { state: "unknown", intent: next, decided: this.#known.decided(next.seq) };
    }
    if (found.state === "live" && this.next !== null) throw mismatch(this.next, key, "/kind");
    return found;
  }

  /** The pause of this repeat when it was begun before; null: it is not in the journal. */
  pause(at: { readonly label: string; readonly node: string; readonly attempt: number }): Of<"backoff"> | null {
    const { next } = this;
    if (next?.kind !== "backoff") return null;
    const isIt = next.label === at.label && next.node === at.node && next.attempt === at.attempt;
    if (!isIt) return null;
    this.#take(next);
    return next;
  }

  /** The cancellation of the run, where that is next; what was under way has no answer then. */
  cancellation(): boolean {
    for (let next = this.next; next !== null; next = this.next) {
      if (next.kind !== "cancelled" && next.kind !== "intent" && next.kind !== "wait") return false;
      this.#take(next);
      if (next.kind === "cancelled") return true;
    }
    return false;
  }

  #take(record: RunRecord): void {
    const isAnswer = this.answers;
    this.#at += 1;
    this.#known.taken(record, isAnswer);
  }
}

/** Of the record that people look at for the call; null: it has none. */
export function seqOf(found: Found): number | null {
  if (found.state === "live") return null;
  if (found.state === "waiting") return found.wait.seq;
  return found.state === "unknown" ? found.intent.seq : found.record.seq;
}

/** What ended such a wait is not the answer of the call: its verb is made again, and finds it. */
export function isLookedAt(spec: WaitSpec): boolean {
  return spec.kind === "job";
}

function check(record: Of<"intent" | "call" | "wait">, key: CallKey): void {
  for (const name of COMPARED) {
    const wanted = name in record ? (record as unknown as CallKey)[name] : key[name];
    if (wanted !== key[name]) throw mismatch(record, key, `/${name}`);
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
  if (record.kind === "cancelled") return { seq, kind, steps: record.steps, calls: record.calls };
  if (record.kind === "backoff") return { seq, kind, label: record.label, node: record.node, attempt: record.attempt };
  const { label, node, visit, attempt, adapter, verb, args_hash } = record;
  return { seq, kind, label, node, visit, attempt, adapter, verb, ...(args_hash === undefined ? {} : { args_hash }) };
}

export function keyOf(
  { label, node, visit = 0, attempt, adapter, verb, args }: JournalledCall,
  tx: string | null,
): CallKey {
  const part = tx === null ? {} : { tx };
  return { label, node, visit, attempt, adapter, verb: verb.toUpperCase(), args_hash: hashOf(args), ...part };
}
