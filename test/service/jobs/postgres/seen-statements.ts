/** What the driver of PostgreSQL sends, seen by a test. */
import pg from "pg";
import { vi } from "vitest";

type Query = (sql: unknown, ...rest: readonly unknown[]) => unknown;

/** Sees every statement on its way to the database until mocks are restored; `pass` sends it there. */
export function seeStatements(see: (sql: string, pass: () => unknown, client: object) => unknown): void {
  const send = pg.Client.prototype.query as unknown as Query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: object,
    asked: unknown,
    ...rest: unknown[]
  ) {
    const sql = typeof asked === "string" ? asked : (asked as { readonly text: string }).text;
    return see(sql, () => send.call(this, asked, ...rest), this);
  } as never);
}
