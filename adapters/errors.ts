/**
 * Every ADAPTER_ code: whether trying again may help, title, and what to do. The one table for what adapters throw, `wf
 * explain` and the documentation; a test fails for a code that is thrown and not listed, or listed and never thrown. Messages
 * say what went wrong without argument values, paths, SQL text or secrets.
 */
import type { Json } from "../compiler/json.ts";
import { AdapterError, type AdapterErrorOptions } from "../vm/errors/failures.ts";

export type AdapterCodeEntry = {
  /** What holds when the adapter does not say otherwise. */
  readonly retryable: boolean;
  readonly title: string;
  readonly fix: string;
};

function never(title: string, fix: string): AdapterCodeEntry {
  return { retryable: false, title, fix };
}
function later(title: string, fix: string): AdapterCodeEntry {
  return { retryable: true, title, fix };
}

/** By code, as `ADAPTER_TIMEOUT`. */
export const ADAPTER_CODES = {
  ADAPTER_NOT_ALLOWED: never(
    "the operator's settings do not grant this",
    "ask the operator, or handle the error with Err",
  ),
  ADAPTER_NOT_CONFIGURED: never("the adapter is not enabled or lacks configuration", "enable it and give its settings"),
  ADAPTER_BAD_SETTINGS: never("the adapter's settings are not valid", "correct the setting that the message names"),
  ADAPTER_UNKNOWN_VERB: never("the adapter has no such verb", "see wf capabilities for its verbs"),
  ADAPTER_BAD_ARGS: never("the arguments do not fit the verb", "see details.issues for the place and what is expected"),
  ADAPTER_NOT_FOUND: never("the named object does not exist", "check the name, or handle the error with Err"),
  ADAPTER_CONFLICT: never("another state than expected", "read the present state and decide anew"),
  ADAPTER_TIMEOUT: later("the call took longer than it may", "raise timeout_s, or do less in one call"),
  ADAPTER_TRANSPORT: later("the connection failed", "try again; add Retry under the call"),
  ADAPTER_BUSY: later("a lock, pool or descriptor was not free in time", "try again; add Retry under the call"),
  ADAPTER_RATE_LIMITED: later("the other side asks to wait", "add Retry under the call: it waits as long as asked"),
  ADAPTER_UNAVAILABLE: later("the other side is not ready", "try again; add Retry under the call"),
  ADAPTER_CANCELLED: never("the run was cancelled", "nothing: the run ends"),
  ADAPTER_TOO_LARGE: never("one thing is larger than allowed", "ask for less, or raise the size setting"),
  ADAPTER_QUOTA: never("a count, total or disk is full", "remove something, or raise the bound"),
  ADAPTER_BAD_DATA: never("the other side's data is malformed", "repair the data at its source"),
  ADAPTER_ENCODING: never("the text is not valid in its charset", "name the encoding, or read it as base64"),
  ADAPTER_TOO_FAST: never(
    "rounds of the job follow each other too fast",
    "wait in between, for example with timer.sleep, or do more in one round",
  ),
  ADAPTER_JOB_FAILED: never(
    "the job that the run waited for did not succeed",
    "see details.status and details.message, and wf jobs why with its id",
  ),
  ADAPTER_FAILED: never("the other side failed", "see details, and the operator's log"),
  ADAPTER_DIVISION_BY_ZERO: never("a division by zero", "check the divisor first"),
  ADAPTER_NUMERIC_RANGE: never("a number outside the range", "keep the numbers smaller"),
  ADAPTER_BAD_URL: never("the address cannot be asked for", "use an absolute http or https URL without user name"),
  ADAPTER_HOST_BLOCKED: never("the host is not on the list", "use a host of allow_hosts and a port of allow_ports"),
  ADAPTER_ADDRESS_BLOCKED: never(
    "the host is not on the public internet",
    "the operator names it in the server's allow_hosts, or sets allow_private; a request cannot",
  ),
  ADAPTER_TOO_MANY_REDIRECTS: never("the server redirects too often", "raise max_redirects, or ask the final address"),
  ADAPTER_HTTP_STATUS: never("the server answered with an error", "see details.status; or list it in accept_status"),
  ADAPTER_TABLE_BLOCKED: never(
    "a table outside allow_tables, or an entity outside allow_entities",
    "use those that are allowed",
  ),
  ADAPTER_WRITE_FORBIDDEN: never("writing is not allowed", "the operator or caller must set allow_write"),
  ADAPTER_SQL_REJECTED: never(
    "the statement is of a kind that is refused",
    "use a plain query or change of one database",
  ),
  ADAPTER_SQL_ERROR: never(
    "the database refused the statement",
    "see details.sqlite_code or sqlstate; check names and syntax",
  ),
  ADAPTER_SQL_CONSTRAINT: never("a constraint of the table was violated", "see details.kind; check the values"),
  ADAPTER_PATH_ESCAPE: never("the path leads out of the root", "name a path below the root, without .."),
  ADAPTER_EXTENSION_BLOCKED: never("the file extension is not allowed", "use an extension of allow_extensions"),
  ADAPTER_DELETE_FORBIDDEN: never("deleting is not allowed", "the operator or caller must set allow_delete"),
  ADAPTER_NOT_A_FILE: never("the path is not a regular file", "name a file"),
  ADAPTER_NOT_A_DIRECTORY: never("the path is not a folder", "name a folder"),
  ADAPTER_TOOL_BLOCKED: never("the tool is not on the list", "use a tool of allow_tools"),
  ADAPTER_TOOL_UNKNOWN: never("no such tool is declared", "see R tools.list for the declared ones"),
  ADAPTER_TOOL_FAILED: never("the tool failed", "see details and the operator's log"),
  ADAPTER_MODULE_BLOCKED: never("the module is not on the list", "use a module of module_allowlist"),
  ADAPTER_WASM_MODULE: never("the module cannot be admitted", "see details.reason"),
  ADAPTER_WASM_EXPORT: never("the module exports no such function", "see R wasm.LIST for its exports"),
  ADAPTER_WASM_TRAP: never("the module stopped with a trap", "see details.kind"),
  ADAPTER_POLICY_VIOLATION: never("the facts do not meet the policy", "see the message for the unmet condition"),
} as const satisfies Readonly<Record<string, AdapterCodeEntry>>;

/** Any of the common codes; a definition may name further ones (`errors`). */
export type AdapterCode = keyof typeof ADAPTER_CODES;

export type FailureFacts = {
  /** Default: the code's. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** What a program needs to branch; shown as `details`. */
  readonly data?: Json;
  /** For the operator's log only. */
  readonly cause?: unknown;
};

/** The error to throw; `message` is a short sentence without values. */
export function adapterError(code: AdapterCode, message: string, facts: FailureFacts = {}): AdapterError {
  return new AdapterError(code, message, { retryable: ADAPTER_CODES[code].retryable, ...facts });
}

/** ADAPTER_NOT_CONFIGURED for a secret that the operator named and did not give. `what`: whose it is, as `the key of …`. */
export function secretMissing(what: string, name: string): AdapterError {
  return adapterError("ADAPTER_NOT_CONFIGURED", `${what} is missing: set the secret ${name} (WF_SECRET_${name})`);
}

/** Whether trying again may help after an error that does not say so itself: a code that is not listed leaves it to the program. */
export function retryableByCode(code: string): boolean {
  return isAdapterCode(code) ? ADAPTER_CODES[code].retryable : true;
}

/** Whether a code stands in the table. */
export function isAdapterCode(code: string): code is AdapterCode {
  return Object.hasOwn(ADAPTER_CODES, code);
}

/** `AdapterError` as authors of adapters know it: `retryable` defaults from the code. Every AdapterError is one. */
export class AuthoredError extends AdapterError {
  constructor(code: string, message: string, options: AdapterErrorOptions = {}) {
    super(code, message, { ...options, retryable: options.retryable ?? retryableByCode(code) });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof AdapterError;
  }
}

/** Of a call whose run was cancelled or is over. */
export function cancelledCall(): AdapterError {
  return adapterError("ADAPTER_CANCELLED", "the call was cancelled");
}
