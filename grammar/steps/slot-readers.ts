/**
 * Reads single slots of a step: a piece as operand, word, written name or label reference, with the findings that hang on
 * that one slot (docs/language.md, values and operands). Which slot of an op a piece fills is decided elsewhere.
 */
import type { Name, Operand, Ref, Slot } from "../ast.ts";
import { checkAtom, unexpected } from "../operands/operands.ts";
import { isWritable } from "../operands/tokens.ts";
import type { Reporter } from "../reporter.ts";
import { type Draft, isJoined, type Piece } from "./draft.ts";

/** What the builders of the single steps work with. */
export type StepReader = {
  readonly draft: Draft;
  readonly reporter: Reporter;
  readonly out: Name | null;
  /** Pieces without effect that have their finding already; kept for the formatter. */
  readonly kept: Piece[];
};

/** Longest piece of a program that a message repeats. */
const QUOTED_LENGTH = 100;

/** The piece of a required slot; filled-ness was checked before. */
export function required(reader: StepReader, index: number): Piece {
  const piece = reader.draft.filled[index];
  if (piece == null) throw new Error(`slot ${index} of ${reader.draft.op.name} is not filled`);
  return piece;
}

/** An optional slot after the required ones: the next piece of the rest. */
export function takeRest(reader: StepReader): Piece | null {
  return reader.draft.rest.shift() ?? null;
}

function refuseArrow({ draft, reporter }: StepReader, piece: Piece): void {
  if (piece.arrow === null) return;
  const gap = { ...piece.arrow, end_column: piece.slot.span.column, end: piece.slot.span.start };
  const sameLine = piece.arrow.line === piece.slot.span.line;
  draft.faulty = true;
  reporter.report({
    code: "WF1009",
    span: piece.arrow,
    words: { token: "'->'" },
    fix: { title: "remove it", edits: [{ span: sameLine ? gap : piece.arrow, new_text: "" }] },
  });
}

export function operandOf(reader: StepReader, piece: Piece): Operand {
  refuseArrow(reader, piece);
  if (piece.operand === null) {
    unexpected(reader.reporter, piece.span, piece.mark ?? "->");
    reader.draft.faulty = true;
    return { k: "null", span: piece.span };
  }
  if (piece.atom && checkAtom(piece.operand, reader.reporter)) reader.draft.faulty = true;
  return piece.operand;
}

/** A word or string as text; a structure has no place there. */
export function wordOf(reader: StepReader, piece: Piece): Slot {
  refuseArrow(reader, piece);
  if (!piece.atom) {
    unexpected(reader.reporter, piece.span, reader.reporter.source.text.charAt(piece.slot.span.start));
    reader.draft.faulty = true;
  }
  return piece.slot;
}

/** A name to be written. `$x` and `"x"` are read as `x`, with a finding. */
export function nameOf(reader: StepReader, piece: Piece): Name {
  refuseArrow(reader, piece);
  const { span, text } = piece.slot;
  if (piece.name) return { name: text, span };
  const bare = text.startsWith("$") && !piece.slot.quoted ? text.slice(1) : text;
  const fix = isWritable(bare) && piece.atom ? { title: `write ${bare}`, edits: [{ span, new_text: bare }] } : null;
  reader.draft.faulty = true;
  reader.reporter.report({
    code: "WF1009",
    span,
    words: { token: `'${piece.atom ? text.slice(0, QUOTED_LENGTH) : text.charAt(0)}'` },
    expected: ["name"],
    suggestion: fix === null ? "write a name of letters, digits and _" : `write ${bare}`,
    fix,
  });
  return { name: bare, span };
}

/** A reference to a label: its text without arrow and trailing colon, "" with a finding when nothing is left. */
export function refOf(reader: StepReader, piece: Piece): Ref {
  const { draft, reporter } = reader;
  if (piece.operand !== null && (!piece.atom || piece.slot.quoted || isJoined(piece))) {
    draft.faulty = true;
    reportNoReference(piece, reporter);
  }
  const text = referenceText(piece.operand === null ? "" : piece.slot.text);
  if (text === "") reporter.report({ code: "WF3004", span: piece.span, expected: ["->L<id>"] });
  return { text, arrow: piece.arrow !== null, span: piece.span };
}

/** A string or structure where a label is named; a string that holds an id only has to lose its quotes. */
function reportNoReference({ slot, atom, arrow }: Piece, reporter: Reporter): void {
  const { span, text } = slot;
  const image = reporter.source.text.slice(span.start, Math.min(span.end, span.start + QUOTED_LENGTH));
  const isId = atom && slot.quoted && /^[^\s:#,"'()[\]{}]+$/.test(text) && text !== "L";
  reporter.report({
    code: "WF1009",
    span,
    words: { token: `'${image.split("\n")[0]}'` },
    expected: ["ref"],
    suggestion: "name a label as ->L1",
    fix: isId
      ? { title: "take the quotes off", edits: [{ span, new_text: arrow === null ? `->${text}` : text }] }
      : null,
  });
}

/** The adapter and the verb of `adapter.verb`, which stands on one line. */
export function dottedSlots({ span, text }: Pick<Slot, "span" | "text">): {
  readonly adapter: Slot;
  readonly verb: Slot;
} {
  const dot = text.indexOf(".");
  const before = { ...span, end_column: span.column + dot, end: span.start + dot };
  const after = { ...span, column: span.column + dot + 1, start: span.start + dot + 1 };
  return {
    adapter: { span: before, text: text.slice(0, dot), quoted: false },
    verb: { span: after, text: text.slice(dot + 1), quoted: false },
  };
}

/** Drops a trailing colon; `L` alone names no label. */
export function referenceText(word: string): string {
  const text = word.endsWith(":") ? word.slice(0, -1) : word;
  return text === "L" ? "" : text;
}
