/**
 * The open transactions of one run, by name and by the adapter they are on. A transaction that is still open when the run ends is rolled back, and the run
 * gets a warning.
 */
import type { RunScope } from "../../../vm/adapter.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { TransactionMode } from "../../engine/sqlite/sqlite.ts";
import { isTransactional, type OnBehalf, type Transactional } from "../../engine/sqlite/transactional.ts";
import { adapterError } from "../../errors.ts";

export const RESOURCES = ["sqlite", "db"] as const;
export type Resource = (typeof RESOURCES)[number];
type Open = { readonly resource: Resource; readonly target: Transactional };

export class Transactions {
  readonly #run: RunScope;
  readonly #open = new Map<string, Open>();

  constructor(run: RunScope) {
    this.#run = run;
    run.onEnd(() => this.#undoAll());
  }

  async begin(
    name: string,
    { resource, mode, lifetimeMs }: { resource: Resource | null; mode: TransactionMode; lifetimeMs: number },
    ctx: OnBehalf,
  ): Promise<void> {
    if (this.#open.has(name)) throw adapterError("ADAPTER_CONFLICT", "a transaction of this name is open");
    const found = resource === null ? await this.#onlyResource() : await this.#resource(resource);
    if ([...this.#open.values()].some((open) => open.resource === found.resource)) {
      throw adapterError("ADAPTER_CONFLICT", `a transaction is open on ${found.resource}`);
    }
    // Taken before it is answered, so that a run that ends meanwhile undoes it.
    this.#open.set(name, found);
    try {
      await found.target.begin(mode, lifetimeMs, ctx);
    } catch (thrown) {
      this.#open.delete(name);
      throw thrown;
    }
  }

  async commit(name: string, ctx: OnBehalf): Promise<void> {
    await this.#taken(name).target.commit(ctx);
  }

  async rollback(name: string): Promise<void> {
    await this.#taken(name).target.rollback();
  }

  #taken(name: string): Open {
    const open = this.#open.get(name);
    if (open === undefined) throw adapterError("ADAPTER_CONFLICT", "no transaction of this name is open");
    this.#open.delete(name);
    return open;
  }

  async #resource(resource: Resource): Promise<Open> {
    const target = await this.#run.instanceOf(resource);
    if (!isTransactional(target)) throw adapterError("ADAPTER_NOT_CONFIGURED", `${resource} is not enabled`);
    return { resource, target };
  }

  async #onlyResource(): Promise<Open> {
    const found = await Promise.all(RESOURCES.map((resource) => this.#resource(resource).catch(absent)));
    const [one, another] = found.filter((open) => open !== null);
    if (one === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "neither sqlite nor db is enabled");
    if (another !== undefined) throw adapterError("ADAPTER_BAD_ARGS", "name the resource: sqlite or db");
    return one;
  }

  async #undoAll(): Promise<void> {
    for (const [name, { target }] of this.#open) {
      this.#run.warn(`transaction_rolled_back: ${name} was open at the end of the run`);
      await target.rollback();
    }
    this.#open.clear();
  }
}

/** An adapter that is missing or not configured is not a candidate. */
function absent(thrown: unknown): null {
  if (thrown instanceof AdapterError && thrown.code === "ADAPTER_NOT_CONFIGURED") return null;
  throw thrown;
}
