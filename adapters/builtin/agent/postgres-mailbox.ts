/**
 * A mailbox in the database that all replicas share: tasks are rows of `weft.agent_tasks`, in order of their ids;
 * results are rows of `weft.agent_results`, which the other side puts there. What was sent under which key is
 * remembered apart from the tasks, so agents may delete tasks.
 */
import { adapterError } from "../../errors.ts";
import type { DatabaseCall, SharedDatabase } from "../../store/postgres/database.ts";
import { keyedTransaction } from "../../store/postgres/ledger.ts";
import { sql, text, whole } from "../../store/postgres/sql.ts";
import type { Mailbox, MailCall, Task } from "./mailbox.ts";

/** The longest that a call of the adapter may take; its signal ends it earlier. */
const CALL_MS = 15_000;

export class PostgresMailbox implements Mailbox {
  readonly #database: SharedDatabase;

  constructor(database: SharedDatabase) {
    this.#database = database;
  }

  send({ id, line, key }: Task, { signal }: Pick<MailCall, "signal">): Promise<string> {
    // The same key means the same task, whatever the envelope says.
    const keyed = { scope: "agent.send_task", key, argsHash: "" };
    return keyedTransaction(this.#database, { keyed, locks: [] }, databaseCall(signal), async (tx) => {
      await tx.query(sql`INSERT INTO weft.agent_tasks(task_id, envelope) VALUES (${id}, ${line})`);
      return id;
    });
  }

  async result(taskId: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const { rows } = await this.#database.query(
      sql`SELECT octet_length(body), CASE WHEN octet_length(body) <= ${maxBytes} THEN body END
        FROM weft.agent_results WHERE task_id = ${taskId}`,
      databaseCall(signal),
    );
    const [row] = rows;
    if (row === undefined) {
      throw adapterError("ADAPTER_NOT_FOUND", "the task has no result yet", { retryable: true });
    }
    if (whole(row[0]) > maxBytes) {
      const message = `the result is larger than ${maxBytes} bytes (agent.max_result_bytes)`;
      throw adapterError("ADAPTER_TOO_LARGE", message, { data: { max_bytes: maxBytes } });
    }
    return Buffer.from(text(row[1]));
  }
}

function databaseCall(signal: AbortSignal): DatabaseCall {
  const endsAt = performance.now() + CALL_MS;
  return { signal, remainingMs: () => Math.max(0, endsAt - performance.now()) };
}
