/** Rules (`step.ts`) in PostgreSQL. */
import type { Database, Statements } from "../../jobs/postgres/database.ts";
import type { Ask, Port, Rules } from "../port.ts";
import type { Step } from "../step.ts";

/** Each rule in a transaction of its own. `first`: a statement without values, sent together with the beginning. */
export function asking<R extends Rules>(database: Database, rules: R, port: Port, first = ""): Ask<R> {
  return ((name, input) =>
    database.transaction((on) => performed(on, (rules[name] as Rules[string])(port, input as never)), first)) as Ask<R>;
}

/** Rules of one statement that change nothing. */
export function reading<R extends Rules>(database: Database, rules: R, port: Port): Ask<R> {
  return ((name, input) => performed(database, (rules[name] as Rules[string])(port, input as never))) as Ask<R>;
}

export async function performed<T>(on: Statements, step: Step<T>): Promise<T> {
  let next = step.next();
  while (next.done !== true) next = step.next(await on.query(next.value.text, next.value.values));
  return next.value;
}
