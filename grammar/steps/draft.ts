/**
 * A step while it is being read: its op and the pieces found so far, each put into the op table's slots as it arrives.
 * The parser asks it what may come next (is a condition due, are all required slots filled); `steps.ts` makes the step
 * of it. It knows the op table and no token types.
 */
import type { Condition, Operand, Slot as WordSlot } from "../ast.ts";
import type { Op, Slot } from "../ops.ts";
import { isRequired } from "../ops.ts";
import type { Span } from "../text/span.ts";

/** One operand of a step with what stands around it, or a stray mark. */
export type Piece = {
  /** The arrow before it. */
  readonly arrow: Span | null;
  /** null for an arrow without a word and for a stray mark. */
  readonly operand: Operand | null;
  /** A comparator or another mark standing alone. */
  readonly mark: string | null;
  /** A word or string, not a structure. */
  readonly atom: boolean;
  /** A bare word of the form of a NAME. */
  readonly name: boolean;
  /** The text as a slot: a string's value, a word's text, a structure as written. */
  readonly slot: WordSlot;
  /** From the arrow to the end. */
  readonly span: Span;
};

export const NODE_PATTERN = /^@?n([0-9]+)$/;

export type Draft = {
  readonly op: Op;
  readonly word: WordSlot;
  readonly required: readonly Slot[];
  readonly hasOut: boolean;
  /** Pieces of the required slots, in order. `null` stands for the condition. */
  readonly filled: (Piece | null)[];
  /** The verb of `R adapter VERB`. */
  verb: Piece | null;
  /** Written first in Err and Retry. */
  node: Piece | null;
  condition: Condition | null;
  /** What follows the required slots, result arrows left out. */
  rest: Piece[];
  /** Result arrows, in order. */
  readonly results: Piece[];
  /** All pieces but the condition, in order. */
  readonly pieces: Piece[];
  end: Span;
  faulty: boolean;
};

type OpFacts = { readonly required: readonly Slot[]; readonly hasOut: boolean };
const FACTS = new Map<Op, OpFacts>();

function factsOf(op: Op): OpFacts {
  let facts = FACTS.get(op);
  if (facts === undefined) {
    facts = { required: op.slots.filter(isRequired), hasOut: op.slots.some((slot) => slot.class === "out") };
    FACTS.set(op, facts);
  }
  return facts;
}

export function startDraft(op: Op, word: WordSlot): Draft {
  const { required, hasOut } = factsOf(op);
  return {
    op,
    word,
    required,
    hasOut,
    filled: [],
    verb: null,
    node: null,
    condition: null,
    rest: [],
    results: [],
    pieces: [],
    end: word.span,
    faulty: false,
  };
}

/** The required slot that is to be filled next. */
function nextSlot(draft: Draft): Slot | undefined {
  return draft.required[draft.filled.length];
}

/** A call's adapter is there and its verb is not. */
export function wantsVerb(draft: Draft): boolean {
  const target = draft.filled[0];
  if (draft.op.name !== "R" || target == null || draft.verb !== null || hasDot(target)) return false;
  return draft.results.length === 0 && draft.rest.length === 0;
}

/** A word joined with a string, such as `k="v w"`: no name, no reference and no adapter. */
export function isJoined({ atom, slot }: Piece): boolean {
  return atom && !slot.quoted && slot.text.length !== slot.span.end - slot.span.start;
}

/** Whether a target word holds adapter and verb. */
function hasDot(target: Piece): boolean {
  const { quoted, text } = target.slot;
  const dot = text.indexOf(".");
  return !quoted && target.atom && dot > 0 && dot < text.length - 1;
}

export function isFilled(draft: Draft): boolean {
  return draft.filled.length >= draft.required.length && !wantsVerb(draft);
}

export function addCondition(draft: Draft, condition: Condition): void {
  draft.condition = condition;
  draft.filled.push(null);
  draft.end = condition.span;
}

/** Puts a piece where it belongs. */
export function addPiece(draft: Draft, piece: Piece): void {
  draft.pieces.push(piece);
  draft.end = piece.span;
  const slot = nextSlot(draft);
  if (takesNode(draft, piece)) draft.node = piece;
  else if (slot === undefined) addFurther(draft, piece);
  else if (slot.class === "ref") draft.filled.push(piece);
  else if (slot.class === "cond") draft.rest.push(piece);
  else if (piece.arrow !== null && draft.hasOut) draft.results.push(piece);
  else if (piece.operand === null && piece.mark === null) draft.rest.push(piece);
  else draft.filled.push(piece);
}

function takesNode(draft: Draft, piece: Piece): boolean {
  return (
    draft.pieces.length === 1 &&
    piece.arrow === null &&
    piece.atom &&
    !piece.slot.quoted &&
    draft.op.slots[0]?.class === "node" &&
    NODE_PATTERN.test(piece.slot.text)
  );
}

/** A piece after the required slots. */
function addFurther(draft: Draft, piece: Piece): void {
  if (wantsVerb(draft) && isVerb(piece)) draft.verb = piece;
  else if (piece.arrow !== null && draft.hasOut) draft.results.push(piece);
  else draft.rest.push(piece);
}

function isVerb(piece: Piece): boolean {
  return piece.arrow === null && piece.operand !== null && piece.atom && !piece.slot.quoted && !isJoined(piece);
}
