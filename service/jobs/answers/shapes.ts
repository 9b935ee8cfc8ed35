/** A value that is hidden, as answers and the console show it. */
import { isObject } from "../../../compiler/json.ts";
import { counted } from "../../../grammar/text/english.ts";

export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text, ${[...value].length}`;
  if (Array.isArray(value)) return `[${counted(value.length, "element")}]`;
  if (typeof value === "object") return `{${counted(Object.keys(value).length, "member")}}`;
  return typeof value === "number" ? "a number" : "a boolean";
}

/** Those of the members of an object. */
export function shapesOf(value: unknown): Readonly<Record<string, string>> {
  const shown: Record<string, string> = Object.create(null);
  if (isObject(value)) for (const [name, member] of Object.entries(value)) shown[name] = shapeOf(member);
  return shown;
}
