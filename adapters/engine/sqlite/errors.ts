/**
 * SQLite's failures as codes of adapters. Runs in the helper process. Messages of SQLite name columns and quote SQL, so only
 * its code is handed on; the text goes to the operator's log as `cause`.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";

const CONSTRAINT_KINDS: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT_UNIQUE: "unique",
  SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
  SQLITE_CONSTRAINT_ROWID: "unique",
  SQLITE_CONSTRAINT_FOREIGNKEY: "foreign_key",
  SQLITE_CONSTRAINT_NOTNULL: "not_null",
  SQLITE_CONSTRAINT_CHECK: "check",
  SQLITE_CONSTRAINT_TRIGGER: "trigger",
  SQLITE_CONSTRAINT_DATATYPE: "datatype",
};

/** Longest prefix first: extended codes before the group they belong to. */
const CODES: readonly (readonly [prefix: string, code: AdapterCode, message: string])[] = [
  ["SQLITE_BUSY", "ADAPTER_BUSY", "the database is locked"],
  ["SQLITE_LOCKED", "ADAPTER_BUSY", "the database is locked"],
  ["SQLITE_FULL", "ADAPTER_QUOTA", "the disk is full"],
  ["SQLITE_IOERR_SHMSIZE", "ADAPTER_QUOTA", "the disk is full"],
  ["SQLITE_CORRUPT", "ADAPTER_BAD_DATA", "the database file is damaged"],
  ["SQLITE_NOTADB", "ADAPTER_BAD_DATA", "the file is not a database"],
  ["SQLITE_READONLY", "ADAPTER_WRITE_FORBIDDEN", "the database is read-only"],
  ["SQLITE_CANTOPEN", "ADAPTER_BAD_SETTINGS", "the database file cannot be opened"],
  ["SQLITE_PERM", "ADAPTER_NOT_ALLOWED", "the database file may not be opened"],
  ["SQLITE_TOOBIG", "ADAPTER_TOO_LARGE", "a value is larger than the database allows"],
  ["SQLITE_NOMEM", "ADAPTER_TOO_LARGE", "the statement needs more memory than there is"],
  ["SQLITE_IOERR", "ADAPTER_FAILED", "the database file cannot be read or written"],
  ["SQLITE_", "ADAPTER_SQL_ERROR", "the database refused the statement"],
];

const FILE_CODES: Readonly<Record<string, readonly [code: AdapterCode, message: string]>> = {
  ENOSPC: ["ADAPTER_QUOTA", "the disk is full"],
  EDQUOT: ["ADAPTER_QUOTA", "the disk is full"],
  EMFILE: ["ADAPTER_BUSY", "too many files are open"],
  ENFILE: ["ADAPTER_BUSY", "too many files are open"],
  EACCES: ["ADAPTER_NOT_ALLOWED", "the database file may not be opened"],
  EPERM: ["ADAPTER_NOT_ALLOWED", "the database file may not be opened"],
  EROFS: ["ADAPTER_NOT_ALLOWED", "the database file may not be opened"],
  ENOENT: ["ADAPTER_BAD_SETTINGS", "the database file cannot be opened"],
  ENOTDIR: ["ADAPTER_BAD_SETTINGS", "the database file cannot be opened"],
  EISDIR: ["ADAPTER_BAD_SETTINGS", "the database file cannot be opened"],
};

/** Whatever was thrown in the helper as an AdapterError. */
export function databaseError(thrown: unknown): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const code = codeOf(thrown);
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    const kind = CONSTRAINT_KINDS[code] ?? "other";
    return adapterError("ADAPTER_SQL_CONSTRAINT", "a constraint of the table was violated", {
      data: { kind, sqlite_code: code },
      cause: thrown,
    });
  }
  const row = CODES.find(([prefix]) => code.startsWith(prefix));
  if (row !== undefined) return adapterError(row[1], row[2], { data: { sqlite_code: code }, cause: thrown });
  const [fileCode, message] = FILE_CODES[code] ?? ["ADAPTER_FAILED", "the database operation failed"];
  return adapterError(fileCode, message, { cause: thrown });
}

/** The code of an error of SQLite or Node; empty without one. */
export function codeOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}
