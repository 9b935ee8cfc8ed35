/** AdapterError: what a failed call of an adapter is to a program (python-effects.md K-16). */
import type { Json } from "../../compiler/json.ts";
import type { FailureCause } from "../errors/failures.ts";
import { entered } from "./borders.ts";
import {
  ADAPTER_ERROR,
  CONNECTION_ERROR,
  FILE_EXISTS_ERROR,
  FILE_NOT_FOUND_ERROR,
  PERMISSION_ERROR,
  PyException,
  TIMEOUT_ERROR,
} from "./exceptions.ts";
import { PyTuple } from "./kinds/list.ts";
import { type Context, PyType, type Value } from "./object.ts";

/** What an error is besides, so that `except TimeoutError` catches it. */
function also(base: PyType): PyType {
  return new PyType(ADAPTER_ERROR.name, [ADAPTER_ERROR, ...ADAPTER_ERROR.bases, base, ...base.bases]);
}

const TIMEOUT = also(TIMEOUT_ERROR);
const CONNECTION = also(CONNECTION_ERROR);
const PERMISSION = also(PERMISSION_ERROR);
const MISSING = also(FILE_NOT_FOUND_ERROR);
const EXISTING = also(FILE_EXISTS_ERROR);

const BY_CODE: ReadonlyMap<Value, PyType> = new Map([
  ["ADAPTER_TIMEOUT", TIMEOUT],
  ["ADAPTER_TRANSPORT", CONNECTION],
  ["ADAPTER_CONNECTION_REFUSED", CONNECTION],
  ["ADAPTER_NOT_ALLOWED", PERMISSION],
  ["ADAPTER_WRITE_FORBIDDEN", PERMISSION],
  ["ADAPTER_DELETE_FORBIDDEN", PERMISSION],
  ["ADAPTER_PATH_ESCAPE", PERMISSION],
  ["ADAPTER_HOST_BLOCKED", PERMISSION],
  ["ADAPTER_ADDRESS_BLOCKED", PERMISSION],
  ["ADAPTER_EXTENSION_BLOCKED", PERMISSION],
]);
/** Codes that speak of files only where fs said them. */
const OF_FILES: ReadonlyMap<Value, PyType> = new Map([
  ["ADAPTER_NOT_FOUND", MISSING],
  ["ADAPTER_CONFLICT", EXISTING],
]);

/** What was called. A failure that an adapter did not report itself does not say it. */
type Asked = { readonly adapter: Json; readonly verb: Json };

/** null: the failure is not one of an adapter, and passes every handler. Where the adapter gave no code, the exception has that of the failure. */
export function adapterError(failure: FailureCause, asked?: Asked): PyException | null {
  const { code, message, data } = failure;
  if (code !== "RUNTIME_ADAPTER_ERROR" && code !== "RUNTIME_OP_ERROR") return null;
  const exception = errorWith(message, data["details"] ?? null, {
    code: data["adapter_code"] ?? code,
    adapter: data["adapter"] ?? asked?.adapter ?? null,
    verb: data["verb"] ?? asked?.verb ?? null,
    retryable: data["retryable"] === true,
    retry_after_ms: data["retry_after_ms"] ?? null,
  });
  exception.failure = failure;
  return exception;
}

type Facts = { readonly [name in "code" | "adapter" | "verb" | "retryable" | "retry_after_ms"]: Json };

/** A failure that a library function found in an answer. Where nothing catches it, a run fails as if the adapter had reported it. */
export function foundError(message: string, details: Json, { code, ...facts }: Facts): PyException {
  const data = { cause_type: "adapter", ...facts, adapter_code: code, details };
  const exception = errorWith(message, details, { code, ...facts });
  exception.failure = { code: "RUNTIME_ADAPTER_ERROR", message, data };
  return exception;
}

/** `status` is in the details of an answer of http; None where the adapter said nothing. */
function errorWith(message: string, details: Json, facts: Facts): PyException {
  const { code, adapter } = facts;
  const members = new Map<string, Value>(
    Object.entries(facts).map(([name, value]) => [name, typeof value === "object" ? null : value]),
  );
  members.set("message", message);
  members.set("details", details === null ? null : entered(details, NO_RUN, "record"));
  members.set("status", statusOf(details));
  const type =
    BY_CODE.get(code as Value) ?? (adapter === "fs" ? OF_FILES.get(code as Value) : undefined) ?? ADAPTER_ERROR;
  return new PyException(type, new PyTuple([message]), false, members);
}

function statusOf(details: Json): Value {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return null;
  const { status } = details as { readonly [name: string]: Json };
  return typeof status === "number" ? status : null;
}

/** Details are small, and counted with the failure. */
const NO_RUN: Context = { charge() {}, alloc() {}, room() {}, open: new Set() };
