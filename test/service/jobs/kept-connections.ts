/**
 * Connections to PostgreSQL that outlive the pool that made them: for simulations in which a dozen processes begin and end. To connect, and to
 * plan each statement again on a new connection, takes most of the time of such a world. `vi.mock("pg")` puts it in place.
 */
import type Pg from "pg";
import type { Client, ClientConfig } from "pg";

/** At most these wait for the next process, and the oldest ends first. The server takes a hundred. */
const MOST = 40;
/** What a connection holds for its owner, apart from statements that are prepared. */
const LEFT = "UNLISTEN *; SELECT pg_advisory_unlock_all()";

type Driver = typeof Pg;
type Parked = { readonly key: string; readonly client: KeepingClient };
type KeepingClient = Client & { endNow(): Promise<void> };

/** The driver, with pools whose connections are taken over by the next pool with the same settings. */
export function keepingConnections(driver: Driver): Driver {
  const parked: Parked[] = [];
  const take = (key: string): KeepingClient | null => {
    const at = parked.findLastIndex((one) => one.key === key);
    return at < 0 ? null : (parked.splice(at, 1)[0]?.client ?? null);
  };

  class Keeping extends driver.Client {
    readonly #key: string;

    constructor(config: ClientConfig) {
      super(config);
      this.#key = keyOf(config);
    }

    override end(then?: unknown): Promise<void> {
      const ended = this.getTransactionStatus() === "I" && isReady(this) ? this.#park() : this.endNow();
      if (typeof then === "function") void ended.then(() => (then as () => void)());
      return ended;
    }

    endNow(): Promise<void> {
      return super.end();
    }

    async #park(): Promise<void> {
      this.removeAllListeners();
      this.on("error", () => {});
      try {
        await this.query(LEFT);
      } catch {
        return this.endNow();
      }
      // The database may be removed meanwhile.
      this.once("end", () => {
        const at = parked.findIndex(({ client }) => client === this);
        if (at >= 0) parked.splice(at, 1);
      });
      parked.push({ key: this.#key, client: this });
      if (parked.length > MOST) await parked.shift()?.client.endNow();
    }
  }

  /** Stands for the class: the pool makes its clients with `new`. */
  function made(config: ClientConfig): Client {
    const kept = take(keyOf(config));
    if (kept === null) return new Keeping(config);
    kept.removeAllListeners();
    kept.connect = ((then?: () => void) =>
      then === undefined ? Promise.resolve(kept) : setImmediate(then)) as Client["connect"];
    return kept;
  }

  class Pool extends driver.Pool {
    constructor(config: Pg.PoolConfig) {
      super({ ...config, Client: made as unknown as typeof Client });
    }
  }
  return { ...driver, types: driver.types, Client: driver.Client, Pool };
}

function keyOf(config: ClientConfig): string {
  return JSON.stringify([config.connectionString, config.application_name, config.statement_timeout]);
}

function isReady(client: Client): boolean {
  // The driver has it without a type.
  return "readyForQuery" in client && client.readyForQuery === true;
}
