/**
 * What an adapter's instance offers when a run can have a transaction on it (`sqlite`, `db`): from `begin` to its end all calls of the
 * run go to the transaction's connection. The adapter `txn` finds it by `run.instanceOf`.
 */
import type { TransactionMode } from "./sqlite.ts";

/** The call on whose behalf something is done; what a verb's context offers. */
export type OnBehalf = { readonly signal: AbortSignal; remainingMs(): number; extend?(ms: number): void };

export interface Transactional {
  /** Rejects with ADAPTER_CONFLICT when one is open, ADAPTER_BUSY when a lock is not free. Ends by itself after `timeoutMs`. */
  begin(mode: TransactionMode, timeoutMs: number, ctx: OnBehalf): Promise<void>;
  /** Rejects with ADAPTER_CONFLICT when none is open or it was lost; it is over either way. */
  commit(ctx: OnBehalf): Promise<void>;
  /** Undoes the open transaction, or does nothing. */
  rollback(): Promise<void>;
  readonly open: boolean;
}

export function isTransactional(instance: unknown): instance is Transactional {
  return typeof instance === "object" && instance !== null && "begin" in instance && "rollback" in instance;
}
