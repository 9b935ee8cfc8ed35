/** The ledger over the SQLite service. */
import type { Json } from "../../../compiler/json.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import type { SqliteDatabase } from "../../engine/sqlite/sqlite.ts";
import type { StoreCall } from "../call.ts";
import type { KeyedCall, Ledger, LedgerState } from "../ledger.ts";
import { storedJson } from "../stored-json.ts";
import type { ledgerOperations } from "./ledger-program.ts";
import { type CallsOf, callsOf } from "./program.ts";

export class SqliteLedger implements Ledger {
  readonly #calls: CallsOf<typeof ledgerOperations>;

  constructor(database: SqliteDatabase) {
    this.#calls = callsOf(database);
  }

  async begin(keyed: KeyedCall, call: StoreCall): Promise<LedgerState> {
    const known = await this.#calls("begin", { ...keyed, now: call.now() }, call);
    return known.state === "done" ? { state: "done", result: storedJson(known.text) } : known;
  }

  async complete(keyed: KeyedCall, result: Json, call: StoreCall): Promise<void> {
    await this.#calls("complete", { ...keyed, text: exactJson(result), now: call.now() }, call);
  }

  async abandon(keyed: KeyedCall, call: StoreCall): Promise<void> {
    await this.#calls("abandon", { ...keyed, now: call.now() }, call);
  }
}
