/**
 * Bytes as text of a charset that the other side names. It is decoded in two steps, because a decoder of this platform that is given all
 * bytes at once takes windows-1252, which is what "iso-8859-1" and "us-ascii" mean on the web too, for Latin-1: curly quotes and
 * the euro sign come out as control characters.
 */

/** A byte order mark is dropped. Throws for an unknown charset and, with `fatal`, when bytes are not valid in it. */
export function textOfCharset(bytes: Uint8Array, charset: string, { fatal }: { readonly fatal: boolean }): string {
  const decoder = new TextDecoder(charset, { fatal });
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** `charset` of a Content-Type, in quotes or not; null: it says none. */
export function charsetParameter(contentType: string): string | null {
  return /;\s*charset\s*=\s*["']?([A-Za-z0-9_:.-]+)/i.exec(contentType)?.[1] ?? null;
}

/** The charset of a byte order mark; null without one. */
export function charsetOfMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : null;
}

const DECLARED = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']\s*([A-Za-z0-9_:.-]+)/;

/** The charset of an XML declaration, even after empty lines; null without one. A declaration that is readable byte by byte is not UTF-16. */
export function charsetOfDeclaration(bytes: Uint8Array): string | null {
  if (bytes[0] === 0x3c && bytes[1] === 0) return "utf-16le";
  if (bytes[0] === 0 && bytes[1] === 0x3c) return "utf-16be";
  const mark = charsetOfMark(bytes) === "utf-8" ? 3 : 0;
  const beginning = Buffer.from(bytes.subarray(mark, mark + 1024)).toString("latin1");
  const declared = DECLARED.exec(beginning)?.[1] ?? null;
  return declared !== null && /^(?:utf-?16|ucs-?2)/i.test(declared) ? "utf-8" : declared;
}

/**
 * Text of the first charset that fits all bytes. When none does, it is read by the first that is known, with U+FFFD for what is not valid:
 * `lossy`.
 */
export function textOfFirst(
  bytes: Uint8Array,
  charsets: readonly (string | null)[],
): { readonly text: string; readonly lossy: boolean } {
  for (const fatal of [true, false]) {
    for (const charset of charsets) {
      try {
        if (charset !== null) return { text: textOfCharset(bytes, charset, { fatal }), lossy: !fatal };
      } catch {
        // Invalid in this charset, or the charset is unknown: try the next one.
      }
    }
  }
  return { text: textOfCharset(bytes, "utf-8", { fatal: false }), lossy: true };
}

const C1_CONTROLS = /[\u0080-\u009f]/g;
const UPPER_1252 = textOfCharset(
  Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at),
  "windows-1252",
  { fatal: false },
);

/** Text that was read as Latin-1 and meant windows-1252. Nothing else has control characters in that place. */
export function asWindows1252(text: string): string {
  return text.replace(C1_CONTROLS, (control) => UPPER_1252[control.charCodeAt(0) - 0x80] ?? control);
}
