/** The database of one run: its statements under the rules of the settings, and its transaction. */
import type { Json } from "../../../compiler/json.ts";
import { keepText } from "../../../vm/inputs/exact-text.ts";
import { failureOfWrite } from "../../engine/sqlite/request-queue.ts";
import type { SqliteDatabase, TransactionMode } from "../../engine/sqlite/sqlite.ts";
import type { OnBehalf, Transactional } from "../../engine/sqlite/transactional.ts";
import type { BatchInput, ExecuteResult, QueryInput, ReadRows, SqlLimits, SqlStatement } from "./program.ts";

export class SqliteInstance implements Transactional {
  readonly #db: SqliteDatabase;
  readonly #limits: SqlLimits;

  constructor(db: SqliteDatabase, limits: SqlLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  get open(): boolean {
    return this.#db.inTransaction;
  }

  async query(statement: SqlStatement, maxRows: number, ctx: OnBehalf): Promise<Json> {
    const max_rows = Math.min(maxRows, this.#limits.max_rows);
    const input: QueryInput = { ...this.#limits, ...statement, max_rows };
    const { rows, text } = (await this.#db.call("query", input, limitsOf(ctx))) as ReadRows;
    if (text !== undefined) keepText(rows, text);
    return rows;
  }

  async execute(statement: SqlStatement, ctx: OnBehalf): Promise<Json> {
    const input: QueryInput = { ...this.#limits, ...statement };
    return shown((await this.#write("execute", input, ctx)) as ExecuteResult);
  }

  async batch(statements: readonly SqlStatement[], ctx: OnBehalf): Promise<Json> {
    const input: BatchInput = { ...this.#limits, statements };
    return ((await this.#write("batch", input, ctx)) as readonly ExecuteResult[]).map(shown);
  }

  async #write(operation: "execute" | "batch", input: QueryInput | BatchInput, ctx: OnBehalf): Promise<Json> {
    const { inTransaction } = this.#db;
    try {
      return await this.#db.call(operation, input, limitsOf(ctx));
    } catch (thrown) {
      throw inTransaction ? thrown : failureOfWrite(thrown);
    }
  }

  begin(mode: TransactionMode, timeoutMs: number, ctx: OnBehalf): Promise<void> {
    return this.#db.begin(mode, { ...limitsOf(ctx), lifetimeMs: timeoutMs });
  }
  commit(ctx: OnBehalf): Promise<void> {
    return this.#db.commit(limitsOf(ctx));
  }
  rollback(): Promise<void> {
    return this.#db.rollback();
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

function shown({ text, ...result }: ExecuteResult): Json {
  if (text !== undefined) keepText(result.rows, text);
  return result;
}

function limitsOf(ctx: OnBehalf) {
  return { timeoutMs: ctx.remainingMs(), signal: ctx.signal, extend: (ms: number) => ctx.extend?.(ms) };
}
