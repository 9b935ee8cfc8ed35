/**
 * Words such as `n+1` that were read as text although their names are variables, so that a value was probably meant. The token source knows most variables of a
 * file before it reads it; this finds the rest.
 */
import type { Reporter } from "../../reporter.ts";
import type { Span } from "../../text/span.ts";
import { joinedPieces } from "../lexing/joined.ts";

const MAX_WORD_LENGTH = 100;

export function reportJoined(span: Span, variables: ReadonlySet<string>, reporter: Reporter): void {
  const { text } = reporter.source;
  if (span.end - span.start > MAX_WORD_LENGTH || span.line !== span.end_line) return;
  const pieces = joinedPieces(text, span.start, span.end, (name) => variables.has(name));
  const sign = pieces?.find(({ isSign }) => isSign);
  if (pieces === null || sign === undefined) return;
  const written = pieces.map(({ start, end }) => text.slice(start, end)).join(" ");
  const fix = { title: `write ${written}`, edits: [{ span, new_text: written }] };
  // It also hides findings about the same word as text.
  reporter.refuse(span, text.slice(sign.start, sign.end), `write ${written}, or quote it if it is text`, fix, span);
}

const MARKED = /^([+~*&|^]+)(\$?[\p{L}_][\p{L}\p{Nd}_]*)/u;
const ENDED = /^([\p{L}_][\p{L}\p{Nd}_]*)(![rsa]|=|\+\+|--)$/u;
/** `1_000`, `0xff`: numbers elsewhere. */
const FOREIGN_NUMBER = /^(?:[0-9]+(?:_[0-9]+)+(?:\.[0-9]+)?|0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/;

/** `/\d+/g`, `/^a/.test(s)` */
const PATTERN = /^\/(?=\S*[\\^$+*[(])\S+\/[gimsuy]*(?:\.\w+.*)?$/;

/** Reports words that are texts only because of a mark, although they name variables or numbers: `*rows`, `+n`, `n!r`, `1_000`. */
export function reportMarked(span: Span, variables: ReadonlySet<string>, reporter: Reporter): void {
  if (span.end - span.start > MAX_WORD_LENGTH) return;
  const word = reporter.source.text.slice(span.start, span.end);
  const [, mark = "", name = ""] = MARKED.exec(word) ?? [];
  const [, ended = "", end = ""] = ENDED.exec(word) ?? [];
  if (mark !== "" && (variables.has(name) || name.startsWith("$"))) {
    const isPlus = mark === "+";
    const suggestion = mark.startsWith("*")
      ? "lists join with +, objects with merge(a, b)"
      : isPlus
        ? "leave it out"
        : "this operator does not exist; quote the word if it is text";
    const edits = [{ span, new_text: word.slice(1) }];
    reporter.refuse(span, mark, suggestion, isPlus ? { title: suggestion, edits } : null, span);
  } else if (ended !== "" && variables.has(ended)) {
    const isText = end === "!s";
    const suggestion = isText ? "leave it out" : "leave it out, or quote the word if it is text";
    const fix = isText ? { title: suggestion, edits: [{ span, new_text: ended }] } : null;
    reporter.refuse(span, end, suggestion, fix, span);
  } else if (PATTERN.test(word)) {
    const suggestion = "a pattern is a string: match(text, '…').found, replace_all(text, '…', new)";
    reporter.refuse(span, "/", suggestion, null, span);
  } else if (FOREIGN_NUMBER.test(word)) {
    const value = String(Number(word.replaceAll("_", "")));
    const fix = { title: `write ${value}`, edits: [{ span, new_text: value }] };
    reporter.refuse(span, word, `write ${value}, or quote it if it is text`, fix, span);
  }
}
