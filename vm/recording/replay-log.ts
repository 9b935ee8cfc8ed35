/**
 * Reads a replay log from outside: the record of a run, `{calls: […]}`, or a bare list of calls as the predecessor wrote it
 * (docs/replay.md, accepted logs). Everything is checked and copied here; what does not fit is a fault of the request.
 */
import { isHostCall } from "../../compiler/functions.ts";
import { isObject, type Json, type Members } from "../../compiler/json.ts";
import { OperationFailure } from "../errors/failures.ts";
import { keepText, opened } from "../inputs/exact-text.ts";
import { checkedJson } from "../values/values.ts";
import type { RecordedAnswer } from "./record.ts";
import type { RecordedError } from "./record-log.ts";

export type LoggedCall = {
  /** Name of the branch; empty outside of branches, and in logs that know none. */
  readonly branch: string;
  readonly adapter: string;
  /** Upper-case. */
  readonly verb: string;
  /** null: only their hash is known. */
  readonly args: readonly Json[] | null;
  readonly args_hash: string;
  readonly answer: RecordedAnswer;
  /** A core function of its arguments alone. */
  readonly pure: boolean;
  /** In a short form: `[""]` and `[]` are the same arguments. */
  readonly legacy: boolean;
};

export type ReplayLog = {
  readonly calls: readonly LoggedCall[];
  /** Entries may remain when the run ends. */
  readonly partial: boolean;
  readonly program_checksum: string | null;
  readonly label: string | null;
};

/** Where the log is wrong, as a pointer into it, and what is expected there. */
export class ReplayLogInvalid extends Error {
  readonly path: string;
  readonly expected: string;
  constructor(path: string, expected: string) {
    super(`replay log${path === "" ? "" : ` ${path}`}: ${expected}`);
    this.name = "ReplayLogInvalid";
    this.path = path;
    this.expected = expected;
  }
}

const MAX_CALLS = 1_000_000;
const HASH = /^(sha256:)?[0-9a-f]{64}$/;

/** Reads a log of calls in any accepted form. Throws ReplayLogInvalid. */
export function readReplayLog(given: unknown): ReplayLog {
  if (Array.isArray(given)) return { calls: readCalls(given, "", true), partial: true, ...NOTHING_KNOWN };
  if (!isObject(given)) throw new ReplayLogInvalid("", "must be a record, an object with calls, or a list of calls");
  const format = own(given, "format");
  const legacy = format === undefined;
  if (!legacy && format !== "weft-record") throw new ReplayLogInvalid("/format", 'must be "weft-record"');
  const version = own(given, "version");
  if (!legacy && version !== 1 && version !== 2) throw new ReplayLogInvalid("/version", "must be 1 or 2");
  const calls = own(given, "calls");
  if (!Array.isArray(calls)) throw new ReplayLogInvalid("/calls", "must be a list of calls");
  const partial = own(given, "partial") ?? legacy;
  if (typeof partial !== "boolean") throw new ReplayLogInvalid("/partial", "must be true or false");
  return {
    calls: readCalls(calls, "/calls", legacy),
    partial,
    program_checksum: optionalText(given, "program_checksum", ""),
    label: optionalText(given, "label", ""),
  };
}

const NOTHING_KNOWN = { program_checksum: null, label: null } as const;

function readCalls(calls: readonly unknown[], path: string, legacy: boolean): LoggedCall[] {
  if (calls.length > MAX_CALLS) throw new ReplayLogInvalid(path, `must have at most ${MAX_CALLS} calls`);
  return calls.map((call, index) => readCall(call, `${path}/${index}`, legacy));
}

function readCall(given: unknown, path: string, legacy: boolean): LoggedCall {
  if (!isObject(given)) throw new ReplayLogInvalid(path, "must be an object");
  const adapter = requiredText(given, "adapter", path).toLowerCase();
  const spelled = own(given, "verb") === undefined && legacy ? "target" : "verb";
  const verb = requiredText(given, spelled, path).toUpperCase();
  const { args, args_hash } = readArguments(given, path);
  const count = args === null || (legacy && args.length === 1 && args[0] === "") ? 0 : args.length;
  const pure = adapter === "core" && !isHostCall(verb, count);
  const answer = { ...readAnswer(given, path, legacy), ...readCharge(given, path) };
  if (answer.result_hash !== undefined && !pure) {
    throw new ReplayLogInvalid(`${path}/result_hash`, "only results of pure core calls may be hashed");
  }
  const branch = optionalText(given, "branch", path) ?? "";
  return { branch, adapter, verb, args, args_hash, answer, pure, legacy };
}

function readArguments(given: Members, path: string): Pick<LoggedCall, "args" | "args_hash"> {
  const args = own(given, "args");
  const hash = own(given, "args_hash");
  if (args === undefined && hash !== undefined) return { args: null, args_hash: readHash(hash, `${path}/args_hash`) };
  if (!Array.isArray(args)) throw new ReplayLogInvalid(`${path}/args`, "must be a list");
  const values = args.map((arg: unknown, at) => readValue(arg, `${path}/args/${at}`));
  const text = readText(given, "args", path);
  if (text !== undefined) keepText(values, text);
  return { args: opened(values), args_hash: "" };
}

/** What the run paid with the answer: models are counted where they were asked. */
function readCharge(given: Members, path: string): Pick<LoggedCall["answer"], "charged"> {
  const charged = own(given, "charged");
  if (charged === undefined) return {};
  if (!isObject(charged)) throw new ReplayLogInvalid(`${path}/charged`, "must be an object");
  const [steps, adapter_calls] = ["steps", "adapter_calls"].map((name) => {
    const count = own(charged, name);
    if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
    throw new ReplayLogInvalid(`${path}/charged/${name}`, "must be a whole number");
  }) as [number, number];
  return { charged: { job: requiredText(charged, "job", `${path}/charged`), steps, adapter_calls } };
}

function readAnswer(given: Members, path: string, legacy: boolean): LoggedCall["answer"] {
  const error = own(given, "error") ?? undefined;
  const result = own(given, "result");
  const failed = error !== undefined && result === undefined;
  const ok = own(given, "ok") ?? (legacy ? !failed : undefined);
  if (typeof ok !== "boolean") throw new ReplayLogInvalid(`${path}/ok`, "must be true or false");
  if (!ok) return { ok, error: readError(error, `${path}/error`, legacy) };
  const hash = own(given, "result_hash");
  if (result === undefined && hash !== undefined) return { ok, result_hash: readHash(hash, `${path}/result_hash`) };
  if (result === undefined && !legacy) throw new ReplayLogInvalid(`${path}/result`, "is missing");
  const value = readValue(result, `${path}/result`);
  const text = readText(given, "result", path);
  return text === undefined ? { ok, result: value } : { ok, result: value, result_text: text };
}

/** The text of the member `name`; undefined: its value says everything. */
function readText(given: Members, name: "args" | "result" | "details", path: string): string | undefined {
  const text = optionalText(given, `${name}_text`, path);
  if (text === null) return undefined;
  try {
    readValue(JSON.parse(text), path);
    return text;
  } catch {
    throw new ReplayLogInvalid(`${path}/${name}_text`, `must be the JSON text of ${name}`);
  }
}

function readError(given: unknown, path: string, legacy: boolean): RecordedError {
  if (legacy && typeof given === "string") return plainError(given);
  if (!isObject(given)) throw new ReplayLogInvalid(path, "must be an object");
  const message = requiredText(given, "message", path);
  const code = optionalText(given, "code", path);
  if (code !== null && code !== "RUNTIME_OP_ERROR" && code !== "RUNTIME_ADAPTER_ERROR") {
    throw new ReplayLogInvalid(`${path}/code`, "must be RUNTIME_OP_ERROR or RUNTIME_ADAPTER_ERROR");
  }
  const retryable = own(given, "retryable") ?? true;
  if (typeof retryable !== "boolean") throw new ReplayLogInvalid(`${path}/retryable`, "must be true or false");
  if (code === "RUNTIME_OP_ERROR") {
    const cause_type = optionalText(given, "cause_type", path) ?? "value_error";
    return { code, message, cause_type, retryable, retry_after_ms: null, details: null };
  }
  const adapter_code = optionalText(given, "adapter_code", path);
  if (adapter_code === null && !legacy) throw new ReplayLogInvalid(`${path}/adapter_code`, "is missing");
  const wait = own(given, "retry_after_ms") ?? null;
  if (wait !== null && !(typeof wait === "number" && Number.isFinite(wait))) {
    throw new ReplayLogInvalid(`${path}/retry_after_ms`, "must be a number of milliseconds or null");
  }
  const text = readText(given, "details", path);
  return {
    ...plainError(message),
    ...(adapter_code === null ? {} : { adapter_code }),
    retryable,
    retry_after_ms: wait,
    details: readValue(own(given, "details") ?? null, `${path}/details`),
    ...(text === undefined ? {} : { details_text: text }),
    ...(own(given, "details_truncated") === true ? { details_truncated: true } : {}),
  };
}

function plainError(message: string): RecordedError {
  return { message, adapter_code: "ADAPTER_FAILED", retryable: true, retry_after_ms: null, details: null };
}

function readHash(given: unknown, path: string): string {
  if (typeof given !== "string" || !HASH.test(given)) throw new ReplayLogInvalid(path, "must be a SHA-256 in hex");
  return given.startsWith("sha256:") ? given : `sha256:${given}`;
}

function readValue(given: unknown, path: string): Json {
  try {
    return checkedJson(given);
  } catch (failure) {
    if (failure instanceof OperationFailure) throw new ReplayLogInvalid(path, failure.message);
    throw failure;
  }
}

function requiredText(given: Members, name: string, path: string): string {
  const text = own(given, name);
  if (typeof text !== "string") throw new ReplayLogInvalid(`${path}/${name}`, "must be a text");
  return text;
}

function optionalText(given: Members, name: string, path: string): string | null {
  const text = own(given, name) ?? null;
  if (text !== null && typeof text !== "string") throw new ReplayLogInvalid(`${path}/${name}`, "must be a text");
  return text;
}

function own(given: Members, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}
