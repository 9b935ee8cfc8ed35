/**
 * Records of a journal as rows of a store, and back: JSON after a byte that tells the form, and results above 64 KiB once for all that have
 * the same.
 */
import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "../../../compiler/json.ts";
import { isOfRun, type JournalRecord } from "../../../vm/durable/records.ts";
import { JournalUnreadable } from "../../../vm/durable/whole-journal.ts";

/** `value`: hash of its result where that is stored by itself. */
export type JournalRow = readonly [seq: number, value: string | null, data: Uint8Array];
export type JournalRows = {
  readonly rows: readonly JournalRow[];
  /** By hash. */
  readonly values: ReadonlyMap<string, Uint8Array>;
  /** One of them came from the run itself. */
  readonly progress: boolean;
};

/** The first byte of `data`. */
const FORM = { json: 0, deflated: 1 } as const;
const DEFLATED_ABOVE = 1024;
const LARGE_VALUE = 64 * 1024;

export function journalRows(records: readonly JournalRecord[]): JournalRows {
  const values = new Map<string, Uint8Array>();
  const rows = records.map((record): JournalRow => {
    const large = largeResult(record);
    if (large === null) return [record.seq, null, packed(JSON.stringify(record))];
    const hash = createHash("sha256").update(large, "utf8").digest("hex");
    values.set(hash, packed(large));
    return [record.seq, hash, packed(JSON.stringify({ ...record, result: null }))];
  });
  return { rows, values, progress: records.some(isOfRun) };
}

function largeResult(record: JournalRecord): string | null {
  if (!("result" in record)) return null;
  const { result } = record;
  if (typeof result !== "string" && (typeof result !== "object" || result === null)) return null;
  const text = JSON.stringify(result);
  return text.length > LARGE_VALUE ? text : null;
}

/** Throws for what is not a record, and for a value that is gone. */
export function recordOf([, hash, data]: JournalRow, values: ReadonlyMap<string, Uint8Array>): JournalRecord {
  const record = JSON.parse(unpacked(data)) as JournalRecord;
  if (hash === null) return record;
  const value = values.get(hash);
  if (value === undefined) throw new Error("a value of the journal is gone");
  return { ...record, result: JSON.parse(unpacked(value)) as Json } as JournalRecord;
}

/** The records of a run that continues. Throws JournalUnreadable. */
export function recordsOf(
  rows: readonly JournalRow[],
  values: ReadonlyMap<string, Uint8Array>,
): readonly JournalRecord[] {
  return rows.map((row) => {
    try {
      return recordOf(row, values);
    } catch {
      throw new JournalUnreadable(`record ${row[0]} of the journal cannot be read`);
    }
  });
}

export function packed(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  const isLong = bytes.length > DEFLATED_ABOVE;
  return Buffer.concat([
    Buffer.of(isLong ? FORM.deflated : FORM.json),
    isLong ? deflateRawSync(bytes, { level: 1 }) : bytes,
  ]);
}

export function unpacked(data: Uint8Array): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset + 1, data.byteLength - 1);
  if (data[0] === FORM.json) return bytes.toString("utf8");
  if (data[0] === FORM.deflated) return inflateRawSync(bytes).toString("utf8");
  throw new Error("a record of an unknown form");
}

/** Snapshots that cannot be read are null: they cannot be used. */
export function snapshotsOf(stored: readonly Uint8Array[]): readonly unknown[] {
  return stored.map((data) => {
    try {
      return JSON.parse(unpacked(data)) as unknown;
    } catch {
      return null;
    }
  });
}
