/**
 * The mailbox in the database that replicas share (docs/postgres.md), from the side of agents: the tasks that were sent, and the place
 * where results are put. Tables and their rules are those of the agent adapter.
 */
import { createPostgresService } from "../../adapters/engine/postgres/postgres.ts";
import { type DatabaseCall, openSharedDatabase } from "../../adapters/store/postgres/database.ts";
import { flag, sql, text, whole } from "../../adapters/store/postgres/sql.ts";

type SentTask = { readonly envelope: string; readonly hasResult: boolean };

export type SharedMailbox = {
  /** Every task, oldest first. */
  tasks(): AsyncGenerator<SentTask, void>;
  /** In the place of an older result. */
  putResult(taskId: string, body: string): Promise<void>;
};

const CALL_MS = 15_000;
const PAGE = 500;

/** Rejects with AdapterError when the database cannot be used. */
export async function withSharedMailbox<T>(url: string, use: (mailbox: SharedMailbox) => Promise<T>): Promise<T> {
  const connections = createPostgresService();
  const database = openSharedDatabase(() => connections, url);
  try {
    return await use({
      async *tasks() {
        for (let last = 0; ; ) {
          const { rows } = await database.query(
            sql`SELECT id, envelope::text, EXISTS (SELECT 1 FROM weft.agent_results AS r WHERE r.task_id = t.task_id)
              FROM weft.agent_tasks AS t WHERE id > ${last}::bigint ORDER BY id LIMIT ${PAGE}`,
            call(),
          );
          for (const [id, envelope, hasResult] of rows) {
            last = whole(id);
            yield { envelope: text(envelope), hasResult: flag(hasResult) };
          }
          if (rows.length < PAGE) return;
        }
      },
      async putResult(taskId, body) {
        await database.query(
          sql`INSERT INTO weft.agent_results(task_id, body) VALUES (${taskId}, ${body})
            ON CONFLICT (task_id) DO UPDATE SET body = excluded.body, at = clock_timestamp()`,
          call(),
        );
      },
    });
  } finally {
    await connections.close();
  }
}

function call(): DatabaseCall {
  const endsAt = performance.now() + CALL_MS;
  return { signal: new AbortController().signal, remainingMs: () => Math.max(0, endsAt - performance.now()) };
}
