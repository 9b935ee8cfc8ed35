/**
 * Escapes that other languages read in strings, and this one leaves as they are (WF9036): `'\n'`, because single quotes know only `\'` and `\\`, and
 * `"\u00e9"`. The edit writes the string that is meant.
 */
import type { Fix } from "../../diagnostic.ts";
import type { Reporter } from "../../reporter.ts";
import type { Span } from "../../text/span.ts";

const MAX_WORD_LENGTH = 20;
/** One escape of the text between the quotes, also one that is read. */
const ESCAPE = /\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[\s\S])/g;
const WRITTEN: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "\\": "\\" };
/** JSON in single quotes has escapes of its own. */
const JSON_TEXT = /^\s*[[{]/;

/** `span` is that of a string, with its quotes and an `f` before them. */
export function reportEscapes(span: Span, reporter: Reporter): void {
  const written = reporter.source.text.slice(span.start, span.end);
  if (!written.includes("\\")) return;
  const [, prefix = "", quote = "", body = ""] = /^([fF]?)(["'])([\s\S]*)["']$/.exec(written) ?? [];
  const isSingle = quote === "'";
  if (isSingle && prefix === "" && JSON_TEXT.test(body)) return;
  const unread = (body.match(ESCAPE) ?? []).find((one) => /^\\[ux]./.test(one) || (isSingle && /^\\[ntr]/.test(one)));
  if (unread === undefined) return;
  const fix = fixOf(span, prefix, quote, body);
  const suggestion =
    fix?.title ?? (isSingle ? "use double quotes, which read \\n, \\t and \\r" : "write the character itself");
  const words = { escape: unread.slice(0, MAX_WORD_LENGTH) };
  reporter.report({ code: "WF9036", span, words, suggestion, fix });
}

/** The string in double quotes, with characters in the place of their numbers; null where a number stands for what cannot be seen. */
function fixOf(span: Span, prefix: string, quote: string, body: string): Fix | null {
  // A template may hold strings of the other quotes.
  if (prefix !== "" && quote === "'" && body.includes('"')) return null;
  const meant = body.replace(ESCAPE, (one) => {
    const code = /^\\[ux](.+)$/.exec(one)?.[1];
    const letter = one.charAt(1);
    return code === undefined ? (LETTERS[letter] ?? one) : String.fromCharCode(Number.parseInt(code, 16));
  });
  if (/[^\P{C}\n\r\t]/u.test(meant)) return null;
  const text = `${prefix}"${meant.replace(/["\\\n\r\t]/g, (character) => WRITTEN[character] ?? character)}"`;
  const title = text.length <= MAX_WORD_LENGTH * 3 ? `write ${text}` : "write it in double quotes";
  return { title, edits: [{ span, new_text: text }] };
}
