/**
 * The front matter of a document: `key: value` lines between two lines `---` at its start. It is a small part of YAML on purpose:
 * texts of top-level keys, on one line or as a block (`|`, `>`); lists, nested keys and comments are skipped.
 */

const LONGEST = 200;
const KEY_LINE = /^([A-Za-z0-9_][\w .-]*):(?:[ \t]+(.*))?$/s;
const BLOCK = /^[|>][+-]?$/;
const QUOTED = [/^"([^"]*)"[ \t]*(?:#.*)?$/, /^'([^']*)'[ \t]*(?:#.*)?$/];

export type FrontMatter = {
  /** By lower-case key; a repeated key keeps the first. */
  readonly values: ReadonlyMap<string, string>;
  /** Index of the first line after the front matter; 0 without front matter. */
  readonly end: number;
  /** The first line opens it, and no line within reach closes it. */
  readonly unclosed: boolean;
};

export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const values = new Map<string, string>();
  if (lines[0]?.trimEnd() !== "---") return { values, end: 0, unclosed: false };
  const close = lines.slice(1, LONGEST + 2).findIndex((line) => line.trimEnd() === "---") + 1;
  if (close === 0) return { values, end: 0, unclosed: true };
  for (let at = 1; at < close; at++) {
    const [, word, written = ""] = KEY_LINE.exec(lines[at] ?? "") ?? [];
    if (word === undefined) continue;
    const key = word.trim().toLowerCase();
    const value = written.trim();
    const text = BLOCK.test(value) ? blockText(lines.slice(at + 1, close), value) : unquoted(value);
    if (!values.has(key)) values.set(key, text);
  }
  return { values, end: close + 1, unclosed: false };
}

function unquoted(value: string): string {
  for (const form of QUOTED) {
    const inside = form.exec(value)?.[1];
    if (inside !== undefined) return inside;
  }
  return value;
}

/** The indented lines under `key: |` or `key: >`. */
function blockText(lines: readonly string[], marker: string): string {
  const end = lines.findIndex((line) => line.trim() !== "" && !/^[ \t]/.test(line));
  const inside = (end === -1 ? lines : lines.slice(0, end)).map((line) => line.trim());
  return inside.join(marker.startsWith("|") ? "\n" : " ").trim();
}
