/** Memory records over the SQLite service. A file of an earlier layout is brought to the present one before the first call. */
import type { SqliteDatabase } from "../../engine/sqlite/sqlite.ts";
import type { StoreCall } from "../call.ts";
import type {
  Appended,
  AppendRequest,
  GetRequest,
  ListRequest,
  PatchRequest,
  PutRequest,
  RecordKey,
  RecordPage,
  RecordStore,
  StoredRecord,
  Written,
} from "../record.ts";
import { takeTexts, textsOf } from "../stored-json.ts";
import type { memoryOperations } from "./memory-program.ts";
import { type CallsOf, callsOf } from "./program.ts";

export class SqliteRecordStore implements RecordStore {
  readonly #direct: CallsOf<typeof memoryOperations>;
  #prepared = false;

  constructor(database: SqliteDatabase) {
    this.#direct = callsOf(database);
  }

  readonly #calls: CallsOf<typeof memoryOperations> = async (operation, input, call) => {
    if (!this.#prepared) {
      await this.#direct("prepare", null, call);
      this.#prepared = true;
    }
    return this.#direct(operation, input, call);
  };

  put(request: PutRequest, call: StoreCall): Promise<Written> {
    return this.#calls("put", { ...request, texts: textsOf(request), now: call.now() }, call);
  }

  async get(request: GetRequest, call: StoreCall): Promise<StoredRecord | null> {
    const found = await this.#calls(request.touch ? "touch" : "get", { ...request, now: call.now() }, call);
    if (found === null) return null;
    const { texts, ...record } = found;
    takeTexts(record, texts);
    return record;
  }

  append({ once, ...request }: AppendRequest, call: StoreCall): Promise<Appended> {
    const now = call.now();
    const keyed = { ...once, scope: "memory.append", now };
    // JSON has no undefined, so the members to keep are listed separately.
    const more = { texts: textsOf(request), keepTtl: request.ttlSeconds === undefined };
    return this.#calls("append", { ...request, ...more, once: keyed, now }, call);
  }

  patch(request: PatchRequest, call: StoreCall): Promise<Written | null> {
    return this.#calls("patch", { ...request, texts: textsOf(request), now: call.now() }, call);
  }

  list(request: ListRequest, call: StoreCall): Promise<RecordPage> {
    return this.#calls("list", { ...request, now: call.now() }, call);
  }

  delete(key: RecordKey, call: StoreCall): Promise<boolean> {
    return this.#calls("delete", { ...key, now: call.now() }, call);
  }

  /** Batch by batch, so that other callers get their turn and no batch takes long. */
  async prune(namespaces: readonly string[] | null, call: StoreCall): Promise<number> {
    const now = call.now();
    let pruned = 0;
    for (;;) {
      const batch = await this.#calls("prune", { namespaces, now }, call);
      if (batch === 0) return pruned;
      pruned += batch;
    }
  }

  count(request: { readonly namespace: string; readonly kind: string | null }, call: StoreCall): Promise<number> {
    return this.#calls("count", { ...request, now: call.now() }, call);
  }
}
