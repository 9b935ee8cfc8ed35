/** Percent signs of URLs. */
import { decode } from "../bytes/codecs.ts";

const ALWAYS_SAFE = /^[A-Za-z0-9_.~-]$/;

/** `safe`: characters of ASCII that stay as they are. */
export function quoteBytes(bytes: Uint8Array, safe: string): string {
  let result = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (byte < 128 && (ALWAYS_SAFE.test(char) || safe.includes(char))) result += char;
    else result += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return result;
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
