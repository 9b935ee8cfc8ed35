/** A JSON value: as text where values are shown, else only its shape. */
import { RULES } from "../rules.ts";
import { counted, number } from "../words.ts";

const MAX_SHOWN = 100_000;

/** Texts of up to this length stand on one line where there is little room. */
const MAX_LINE = 72;

/** `isBrief`: small values stand on one line. */
export function Value({ value, isBrief = false }: { readonly value: unknown; readonly isBrief?: boolean }) {
  if (value === undefined) return <span class="quiet">none</span>;
  if (!RULES.values) return <code>{shapeOf(value)}</code>;
  const line = isBrief ? (JSON.stringify(value) ?? "") : "";
  if (isBrief && line.length <= MAX_LINE) return <code>{line}</code>;
  const text = JSON.stringify(value, null, 2) ?? "";
  return (
    <pre class="value" tabIndex={0}>
      {text.slice(0, MAX_SHOWN)}
      {text.length > MAX_SHOWN ? `\n… ${number(text.length - MAX_SHOWN)} more characters` : ""}
    </pre>
  );
}

export function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text, ${number([...value].length)}`;
  if (Array.isArray(value)) return `[${counted(value.length, "element")}]`;
  if (typeof value === "object") return `{${counted(Object.keys(value).length, "member")}}`;
  return typeof value === "number" ? "a number" : "a boolean";
}
