/**
 * Steps written as other languages have them: operators between operands, `then` and `else`, arguments of a label, J as a
 * jump. One finding says what Weft writes instead, and covers what else would be said about the step. What the step means
 * does not change by it. It knows pieces and labels' names, and nothing of variables or functions.
 */
import type { Condition } from "../ast.ts";
import type { Edit, Finding } from "../diagnostic.ts";
import { withBlanksBefore } from "../operands/operands.ts";
import type { Reporter } from "../reporter.ts";
import type { Draft, Piece } from "../steps/draft.ts";
import { labelBelow, namesLabel } from "../steps/label-lines.ts";
import { type Span, spanAfter, spanBefore, spanOver } from "../text/span.ts";
import { adviceOf, type InfixWord, isOperatorWord, readInfix, wordOfOperand, wordsOfCondition } from "./infix.ts";

const CONDITION_WORDS: ReadonlySet<string> = new Set(["then", "else", "do", "goto"]);
const COMPARATORS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);
export const NO_ARGUMENTS = "labels take no arguments: Set them before the Call";
const SYMBOL = /^[^\p{L}\p{Nd}_]+$/u;
const MAX_WORD_LENGTH = 100;

/** Reports what is foreign in a step that has no finding yet. True when its surplus words are explained by that. */
export function reportForeign(draft: Draft, reporter: Reporter): boolean {
  if (draft.faulty || draft.pieces.length === 0) return false;
  const finding = foreignIn(draft, reporter);
  if (finding === null) return false;
  if (finding.code === "WF1009") draft.faulty = true;
  // What a Call is after its label says nothing about the label.
  const from = draft.op.name === "Call" ? (finding.span ?? draft.word.span) : draft.word.span;
  reporter.report({ ...finding, covers: spanOver(from, draft.end) });
  return true;
}

function foreignIn(draft: Draft, reporter: Reporter): Finding | null {
  switch (draft.op.name) {
    case "If":
    case "While":
      return draft.condition === null ? null : foreignCondition(draft, draft.condition, reporter);
    case "Call":
      return labelArguments(draft);
    case "J":
      return jump(draft) ?? foreignValue(draft, 0, reporter);
    case "Set":
      return draft.pieces[1]?.mark === "=" ? assignment(draft, reporter) : foreignValue(draft, 1, reporter);
    case "X":
      return comparedArgument(draft, reporter);
    case "R":
      return comparedArgument(draft, reporter) ?? addedArgument(draft, reporter);
    case "Loop":
      return loopIn(draft, reporter);
    case "QueuePut":
      return foreignValue(draft, 1, reporter);
    default:
      return null;
  }
}

// ---- conditions ----

function foreignCondition(draft: Draft, condition: Condition, reporter: Reporter): Finding | null {
  const { pieces } = draft;
  const end = pieces.findIndex((piece) => piece.arrow !== null || isWord(piece, CONDITION_WORDS) || isLimit(piece));
  const region = end === -1 ? pieces : pieces.slice(0, end);
  const [first] = region;
  const foreign = first === undefined ? null : foreignOperator(draft, condition, first, region, reporter);
  const found = foreign ?? misplacedLimit(draft, condition, reporter) ?? closingColon(condition, reporter);
  if (found !== null || first !== undefined) return found;
  const reference = [...draft.filled, draft.op.name === "If" ? draft.rest[0] : undefined];
  const word = pieces.find((piece) => isWord(piece, CONDITION_WORDS) && reference.includes(piece));
  if (word === undefined || namesLabel(word.slot.text, reporter.source)) return null;
  const labels = pieces.filter((piece) => !isWord(piece, CONDITION_WORDS)).map((piece) => textOf(piece, reporter));
  return {
    ...unexpectedWord(word),
    suggestion: `write ${[draft.word.text, textAt(condition.span, reporter), ...labels].join(" ")}`,
    fix: { title: "leave the words out", edits: removals(pieces, reporter) },
  };
}

function foreignOperator(
  draft: Draft,
  condition: Condition,
  first: Piece,
  region: readonly Piece[],
  reporter: Reporter,
): Finding | null {
  const { text } = reporter.source;
  const operator = wordOf(first, text);
  if (!isOperatorWord(operator) || (first.mark === null && namesLabel(operator.text, reporter.source))) return null;
  const before = wordsOfCondition(condition, text);
  const words = before === null ? [] : [...before, ...region.map((piece) => wordOf(piece, text))];
  const reading = readInfix(words, "condition");
  const last = region[reading === null ? -1 : reading.used - (before?.length ?? 0) - 1];
  if (reading === null || last === undefined) {
    return { ...unexpectedWord(first), suggestion: "nest functions: write (and (gt n 3) (lt n 5))", fix: null };
  }
  const edits = [
    { span: spanOver(condition.span, last.span), new_text: reading.text },
    ...removals(draft.pieces, reporter),
  ];
  return {
    ...unexpectedWord(first),
    suggestion: `write ${reading.text}`,
    fix: reading.exact ? { title: `write ${reading.text}`, edits } : null,
  };
}

/** `If n > 3: ->L_yes`: a colon that is part of the last word. */
function closingColon(condition: Condition, reporter: Reporter): Finding | null {
  let inner = condition;
  while (inner.c === "not") inner = inner.of;
  const last = "of" in inner ? inner.of : inner.right;
  if (last.k !== "word" || !/[^:]:$/.test(last.v)) return null;
  const { end, end_line: line, end_column } = last.span;
  const span = { ...last.span, start: end - 1, line, column: end_column - 1 };
  if (textAt(span, reporter) !== ":") return null;
  return {
    code: "WF9030",
    span,
    words: { mark: ":", word: last.v.slice(0, MAX_WORD_LENGTH) },
    suggestion: "remove it: the labels follow the condition directly; quote the word if it is text",
    fix: { title: "remove it", edits: [{ span, new_text: "" }] },
  };
}

/** `While c limit=9 ->L_body ->L_after`, `While c ->L_body limit=9`: the limit stands where a label is due. */
function misplacedLimit(draft: Draft, condition: Condition, reporter: Reporter): Finding | null {
  const at = draft.op.name === "While" ? draft.pieces.findIndex(isLimit) : -1;
  const limit = draft.pieces[at];
  if (limit === undefined || at > 1 || namesLabel(limit.slot.text, reporter.source)) return null;
  const [body, after, ...others] = draft.pieces.filter(isReference).map((piece) => textOf(piece, reporter));
  if (body === undefined) return null;
  const head = `While ${textAt(condition.span, reporter)} ${body}`;
  const { text } = limit.slot;
  if (after === undefined) return missingAfter(draft, head, body, limit, reporter);
  return {
    ...unexpectedWord(limit),
    suggestion: `put limit= last: ${[head, after, ...others, text].join(" ")}`,
    fix: { title: "put limit= last", edits: movedToEnd(draft, limit, "", reporter) },
  };
}

/** The label below that is not the body is offered; it need not be the one that is meant. */
function missingAfter(draft: Draft, head: string, body: string, limit: Piece, reporter: Reporter): Finding {
  const near = labelBelow(reporter.source, limit.span.line, body.replace(/^->/, ""));
  const { text } = limit.slot;
  const suggestion = `name the label that runs afterwards: ${head} ->${near ?? "L_after"} ${text}`;
  if (near === null) return { ...unexpectedWord(limit), suggestion, fix: null };
  const behindBody = draft.pieces[0] !== limit;
  const edits = behindBody
    ? [{ span: spanBefore(limit.span), new_text: `->${near} ` }]
    : movedToEnd(draft, limit, ` ->${near}`, reporter);
  return { ...unexpectedWord(limit), suggestion, fix: { title: `continue at ${near}`, edits } };
}

function movedToEnd(draft: Draft, piece: Piece, between: string, reporter: Reporter): Edit[] {
  return [
    { span: withBlanksBefore(reporter, piece.span), new_text: "" },
    { span: spanAfter(draft.end), new_text: `${between} ${piece.slot.text}` },
  ];
}

function removals(pieces: readonly Piece[], reporter: Reporter): Edit[] {
  return pieces
    .filter((piece) => isWord(piece, CONDITION_WORDS))
    .map(({ span }) => ({ span: withBlanksBefore(reporter, span), new_text: "" }));
}

// ---- values ----

/** `J a + 1`: operators after the value. Words such as `is` are left alone, because they may be unquoted text. */
function foreignValue(draft: Draft, at: number, reporter: Reporter): Finding | null {
  const { text } = reporter.source;
  const pieces = upToArrow(draft.pieces.slice(at));
  const operator = pieces[1];
  if (operator === undefined || !SYMBOL.test(operator.slot.text) || operator.slot.quoted) return null;
  const reading = readInfix(
    pieces.map((piece) => wordOf(piece, text)),
    "value",
  );
  const first = pieces[0];
  const last = pieces[(reading?.used ?? 0) - 1];
  if (reading === null || first === undefined || last === undefined) return null;
  const advice = adviceOf(reading, spanOver(first.span, last.span));
  // A comparator alone is not a word, so it cannot be ignored.
  const mark = draft.rest.find((piece) => piece.operand === null);
  if (mark !== undefined) return { ...unexpectedWord(mark), ...advice };
  const word = operator.slot.text.slice(0, MAX_WORD_LENGTH);
  return { code: "WF9001", span: operator.span, words: { op: draft.op.name, word }, ...advice };
}

/** `X y a == b`, `R core.ITE a == b 1 2`. */
function comparedArgument(draft: Draft, reporter: Reporter): Finding | null {
  const at = draft.pieces.findIndex(({ mark }) => COMPARATORS.has(mark ?? ""));
  const [left, mark, right] = draft.pieces.slice(Math.max(at - 1, 0), at + 2);
  if (at < 2 || left === undefined || mark === undefined || right === undefined) return null;
  const words = [left, mark, right].map((piece) => wordOf(piece, reporter.source.text));
  const reading = readInfix(words, "value");
  if (reading?.used !== words.length) return null;
  return { ...unexpectedWord(mark), ...adviceOf(reading, spanOver(left.span, right.span)) };
}

/** `R http.GET "https://a.b/" + id`: a text among the arguments. Of those of `core`, some join what they are given. */
function addedArgument(draft: Draft, reporter: Reporter): Finding | null {
  if (!draft.pieces.some(({ slot }) => slot.text === "+")) return null;
  const pieces = upToArrow(draft.pieces);
  if (/^core(?:\.|$)/i.test(pieces[0]?.slot.text ?? "")) return null;
  const at = pieces.findIndex(({ operand, slot }) => operand?.k === "word" && slot.text === "+" && !slot.quoted);
  const [left, operator] = pieces.slice(Math.max(at - 1, 0));
  if (at < 2 || left === undefined || operator === undefined) return null;
  const words = pieces.slice(at - 1).map((piece) => wordOf(piece, reporter.source.text));
  const reading = readInfix(words, "value");
  const last = pieces[at - 2 + (reading?.used ?? 0)];
  if (reading === null || last === undefined) return null;
  const { suggestion, fix } = adviceOf(reading, spanOver(left.span, last.span));
  return {
    code: "WF9030",
    span: operator.span,
    words: { mark: "+", word: "+" },
    suggestion: `${suggestion}; quote it if it is text`,
    fix,
  };
}

/** `Loop x in xs ->L_body ->L_after`. */
function loopIn(draft: Draft, reporter: Reporter): Finding | null {
  const [item, word, list, body] = draft.pieces;
  if (item === undefined || word === undefined || list === undefined || body === undefined) return null;
  if (!item.name || word.slot.quoted || word.slot.text !== "in" || list.arrow !== null || body.arrow === null)
    return null;
  const written = `${textOf(list, reporter)} ${textOf(item, reporter)}`;
  return {
    ...unexpectedWord(word),
    suggestion: `write Loop ${written} and the labels`,
    fix: { title: `write ${written}`, edits: [{ span: spanOver(item.span, list.span), new_text: written }] },
  };
}

/** `Set x = 5`. */
function assignment(draft: Draft, reporter: Reporter): Finding | null {
  const [name, mark, ...value] = draft.pieces;
  const first = value[0];
  if (name === undefined || mark === undefined || first === undefined) return null;
  const words = upToArrow(value).map((piece) => wordOf(piece, reporter.source.text));
  const reading = readInfix(words, "value");
  const written = reading?.text ?? textOf(first, reporter);
  const between = { ...withBlanksBefore(reporter, mark.span) };
  return {
    ...unexpectedWord(mark),
    suggestion: `write Set ${textOf(name, reporter)} ${written}`,
    fix: value.length === 1 ? { title: "remove it", edits: [{ span: between, new_text: "" }] } : null,
  };
}

/** `J ->L_end` is meant as a jump. */
function jump(draft: Draft): Finding | null {
  const [piece] = draft.pieces;
  if (piece?.arrow == null || piece.slot.quoted || !/^L[\p{L}\p{Nd}_/]+$/u.test(piece.slot.text)) return null;
  return {
    code: "WF1009",
    span: piece.arrow,
    words: { token: "'->'" },
    suggestion: jumpAdvice(piece.slot.text),
    fix: null,
  };
}

/** What to write for a J that was meant as a jump to the label that `reference` names. */
export function jumpAdvice(reference: string): string {
  return `J returns a value; to continue at a label use If true ->${reference} or Call ${reference}`;
}

/** `Call L_sum 1 2`: more than a result name without its arrow. */
function labelArguments(draft: Draft): Finding | null {
  const further = draft.pieces.slice(1).filter((piece) => piece.arrow === null && piece.operand !== null);
  const [first, second] = further;
  if (first === undefined || draft.filled[0] == null) return null;
  const word = first.slot.text.slice(0, MAX_WORD_LENGTH);
  if (draft.results.length > 0) {
    return { code: "WF9001", span: first.span, words: { op: "Call", word }, suggestion: NO_ARGUMENTS, fix: null };
  }
  if (first.name && second === undefined) return null;
  return {
    code: "WF2008",
    span: first.span,
    words: { word },
    expected: ["->name"],
    suggestion: NO_ARGUMENTS,
    fix: null,
  };
}

// ---- pieces ----

function unexpectedWord(piece: Piece): Pick<Finding, "code" | "span" | "words"> {
  const token = `'${(piece.mark ?? piece.slot.text).slice(0, MAX_WORD_LENGTH)}'`;
  return { code: "WF1009", span: piece.span, words: { token } };
}

function wordOf(piece: Piece, source: string): InfixWord {
  if (piece.operand === null) return { text: piece.mark ?? "->", kind: "mark", span: piece.span };
  return wordOfOperand(piece.operand, source);
}

function textAt(span: Span, reporter: Reporter): string {
  return reporter.source.text.slice(span.start, span.end);
}

function textOf(piece: Piece, reporter: Reporter): string {
  return textAt(piece.span, reporter);
}

function upToArrow(pieces: readonly Piece[]): readonly Piece[] {
  const end = pieces.findIndex((piece) => piece.arrow !== null);
  return end === -1 ? pieces : pieces.slice(0, end);
}

function isWord({ arrow, slot, operand }: Piece, words: ReadonlySet<string>): boolean {
  return arrow === null && operand !== null && !slot.quoted && words.has(slot.text);
}

function isLimit({ arrow, slot }: Piece): boolean {
  return arrow === null && !slot.quoted && slot.text.startsWith("limit=");
}

function isReference(piece: Piece): boolean {
  return piece.arrow !== null || (/^L./.test(piece.slot.text) && !piece.slot.quoted && !isLimit(piece));
}
