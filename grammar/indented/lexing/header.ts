/**
 * The header of a graph: `name:`, or with decorators, `name @api "/path" POST:`. Knows one line.
 */
import type { Slot } from "../../ast.ts";
import { isName, isWritable } from "../../operands/tokens.ts";
import type { Reporter } from "../../reporter.ts";
import { findOutside, isLabelWord, lexSlots, slotWordEnd } from "../../steps/slots.ts";
import { skipBlanks } from "../../text/source.ts";
import { type Span, spanAfter } from "../../text/span.ts";
import type { Decorator } from "../program.ts";
import { closingBracket, endsLine, isStatementWord, keywordAt } from "./line-words.ts";

export type Header = {
  readonly name: Slot;
  readonly decorators: readonly Decorator[];
  /** null: missing, and reported. */
  readonly colon: Span | null;
  /** The first word after the colon. */
  readonly after: Slot | null;
};

/** `main(a, b=3):`, also with `def` before it: the places of its name and of its inputs. */
export type Signature = {
  readonly name: number;
  readonly nameEnd: number;
  readonly open: number;
  readonly close: number;
};
const SIGNATURE = /(def[ \t]+)?([\p{L}_][\p{L}\p{Nd}_]*)[ \t]*\(/uy;
const SIGNATURE_END = /[ \t]*(?:->[^:\n]*)?:[ \t\r]*(?:#|\n|$)/y;

export function signatureAt(text: string, start: number, limit: number): Signature | null {
  SIGNATURE.lastIndex = start;
  const found = SIGNATURE.exec(text);
  if (found === null || SIGNATURE.lastIndex > limit || !isWritable(found[2] ?? "")) return null;
  const open = SIGNATURE.lastIndex - 1;
  const close = closingBracket(text, open, limit);
  SIGNATURE_END.lastIndex = close + 1;
  if (close === -1 || !SIGNATURE_END.test(text)) return null;
  const name = start + (found[1] ?? "").length;
  return { name, nameEnd: name + (found[2] ?? "").length, open, close };
}

/** One input in the brackets of a header. */
export type SignaturePart = {
  readonly start: number;
  readonly end: number;
  /** Where its default value begins; -1 without one. */
  readonly fallback: number;
};

/** The inputs between `from` and `limit`, which commas separate. */
export function signatureParts(text: string, from: number, limit: number): readonly SignaturePart[] {
  const parts: SignaturePart[] = [];
  let start = from;
  let fallback = -1;
  const add = (end: number): void => {
    const first = skipBlanks(text, start, end);
    if (first < end) parts.push({ start: first, end, fallback });
  };
  findOutside(text, from, limit, (character, depth, at) => {
    if (depth > 0) return false;
    if (character === "=" && fallback === -1) fallback = at + 1;
    if (character === ",") {
      add(at);
      start = at + 1;
      fallback = -1;
    }
    return false;
  });
  add(limit);
  return parts;
}

/** `L1:`, `L_down:`, `LOOP:`: a label line. `Live:` is a name. */
function isLabelLine(word: string): boolean {
  return isLabelWord(word) && !/^L\p{Ll}/u.test(word);
}

/** Whether the line is a header, a label line that is meant as one, or a header without its colon. */
export function looksLikeHeader(text: string, start: number, limit: number, hasBlock: boolean): boolean {
  const end = slotWordEnd(text, start, limit);
  const word = text.slice(start, end);
  if (isLabelLine(word)) return true;
  const name = word.endsWith(":") ? word.slice(0, -1) : word;
  if (!isWritable(name) || isStatementWord(name)) return false;
  const after = skipBlanks(text, end, limit);
  const next = text.charAt(after);
  if (after < limit && next === "@") return true;
  const isAlone = endsLine(text, end, limit);
  // `err: "none"` is a statement that lost its indentation; `err:` alone may be a graph.
  if (!isAlone && keywordAt(name, 0, name.length) !== null) return false;
  if (word !== name || (next === ":" && after < limit)) return true;
  return isAlone && hasBlock;
}

/** Reads a line for which `looksLikeHeader` holds. */
export function readHeader(reporter: Reporter, line: number, start: number): Header {
  reporter.lexicalErrors = [];
  const slots = lexSlots(reporter, line, start);
  const { before, colon, after } = splitAtColon(slots);
  const [word, ...rest] = before;
  const name = nameOf(word, slots[0], reporter);
  const decorators = decoratorsOf(rest, reporter);
  const last = before.at(-1) ?? name;
  if (colon === null) reportColon(reporter, last.span);
  // A label line is already reported; words after it are not reported as well.
  return { name, decorators, colon, after: isLabelLine(slots[0]?.text ?? "") ? null : after };
}

type Split = { readonly before: readonly Slot[]; readonly colon: Span | null; readonly after: Slot | null };

/** The first colon that ends a word, or stands alone. */
function splitAtColon(slots: readonly Slot[]): Split {
  const at = slots.findIndex(({ text, quoted }) => !quoted && text.endsWith(":"));
  const slot = slots[at];
  if (slot === undefined) return { before: slots, colon: null, after: null };
  const { span, text } = slot;
  const colon = { ...span, start: span.end - 1, column: span.end_column - 1 };
  const word: Slot = {
    span: { ...span, end: span.end - 1, end_column: span.end_column - 1 },
    text: text.slice(0, -1),
    quoted: false,
  };
  const before = [...slots.slice(0, at), ...(word.text === "" ? [] : [word])];
  return { before, colon, after: slots[at + 1] ?? null };
}

/** The name of the graph; of a label line, its name without `L`. */
function nameOf(word: Slot | undefined, first: Slot | undefined, reporter: Reporter): Slot {
  const slot = word ?? (first as Slot);
  if (!isLabelLine(`${slot.text}:`)) return slot;
  const name = slot.text.slice(1).replace(/^_/, "");
  const fix = isWritable(name) ? { title: `write ${name}:`, edits: [{ span: slot.span, new_text: name }] } : null;
  reporter.report({
    code: "WF1106",
    span: slot.span,
    words: { word: `${slot.text}:` },
    suggestion: fix === null ? "a graph has a name: write name:" : `write ${name}:`,
    fix,
  });
  return { ...slot, text: isName(name) ? name : slot.text };
}

function decoratorsOf(slots: readonly Slot[], reporter: Reporter): Decorator[] {
  const decorators: { word: Slot; args: Slot[] }[] = [];
  for (const slot of slots) {
    const last = decorators.at(-1);
    const isDecorator = !slot.quoted && /^@[\p{L}_]/u.test(slot.text);
    if (isDecorator && slot.text.includes("(")) {
      reporter.report({ code: "WF1105", span: slot.span, suggestion: 'write @api "/path" GET, without brackets' });
      break;
    }
    if (isDecorator) decorators.push({ word: slot, args: [] });
    else if (last !== undefined) last.args.push(slot);
    else reporter.report({ code: "WF1105", span: slot.span });
  }
  return decorators;
}

function reportColon(reporter: Reporter, last: Span): void {
  if (reporter.lexicalErrors.length > 0) return;
  const edits = [{ span: spanAfter(last), new_text: ":" }];
  reporter.report({ code: "WF1107", span: last, fix: { title: "add the colon", edits } });
}
