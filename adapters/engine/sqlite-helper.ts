/**
 * Entry of the child process that serves one database file. It answers requests in order until the channel closes. SQLite blocks the
 * thread, so a second thread watches whether the parent still lives and how much memory is taken: a query nobody waits for must not run on.
 */
import { Worker } from "node:worker_threads";
import type { AdapterError } from "../../vm/errors.ts";
import { helperPath } from "./helpers.ts";
import { PROGRAMS } from "./operations.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { databaseError } from "./sqlite-errors.ts";
import type { FromHelper, HelperAnswer, HelperFailure, HelperRequest, ToHelper } from "./sqlite-messages.ts";

/** SQLite's own memory and that of its rows here. A value has up to 512 MiB, and an answer is a fraction of that. */
const MOST_BYTES = 1024 * 1024 * 1024;

function serve(): void {
  let connection: SqliteConnection | null = null;
  process.on("message", (message: ToHelper) => {
    if ("start" in message) {
      const program = PROGRAMS.get(message.start.program);
      if (program === undefined) throw new Error(`no program ${message.start.program}`);
      connection = new SqliteConnection(message.start, program);
      new Worker(helperPath("parent-watch"), { workerData: MOST_BYTES }).unref();
      say("ready");
    } else if (connection !== null) say(answerTo(connection, message));
  });
  // Whoever stops the parent's group or unit means the parent, which may still need its databases to finish.
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
