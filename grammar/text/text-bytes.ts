/**
 * Bytes of a file as source text: strictly UTF-8. Text that an editor saved as UTF-16 is recognized, because without a byte order mark its
 * bytes are UTF-8 too, of a text in which every other character is U+0000.
 */

export type BytesRead =
  | { readonly ok: true; readonly text: string }
  /** `fault` follows the name of the file in a message. */
  | { readonly ok: false; readonly fault: string };

// The byte order mark stays: places in the text count it.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function readUtf8(bytes: Uint8Array): BytesRead {
  if (isUtf16(bytes)) return { ok: false, fault: "is UTF-16 text, not UTF-8: save it as UTF-8" };
  try {
    return { ok: true, text: utf8.decode(bytes) };
  } catch {
    return { ok: false, fault: "is not UTF-8 text" };
  }
}

/** A byte order mark of UTF-16, or two characters of ASCII in its one or other order of bytes. */
export function isUtf16([first, second, third, fourth]: Uint8Array): boolean {
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const odd = first !== 0 && second === 0 && third !== 0 && fourth === 0;
  const even = first === 0 && second !== 0 && third === 0 && fourth !== 0;
  return third !== undefined && fourth !== undefined && (odd || even);
}
