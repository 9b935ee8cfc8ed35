/** Parameters on their way to the helper process: floats that are whole, and ints beyond 2^53, have forms of their own there. */
import type { Json } from "../../../compiler/json.ts";
import { exactText, isNumberObject, opened } from "../../../vm/inputs/exact-text.ts";
import type { SqlParams, SqlStatement } from "./program.ts";

type Given = Extract<Json, object> | null | undefined;

/** The schema of the verb has checked them. */
export function sentParams(given: Given): SqlParams | null {
  if (given === null || given === undefined) return null;
  if (exactText(given) === undefined) return given as SqlParams;
  const exact = opened(given) as Extract<Json, object>;
  if (Array.isArray(exact)) return exact.map(sent) as SqlParams;
  return Object.fromEntries(Object.entries(exact).map(([name, value]) => [name, sent(value)])) as SqlParams;
}

/** Of `batch`. */
export function sentStatements(statements: readonly (readonly [string, Given?])[]): readonly SqlStatement[] {
  const exact = opened(statements as readonly Json[]) as typeof statements;
  return exact.map((one) => {
    const [sql, params] = opened(one as readonly Json[]) as typeof one;
    return { sql, params: sentParams(params) };
  });
}

function sent(value: Json): Json {
  if (!isNumberObject(value)) return value;
  const text = exactText(value) ?? "";
  return /^-?\d+$/.test(text) ? { $int: text } : { $real: value.valueOf() };
}
