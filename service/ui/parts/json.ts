/** JSON that somebody typed. */
import { Refused } from "../api.ts";

/** `what`: of the message, such as `the variables are`. Throws Refused. */
export function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(0, { error: "invalid_json", message: `${what} not valid JSON` });
  }
}
