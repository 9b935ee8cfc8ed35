/**
 * Which keyed calls were begun and how they ended, for verbs whose other side knows no idempotency keys. A call is begun before anything
 * leaves the process and completed with its answer; what was begun and never completed, its verb must judge.
 * Implementations: `sqlite/ledger.ts` and `postgres/ledger.ts`; each must pass test/adapters/store/ledger-suite.ts.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import type { Json } from "../../compiler/json.ts";
import { exactJson, saysMore } from "../../vm/inputs/exact-text.ts";
import { canonicalOfText } from "../../vm/values/exact-numbers.ts";
import type { Idempotency, StoreCall } from "./call.ts";

export type KeyedCall = Idempotency & {
  /** `<adapter>.<verb>`: keys of different verbs have nothing to do with each other. */
  readonly scope: string;
};

export type LedgerState =
  | { readonly state: "new" }
  /** Begun before, by this process or one that died; whether it took effect is not known. */
  | { readonly state: "started" }
  | { readonly state: "done"; readonly result: Json };

/** Entries live 7 days from their last change. */
export interface Ledger {
  /** What is known of the call; one that is new is begun. ADAPTER_CONFLICT when the key came with other arguments. */
  begin(keyed: KeyedCall, call: StoreCall): Promise<LedgerState>;
  complete(keyed: KeyedCall, result: Json, call: StoreCall): Promise<void>;
  /** The call is known to have had no effect: as if it had never been begun. Nothing happens when it is done. */
  abandon(keyed: KeyedCall, call: StoreCall): Promise<void>;
}

/** Hash of what a call was asked to do: equal for equal JSON, whatever the order of members. */
export function argsHash(args: Json): string {
  const canonical = saysMore(args) ? canonicalOfText(exactJson(args)) : canonicalJson(args);
  return createHash("sha256").update(canonical, "utf8").digest("hex");
}
