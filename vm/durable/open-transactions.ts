/**
 * The transactions that a durable run has open. One does not outlive its connection: the run cannot wait within it, is not stored within
 * it, and when its process ends, the transaction is lost.
 */
import type { Json } from "../../compiler/json.ts";
import { isObject } from "../../compiler/json.ts";
import { AdapterError } from "../errors/failures.ts";

type TransactionCall = { readonly adapter: string; readonly verb: string; readonly args: readonly Json[] };

/** `resource`: null: the only one that the run has. */
type Open = { readonly resource: string | null; readonly lost: boolean };

const ADAPTER = "txn";
const RESOURCES: readonly string[] = ["sqlite", "db"];
const DEFAULT_NAME = "default";

export class OpenTransactions {
  readonly #open: Map<string, Open>;
  /** What changed since the branch began. Null: it is closed. */
  readonly #changes = new Map<string, Open | null>();

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

  /** A call has its outcome. `replayed`: in another process. */
  called(call: TransactionCall, ok: boolean, replayed: boolean): void {
    if (call.adapter !== ADAPTER) return;
    const name = nameOf(call);
    // What fails to commit is rolled back.
    if (call.verb.toUpperCase() !== "BEGIN") this.#set(name, null);
    else if (ok) this.#set(name, { resource: resourceOf(call), lost: replayed });
  }

  #set(name: string, open: Open | null): void {
    if (open === null) this.#open.delete(name);
    else this.#open.set(name, open);
    this.#changes.set(name, open);
  }

  /** What a call that takes back a lost transaction answers: there is nothing left to do. Null: it is another call. */
  undone(call: TransactionCall, wallMs: number): Json | null {
    const name = nameOf(call);
    const isUndo = call.adapter === ADAPTER && call.verb.toUpperCase() === "ROLLBACK";
    if (!isUndo || this.#open.get(name)?.lost !== true) return null;
    return { ok: true, name, at: new Date(wallMs).toISOString() };
  }

  /** Throws AdapterError for a call that the program means to be part of a transaction that is lost. */
  checkCall({ adapter, verb, args }: TransactionCall): void {
    if (this.#open.size === 0) return;
    const isCommit = adapter === ADAPTER && verb.toUpperCase() === "COMMIT";
    const meant = isCommit ? [this.#open.get(nameOf({ adapter, verb, args }))] : [...this.#open.values()];
    if (!isCommit && !RESOURCES.includes(adapter)) return;
    const isLost = meant.some((one) => one?.lost === true && (isCommit || (one.resource ?? adapter) === adapter));
    const then = isCommit ? "" : "; end it with rollback";
    if (isLost) throw conflict(`the transaction was lost with its process and rolled back${then}`);
  }

  /** Throws AdapterError where a wait would end a transaction. */
  checkWait(): void {
    if (this.#open.size > 0) throw conflict("a transaction is open, and would end with the wait: commit it before");
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

function conflict(message: string): AdapterError {
  return new AdapterError("ADAPTER_CONFLICT", message, { retryable: false });
}
