import type { PostgresStatement } from "../../engine/postgres/statement.ts";

export class Sql {
  /** One more than values: the text before, between and after them. */
  readonly texts: readonly string[];
  readonly values: readonly (string | null)[];

  constructor(texts: readonly string[], values: readonly (string | null)[]) {
    this.texts = texts;
    this.values = values;
  }
}

export type SqlPart = Sql | string | number | boolean | null;

export function sql(strings: TemplateStringsArray, ...parts: readonly SqlPart[]): Sql {
  const texts = [strings[0] ?? ""];
  const values: (string | null)[] = [];
  for (const [at, part] of parts.entries()) {
    const after = strings[at + 1] ?? "";
    const fragment = part instanceof Sql ? part : new Sql(["", ""], [part === null ? null : String(part)]);
    append(texts, fragment.texts[0] ?? "");
    texts.push(...fragment.texts.slice(1));
    values.push(...fragment.values);
    append(texts, after);
  }
  return new Sql(texts, values);
}

function append(texts: string[], text: string): void {
  texts.push((texts.pop() ?? "") + text);
}

/** The fragments with `AND` between them. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.reduce((left, right) => sql`${left} AND ${right}`);
}

export function statementOf({ texts, values }: Sql): PostgresStatement {
  return { sql: texts.reduce((text, next, at) => `${text}$${at}${next}`), parameters: values };
}

/** The text of an array of texts. */
export function arrayOf(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

export type Cell = string | null | undefined;
export type Row = readonly (string | null)[];

export function text(cell: Cell): string {
  if (cell == null) throw new TypeError("a column that is never NULL is NULL");
  return cell;
}

export function whole(cell: Cell): number {
  return Number(text(cell));
}

export function wholeOrNull(cell: Cell): number | null {
  return cell == null ? null : Number(cell);
}

export function flag(cell: Cell): boolean {
  return cell === "t";
}

/**
 * Whether a column of COLLATE "C" begins with `prefix`, as a range that an index knows. Text that PostgreSQL cannot
 * hold begins nothing.
 */
export function beginsWith(column: Sql, prefix: string): Sql {
  if (prefix === "") return sql`true`;
  if (!prefix.isWellFormed() || prefix.includes("\0")) return sql`false`;
  const end = endOfPrefix(prefix);
  return end === null ? sql`${column} >= ${prefix}` : sql`${column} >= ${prefix} AND ${column} < ${end}`;
}

/** The first string after all that start with `prefix`, in the order of UTF-8 bytes; null without one. */
function endOfPrefix(prefix: string): string | null {
  const points = [...prefix];
  for (;;) {
    const last = points.pop()?.codePointAt(0);
    if (last === undefined) return null;
    // Halves of surrogate pairs are not valid text.
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    if (next <= 0x10ffff) return points.join("") + String.fromCodePoint(next);
  }
}
