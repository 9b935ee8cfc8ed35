/** Tables in a SQLite file: statements go to the helper process of the file, which runs `tables-program.ts`. */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { EndedForMemory, failureOfWrite } from "../../engine/sqlite/request-queue.ts";
import type { RequestLimits, SqliteDatabase, TransactionLimits, TransactionMode } from "../../engine/sqlite/sqlite.ts";
import { type Change, type Changed, LostAnswer, type Rows, type SqlExecutor } from "./executor.ts";
import type { Statement } from "./queries.ts";

const UNHEARD: ReadonlySet<string> = new Set(["ADAPTER_TIMEOUT", "ADAPTER_TRANSPORT", "ADAPTER_CANCELLED"]);

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
    const { inTransaction } = this.#database;
    try {
      const answer: Json = await this.#database.call("change", change, limits);
      return answer as Changed;
    } catch (cause) {
      const thrown = inTransaction ? cause : failureOfWrite(cause);
      // The process that wrote was ended, maybe after it had finished.
      const unheard = thrown instanceof AdapterError && (thrown instanceof EndedForMemory || UNHEARD.has(thrown.code));
      throw unheard ? new LostAnswer(thrown, null) : thrown;
    }
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
