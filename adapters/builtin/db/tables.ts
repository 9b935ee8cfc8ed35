/**
 * Entities in the operator's own tables. Creations are entered in the ledger before they are made, because such tables have no place for
 * idempotency keys; where the answer of one was lost, the database is asked what became of it.
 */
import { type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { exactFloat } from "../../../vm/inputs/exact-text.ts";
import type { RequestLimits } from "../../engine/sqlite/sqlite.ts";
import { adapterError } from "../../errors.ts";
import { limitsOf } from "../../store/call.ts";
import type { KeyedCall, Ledger } from "../../store/ledger.ts";
import { fromColumn } from "./dialects.ts";
import { type EntityStore, keyedCreation, type Removal, type StoreCall, type Update } from "./documents/store.ts";
import { type Change, type Changed, LostAnswer, type SqlExecutor } from "./executor.ts";
import type { Queries, Row, Selection } from "./queries.ts";
import { columnType, type Entity } from "./settings.ts";

const CLEAN_UP_MS = 1_000;

export class TableStore implements EntityStore {
  readonly transactions: SqlExecutor;
  readonly #queries: Queries;
  readonly #ledger: Ledger;
  /** By idempotency key: what creations of this run did, or may have done, whose end the ledger does not know. */
  readonly #unsettled = new Map<string, (limits: RequestLimits) => Promise<Changed | null>>();

  constructor(queries: Queries, executor: SqlExecutor, ledger: Ledger) {
    this.#queries = queries;
    this.transactions = executor;
    this.#ledger = ledger;
  }

  async find(entity: Entity, selection: Selection, call: StoreCall): Promise<readonly JsonObject[]> {
    const columns = selection.columns.length === 0 ? columnsOf(entity) : selection.columns;
    const statement = this.#queries.select(entity, { ...selection, columns });
    const rows = await this.transactions.select(statement, limitsOf(call));
    return rows.map((row) => this.#object(entity, columns, { rows: [row] }));
  }

  async create(entity: Entity, row: Row, call: StoreCall): Promise<JsonObject> {
    const columns = columnsOf(entity);
    const change: Change = { statement: this.#queries.insert(entity, row, columns), before: null, expected: 1 };
    // What a transaction made goes with it, and so would its entry have to.
    if (this.transactions.inTransaction) {
      return this.#object(entity, columns, await this.transactions.change(change, limitsOf(call)));
    }
    const keyed = keyedCreation(entity, row, call);
    const known = await this.#ledger.begin(keyed, call);
    if (known.state === "done") return known.result as JsonObject;
    const earlier = known.state === "started" ? await this.#recovered(keyed, call) : null;
    const done = earlier ?? (await this.#tracked(keyed, change, call));
    const created = this.#object(entity, columns, done);
    await this.#ledger.complete(keyed, created, call);
    this.#unsettled.delete(keyed.key);
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

  async ping(limits: RequestLimits): Promise<void> {
    await this.transactions.select({ sql: "SELECT 1", parameters: [] }, limits);
  }

  /** What an earlier attempt did; null: nothing. */
  async #recovered(keyed: KeyedCall, call: StoreCall): Promise<Changed | null> {
    const ask = this.#unsettled.get(keyed.key);
    if (ask !== undefined) return ask(limitsOf(call));
    const data = { outcome: "unknown" };
    throw adapterError("ADAPTER_CONFLICT", "whether an earlier attempt created the object is unknown", { data });
  }

  /** Makes the change; one that failed without effect may be tried again. */
  async #tracked(keyed: KeyedCall, change: Change, call: StoreCall): Promise<Changed> {
    try {
      const done = await this.transactions.change(change, limitsOf(call));
      this.#unsettled.set(keyed.key, async () => done);
      return done;
    } catch (thrown) {
      const ask = thrown instanceof LostAnswer ? thrown.ask : async () => null;
      if (ask !== null) this.#unsettled.set(keyed.key, ask);
      // A failure here does not matter for this run, which knows the outcome; another run may see it as unknown.
      if (!(thrown instanceof LostAnswer)) await this.#ledger.abandon(keyed, afterwards(call)).catch(() => {});
      throw thrown;
    }
  }

  #object(entity: Entity, columns: readonly string[], { rows: [row = []] }: Pick<Changed, "rows">): JsonObject {
    const object: { [key: string]: Json } = {};
    columns.forEach((column, i) => {
      const type = columnType(entity, column, "");
      const value = fromColumn(this.#queries.dialect, column, type, row[i]);
      setMember(object, column, type === "number" && typeof value === "number" ? exactFloat(value) : value);
    });
    return object;
  }
}

/** `call` for what has to be written down although its time may be over. */
function afterwards(call: StoreCall): StoreCall {
  const { log, idempotencyKey } = call;
  const signal = new AbortController().signal;
  return { now: () => call.now(), remainingMs: () => CLEAN_UP_MS, signal, log, idempotencyKey };
}

/** Tables always declare theirs. */
function columnsOf({ columns }: Entity): readonly string[] {
  return [...(columns?.keys() ?? [])];
}
