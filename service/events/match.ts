/** Whether an event is one that a run waits for. */
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";

/** The data have each of these members, with the same value. */
export function admitsMatch(match: JsonObject, data: Json): boolean {
  const wanted = Object.entries(match);
  if (wanted.length === 0) return true;
  if (!isObject(data)) return false;
  return wanted.every(
    ([name, value]) =>
      Object.hasOwn(data, name) && canonicalJson((data as JsonObject)[name] ?? null) === canonicalJson(value),
  );
}
