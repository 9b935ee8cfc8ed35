/**
 * Entry of the child process that serves one database file. It answers requests in order until the channel closes. SQLite blocks the
 * thread, so a second thread watches whether the parent still lives and how much memory is taken: an abandoned query must not continue.
 */
import { Worker } from "node:worker_threads";
import type { AdapterError } from "../../vm/errors/failures.ts";
import { helperPath } from "../engine/helpers.ts";
import { SqliteConnection } from "../engine/sqlite/connection.ts";
import { databaseError } from "../engine/sqlite/errors.ts";
import type { FromHelper, HelperAnswer, HelperFailure, HelperRequest, ToHelper } from "../engine/sqlite/messages.ts";
import { PROGRAMS } from "./sqlite-programs.ts";

/** SQLite's own memory and that of its rows here. A value has up to 512 MiB, and an answer is a fraction of that. */
const MAX_BYTES = 1024 * 1024 * 1024;

function serve(): void {
  let connection: SqliteConnection | null = null;
  process.on("message", (message: ToHelper) => {
    if ("start" in message) {
      const program = PROGRAMS.get(message.start.program);
      if (program === undefined) throw new Error(`no program ${message.start.program}`);
      connection = new SqliteConnection(message.start, program);
      new Worker(helperPath("parent-watch"), { workerData: MAX_BYTES }).unref();
      say("ready");
    } else if (connection !== null) say(answerTo(connection, message));
  });
  // A signal to the parent's group or unit is meant for the parent, which may still need its databases to finish.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => {
    connection?.close();
    process.exit(0);
  });
}

function say(message: FromHelper): void {
  // A parent that is gone closes the channel, which ends this process.
  process.send?.(message, () => {});
}

function answerTo(connection: SqliteConnection, { id, busyMs, action }: HelperRequest): HelperAnswer {
  try {
    return { id, ok: true, result: connection.perform(action, busyMs) };
  } catch (thrown) {
    return { id, ok: false, failure: failureOf(databaseError(thrown)) };
  }
}

function failureOf(error: AdapterError): HelperFailure {
  const { code, message, retryable, retryAfterMs, data, cause } = error;
  return { code, message, retryable, retryAfterMs, data, cause: cause instanceof Error ? cause.message : null };
}

serve();
