/**
 * One connection to PostgreSQL while it is lent, with a bound on every wait. A query that exceeds its deadline is abandoned at
 * once; the connection stays lent until the server has been asked to stop, so that the pool never has more queries in progress than
 * connections.
 */
import type { CustomTypesConfig, PoolClient, QueryArrayConfig, QueryArrayResult } from "pg";
import { adapterError, cancelledCall } from "../../errors.ts";
import type { RequestLimits } from "../sqlite/sqlite.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { postgresError } from "./errors.ts";
import type { PostgresAnswer, PostgresSession, PostgresStatement } from "./statement.ts";

type Answer = QueryArrayResult<(string | null)[]>;
type SessionHost = {
  readonly timers: Timers;
  cancel(processId: number): Promise<void>;
  ended(): void;
};

export class LentSession implements PostgresSession {
  readonly #client: PoolClient;
  readonly #host: SessionHost;
  #state: "open" | "lost" | "ended" = "open";
  readonly #lose = () => {
    if (this.#state === "open") this.#state = "lost";
  };

  constructor(client: PoolClient, host: SessionHost) {
    this.#client = client;
    this.#host = host;
    // Without a listener a connection that breaks between two statements would end the process.
    client.on("error", this.#lose);
  }

  async query({ sql, parameters, maxLength }: PostgresStatement, limits: RequestLimits): Promise<PostgresAnswer> {
    const types = maxLength === undefined ? {} : { types: counted(maxLength) };
    return this.#run(limits, { text: sql, values: [...parameters], rowMode: "array", ...types });
  }

  async script(sql: string, limits: RequestLimits): Promise<PostgresAnswer> {
    return this.#run(limits, { text: sql, rowMode: "array" });
  }

  get usable(): boolean {
    return this.#state === "open";
  }

  release(): void {
    if (this.#state === "ended") return;
    const drop = this.#state === "lost" || this.#client.getTransactionStatus() !== "I";
    this.#state = "ended";
    this.#giveBack(drop);
  }

  /** Ends the connection, even during a query: the server is asked to cancel first, and until then it stays lent. */
  drop(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    const processId = processOf(this.#client);
    const told = processId === null ? Promise.resolve() : this.#host.cancel(processId);
    void told.then(() => this.#giveBack(true));
  }

  async #run(limits: RequestLimits, query: QueryArrayConfig): Promise<PostgresAnswer> {
    if (this.#state !== "open") {
      throw adapterError("ADAPTER_TRANSPORT", "the connection to the database was lost", {
        data: { reason: "closed" },
      });
    }
    let working = true;
    // Several statements are answered by a list, which the driver's types do not know.
    const work: Promise<Answer | readonly Answer[]> = this.#client.query<(string | null)[]>(query).finally(() => {
      working = false;
    });
    const late = () => adapterError("ADAPTER_TIMEOUT", "the database took too long");
    try {
      const answers = [await bounded(work, limits, this.#host.timers, late)].flat();
      const last = answers.at(-1);
      return { rows: last?.rows ?? [], affected: last?.rowCount ?? 0 };
    } catch (thrown) {
      const error = postgresError(thrown);
      if (working) {
        // The caller no longer waits for it.
        work.catch(() => {});
        this.drop();
      } else if (error.code === "ADAPTER_TRANSPORT") this.#lose();
      throw error;
    }
  }

  #giveBack(drop: boolean): void {
    this.#client.removeListener("error", this.#lose);
    this.#host.ended();
    this.#client.release(drop);
  }
}

/** Values as strings, up to a maximum of characters in all. The driver drops the rows after one that cannot be read. */
function counted(maxLength: number): CustomTypesConfig {
  let length = 0;
  const read = (text: string): string => {
    length += text.length;
    if (length > maxLength) throw adapterError("ADAPTER_TOO_LARGE", "the objects are larger than one call may read");
    return text;
  };
  return { getTypeParser: () => read };
}

/** The limits of one call that makes several requests: what is left of them at each. */
export function remaining(limits: RequestLimits, timers: Timers = systemTimers): () => RequestLimits {
  const endsAt = timers.now() + limits.timeoutMs;
  return () => ({ ...limits, timeoutMs: Math.max(0, endsAt - timers.now()) });
}

/** Id of the server process of a connection; the driver has it without a type. */
function processOf(client: object): number | null {
  return "processID" in client && typeof client.processID === "number" ? client.processID : null;
}

/** `work`, or a rejection as soon as its time is over (`late`) or the signal fires. Its own failures become AdapterErrors. */
export function bounded<T>(work: Promise<T>, limits: RequestLimits, timers: Timers, late: () => Error): Promise<T> {
  const { signal, timeoutMs } = limits;
  return new Promise((resolve, reject) => {
    const onAbort = () => fail(cancelledCall());
    const settle = () => {
      stopTimer();
      signal?.removeEventListener("abort", onAbort);
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
    };
    const stopTimer = timeoutMs === Number.POSITIVE_INFINITY ? () => {} : timers.after(timeoutMs, () => fail(late()));
    signal?.addEventListener("abort", onAbort, { once: true });
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown) => fail(postgresError(thrown)),
    );
    if (signal?.aborted) onAbort();
  });
}
