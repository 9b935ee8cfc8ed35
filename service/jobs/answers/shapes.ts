/** A value that is hidden, as answers and the console show it. */
import { counted } from "../../../grammar/text/english.ts";

export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text, ${[...value].length}`;
  if (Array.isArray(value)) return `[${counted(value.length, "element")}]`;
  if (typeof value === "object") return `{${counted(Object.keys(value).length, "member")}}`;
  return typeof value === "number" ? "a number" : "a boolean";
}
