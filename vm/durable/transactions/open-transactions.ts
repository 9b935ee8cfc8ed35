/**
 * The transactions that a durable run has open. One does not outlive its connection: the run cannot wait within it and is not stored within it,
 * and when its process ends, the next one goes through it again from its begin.
 */
import type { Json } from "../../../compiler/json.ts";
import { isObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../errors/failures.ts";

type TransactionCall = { readonly adapter: string; readonly verb: string; readonly args: readonly Json[] };

/** The adapter that begins and ends transactions, and those that have them. */
export const TRANSACTIONS = "txn";
const RESOURCES: readonly string[] = ["sqlite", "db"];
const DEFAULT_NAME = "default";

export class OpenTransactions {
  /** By name: the adapter that it is on; null: the only one that the run has. */
  readonly #open: Map<string, string | null>;
  /** What changed since the branch began. `false`: it is closed. */
  readonly #changes = new Map<string, string | null | false>();

  /** `of`: those of the run whose branch this is are open in the branch too. */
  constructor(of: OpenTransactions | null = null) {
    this.#open = new Map(of === null ? [] : of.#open);
  }

  /** A branch has ended: what it left open or closed is so for the run. */
  join(branch: OpenTransactions): void {
    for (const [name, open] of branch.#changes) this.#set(name, open);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** The transaction that the call begins, ends or is part of; null: none. */
  of(call: TransactionCall): string | null {
    const { adapter } = call;
    if (adapter === TRANSACTIONS) return nameOf(call);
    if (!RESOURCES.includes(adapter)) return null;
    for (const [name, resource] of this.#open) if ((resource ?? adapter) === adapter) return name;
    return null;
  }

  /** A call has its outcome. */
  called(call: TransactionCall, ok: boolean): void {
    if (call.adapter !== TRANSACTIONS) return;
    // What fails to commit is rolled back.
    if (call.verb.toUpperCase() !== "BEGIN") this.#set(nameOf(call), false);
    else if (ok) this.#set(nameOf(call), resourceOf(call));
  }

  #set(name: string, open: string | null | false): void {
    if (open === false) this.#open.delete(name);
    else this.#open.set(name, open);
    this.#changes.set(name, open);
  }

  /** Throws AdapterError where a wait would end a transaction. */
  checkWait(): void {
    if (this.#open.size === 0) return;
    const message = "a transaction is open, and would end with the wait: commit it before";
    throw new AdapterError("ADAPTER_CONFLICT", message, { retryable: false });
  }
}

function nameOf({ args: [name] }: TransactionCall): string {
  return typeof name === "string" || typeof name === "number" ? String(name) : DEFAULT_NAME;
}

function resourceOf({ args }: TransactionCall): string | null {
  const options = args.find(isObject) as { readonly [name: string]: Json } | undefined;
  const resource = options?.["resource"];
  return typeof resource === "string" ? resource : null;
}
