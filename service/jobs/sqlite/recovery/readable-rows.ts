/**
 * Reads what can be read of a damaged table. A page that cannot be read hides the rows on it, or below it: the reader leaps over them to the
 * next row that can be found, and comes back as near as it gets.
 */
import type { Database } from "better-sqlite3";

export type StoredRow = Readonly<Record<string, unknown>>;
export type ReadTable = {
  readonly rows: Iterable<StoredRow>;
  /** Ranges of keys, in words, in which rows were lost; complete when the rows have been read. */
  readonly gaps: readonly string[];
};

const AT_ONCE = 200;
const LARGEST = Number.MAX_SAFE_INTEGER;
const NUMBER = "_row_number";

/** `firsts`: values of the first column of the key under which rows of a table without row numbers may be, in order. */
export function readableRows(
  db: Database,
  table: string,
  columns: readonly string[],
  firsts: readonly (string | number)[],
): ReadTable {
  const gaps: string[] = [];
  const key = keyOf(db, table);
  const rows = key === null ? numberedRows(db, table, columns, gaps) : keyedRows(db, table, columns, key, firsts, gaps);
  return { rows, gaps };
}

/** The columns of the key of a table without row numbers; null: it has row numbers. */
function keyOf(db: Database, table: string): readonly string[] | null {
  const list = db.pragma(`table_list("${table}")`) as readonly { readonly wr: number }[];
  if (list[0]?.wr !== 1) return null;
  const columns = db.pragma(`table_info("${table}")`) as readonly { readonly name: string; readonly pk: number }[];
  const inKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return inKey.map(({ name }) => name);
}

function* numberedRows(db: Database, table: string, columns: readonly string[], gaps: string[]): Generator<StoredRow> {
  const select = db.prepare(
    `SELECT rowid AS ${NUMBER}, ${columns.join(", ")} FROM ${table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const read = (after: number, most: number): readonly StoredRow[] | null => readOrNull(() => select.all(after, most));
  /** The number after which the next row that can be read is found; null: none is. */
  const leap = (from: number): number | null => {
    let step = 1;
    while (from + step < LARGEST && read(from + step, 1) === null) step *= 2;
    if (from + step >= LARGEST) return null;
    let [bad, good] = [from + Math.floor(step / 2), from + step];
    while (good - bad > 1) {
      const middle = Math.floor((bad + good) / 2);
      if (read(middle, 1) === null) bad = middle;
      else good = middle;
    }
    return good;
  };
  let last = -1;
  for (;;) {
    const rows = read(last, AT_ONCE) ?? read(last, 1);
    if (rows === null) {
      const next = leap(last);
      gaps.push(next === null ? `after row ${last}` : `rows ${last + 1} to ${next}`);
      if (next === null) return;
      last = next;
      continue;
    }
    if (rows.length === 0) return;
    for (const { [NUMBER]: number, ...row } of rows) {
      // A damaged page may tell numbers that do not ascend.
      if (typeof number !== "number" || number <= last) return void gaps.push(`after row ${last}`);
      last = number;
      yield row;
    }
  }
}

function* keyedRows(
  db: Database,
  table: string,
  columns: readonly string[],
  key: readonly string[],
  firsts: readonly (string | number)[],
  gaps: string[],
): Generator<StoredRow> {
  const names = key.join(", ");
  const places = key.map(() => "?").join(", ");
  const shown = columns.join(", ");
  const select = (condition: string, order: string) =>
    db.prepare(
      `SELECT ${shown} FROM ${table} WHERE ${condition} ORDER BY ${key.map((name) => `${name} ${order}`).join(", ")} LIMIT ?`,
    );
  const first = select("true", "ASC");
  const after = select(`(${names}) > (${places})`, "ASC");
  const seen = new Set<string>();
  const fresh = (row: StoredRow): boolean => {
    const name = JSON.stringify(key.map((column) => row[column]));
    return !seen.has(name) && seen.add(name) !== undefined;
  };
  let last: StoredRow | null = null;
  for (;;) {
    const from: StoredRow | null = last;
    const some = (most: number): readonly StoredRow[] | null =>
      readOrNull(() => (from === null ? first.all(most) : after.all(...key.map((column) => from[column]), most)));
    const rows = some(AT_ONCE) ?? some(1);
    if (rows === null) break;
    if (rows.length === 0) return;
    for (const row of rows) if (fresh(row)) yield row;
    last = rows.at(-1) ?? null;
  }
  gaps.push(last === null ? "from the first row on" : `after ${key.map((column) => String(last?.[column])).join(" ")}`);
  // From the other end, and then under each key that is known.
  const backwards = select("true", "DESC");
  for (let most = 1; ; most *= 2) {
    const rows = readOrNull(() => backwards.all(most));
    if (rows === null || rows.length < most) {
      for (const row of readOrNull(() => backwards.all(Math.floor(most / 2))) ?? []) if (fresh(row)) yield row;
      break;
    }
  }
  const under = select(`${key[0]} = ?`, "ASC");
  for (const value of firsts)
    for (const row of readOrNull(() => under.all(value, LARGEST)) ?? []) if (fresh(row)) yield row;
}

/** Null: what was to be read is damaged. */
function readOrNull(read: () => unknown[]): readonly StoredRow[] | null {
  try {
    return read() as readonly StoredRow[];
  } catch {
    return null;
  }
}
