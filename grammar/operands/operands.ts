/**
 * From word tokens to operands (docs/language.md, values and operands), and the findings that hang on a single operand: bad variables,
 * numbers out of range, words that look like a computed index. It knows nothing of slots; the caller decides whether a
 * word is an operand at all and so whether it is checked.
 */
import type { Operand } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import type { Reporter } from "../reporter.ts";
import { type Span, spanBefore } from "../text/span.ts";
import type { Token } from "./tokens.ts";
import * as T from "./tokens.ts";

const INTEGER = /^-?[0-9]+$/;
const COMPUTED_INDEX = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}\p{Nd}_]+|\[[^\][]*\])*$/u;

/** The operand a word or string token is. */
export function atomOf(token: Token): Operand {
  const { span, image, type } = token;
  switch (type) {
    case "Text":
      return { k: "str", v: token.value, span };
    case "NumberWord":
      return { k: "num", v: Number(image), span };
    case "Constant":
      return image === "null" ? { k: "null", span } : { k: "bool", v: image === "true", span };
    case "Variable":
      return variableOf(image, span);
    case "Path": {
      const { root, segments } = T.readPath(image);
      return { k: "path", root, segments, text: image, span };
    }
    case "NameWord":
    case "OpWord":
      return { k: "name", v: image, span };
    default:
      return { k: "word", v: token.value, span };
  }
}

function variableOf(image: string, span: Span): Operand {
  if (T.isName(image.slice(1))) return { k: "var", v: image.slice(1), span };
  const { root, segments } = T.readPath(image);
  return { k: "path", root, segments, text: null, span };
}

/** Reports what is wrong with a word used as an operand. True when the step loses its meaning by it. */
export function checkAtom(operand: Operand, reporter: Reporter): boolean {
  if (operand.k === "num") return checkNumber(operand.v, operand.span, reporter);
  if (operand.k !== "word") return false;
  const { span, v: word } = operand;
  if (word.startsWith("$")) {
    reporter.report({ code: "WF1005", span, words: { word }, fix: quoteFix(span, word) });
    return true;
  }
  if (word.includes("[") && COMPUTED_INDEX.test(word)) reportIndex(word, span, reporter);
  return false;
}

function checkNumber(value: number, span: Span, reporter: Reporter): boolean {
  if (!Number.isFinite(value)) {
    const text = imageOf(span, reporter);
    reporter.report({ code: "WF1007", span, words: { text } });
    return true;
  }
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const text = imageOf(span, reporter);
  if (INTEGER.test(text)) reporter.report({ code: "WF9010", span, words: { text }, fix: quoteFix(span, text) });
  return false;
}

function imageOf(span: Span, reporter: Reporter): string {
  return reporter.source.text.slice(span.start, span.end);
}

function quoteFix(span: Span, text: string): Fix | null {
  if (/["\\]/.test(text)) return null;
  return { title: "quote it", edits: [{ span, new_text: `"${text}"` }] };
}

/** WF1009 for a token that has no place here; the fix takes it out together with the blanks before it. */
export function unexpected(reporter: Reporter, span: Span, image: string): void {
  reporter.report({
    code: "WF1009",
    span,
    words: { token: `'${image}'` },
    fix: { title: "remove it", edits: [{ span: withBlanksBefore(reporter, span), new_text: "" }] },
  });
}

/** The span stretched over the blanks before it on its line. */
export function withBlanksBefore(reporter: Reporter, span: Span): Span {
  const { text } = reporter.source;
  let start = span.start;
  let column = span.column;
  while (column > 1 && /[ \t]/.test(text.charAt(start - 1))) {
    start--;
    column--;
  }
  return { ...span, start, column };
}

/** An edit that puts `text` before `span`. */
export function insertBefore(span: Span, text: string): { span: Span; new_text: string } {
  return { span: spanBefore(span), new_text: text };
}

/** The operands inside of a call, list or map; null for what holds none. */
export function operandsIn(operand: Operand): readonly Operand[] | null {
  switch (operand.k) {
    case "call":
      return operand.args;
    case "list":
      return operand.items;
    case "map":
      return operand.entries.map(({ value }) => value);
    default:
      return null;
  }
}

/** `rows[i]`: the element is had by a function here. */
function reportIndex(word: string, span: Span, reporter: Reporter): void {
  const [, list, key] = /^([\p{L}_$][\p{L}\p{Nd}_.]*)\[([\p{L}_][\p{L}\p{Nd}_]*)\]$/u.exec(word) ?? [];
  const written = `(at ${list} ${key})`;
  const fix = key === undefined ? null : { title: `write ${written}`, edits: [{ span, new_text: written }] };
  const suggestion = fix === null ? {} : { suggestion: fix.title };
  reporter.report({ code: "WF9012", span, words: { word }, fix, ...suggestion });
}
