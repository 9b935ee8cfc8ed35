/**
 * Logs of calls as files: reading one for a replay, and the document that a recorded run leaves. A log knows more than the machine
 * needs: label and frame of the run, so that it can be repeated without flags.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import type { RecordLog } from "../../vm/recording/record-log.ts";
import { ReplayLogInvalid, readReplayLog } from "../../vm/recording/replay-log.ts";
import { checkedJson } from "../../vm/values/values.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import { readText, readTextFile } from "./input.ts";

const MAX_LOG_BYTES = 256 * 1024 * 1024;

export type LogFile = {
  readonly name: string;
  /** As it was parsed, for the host. */
  readonly log: unknown;
  readonly label: string | null;
  readonly frame: JsonObject;
  /** Of the recorded run; null: the log does not say. A run that continues it has the same call ids, and so the same keys of writes. */
  readonly traceId: string | null;
  /** Names of the adapters that its calls were made of. */
  readonly adapters: readonly string[];
  /** The recorded run failed, was cut off, or says nothing of it. */
  readonly incomplete: boolean;
  /** Path of the program, relative to the log. */
  readonly program: string | null;
};

/** The log in a file, or on standard input for `-`. */
export async function readLog(io: CliIo, cwd: string, file: string): Promise<LogFile> {
  if (file !== "-") return readLogFile(cwd, file);
  return logOf("<stdin>", await readText(io, cwd, file, MAX_LOG_BYTES));
}

export function readLogFile(cwd: string, file: string): LogFile {
  return logOf(file, readTextFile(cwd, file, MAX_LOG_BYTES));
}

function logOf(file: string, text: string): LogFile {
  const log = parsed(file, text);
  try {
    const { label, calls } = readReplayLog(log);
    const adapters = [...new Set(calls.map(({ adapter }) => adapter))];
    const members = membersOf(log);
    const program = members["program"] ?? null;
    if (program !== null && typeof program !== "string") throw new ReplayLogInvalid("/program", "must be a text");
    const incomplete = members["complete"] !== true;
    return {
      name: file,
      log,
      label,
      frame: frameOf(members),
      traceId: traceIdOf(members),
      adapters,
      incomplete,
      program,
    };
  } catch (cause) {
    if (cause instanceof ReplayLogInvalid) throw invalidLog(file, cause.path, cause.expected);
    throw cause;
  }
}

/** What a recorded run leaves: the log, marked as sensitive, with the frame it began with; of a run that can be continued, its trace id. */
export function recordDocument(record: RecordLog, { traceId, frame }: { traceId: string | null; frame: JsonObject }) {
  const { calls, ...head } = record;
  const given = Object.keys(frame).length === 0 ? {} : { frame };
  return {
    ...head,
    sensitive: true,
    ...(traceId === null || record.complete ? {} : { trace_id: traceId }),
    ...given,
    calls,
  };
}

/** Older logs have none, and other tools may mean something else by the name. */
function traceIdOf({ trace_id: id }: Readonly<Record<string, unknown>>): string | null {
  return typeof id === "string" && /^[\w.:-]{1,128}$/.test(id) ? id : null;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw invalidLog(file, "", "must be JSON");
  }
}

function membersOf(log: unknown): Readonly<Record<string, unknown>> {
  return typeof log === "object" && log !== null && !Array.isArray(log) ? { ...log } : {};
}

function frameOf(members: Readonly<Record<string, unknown>>): JsonObject {
  if (members["frame"] === undefined) return {};
  const frame = frameValue(members["frame"]);
  if (!isObject(frame)) throw new ReplayLogInvalid("/frame", "must be an object");
  return frame;
}

function frameValue(given: unknown): Json {
  try {
    return checkedJson(given);
  } catch (failure) {
    if (failure instanceof OperationFailure) throw new ReplayLogInvalid("/frame", failure.message);
    throw failure;
  }
}

function invalidLog(file: string, path: string, expected: string): CliFault {
  return new CliFault(`${file} is not a replay log: ${path === "" ? "it" : path} ${expected}`, {
    error: "replay_log_invalid",
    exitCode: EXIT.usage,
    members: { issues: [{ path, code: "replay_log_invalid", message: expected }] },
  });
}
