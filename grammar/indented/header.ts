/**
 * The header of a graph: `name:`, or with decorators, `name @api "/path" POST:`. Knows one line.
 */
import type { Slot } from "../ast.ts";
import type { Reporter } from "../reporter.ts";
import { isLabelWord, lexSlots, slotWordEnd } from "../slots.ts";
import { skipBlanks } from "../source.ts";
import { type Span, spanAfter } from "../span.ts";
import { isName, isWritable } from "../tokens.ts";
import type { Decorator } from "./program.ts";
import { endsLine, isBlockWord, keywordAt } from "./words.ts";

export type Header = {
  readonly name: Slot;
  readonly decorators: readonly Decorator[];
  /** null: it was forgotten, and told. */
  readonly colon: Span | null;
  /** Words behind the colon. */
  readonly behind: Slot | null;
};

/** `L1:`, `L_down:`, `LOOP:`: a label line. `Live:` is a name. */
function isLabelLine(word: string): boolean {
  return isLabelWord(word) && !/^L\p{Ll}/u.test(word);
}

/** Whether the line has the form of a header, of a label line meant as one, or would have it with a colon. */
export function looksLikeHeader(text: string, start: number, limit: number, hasBlock: boolean): boolean {
  const end = slotWordEnd(text, start, limit);
  const word = text.slice(start, end);
  if (isLabelLine(word)) return true;
  const name = word.endsWith(":") ? word.slice(0, -1) : word;
  if (!isWritable(name) || isBlockWord(name)) return false;
  const behind = skipBlanks(text, end, limit);
  const next = text.charAt(behind);
  if (behind < limit && next === "@") return true;
  const isAlone = endsLine(text, end, limit);
  // `err: "none"` is a statement that lost its place; `err:` alone may be a graph.
  if (!isAlone && keywordAt(name, 0, name.length) !== null) return false;
  if (word !== name || (next === ":" && behind < limit)) return true;
  return isAlone && hasBlock;
}

/** Reads a line for which `looksLikeHeader` holds. */
export function readHeader(reporter: Reporter, line: number, start: number): Header {
  reporter.lexicalErrors = [];
  const slots = lexSlots(reporter, line, start);
  const { before, colon, behind } = splitAtColon(slots);
  const [word, ...rest] = before;
  const name = nameOf(word, slots[0], reporter);
  const decorators = decoratorsOf(rest, reporter);
  const last = before[before.length - 1] ?? name;
  if (colon === null) reportColon(reporter, last.span);
  // Of a label line its form is told already.
  return { name, decorators, colon, behind: isLabelLine(slots[0]?.text ?? "") ? null : behind };
}

type Split = { readonly before: readonly Slot[]; readonly colon: Span | null; readonly behind: Slot | null };

/** The first colon that ends a word, or stands alone. */
function splitAtColon(slots: readonly Slot[]): Split {
  const at = slots.findIndex(({ text, quoted }) => !quoted && text.endsWith(":"));
  const slot = slots[at];
  if (slot === undefined) return { before: slots, colon: null, behind: null };
  const { span, text } = slot;
  const colon = { ...span, start: span.end - 1, column: span.end_column - 1 };
  const word: Slot = {
    span: { ...span, end: span.end - 1, end_column: span.end_column - 1 },
    text: text.slice(0, -1),
    quoted: false,
  };
  const before = [...slots.slice(0, at), ...(word.text === "" ? [] : [word])];
  return { before, colon, behind: slots[at + 1] ?? null };
}

/** The name of a label line is that of the graph it is meant as. */
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
    const last = decorators[decorators.length - 1];
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
