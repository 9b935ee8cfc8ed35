/**
 * Makes a step of the pieces the parser found (docs/language.md, steps): checks that every required slot is filled, settles
 * the result arrow, lets the op's builder read the slots and reports what was too much. It knows nothing of lines,
 * labels or other steps.
 */
import type { BrokenStep, ErrStep, Name, Slot, Step, StepOp } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import { unexpected, withBlanksBefore } from "../operands/operands.ts";
import { isWritable } from "../operands/tokens.ts";
import { isModuleOp, requiredSlotsText, signatureOf } from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { spanAfter, spanOver } from "../text/span.ts";
import { buildStep, nodeRef, type StepBase } from "./builders.ts";
import { type Draft, isFilled, isJoined, type Piece, wantsVerb } from "./draft.ts";

export function assembleStep(draft: Draft, reporter: Reporter): Step {
  dropMarks(draft, reporter);
  if (draft.op.name === "Err" && draft.node !== null && draft.filled.length === 0)
    return errWithoutHandler(draft, reporter);
  if (!isFilled(draft) || isIncompleteCall(draft)) return brokenStep(draft, reporter);
  const kept: Piece[] = [];
  const out = takeResult(draft, reporter, kept);
  const strayResults = takeStrayResults(draft);
  const step = buildStep({ draft, reporter, out, kept }, baseOf(draft));
  if (step === null) return brokenStep(draft, reporter);
  for (const piece of strayResults) draft.rest.push(piece);
  reportSurplus(draft, reporter);
  if (draft.word.text !== draft.op.name) reportAlias(draft, reporter);
  return completed(step, draft, kept.length === 0 ? draft.rest : [...kept, ...draft.rest], reporter);
}

/** What is known only after the builder. The step is this file's own until it is handed out, so it is not copied. */
function completed(step: Step, { faulty }: Draft, surplus: readonly Piece[], reporter: Reporter): Step {
  const open: { faulty: boolean; extra: readonly Slot[] } = step;
  open.faulty = faulty;
  if (surplus.length > 0) open.extra = surplus.map((piece) => extraSlot(piece, reporter));
  return step;
}

/** No adapter or no verb could be read. */
function isIncompleteCall(draft: Draft): boolean {
  if (draft.op.name !== "R") return false;
  const target = draft.filled[0];
  if (target == null || target.operand === null || target.slot.quoted || !target.atom || isJoined(target)) return true;
  return draft.verb === null && !/^[^.]+\../s.test(target.slot.text);
}

const NO_EXTRA: readonly Slot[] = [];

/** The members every step has, but for what it writes. */
function baseOf(draft: Draft): StepBase {
  return {
    word: draft.word,
    span: spanOver(draft.word.span, draft.end),
    faulty: false,
    node: true,
    extra: NO_EXTRA,
  };
}

/** A surplus piece as text, its arrow included; after an arrow a string keeps its quotes. */
function extraSlot(piece: Piece, { source }: Reporter): Slot {
  const { arrow, operand, slot, span } = piece;
  if (arrow === null) return slot;
  const text = slot.quoted || isJoined(piece) ? source.text.slice(slot.span.start, slot.span.end) : slot.text;
  return { span, text: `->${operand === null ? "" : text}`, quoted: false };
}

const NO_PIECES: readonly Piece[] = [];

function hasArrow({ arrow }: Piece): boolean {
  return arrow !== null;
}

/** Result arrows after the required slots of an op that gives no result: surplus, never a value of an optional slot. */
function takeStrayResults(draft: Draft): readonly Piece[] {
  const { op, hasOut, rest } = draft;
  if (hasOut || op.name === "If" || op.name === "Par" || !rest.some(hasArrow)) return NO_PIECES;
  // `J ->L2` is meant as a jump: there the arrow itself is the fault.
  const isStray = (piece: Piece): boolean => piece.arrow !== null && !(op.name === "J" && piece === rest[0]);
  draft.rest = rest.filter((piece) => !isStray(piece));
  return rest.filter(isStray);
}

function isMark({ operand }: Piece): boolean {
  return operand === null;
}

/** Marks and lone arrows that no slot takes. */
function dropMarks(draft: Draft, reporter: Reporter): void {
  if (!draft.rest.some(isMark) && !draft.results.some(isMark)) return;
  const stray = (piece: Piece): boolean => {
    if (piece.operand !== null) return false;
    unexpected(reporter, piece.span, piece.mark ?? "->");
    draft.faulty = true;
    return true;
  };
  // The second label of an If may be a lone arrow: an empty reference, not a stray mark.
  const first = draft.op.name === "If" && draft.rest[0]?.arrow != null ? 0 : -1;
  draft.rest = draft.rest.filter((piece, index) => index === first || !stray(piece));
  for (const piece of draft.results) if (piece.operand === null) stray(piece);
}

/** The result arrow: the last one. Anything that is not a NAME is kept as it stands. */
function takeResult(draft: Draft, reporter: Reporter, kept: Piece[]): Name | null {
  if (draft.results.length === 0) return null;
  const results = draft.results.filter((piece) => piece.operand !== null);
  const last = results.pop();
  for (const piece of results) kept.push(piece);
  if (last === undefined) return null;
  const { text, span } = last.slot;
  const first = results[0];
  if (first !== undefined) {
    const related = [{ message: "first result name", span: first.span }];
    reporter.report({ code: "WF2015", span: last.span, related });
  }
  if (!last.name) {
    reportBadResult(last, reporter);
    kept.push(last);
    return null;
  }
  if (/^L[0-9]+$/.test(text)) reporter.report({ code: "WF9017", span: last.span, words: { name: text } });
  if (first === undefined && !mayStandHere(draft, last)) reportNotLast(draft, last, reporter);
  return { name: text, span };
}

function reportBadResult(piece: Piece, reporter: Reporter): void {
  const word = piece.slot.text;
  const bare = word.startsWith("$") ? word.slice(1) : word;
  const fix =
    isWritable(bare) && piece.atom
      ? { title: `write ->${bare}`, edits: [{ span: piece.slot.span, new_text: bare }] }
      : null;
  reporter.report({
    code: "WF2008",
    span: piece.slot.span,
    words: { word },
    expected: ["->name"],
    suggestion: fix === null ? "write a result name of letters, digits and _" : `write ->${bare}`,
    fix,
  });
}

/** Whether the arrow is the last token, or stands before the fallback of CacheGet. */
function mayStandHere(draft: Draft, result: Piece): boolean {
  const last = draft.pieces.at(-1);
  if (last === result || draft.end.end === result.span.end) return true;
  return (
    draft.op.name === "CacheGet" &&
    draft.pieces[draft.pieces.length - 2] === result &&
    draft.rest.includes(last as Piece)
  );
}

function reportNotLast(draft: Draft, result: Piece, reporter: Reporter): void {
  const name = result.slot.text;
  reporter.report({
    code: "WF9018",
    span: result.span,
    words: { name },
    fix: {
      title: "move it to the end",
      edits: [
        { span: withBlanksBefore(reporter, result.span), new_text: "" },
        { span: spanAfter(draft.end), new_text: ` ->${name}` },
      ],
    },
  });
}

/** Slots more than the op takes; said only when nothing worse was. */
function reportSurplus(draft: Draft, reporter: Reporter): void {
  if (draft.faulty) return;
  for (const piece of draft.rest) {
    const word = extraSlot(piece, reporter).text.slice(0, 100);
    const fix = surplusFix(draft, piece, reporter);
    reporter.report({ code: "WF9001", span: piece.span, words: { op: draft.op.name, word }, fix });
  }
}

/**
 * After a bare word a surplus word is most likely the rest of a text, which is offered in quotes as a whole. After anything else the author may have
 * meant either value: no edit.
 */
function surplusFix(draft: Draft, piece: Piece, reporter: Reporter): Fix | null {
  const at = draft.pieces.indexOf(piece);
  const before = draft.pieces[at - 1];
  if (before === undefined || before.arrow !== null || !isBareWord(before)) return null;
  const rest = draft.pieces.slice(at - 1);
  if (draft.rest[0] !== piece || !rest.every((one) => one.arrow === null && isBareWord(one))) return null;
  const span = spanOver(before.span, draft.end);
  const text = reporter.source.text.slice(span.start, span.end);
  return /["\\\n=]/.test(text) ? null : { title: "quote the whole text", edits: [{ span, new_text: `"${text}"` }] };
}

const isBareWord = ({ operand }: Piece): boolean =>
  operand !== null && (operand.k === "name" || operand.k === "word" || operand.k === "path");

function reportAlias(draft: Draft, reporter: Reporter): void {
  const op = draft.op.name;
  const { span } = draft.word;
  const fix = { title: `write ${op}`, edits: [{ span, new_text: op }] };
  reporter.report({ code: "WF9006", span, words: { op, word: draft.word.text }, fix });
}

function errWithoutHandler(draft: Draft, reporter: Reporter): ErrStep {
  if (!draft.faulty) reporter.report({ code: "WF2007", span: draft.word.span, expected: ["ref"] });
  const extra = draft.rest.map((piece) => extraSlot(piece, reporter));
  const base = { ...baseOf(draft), faulty: true, node: false, extra };
  return { op: "Err", protects: nodeRef(draft), handler: null, writes: [], ...base };
}

/** A step without its slots, reported unless something else in it was. */
function brokenStep(draft: Draft, reporter: Reporter): BrokenStep {
  const { op } = draft;
  if (!draft.faulty) {
    const missing = wantsVerb(draft) ? draft.required.slice(0, 1) : draft.required.slice(draft.filled.length);
    reporter.report({
      code: "WF2004",
      span: draft.word.span,
      words: { op: op.name, slots: requiredSlotsText(op), signature: signatureOf(op) },
      expected: (missing.length === 0 ? draft.required : missing).map((slot) => slot.class),
      ...(isModuleOp(op, draft.word.text) ? { severity: "warning" as const } : {}),
    });
  }
  const slots = draft.pieces.map((piece) => extraSlot(piece, reporter));
  const writes = brokenWrites(draft);
  const base = { ...baseOf(draft), faulty: true, node: false };
  return { op: "broken", broken_op: op.name as StepOp, slots, writes, ...base };
}

/** What a broken step would have set, as far as it can be read. */
function brokenWrites(draft: Draft): string[] {
  const names: (Piece | null | undefined)[] = draft.results.slice(-1);
  const nameSlot = draft.required.findIndex((slot) => slot.class === "name");
  if (nameSlot !== -1) names.push(draft.filled[nameSlot]);
  const written = names.filter((piece) => piece?.name === true).map((piece) => piece?.slot.text ?? "");
  if (draft.hasOut && draft.results.length === 0) {
    const byDefault = draft.op.slots.find((slot) => slot.class === "out")?.default;
    if (byDefault != null) written.push(byDefault);
  }
  return written;
}
