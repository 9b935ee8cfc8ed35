/**
 * Marks that other languages, keyboards and word processors set next to operands, and that are letters of a text here: commas and
 * semicolons, typographic quotes, arrows of other forms, brackets after a name. What the step means does not change by what is said of
 * them. It knows pieces and nothing of variables.
 */
import type { Edit, Fix } from "../diagnostic.ts";
import { isWritable } from "../operands/tokens.ts";
import type { Reporter } from "../reporter.ts";
import type { Draft, Piece } from "../steps/draft.ts";
import { type Span, spanOver } from "../text/span.ts";

const FOREIGN_ARROW = /^(?:[=–—−~]?>|[→⇒⟶➔➜])/u;
const SEPARATOR = /^[,;]$/;
const CLOSING = /^[\p{L}\p{Nd}_.-][^()[\]{}]*([)\]}]+)$/u;
const OPENING = /^[“”„«‘’‚`]/u;
const VALUE_OPS: ReadonlySet<string> = new Set([
  "R",
  "X",
  "J",
  "Set",
  "CacheGet",
  "CacheSet",
  "QueuePut",
  "Filt",
  "Sort",
]);
const MAX_WORD_LENGTH = 100;
const MAX_CALL_LENGTH = 500;

/** `len(rows)`, `ADD(2, 3)`: a name with its arguments in brackets after it. */
export type Called = {
  readonly name: string;
  /** null where the brackets hold more than words and commas, or are not closed on the line. */
  readonly args: readonly string[] | null;
  /** From the name to the closing bracket, or to the end of the word where `args` is null. */
  readonly span: Span;
};

const CALLED = /^([\p{L}_][\p{L}\p{Nd}_]*)\(/u;
const PLAIN_ARGUMENTS = /^\(([^()[\]{}"'`\n#]*)\)/;

/** What a bare word that begins with a name and a bracket calls; `span` is that of the word. */
export function calledBy(word: string, span: Span, source: string): Called | null {
  const name = CALLED.exec(word)?.[1];
  if (name === undefined) return null;
  const [brackets, inner] =
    PLAIN_ARGUMENTS.exec(source.slice(span.start + name.length, span.start + MAX_CALL_LENGTH)) ?? [];
  if (brackets === undefined || inner === undefined) return { name, args: null, span };
  const length = name.length + brackets.length;
  const args = inner.split(/[\s,]+/).filter((one) => one !== "");
  return { name, args, span: { ...span, end: span.start + length, end_column: span.column + length } };
}

/** The name after an arrow of another form: `=>x`, `→x`. */
export function behindForeignArrow(word: string): string | null {
  const arrow = FOREIGN_ARROW.exec(word)?.[0];
  if (arrow === undefined) return null;
  const name = word.slice(arrow.length);
  return isWritable(name) ? name : null;
}

/** `→`, `=>`, and nothing after it; `>` alone compares. */
export function isForeignArrow(word: string): boolean {
  return word !== ">" && FOREIGN_ARROW.exec(word)?.[0] === word;
}

/** Reports what stands next to the operands of a step that has no finding yet. True when its surplus words are explained by that. */
export function reportMarks(draft: Draft, reporter: Reporter): boolean {
  if (draft.faulty) return false;
  if (draft.hasOut && draft.results.length === 0 && reportArrow(draft, reporter)) return true;
  if (!draft.pieces.some(isBare) || !VALUE_OPS.has(draft.op.name)) return false;
  const operands = draft.pieces.slice(firstOperand(draft));
  if (reportQuotes(draft, operands, reporter)) return true;
  if (operands.some((piece) => reportWord(piece, draft, reporter))) return true;
  reportSeparators(draft, operands, reporter);
  return false;
}

/** `xs -->r`, `a // note`, `order.lines[1.sku`: what belongs to no word of this form. */
function reportWord(piece: Piece, draft: Draft, reporter: Reporter): boolean {
  if (!isBare(piece)) return false;
  const { text, span } = piece.slot;
  const { text: source } = reporter.source;
  if (/^-+$/.test(text) && source.startsWith("->", span.end)) {
    report(reporter, piece, draft, {
      span,
      mark: text,
      suggestion: "write ->",
      fix: { title: "write ->", edits: [{ span, new_text: "" }] },
    });
    return true;
  }
  if (text === "//") {
    const fix = { title: "write #", edits: [{ span, new_text: "#" }] };
    report(reporter, piece, draft, { span, mark: text, suggestion: "write # before a comment", fix });
    return true;
  }
  const isMethod = METHOD.test(text);
  if (!isMethod && !BROKEN_PATH.test(text)) return false;
  const suggestion = isMethod
    ? "values have no methods: call a function, as (upper s), or quote the word if it is text"
    : "write a path, as rows[0].name, or (at rows n)";
  reporter.refuse(span, text.slice(0, MAX_WORD_LENGTH), suggestion, null, span);
  return true;
}

/** `order.lines[1.sku`: a bracket that does not belong to the path before it; `p[q` may be a text. */
const BROKEN_PATH =
  /^[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}\p{Nd}_]+)+\[[^\]]*(?:\]\.\p{L}.*)?$|^[\p{L}_][\p{L}\p{Nd}_.]*\[[0-9]+[^\]0-9]/u;

/** `s.upper()` */
const METHOD = /^[\p{L}_][\p{L}\p{Nd}_]*(?:\.[\p{L}_][\p{L}\p{Nd}_]*)+\(\)?/u;

/** A word after the name of an X is a function where operands follow, and an unknown one is refused as such. */
function firstOperand({ op, pieces }: Draft): number {
  if (op.name === "J") return 0;
  return op.name === "X" && pieces.length > 2 ? 2 : 1;
}

/** `R core.ADD 2 3 =>x`, `R core.ADD 2 3 → x`: texts among the arguments of a call. */
function reportArrow(draft: Draft, reporter: Reporter): boolean {
  const [before, last] = [draft.pieces.at(-2), draft.pieces.at(-1)];
  if (last === undefined || draft.pieces.length < 2) return false;
  const glued = last.slot.quoted ? null : behindForeignArrow(last.slot.text);
  const lone = glued === null && last.name && before !== undefined && isLoneArrow(before) ? before : null;
  if (glued === null && (lone === null || draft.pieces.length < 3)) return false;
  const span = spanOver((lone ?? last).span, last.span);
  const name = glued ?? last.slot.text;
  const title = `write ->${name}`;
  report(reporter, lone ?? last, draft, {
    span,
    mark: arrowOf((lone ?? last).slot.text),
    suggestion: `${title} if it names the result; quote it if it is text`,
    fix: { title, edits: [{ span, new_text: `->${name}` }] },
  });
  return true;
}

function arrowOf(word: string): string {
  return FOREIGN_ARROW.exec(word)?.[0] ?? word;
}

function isLoneArrow({ slot, mark }: Piece): boolean {
  return !slot.quoted && isForeignArrow(mark ?? slot.text);
}

/** `“Hello World”`: what a bare word begins that stands in the quotes of a word processor. */
function reportQuotes(draft: Draft, operands: readonly Piece[], reporter: Reporter): boolean {
  for (const piece of operands) {
    const quoted = isBare(piece) ? quotedBy(piece.slot.text, piece.slot.span, reporter.source.text) : null;
    if (quoted === null) continue;
    report(reporter, piece, draft, quoted);
    return true;
  }
  return false;
}

const DOUBLE = /^[“”„«`]([^“”„«»`"\\\n]*)[“”»`]/u;
const SINGLE = /^[‘’‚]([^‘’‚"\\\n]*)[‘’]/u;

/** What is to be said of a word that begins with a typographic quote, or with the one of templates elsewhere; `span` is that of the word. */
function quotedBy(word: string, span: Span, source: string): Marked | null {
  if (!OPENING.test(word)) return null;
  const rest = source.slice(span.start, span.start + MAX_CALL_LENGTH);
  const [whole, inner] = DOUBLE.exec(rest) ?? SINGLE.exec(rest) ?? [];
  const mark = word.charAt(0);
  if (whole === undefined || inner === undefined)
    return { span, mark, suggestion: 'write straight quotes: "text"', fix: null };
  const all = { ...span, end: span.start + whole.length, end_column: span.column + whole.length };
  const fix = { title: "write straight quotes", edits: [{ span: all, new_text: `"${inner}"` }] };
  return { span: all, mark, suggestion: `write straight quotes: "${inner.slice(0, MAX_WORD_LENGTH)}"`, fix };
}

/** `R core.ADD a, b`, `R core.CONCAT "a", "b"`, `J 1;`, `X y add a b)`: one finding for all of the step. */
function reportSeparators(draft: Draft, operands: readonly Piece[], reporter: Reporter): void {
  // `add(a, 2)` is reported as the call it is meant to be.
  const opens = draft.pieces.some(({ slot }) => !slot.quoted && /[([{]/.test(slot.text));
  const found = operands.flatMap((piece, index) => {
    const mark = separatorOf(piece, operands[index - 1]) ?? (opens ? null : closingOf(piece));
    return mark === null ? [] : [{ piece, mark }];
  });
  const [first] = found;
  if (first === undefined) return;
  const edits: Edit[] = found.map(({ mark }) => ({ span: mark, new_text: "" }));
  const mark = reporter.source.text.slice(first.mark.start, first.mark.end);
  const why = SEPARATOR.test(mark) ? "blanks separate operands" : "it closes nothing";
  report(reporter, first.piece, draft, {
    span: first.mark,
    mark,
    suggestion: `remove it: ${why}; quote the word if it is text`,
    fix: { title: "remove it", edits },
  });
}

/** The mark at the end of a bare word, or the one that stands alone right after a string. A lone one between blanks is a text. */
function separatorOf(piece: Piece, before: Piece | undefined): Span | null {
  if (!isBare(piece)) return null;
  const { text, span } = piece.slot;
  if (SEPARATOR.test(text)) return before?.span.end === span.start ? span : null;
  // `len(a,` is reported as the call it is meant to be.
  if (!SEPARATOR.test(text.slice(-1)) || text.includes("(") || text.length !== span.end - span.start) return null;
  return { ...span, start: span.end - 1, line: span.end_line, column: span.end_column - 1 };
}

/** `2)`: what closes no bracket of the word. */
function closingOf(piece: Piece): Span | null {
  const { text, span } = piece.slot;
  const [, marks] = isBare(piece) && text.length === span.end - span.start ? (CLOSING.exec(text) ?? []) : [];
  if (marks === undefined) return null;
  return { ...span, start: span.end - marks.length, line: span.end_line, column: span.end_column - marks.length };
}

/** A word that is not a name, number or path; those have no such marks. */
function isBare({ arrow, operand, slot }: Piece): boolean {
  return operand?.k === "word" && arrow === null && !slot.quoted;
}

type Marked = {
  readonly span: Span;
  readonly mark: string;
  readonly suggestion: string;
  readonly fix: Fix | null;
};

/** What it says of a call covers how many arguments there are; of other steps, surplus words are reported next to it. */
function report(reporter: Reporter, { slot }: Piece, draft: Draft, { mark, ...finding }: Marked): void {
  const words = { mark, word: slot.text.slice(0, MAX_WORD_LENGTH) };
  const isCall = draft.op.name === "R" || draft.op.name === "X";
  const covers = isCall ? { covers: spanOver(draft.word.span, draft.end) } : {};
  reporter.report({ code: "WF9030", words, ...finding, ...covers });
}
