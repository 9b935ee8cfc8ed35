/** Tables in a SQLite file: statements go to the helper process of the file, which runs `tables-program.ts`. */
import type { JsonObject } from "../../compiler/json.ts";
import type { RequestLimits, SqliteDatabase, TransactionLimits, TransactionMode } from "../engine/sqlite.ts";
import type { Change, Changed, Rows, SqlExecutor } from "./executor.ts";
import type { Statement } from "./queries.ts";

export class SqliteExecutor implements SqlExecutor {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  async select(statement: Statement, limits: RequestLimits): Promise<Rows> {
    return (await this.#database.call("select", statement, limits)) as Rows;
  }

  async change(change: Change, limits: RequestLimits): Promise<Changed> {
    const answer = (await this.#database.call("change", change, limits)) as JsonObject;
    return answer as Changed;
  }

  begin(mode: TransactionMode, limits: TransactionLimits): Promise<void> {
    return this.#database.begin(mode, limits);
  }
  commit(limits: RequestLimits): Promise<void> {
    return this.#database.commit(limits);
  }
  rollback(): Promise<void> {
    return this.#database.rollback();
  }
  close(): Promise<void> {
    return this.#database.close();
  }
}
