/**
 * SQLite's failures as codes of adapters. Runs in the helper process. Messages of SQLite may quote values, so only its code and the sentences
 * that are known to have none are handed on; the whole text goes to the operator's log as `cause`.
 */
import { isObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";
import { sqliteSentence } from "./sentences.ts";

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

/** The binary part of the database's package was made for another version of Node.js, or is missing: so it is after an upgrade of Node.js. */
export const REBUILD = "npm rebuild better-sqlite3";
export const UNLOADABLE = `SQLite cannot be loaded by this version of Node.js (${process.version}); rebuild it: ${REBUILD}`;

export function isUnloadable({ code, message }: { readonly code: string; readonly message: string }): boolean {
  return code === "ERR_DLOPEN_FAILED" || message.startsWith("Could not locate the bindings file");
}

/** Whatever was thrown in the helper as an AdapterError. `sql`: the statement that the program gave; null: one of an adapter. */
export function databaseError(thrown: unknown, sql: string | null = null): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const code = codeOf(thrown);
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    const kind = CONSTRAINT_KINDS[code] ?? "other";
    return adapterError("ADAPTER_SQL_CONSTRAINT", withSentence("a constraint of the table was violated", thrown, sql), {
      data: { kind, sqlite_code: code },
      cause: thrown,
    });
  }
  const row = CODES.find(([prefix]) => code.startsWith(prefix));
  if (row !== undefined) {
    const message = row[1] === "ADAPTER_SQL_ERROR" ? withSentence(row[2], thrown, sql) : row[2];
    return adapterError(row[1], message, { data: { sqlite_code: code }, cause: thrown });
  }
  if (thrown instanceof Error && isUnloadable({ code, message: thrown.message }))
    return adapterError("ADAPTER_NOT_CONFIGURED", UNLOADABLE, { cause: thrown });
  const [fileCode, message] = FILE_CODES[code] ?? ["ADAPTER_FAILED", "the database operation failed"];
  return adapterError(fileCode, message, { cause: thrown });
}

function withSentence(message: string, thrown: unknown, sql: string | null): string {
  const sentence = thrown instanceof Error ? sqliteSentence(thrown.message, sql) : null;
  return sentence === null ? message : `${message}: ${sentence}`;
}

/** The code of an error of SQLite or Node; empty without one. */
export function codeOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}

/** SQLite's own code, also of an error that was made from one; empty without it. */
export function sqliteCodeOf(thrown: unknown): string {
  if (!(thrown instanceof AdapterError)) return codeOf(thrown);
  const { sqlite_code: code } = isObject(thrown.data) ? thrown.data : {};
  return typeof code === "string" ? code : "";
}
