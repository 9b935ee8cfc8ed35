/**
 * PostgreSQL's failures and those of its connections as codes of adapters. Messages of the server may quote values, so only its SQLSTATE and
 * the sentences that are known to have none are handed on; the whole text goes to the operator's log as `cause`.
 */
import type { JsonObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { type AdapterCode, adapterError } from "../../errors.ts";
import { postgresSentence } from "./sentences.ts";

type Row = readonly [code: AdapterCode, message: string, data?: JsonObject];

const SQL_CONSTRAINT = "ADAPTER_SQL_CONSTRAINT";
const VIOLATED = "a constraint of the table was violated";

/** By SQLSTATE; the first two characters name a class. */
const STATES: Readonly<Record<string, Row>> = {
  "08": ["ADAPTER_TRANSPORT", "the connection to the database failed"],
  "22": ["ADAPTER_SQL_ERROR", "the database refused a value"],
  "23": [SQL_CONSTRAINT, VIOLATED, { kind: "other" }],
  "23502": [SQL_CONSTRAINT, VIOLATED, { kind: "not_null" }],
  "23503": [SQL_CONSTRAINT, VIOLATED, { kind: "foreign_key" }],
  "23505": [SQL_CONSTRAINT, VIOLATED, { kind: "unique" }],
  "23514": [SQL_CONSTRAINT, VIOLATED, { kind: "check" }],
  "23P01": [SQL_CONSTRAINT, VIOLATED, { kind: "exclusion" }],
  "25006": ["ADAPTER_WRITE_FORBIDDEN", "the session may only read"],
  "25P03": ["ADAPTER_TRANSPORT", "the database ended a transaction that was idle for too long"],
  "25P04": ["ADAPTER_TIMEOUT", "the transaction took too long"],
  "28": ["ADAPTER_NOT_CONFIGURED", "the database does not accept the account"],
  "3D000": ["ADAPTER_NOT_CONFIGURED", "the database does not exist"],
  "40001": ["ADAPTER_BUSY", "another transaction changed the same rows"],
  "40P01": ["ADAPTER_BUSY", "two transactions waited for each other"],
  "42501": ["ADAPTER_NOT_ALLOWED", "the database account may not do this"],
  "53": ["ADAPTER_BUSY", "the database is short of resources"],
  "53100": ["ADAPTER_QUOTA", "the disk is full"],
  "54": ["ADAPTER_TOO_LARGE", "the statement is larger than the database allows"],
  "55P03": ["ADAPTER_BUSY", "a lock was not free in time"],
  "57014": ["ADAPTER_TIMEOUT", "the statement took too long"],
  "57": ["ADAPTER_TRANSPORT", "the database ended the connection"],
  "57P03": ["ADAPTER_UNAVAILABLE", "the database is starting or stopping"],
  XX001: ["ADAPTER_BAD_DATA", "the database is damaged"],
  XX002: ["ADAPTER_BAD_DATA", "the database is damaged"],
};
const REFUSED: Row = ["ADAPTER_SQL_ERROR", "the database refused the statement"];

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused",
  ENOENT: "refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ECONNRESET: "reset",
  EPIPE: "reset",
  ETIMEDOUT: "timeout",
};
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Whatever a connection or statement failed with. */
export function postgresError(thrown: unknown): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const code = codeOf(thrown);
  // A failure of the server says how severe it was; codes of Node can have five letters too.
  if (SQLSTATE.test(code) && typeof thrown === "object" && thrown !== null && "severity" in thrown) {
    const [adapterCode, message, data] = STATES[code] ?? STATES[code.slice(0, 2)] ?? REFUSED;
    const isOfStatement = adapterCode === "ADAPTER_SQL_ERROR" || adapterCode === SQL_CONSTRAINT;
    const sentence = isOfStatement && thrown instanceof Error ? postgresSentence(thrown.message) : null;
    const whole = sentence === null ? message : `${message}: ${sentence}`;
    return adapterError(adapterCode, whole, { data: { ...data, sqlstate: code }, cause: thrown });
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return adapterError("ADAPTER_BUSY", "too many files are open", { cause: thrown });
  }
  const reason = REASONS[code] ?? (isTlsCode(code) ? "tls" : "closed");
  return adapterError("ADAPTER_TRANSPORT", "the connection to the database failed", {
    data: { reason },
    cause: thrown,
  });
}

function codeOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
  return typeof thrown.code === "string" ? thrown.code : "";
}

/** Codes of OpenSSL and of Node's check of certificates. */
function isTlsCode(code: string): boolean {
  return /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}
