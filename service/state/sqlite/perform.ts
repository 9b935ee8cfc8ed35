/** Rules (`step.ts`) in SQLite, inside the transaction of their batch. */
import type { Moment } from "../../jobs/durable/waits.ts";
import type { Sql } from "../../jobs/sqlite/tables/job-rows.ts";
import type { RuleAnswer, RuleInput, Rules, StorePort } from "../port.ts";
import type { Statement, Step, Value } from "../step.ts";

/** On its way to the thread of the database, which knows no clock. */
type Timed<I> = Moment & { readonly input: I };
type RuleCalls<R extends Rules> = { readonly [N in keyof R]: (call: Timed<RuleInput<R[N]>>) => RuleAnswer<R[N]> };

/** Each rule as one call of the database. */
export function ruleCalls<R extends Rules>(rules: R, sql: Sql, port: StorePort): RuleCalls<R> {
  const calls = Object.entries(rules).map(([name, rule]) => [
    name,
    ({ input, now, wall }: Timed<unknown>) =>
      performed(sql, rule({ ...port, now: () => now, wall: () => wall }, input as never)),
  ]);
  return Object.fromEntries(calls) as RuleCalls<R>;
}

export function performed<T>(sql: Sql, step: Step<T>): T {
  let next = step.next();
  while (next.done !== true) next = step.next(answered(sql, next.value));
  return next.value;
}

/** What SQLite calls otherwise, by the text of the statement. */
const written = new Map<string, string>();

function answered(sql: Sql, { text, values }: Statement): readonly unknown[] {
  const known = written.get(text) ?? sqliteText(text);
  written.set(text, known);
  const statement = sql(known);
  const named: Record<number, unknown> = {};
  for (let at = 0; at < values.length; at += 1) named[at + 1] = sqliteValue(values[at] as Value);
  if (statement.reader) return values.length === 0 ? statement.all() : statement.all(named);
  if (values.length === 0) statement.run();
  else statement.run(named);
  return [];
}

/** A statement for PostgreSQL as one for SQLite: no schema, types or locks of rows, and lists as JSON. */
export function sqliteText(text: string): string {
  return text
    .replaceAll("weft.", "")
    .replace(/::[a-z]+(?:\[\])?/g, "")
    .replace(/ FOR UPDATE(?: SKIP LOCKED)?/g, "")
    .replace(/= ANY \((\$\d+)\)/g, "IN (SELECT value FROM json_each($1))");
}

function sqliteValue(value: Value): string | number | null | Uint8Array {
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : (value as string | number | null | Uint8Array);
}
