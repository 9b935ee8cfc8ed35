/**
 * Bytes as text of a charset that the other side names. It is decoded in two steps, because a decoder of this platform that is given all
 * bytes at once takes windows-1252, which is what "iso-8859-1" and "us-ascii" mean on the web too, for Latin-1: curly quotes and
 * the euro sign come out as control characters.
 */

/** A byte order mark is dropped. Throws when nobody knows the charset and, with `fatal`, when bytes are not valid in it. */
export function textOfCharset(bytes: Uint8Array, charset: string, { fatal }: { readonly fatal: boolean }): string {
  const decoder = new TextDecoder(charset, { fatal });
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
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
