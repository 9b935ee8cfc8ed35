/** Percent signs of URLs. */
import { decode } from "../bytes/codecs.ts";

const NOT_ALWAYS_SAFE = /[^A-Za-z0-9_.~-]/g;

/** `safe`: characters of ASCII that stay as they are. */
export function quoteBytes(bytes: Uint8Array, safe: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return text.replace(NOT_ALWAYS_SAFE, (char) => {
    if (char < "\x80" && safe.includes(char)) return char;
    return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

export function unquoteBytes(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  const plain = text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, "latin1");
}

/** Runs of ASCII are decoded each on its own, as in CPython. */
export function unquoteText(text: string, encoding: string, errors: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/[\0-\x7f]+/g, (run) => decode(unquoteBytes(Buffer.from(run, "latin1")), encoding, errors));
}
