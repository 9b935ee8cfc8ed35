/** Machine output: one document, one line, nothing a terminal could take for an escape sequence. */

import { exactText, heldOutText, textWith } from "../../../vm/inputs/exact-text.ts";
import { numberBytes, textBytes } from "../../../vm/values/json-size.ts";
import { CliFault, EXIT } from "../../session/faults.ts";
import { replaceEach } from "./pieces.ts";

/** No text of this engine is longer. */
const MAX_TEXT_LENGTH = 2 ** 29 - 24;
const CONTROLS = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** JSON on one line. DEL and the C1 controls are escaped too: JSON.stringify leaves them raw. */
export function jsonLine(document: unknown): string {
  const out = typeof document === "object" && document !== null ? heldOutText(document) : undefined;
  if (out === undefined) {
    const whole = exactText(document)?.trim();
    return `${whole === undefined || whole.includes("\n") ? textOf(document, 0) : escapeControls(whole)}\n`;
  }
  // A run's document has its value twice.
  const texts = new Map([
    ["out", out],
    ["result", out],
  ]);
  return `${escapeControls(textWith(document as object, texts))}\n`;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

/** JSON text with the line breaks of `jsonIndented`. Numbers, and the order of members, stay as they are written. */
export function indentedText(text: string): string {
  let level = 0;
  let before = "";
  let written = "";
  const line = (): string => `\n${"  ".repeat(level)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    if (closes) level -= 1;
    const opened = before === "{" || before === "[";
    if (opened ? !closes : closes || before === ",") written += line();
    written += token === ":" ? ": " : token;
    if (token === "{" || token === "[") level += 1;
    before = token;
  }
  return escapeControls(written);
}

export function jsonIndented(value: unknown): string {
  return textOf(value, 2);
}

/** A value may hold one part many times over and so be longer as text than any text can be. */
function textOf(value: unknown, indent: number): string {
  if (extentOf(value, indent, new Map()).length > MAX_TEXT_LENGTH) throw tooLong();
  try {
    return escapeControls(JSON.stringify(value, null, indent));
  } catch (cause) {
    // Escapes can still make it too long.
    throw cause instanceof RangeError ? tooLong() : cause;
  }
}

function tooLong(): CliFault {
  return new CliFault("the result is too large to print", { error: "result_too_large", exitCode: EXIT.failed });
}

/** Text of JSON without characters that JSON.stringify leaves raw and a terminal may obey. */
export function escapeControls(text: string): string {
  return replaceEach(text, CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** About how long a value is as JSON text, and its line breaks. A part that stands in many places is measured once. */
type Extent = { readonly length: number; readonly breaks: number };

const WORD: Extent = { length: 4, breaks: 0 };

function extentOf(value: unknown, indent: number, measured: Map<object, Extent>): Extent {
  if (typeof value === "string") return { length: textBytes(value), breaks: 0 };
  if (typeof value === "number") return { length: numberBytes(value), breaks: 0 };
  if (typeof value !== "object" || value === null) return WORD;
  const known = measured.get(value);
  if (known !== undefined) return known;
  const list = Array.isArray(value);
  const keys = list ? [] : Object.keys(value);
  const parts: readonly unknown[] = list ? value : Object.values(value);
  const own = indent === 0 || parts.length === 0 ? 0 : parts.length + 1;
  let length = 2 + parts.length + own * (1 + indent);
  let breaks = own;
  for (const key of keys) length += textBytes(key) + 2;
  for (const part of parts) {
    const extent = extentOf(part, indent, measured);
    length += extent.length + extent.breaks * indent;
    breaks += extent.breaks;
  }
  const extent = { length, breaks };
  measured.set(value, extent);
  return extent;
}
