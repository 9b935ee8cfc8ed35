/** Places in the JSON of servers, as operators name them: `data.items.0.id`. */
import { isObject, type Json } from "../../compiler/json.ts";

/** What lies at a path; "" is the whole, undefined: there is nothing. */
export function valueAt(json: Json, path: string): Json | undefined {
  let value: Json | undefined = json;
  for (const step of path === "" ? [] : path.split(".")) {
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(step) ? (value as readonly Json[])[Number(step)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
