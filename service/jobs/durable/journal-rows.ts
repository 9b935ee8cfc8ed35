/**
 * Records of a journal as rows of a store, and back: JSON after a byte that tells the form, and results above 64 KiB once for all that have
 * the same.
 */
import { createHash } from "node:crypto";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Json } from "../../../compiler/json.ts";
import { isOfRun, type JournalRecord } from "../../../vm/durable/records.ts";
import { JournalUnreadable } from "../../../vm/durable/whole-journal.ts";

/** Whether a journal cannot be read because its store was damaged. */
export function isDamage(thrown: unknown): boolean {
  return thrown instanceof JournalUnreadable && thrown.cause instanceof StoreDamaged;
}

/** `value`: hash of its result where that is stored by itself. */
export type JournalRow = readonly [seq: number, value: string | null, data: Uint8Array];
export type JournalRows = {
  readonly rows: readonly JournalRow[];
  /** By hash. */
  readonly values: ReadonlyMap<string, Uint8Array>;
  /** One of them came from the run itself. */
  readonly progress: boolean;
};

export function journalBytes({ rows, values }: JournalRows): number {
  let bytes = 0;
  for (const [, , data] of rows) bytes += data.byteLength;
  for (const data of values.values()) bytes += data.byteLength;
  return bytes;
}

/** The first byte of `data`. The last two have a checksum of what comes after it; those of earlier versions have none. */
const FORM = { json: 0, deflated: 1, checkedJson: 2, checkedDeflated: 3 } as const;
const HEAD_BYTES = 1;
const CHECKED_HEAD_BYTES = HEAD_BYTES + 4;

/** What was written is not what is there: the medium, or another program, has changed it. */
export class StoreDamaged extends Error {
  readonly code = "STORE_DAMAGED";
  constructor(what: string) {
    super(`${what} has another checksum than when it was written`);
    this.name = "StoreDamaged";
  }
}

const DEFLATED_ABOVE = 1024;
const LARGE_VALUE = 64 * 1024;

export function journalRows(records: readonly JournalRecord[]): JournalRows {
  const values = new Map<string, Uint8Array>();
  const rows = records.map((record): JournalRow => {
    const large = largeResult(record);
    if (large === null) return [record.seq, null, packed(JSON.stringify(record))];
    const hash = createHash("sha256").update(large, "utf8").digest("hex");
    values.set(hash, packed(large));
    return [record.seq, hash, packed(JSON.stringify({ ...record, result: null, ...textMember(record, "") }))];
  });
  return { rows, values, progress: records.some(isOfRun) };
}

function largeResult(record: JournalRecord): string | null {
  if (!("result" in record)) return null;
  const { result } = record;
  if (typeof result !== "string" && (typeof result !== "object" || result === null)) return null;
  const text = textOf(record) ?? JSON.stringify(result);
  return text.length > LARGE_VALUE ? text : null;
}

/** The exact text of the result; undefined: the result says everything. */
function textOf(record: JournalRecord): string | undefined {
  return "result_text" in record ? record.result_text : undefined;
}

/** The text where `record` has one. */
function textMember(record: JournalRecord, text: string): object {
  return textOf(record) === undefined ? {} : { result_text: text };
}

/** Whether a record, or what belongs to it, is not what a journal holds. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof SyntaxError || thrown instanceof UnknownForm || isInflateFault(thrown);
}

function isInflateFault(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && String(thrown.code).startsWith("Z_");
}

/** Neither this version nor an earlier one wrote it. */
class UnknownForm extends Error {}

/** The records up to the first that cannot be read. */
export function readableRecords({ rows, values }: Pick<JournalRows, "rows" | "values">): {
  readonly records: readonly JournalRecord[];
  readonly isWhole: boolean;
} {
  const records: JournalRecord[] = [];
  for (const row of rows) {
    try {
      records.push(recordOf(row, values));
    } catch {
      return { records, isWhole: false };
    }
  }
  return { records, isWhole: true };
}

/** Throws for what is not a record, and for a value that is gone. */
export function recordOf([, hash, data]: JournalRow, values: ReadonlyMap<string, Uint8Array>): JournalRecord {
  const record = JSON.parse(unpacked(data)) as JournalRecord;
  if (hash === null) return record;
  const value = values.get(hash);
  if (value === undefined) throw new Error("a value of the journal is gone");
  const text = unpacked(value);
  return { ...record, result: JSON.parse(text) as Json, ...textMember(record, text) } as JournalRecord;
}

/** The records of a run that continues. Throws JournalUnreadable. */
export function recordsOf(
  rows: readonly JournalRow[],
  values: ReadonlyMap<string, Uint8Array>,
): readonly JournalRecord[] {
  return rows.map((row) => {
    try {
      return recordOf(row, values);
    } catch (cause) {
      throw new JournalUnreadable(`record ${row[0]} of the journal cannot be read`, { cause });
    }
  });
}

export function packed(text: string): Uint8Array {
  const bytes = Buffer.from(text, "utf8");
  const isLong = bytes.length > DEFLATED_ABOVE;
  const body = isLong ? deflateRawSync(bytes, { level: 1 }) : bytes;
  const head = Buffer.allocUnsafe(CHECKED_HEAD_BYTES);
  head.writeUInt8(isLong ? FORM.checkedDeflated : FORM.checkedJson);
  head.writeUInt32LE(crc32(body), HEAD_BYTES);
  return Buffer.concat([head, body]);
}

/** Throws StoreDamaged, and other errors for what was never written so. */
export function unpacked(data: Uint8Array): string {
  const all = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const form = all[0];
  if (form === FORM.json) return all.toString("utf8", HEAD_BYTES);
  if (form === FORM.deflated) return inflateRawSync(all.subarray(HEAD_BYTES)).toString("utf8");
  const isKnown = form === FORM.checkedJson || form === FORM.checkedDeflated;
  if (!isKnown || all.length < CHECKED_HEAD_BYTES) throw new UnknownForm("a record of an unknown form");
  const body = all.subarray(CHECKED_HEAD_BYTES);
  if (crc32(body) !== all.readUInt32LE(HEAD_BYTES)) throw new StoreDamaged("a record");
  return (form === FORM.checkedDeflated ? inflateRawSync(body) : body).toString("utf8");
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
