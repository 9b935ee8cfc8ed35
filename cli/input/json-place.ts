/** Where a text stops being JSON. */
import { jsonErrorPosition } from "../../vm/functions/json/scan.ts";

/** `line 2, column 7` of the first place in a text that no JSON can have. */
export function jsonPlace(text: string): string {
  const before = text.slice(0, jsonErrorPosition(text));
  const start = before.lastIndexOf("\n") + 1;
  return `line ${before.split("\n").length}, column ${before.length - start + 1}`;
}
