/** Machine output: one document, one line, nothing a terminal could take for an escape sequence. */

/** JSON on one line. DEL and the C1 controls are escaped too: JSON.stringify leaves them raw. */
export function jsonLine(document: unknown): string {
  return `${escapeControls(JSON.stringify(document))}\n`;
}

/** JSON for people. */
export function jsonIndented(value: unknown): string {
  return escapeControls(JSON.stringify(value, null, 2));
}

function escapeControls(text: string): string {
  return text.replace(
    /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
