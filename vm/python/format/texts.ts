/** Formats of texts, and `ascii()`. */
import { raised, VALUE_ERROR } from "../exceptions.ts";
import { offsetOf, textLength } from "../operators/texts.ts";
import { padded } from "./layout.ts";
import { parseSpec, unknownType } from "./spec.ts";

export function formatText(value: string, spec: string): string {
  if (spec === "") return value;
  const read = parseSpec(spec, "str", "s", "<");
  if (read.type !== "s") unknownType(read.type, "str");
  if (read.sign !== "") throw notAllowed(read.sign === " " ? "Space" : "Sign");
  if (read.dropsNegativeZero) throw notAllowed("Negative zero coercion (z)");
  if (read.isAlternate) throw notAllowed("Alternate form (#)");
  if (read.align === "=") throw raised(VALUE_ERROR, "'=' alignment not allowed in string format specifier");
  let text = value;
  let length = textLength(text);
  if (read.precision !== null && read.precision < length) {
    text = text.slice(0, offsetOf(text, read.precision));
    length = read.precision;
  }
  return padded(read, "", text, length);
}

function notAllowed(what: string): ReturnType<typeof raised> {
  return raised(VALUE_ERROR, `${what} not allowed in string format specifier`);
}

/** `ascii()` from what `repr()` gave: escapes for everything outside of ASCII. */
export function asciiOf(repr: string): string {
  return repr.replace(/[^\0-\x7f]/gu, (char) => {
    const code = char.codePointAt(0) as number;
    const hex = code.toString(16);
    if (code < 0x100) return `\\x${hex}`;
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
}
