/** JSON as one line for every reader. */

const SEPARATORS = /[\u2028\u2029]/g;

/**
 * Escapes U+2028 and U+2029 in the text of JSON. JSON.stringify leaves them raw, and readers that take them for the end of a line, such as
 * readline of Node 24, would cut the document there. They stand only inside of strings, so the value is the same.
 */
export function lineSafe(json: string): string {
  return json.includes("\u2028") || json.includes("\u2029")
    ? json.replace(SEPARATORS, (found) => (found === "\u2028" ? "\\u2028" : "\\u2029"))
    : json;
}
