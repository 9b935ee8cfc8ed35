/** SQLite's sentences about a statement, without values. */
import { sentencesLike } from "../database-sentences.ts";

const known = sentencesLike([
  "no such table: {name}",
  "no such table{value}",
  // A text in double quotes is a name for SQL.
  "no such column{value} - should this be a string literal in single-quotes?",
  "no such column: {name}",
  "no such column{value}",
  "no such function: {name}",
  "no such index: {name}",
  "no such view: {name}",
  "no such trigger: {name}",
  "no such module: {name}",
  "no such collation sequence: {name}",
  "no such window: {name}",
  "table {name} has no column named {name}",
  "table {name} has {count} columns but {count} values were supplied",
  "table {name} already exists",
  "table {name} may not be modified",
  "index {name} already exists",
  "view {name} already exists",
  "trigger {name} already exists",
  "there is already a table named {name}",
  "there is already an index named {name}",
  "there is already another table or index with this name: {name}",
  "use DROP VIEW to delete view {name}",
  "use DROP TABLE to delete table {name}",
  "cannot modify {name} because it is a view",
  "cannot store {words} value in {words} column {name}",
  "cannot INSERT into generated column {name}",
  "cannot UPDATE generated column {name}",
  "ambiguous column name: {name}",
  "duplicate column name: {name}",
  "circular reference: {name}",
  "{count} values for {count} columns",
  "all VALUES must have the same number of terms",
  "sub-select returns {count} columns - expected {count}",
  "row value misused",
  "wrong number of arguments to function {name}()",
  "misuse of aggregate: {name}()",
  "misuse of aggregate function {name}()",
  "misuse of window function {name}()",
  "SELECTs to the left and right of {words} do not have the same number of result columns",
  "{ordinal} ORDER BY term out of range - should be between {count} and {count}",
  "{ordinal} GROUP BY term out of range - should be between {count} and {count}",
  "{ordinal} ORDER BY term does not match any column in the result set",
  "ORDER BY clause should come after {words} not before",
  "LIMIT clause should come after {words} not before",
  "a GROUP BY clause is required before HAVING",
  "HAVING clause on a non-aggregate query",
  "ON CONFLICT clause does not match any PRIMARY KEY or UNIQUE constraint",
  "no tables specified",
  "incomplete input",
  "integer overflow",
  "datatype mismatch",
  "malformed JSON",
  "JSON path error{value}",
  "bad JSON path{value}",
  "fts5: syntax error{value}",
  "too many SQL variables",
  "UNIQUE constraint failed: {names}",
  "UNIQUE constraint failed{value}",
  "NOT NULL constraint failed: {name}",
  "NOT NULL constraint failed{value}",
  "CHECK constraint failed: {name}",
  "CHECK constraint failed{value}",
  "FOREIGN KEY constraint failed",
]);

const SYNTAX = /^(near|unrecognized token:) "(.*?)"(?:: syntax error)?$/s;
/** What SQL has of itself, and no value is. */
const OF_SQL =
  /^(?:[(),;.*=<>+/|%&~!-]+|ADD|ALL|ALTER|AND|AS|ASC|BEGIN|BETWEEN|BY|CASE|CHECK|COLLATE|COMMIT|CREATE|CROSS|DEFAULT|DELETE|DESC|DISTINCT|DROP|ELSE|END|ESCAPE|EXCEPT|EXISTS|FOREIGN|FROM|GROUP|HAVING|IN|INDEX|INNER|INSERT|INTERSECT|INTO|IS|JOIN|LEFT|LIKE|LIMIT|NOT|NULL|OFFSET|ON|OR|ORDER|OUTER|PRIMARY|REFERENCES|RETURNING|SELECT|SET|TABLE|THEN|TO|UNION|UNIQUE|UPDATE|USING|VALUES|VIEW|WHEN|WHERE|WITH)$/i;

const QUOTED_COLUMN = /^(no such column: )"([\w$]{1,63})" - should this be a string literal in single-quotes\?$/;

/** `sql`: the statement that the program gave; null: one of an adapter, whose names all stand in quotes. */
export function sqliteSentence(message: string, sql: string | null): string | null {
  if (sql === null) return known(message.replace(QUOTED_COLUMN, "$1$2"));
  const [, , token] = SYNTAX.exec(message) ?? [];
  return token === undefined ? known(message) : syntaxSentence(token, sql);
}

/** Names the place instead of a word that may be the rest of a value. */
function syntaxSentence(token: string, sql: string): string {
  const near = OF_SQL.test(token) ? `near "${token}": ` : "";
  const at = sql.indexOf(token);
  const isOnce = at >= 0 && sql.indexOf(token, at + 1) < 0;
  return `${near}syntax error${isOnce ? ` at character ${[...sql.slice(0, at)].length + 1}` : ""}`;
}
