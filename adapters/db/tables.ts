/**
 * Entities in the operator's own tables. Creations are entered in the ledger before they are made, because such tables have no place for
 * idempotency keys; where the answer of one was lost, the database is asked what became of it.
 */
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors.ts";
import type { RequestLimits } from "../engine/sqlite.ts";
import { adapterError } from "../errors.ts";
import { limitsOf } from "../store/call.ts";
import type { KeyedCall, Ledger } from "../store/ledger.ts";
import { fromColumn } from "./dialects.ts";
import { LostCommit, type SqlExecutor } from "./executor.ts";
import type { Queries, Row, Selection } from "./queries.ts";
import { columnType, type Entity } from "./settings.ts";
import { type EntityStore, keyedCreation, type Removal, type StoreCall, type Update } from "./store.ts";

/** The object that a creation whose answer was lost made; null: it made none. */
type Inquiry = (limits: RequestLimits) => Promise<JsonObject | null>;

export class TableStore implements EntityStore {
  readonly transactions: SqlExecutor;
  readonly #queries: Queries;
  readonly #ledger: Ledger;
  /** By idempotency key: creations of this run that the database can still be asked about. */
  readonly #inquiries = new Map<string, Inquiry>();

  constructor(queries: Queries, executor: SqlExecutor, ledger: Ledger) {
    this.#queries = queries;
    this.transactions = executor;
    this.#ledger = ledger;
  }

  async find(entity: Entity, selection: Selection, call: StoreCall): Promise<readonly JsonObject[]> {
    const columns = selection.columns.length === 0 ? [...(entity.columns?.keys() ?? [])] : selection.columns;
    const statement = this.#queries.select(entity, { ...selection, columns });
    const rows = await this.transactions.select(statement, limitsOf(call));
    return rows.map((row) => this.#object(entity, columns, row));
  }

  async create(entity: Entity, row: Row, call: StoreCall): Promise<JsonObject> {
    // What a transaction made goes with it, and so would its entry have to.
    if (this.transactions.inTransaction) return this.#insert(entity, row, call);
    const keyed = keyedCreation(entity, row, call);
    const earlier = await this.#earlier(keyed, call);
    const created = earlier ?? (await this.#tracked(keyed, entity, row, call));
    if (earlier === null) await this.#ledger.complete(keyed, created, call);
    return created;
  }

  async update(entity: Entity, { row, where, expected, detail }: Update, call: StoreCall) {
    const statement = this.#queries.update(entity, row, where);
    const before = detail ? this.#queries.differing(entity, row, where) : null;
    const done = await this.transactions.change({ statement, before, expected }, limitsOf(call));
    return { matched: done.affected, changed: done.before };
  }

  async remove(entity: Entity, { where, expected }: Removal, call: StoreCall): Promise<number> {
    const statement = this.#queries.remove(entity, where);
    return (await this.transactions.change({ statement, before: null, expected }, limitsOf(call))).affected;
  }

  async #insert(entity: Entity, row: Row, call: StoreCall): Promise<JsonObject> {
    const columns = [...(entity.columns?.keys() ?? [])];
    const statement = this.#queries.insert(entity, row, columns);
    try {
      const { rows } = await this.transactions.change({ statement, before: null, expected: 1 }, limitsOf(call));
      return this.#object(entity, columns, rows[0] ?? []);
    } catch (thrown) {
      if (thrown instanceof LostCommit) {
        const created = this.#object(entity, columns, thrown.changed.rows[0] ?? []);
        this.#inquiries.set(call.idempotencyKey, async (later) =>
          (await thrown.wasCommitted(later)) ? created : null,
        );
      }
      throw thrown;
    }
  }

  /** What an earlier creation with the key made; null: nothing was, and this one may begin. */
  async #earlier(keyed: KeyedCall, call: StoreCall): Promise<JsonObject | null> {
    const known = await this.#ledger.begin(keyed, call);
    if (known.state === "done") return known.result as JsonObject;
    if (known.state === "new") return null;
    const inquiry = this.#inquiries.get(keyed.key);
    if (inquiry !== undefined) return inquiry(limitsOf(call));
    const data = { outcome: "unknown" };
    throw adapterError("ADAPTER_CONFLICT", "whether an earlier attempt created the object is unknown", { data });
  }

  /** Creates; a failure that had no effect leaves no entry behind. */
  async #tracked(keyed: KeyedCall, entity: Entity, row: Row, call: StoreCall): Promise<JsonObject> {
    try {
      return await this.#insert(entity, row, call);
    } catch (thrown) {
      if (this.transactions.isDefinite(thrown)) await this.#ledger.abandon(keyed, call);
      throw thrown;
    }
  }

  #object(entity: Entity, columns: readonly string[], row: readonly Json[]): JsonObject {
    const object: { [key: string]: Json } = {};
    columns.forEach((column, i) => {
      const type = columnType(entity, column, "");
      setMember(object, column, fromColumn(this.#queries.dialect, column, type, row[i]));
    });
    return object;
  }
}
