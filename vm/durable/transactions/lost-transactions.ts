/**
 * Transactions that a process left open: they were rolled back with it, so their records answer nothing, and the run continues at their
 * begin. What other calls within them learned is kept, and is not asked again.
 */
import { FatalFailure } from "../../errors/failures.ts";
import { type Found, Replay } from "../cursor.ts";
import { type CallKey, isOfRun, type JournalRecord, type RecordBody, type RunRecord } from "../records.ts";
import { TRANSACTIONS } from "./open-transactions.ts";

/** What a journal answers, and what it knows of transactions that are gone through again. `after`: records up to this one are done. */
export function replaysOf(
  journal: readonly JournalRecord[],
  after: number,
): { readonly replay: Replay; readonly again: TransactionsAgain } {
  const { records, kept, again } = withoutLost(journal);
  // The clock of the run continues from where its process ended.
  const endsAtMs = journal.findLast((record) => isOfRun(record) && record.seq > after)?.active_ms ?? null;
  return { replay: new Replay(records, after, endsAtMs), again: new TransactionsAgain(again, new Replay(kept)) };
}

/** Transactions that are gone through again, by name, and what other calls within them learned before. */
export class TransactionsAgain {
  readonly #names: ReadonlySet<string>;
  readonly #replay: Replay;

  constructor(names: ReadonlySet<string>, replay: Replay) {
    this.#names = names;
    this.#replay = replay;
  }

  /** What the call learned before; null: it is made. Throws RUNTIME_REPLAY_MISMATCH where another call was made. */
  learned(key: CallKey, branch: string): Found | null {
    if (this.#names.size === 0) return null;
    const isAgain = key.tx !== undefined && this.#names.has(key.tx);
    const left = isAgain && key.verb === "COMMIT" ? this.leftover() : null;
    if (left !== null) throw left;
    const cursor = this.#replay.cursor(branch);
    if (isAgain || cursor.isAtEnd) return null;
    try {
      return cursor.call(key);
    } catch (thrown) {
      throw thrown instanceof FatalFailure ? inTransaction(thrown) : thrown;
    }
  }

  /** The failure to have made other calls than these; null: all of them were made. */
  leftover(): FatalFailure | null {
    const left = this.#replay.leftover();
    return left === null ? null : inTransaction(left);
  }
}

/** What was learned before, as a record of this time through the transaction; null: there is nothing to say yet. */
export function recordOfLearned(found: Found, key: CallKey): RecordBody | null {
  if (found.state === "answered") {
    const { seq: _seq, at: _at, active_ms: _active, branch: _branch, ...body } = found.record;
    return body;
  }
  if (found.state !== "waiting" || found.woken === null) return null;
  const { result, result_text } = found.woken;
  return { kind: "call", ...key, ms: 0, ok: true, result, result_text };
}

function inTransaction({ code, message, causeType, data }: FatalFailure): FatalFailure {
  const again = `in a transaction that is gone through again, ${message}`;
  return new FatalFailure(code, again, causeType, { ...data, in_transaction: true });
}

/** A journal without lost transactions. */
export type WithoutLost = {
  readonly records: readonly JournalRecord[];
  /** Of other calls within those that are gone through again. */
  readonly kept: readonly JournalRecord[];
  /** The names of those that are gone through again. */
  readonly again: ReadonlySet<string>;
};

export function withoutLost(journal: readonly JournalRecord[]): WithoutLost {
  let records: JournalRecord[] = [];
  let lost: Omit<WithoutLost, "records"> = { kept: [], again: new Set() };
  let keptAt = 0;
  const processEnded = (): void => {
    const open = openIn(records);
    const begin = Math.min(records.length, ...open.values());
    // A process that ended again before it began the transaction anew has changed nothing.
    const isSame = !records.slice(keptAt, begin).some(isOfRun);
    const before = isSame ? lost.kept : [];
    if (open.size === 0) {
      if (!isSame) lost = { kept: [], again: new Set() };
      return;
    }
    const within = records.slice(begin).filter((record) => !isPartOf(record, open) && record.kind !== "backoff");
    const known = new Set(within.filter(isOfRun).map(siteOf));
    lost = {
      kept: [...within, ...before.filter((record) => !isOfRun(record) || !known.has(siteOf(record)))],
      again: new Set(open.keys()),
    };
    records = records.slice(0, begin);
    keptAt = begin;
  };
  for (const record of journal) {
    if (record.kind === "resume") processEnded();
    records.push(record);
  }
  processEnded();
  return { records, ...lost };
}

/** By name: the index of the record that begins a transaction which is not over. */
function openIn(records: readonly JournalRecord[]): Map<string, number> {
  const open = new Map<string, number>();
  const begun = new Map<string, number>();
  for (const [at, record] of records.entries()) {
    if ((record.kind !== "intent" && record.kind !== "call") || record.adapter !== TRANSACTIONS) continue;
    const { kind, verb, tx } = record;
    if (tx === undefined) continue;
    if (verb !== "BEGIN") {
      // One whose commit was under way may be over; a rollback is what happened to it anyway.
      if (kind === "call" || verb === "COMMIT") open.delete(tx);
    } else if (kind === "intent") begun.set(tx, at);
    else {
      if (record.ok) open.set(tx, begun.get(tx) ?? at);
      begun.delete(tx);
    }
  }
  for (const [tx, at] of begun) if (!open.has(tx)) open.set(tx, at);
  return open;
}

function isPartOf(record: JournalRecord, open: ReadonlyMap<string, number>): boolean {
  return "tx" in record && record.tx !== undefined && open.has(record.tx);
}

function siteOf({ branch, ...record }: RunRecord): string {
  if (record.kind === "cancelled") return JSON.stringify([branch, record.kind]);
  const { label, node, attempt } = record;
  const visit = "visit" in record ? record.visit : 0;
  return JSON.stringify([branch, label, node, visit, attempt]);
}
