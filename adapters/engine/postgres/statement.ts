import type { RequestLimits } from "../sqlite/sqlite.ts";

export type PostgresStatement = {
  readonly sql: string;
  readonly parameters: readonly (string | null)[];
  /** Of the values of all rows, in characters; more are ADAPTER_TOO_LARGE, and none of them are kept. Left out: any number. */
  readonly maxLength?: number;
};

/** Values in PostgreSQL's text form; null is NULL. `affected`: rows that were returned, inserted, changed or deleted. */
export type PostgresAnswer = { readonly rows: readonly (readonly (string | null)[])[]; readonly affected: number };

/** One connection, lent. */
export interface PostgresSession {
  /** Rejects with AdapterError. After TIMEOUT, CANCELLED and TRANSPORT the session is lost. */
  query(statement: PostgresStatement, limits: RequestLimits): Promise<PostgresAnswer>;
  /** Statements without parameters in one message; the answer is the last one's. */
  script(sql: string, limits: RequestLimits): Promise<PostgresAnswer>;
  /** False when the session is lost, and with it whatever was not committed. */
  readonly usable: boolean;
  /** Gives the connection back. One with an open transaction, or with a lost session, is dropped instead. */
  release(): void;
}
