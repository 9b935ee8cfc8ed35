/**
 * How the rules of what is stored are written: once for both databases. A rule is a generator that yields one statement at a time and gets
 * its rows. SQLite answers at once, inside the batch of its thread (`sqlite/perform.ts`); PostgreSQL is awaited, inside a transaction
 * (`postgres/perform.ts`). Statements are written as PostgreSQL reads them; SQLite rewrites the few forms that it does not know.
 */

type Single = string | number | boolean | null | Uint8Array;
export type Value = Single | readonly Single[];
/** Values are named by their place: `$1`. */
export type Statement = { readonly text: string; readonly values: readonly Value[] };
export type Step<T> = Generator<Statement, T, readonly unknown[]>;

/** Columns as the statement names them. A boolean may come as 0 or 1. */
export function* rows<R>(text: string, ...values: readonly Value[]): Step<readonly R[]> {
  return (yield { text, values }) as readonly R[];
}

export function* row<R>(text: string, ...values: readonly Value[]): Step<R | undefined> {
  return (yield { text, values })[0] as R | undefined;
}

/** The first column of the first row. */
export function* value<V>(text: string, ...values: readonly Value[]): Step<V | undefined> {
  const [first] = yield { text, values };
  return (first === undefined ? undefined : Object.values(first as object)[0]) as V | undefined;
}

/** Whether the statement had rows; one that changes rows tells with RETURNING. */
export function* any(text: string, ...values: readonly Value[]): Step<boolean> {
  return (yield { text, values }).length > 0;
}

export function* run(text: string, ...values: readonly Value[]): Step<void> {
  yield { text, values };
}

/** What a store does without a statement of the rule. */
export function* direct<T>(act: () => T): Step<T> {
  yield* [];
  return act();
}
