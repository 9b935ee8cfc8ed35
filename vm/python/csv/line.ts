/** The line of CSV of a record: a port of `_csv.c` of CPython 3.11. */
import { raised } from "../exceptions.ts";
import { type Context, typeOf, type Value } from "../object.ts";
import { isNumber, text } from "../operations.ts";
import { CSV_ERROR, type Dialect, Quoting } from "./dialect.ts";

/** With the line's end. */
export function lineOf(dialect: Dialect, fields: readonly Value[], ctx: Context): string {
  const written = fields.map((field) => fieldText(dialect, field, ctx));
  let line = written.join(dialect.delimiter);
  if (fields.length > 0 && line === "") {
    if (dialect.quoting === Quoting.None) throw raised(CSV_ERROR, "single empty field record must be quoted");
    line = quoted(dialect, "");
  }
  return line + dialect.lineterminator;
}

function fieldText(dialect: Dialect, field: Value, ctx: Context): string {
  const { quoting } = dialect;
  const isQuoted = quoting === Quoting.All || (quoting === Quoting.NonNumeric && !isNumber(field));
  return escaped(dialect, field === null ? "" : text(field, ctx), isQuoted, ctx);
}

function escaped(dialect: Dialect, field: string, isQuoted: boolean, ctx: Context): string {
  const { delimiter, quotechar, escapechar, doublequote, lineterminator, quoting } = dialect;
  ctx.charge(field.length);
  let needsQuotes = isQuoted;
  let result = "";
  for (const char of field) {
    const isSpecial = char === delimiter || char === escapechar || char === quotechar || lineterminator.includes(char);
    if (isSpecial) {
      const isDoubled = quoting !== Quoting.None && char === quotechar && doublequote;
      const needsEscape =
        quoting === Quoting.None || (char === quotechar && !doublequote) || (char === escapechar && char !== quotechar);
      if (isDoubled) result += quotechar;
      if (!needsEscape) needsQuotes = true;
      else if (escapechar === null) throw raised(CSV_ERROR, "need to escape, but no escapechar set");
      else result += escapechar;
    }
    result += char;
  }
  return needsQuotes ? quoted(dialect, result) : result;
}

function quoted({ quotechar }: Dialect, field: string): string {
  return `${quotechar}${field}${quotechar}`;
}

/** CPython names the type of what is not a record. */
export function isRecord(value: Value): boolean {
  return typeOf(value).slots.iterate !== undefined;
}
