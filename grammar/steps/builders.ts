/**
 * One builder per step op: which slot becomes which member of the syntax tree, and the findings about option words
 * (docs/language.md, steps). Slots are already sorted by the op table; a builder only reads them.
 */
import type { NodeRef, Operand, Slot, Step, StepOp } from "../ast.ts";
import { FILTER_COMPARATORS } from "../operands/tokens.ts";
import type { Slot as OpSlot } from "../ops.ts";
import { nearest } from "../text/nearest.ts";
import { spanAfter, spanBefore, spanOver, spanUpTo } from "../text/span.ts";
import { type Draft, NODE_PATTERN, type Piece } from "./draft.ts";
import { dottedSlots, nameOf, operandOf, refOf, required, type StepReader, takeRest, wordOf } from "./slot-readers.ts";

const DIGITS = /^[0-9]+$/;

/** The members every step has, but for what it writes. They are spread last, which is many times faster. */
export type StepBase = Pick<Step, "word" | "span" | "faulty" | "node" | "extra">;
const NO_WRITES: readonly string[] = [];
type Builder = (reader: StepReader, base: StepBase) => Step | null;

function operandAt(reader: StepReader, index: number): Operand {
  return operandOf(reader, required(reader, index));
}

function optionalOperand(reader: StepReader): Operand | null {
  const piece = takeRest(reader);
  return piece === null ? null : operandOf(reader, piece);
}

/** All that follows, as operands. */
function takeArguments(reader: StepReader): Operand[] {
  const args = reader.draft.rest.map((piece) => operandOf(reader, piece));
  reader.draft.rest = [];
  return args;
}

function optionSlot(reader: StepReader, name: string): OpSlot | undefined {
  return reader.draft.op.slots.find((slot) => slot.name === name);
}

/** WF2013: a word that is not allowed, with the nearest one as a fix. */
function reportOption(reader: StepReader, word: Slot, allowed: readonly string[], expected?: string): void {
  const near = nearest(word.text, allowed);
  reader.reporter.report({
    code: "WF2013",
    span: word.span,
    words: { word: word.text, expected: expected ?? allowed.join(", "), ...(near === null ? {} : { near }) },
    expected: allowed,
    suggestion: near === null ? `use ${expected ?? `one of ${allowed.join(", ")}`}` : `did you mean '${near}'?`,
    fix: near === null ? null : { title: `write ${near}`, edits: [{ span: word.span, new_text: near }] },
  });
}

/** Checks an `enum` slot; anything else stays, with a finding, and means what the op's default says. */
function checkEnum(reader: StepReader, word: Slot, slotName: string, anyCase: boolean): boolean {
  const values = optionSlot(reader, slotName)?.values ?? [];
  if (values.includes(anyCase ? word.text.toLowerCase() : word.text)) return true;
  reportOption(reader, word, values);
  return false;
}

/** An option word after the required slots; one that is not allowed is kept aside and so means the default. */
function optionalEnum(reader: StepReader, slotName: string, anyCase: boolean): Slot | null {
  const piece = takeRest(reader);
  if (piece === null) return null;
  const word = wordOf(reader, piece);
  return checkEnum(reader, word, slotName, anyCase) ? word : keep(reader, piece);
}

/** Keeps a refused piece for the formatter; it has its finding already. */
function keep(reader: StepReader, piece: Piece): null {
  reader.kept.push(piece);
  return null;
}

export function nodeRef(draft: Draft): NodeRef | null {
  if (draft.node === null) return null;
  const digits = NODE_PATTERN.exec(draft.node.slot.text)?.[1] ?? "0";
  return { number: Math.min(Number(digits), Number.MAX_SAFE_INTEGER), span: draft.node.slot.span };
}

const BUILDERS: Readonly<Record<StepOp, Builder>> = {
  R(reader, base) {
    const target = required(reader, 0).slot;
    const { verb: split } = reader.draft;
    const { adapter, verb } =
      split === null ? dottedSlots(target) : { adapter: { ...target, quoted: false }, verb: split.slot };
    if (split !== null) reportSplit(reader, adapter, verb);
    const args = takeArguments(reader);
    const writes = [reader.out?.name ?? "res"];
    return { op: "R", adapter, verb, split: split !== null, args, out: reader.out, writes, ...base };
  },
  J: (reader, base) => ({ op: "J", value: optionalOperand(reader), writes: NO_WRITES, ...base }),
  If(reader, base) {
    const { condition } = reader.draft;
    if (condition === null) return null;
    const then = refOf(reader, required(reader, 1));
    const other = takeRest(reader);
    const otherwise = other === null ? null : refOf(reader, other);
    return { op: "If", cond: condition, then, else: otherwise, writes: NO_WRITES, ...base };
  },
  Err(reader, base) {
    const handler = refOf(reader, required(reader, 0));
    return { op: "Err", protects: nodeRef(reader.draft), handler, writes: ["_error", "_error_info"], ...base };
  },
  Retry(reader, base) {
    const count = optionalOperand(reader);
    const backoff = optionalOperand(reader);
    const strategy = optionalEnum(reader, "strategy", false);
    const protects = nodeRef(reader.draft);
    return { op: "Retry", protects, count, backoff_ms: backoff, strategy, writes: NO_WRITES, ...base };
  },
  Call(reader, base) {
    const label = refOf(reader, required(reader, 0));
    const out = reader.out ?? takeWordResult(reader);
    const writes = out === null ? ["_call_result"] : [out.name, "_call_result"];
    return { op: "Call", label, out, writes, ...base };
  },
  Set(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    return { op: "Set", name, value: operandAt(reader, 1), writes: [name.name], ...base };
  },
  X(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    const first = operandAt(reader, 1);
    const structure = first.k === "call" || first.k === "list" || first.k === "map";
    const args = structure ? [] : takeArguments(reader);
    return { op: "X", name, first, args, writes: [name.name], ...base };
  },
  Filt(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    const list = operandAt(reader, 1);
    const field = wordOf(reader, required(reader, 2));
    const cmp = wordOf(reader, required(reader, 3));
    if (!FILTER_COMPARATORS.includes(cmp.text)) reportOption(reader, cmp, FILTER_COMPARATORS);
    return { op: "Filt", name, list, field, cmp, value: operandAt(reader, 4), writes: [name.name], ...base };
  },
  Sort(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    const list = operandAt(reader, 1);
    const field = wordOf(reader, required(reader, 2));
    return { op: "Sort", name, list, field, order: optionalEnum(reader, "order", true), writes: [name.name], ...base };
  },
  Loop(reader, base) {
    const list = operandAt(reader, 0);
    const item = nameOf(reader, required(reader, 1));
    const body = refOf(reader, required(reader, 2));
    const after = refOf(reader, required(reader, 3));
    return { op: "Loop", list, item, body, after, writes: [item.name, "_loop_last"], ...base };
  },
  While(reader, base) {
    const { condition } = reader.draft;
    if (condition === null) return null;
    const body = refOf(reader, required(reader, 1));
    const after = refOf(reader, required(reader, 2));
    const { limit, limit_slot } = takeLimit(reader);
    return { op: "While", cond: condition, body, after, limit, limit_slot, writes: ["_while_last"], ...base };
  },
  Each(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    const list = operandAt(reader, 1);
    const item = nameOf(reader, required(reader, 2));
    const body = refOf(reader, required(reader, 3));
    const written = takeLimit(reader);
    const mode = optionalEnum(reader, "mode", false);
    return { op: "Each", name, list, item, body, ...written, mode, writes: [name.name], ...base };
  },
  Par(reader, base) {
    const name = nameOf(reader, required(reader, 0));
    const bodies = [refOf(reader, required(reader, 1))];
    while (reader.draft.rest[0] !== undefined && reader.draft.rest[0].arrow !== null)
      bodies.push(refOf(reader, takeRest(reader) as Piece));
    return { op: "Par", name, bodies, mode: optionalEnum(reader, "mode", false), writes: [name.name], ...base };
  },
  CacheGet(reader, base) {
    const cache = wordOf(reader, required(reader, 0));
    const key = operandAt(reader, 1);
    const fallback = optionalOperand(reader);
    return { op: "CacheGet", cache, key, out: reader.out, fallback, writes: [reader.out?.name ?? "data"], ...base };
  },
  CacheSet(reader, base) {
    const cache = wordOf(reader, required(reader, 0));
    const key = operandAt(reader, 1);
    const value = operandAt(reader, 2);
    return { op: "CacheSet", cache, key, value, ttl_s: takeSeconds(reader), writes: NO_WRITES, ...base };
  },
  QueuePut(reader, base) {
    const queue = wordOf(reader, required(reader, 0));
    const writes = reader.out === null ? [] : [reader.out.name];
    return { op: "QueuePut", queue, value: operandAt(reader, 1), out: reader.out, writes, ...base };
  },
  Tx(reader, base) {
    const action = wordOf(reader, required(reader, 0));
    checkEnum(reader, action, "action", true);
    const writes = action.text.toLowerCase() === "begin" ? ["_txid"] : [];
    return { op: "Tx", action, name: wordOf(reader, required(reader, 1)), writes, ...base };
  },
  Enf: (reader, base) => ({ op: "Enf", policy: wordOf(reader, required(reader, 0)), writes: NO_WRITES, ...base }),
};

/** The step of a complete draft, null when its condition is missing. What no slot took stays in the draft's rest. */
export function buildStep(reader: StepReader, base: StepBase): Step | null {
  return BUILDERS[reader.draft.op.name as StepOp](reader, base);
}

function reportSplit(reader: StepReader, adapter: Slot, verb: Slot): void {
  const gap = spanUpTo(spanAfter(adapter.span), verb.span);
  const span = spanOver(adapter.span, verb.span);
  reader.reporter.report({
    code: "WF9003",
    span,
    words: { adapter: adapter.text, VERB: verb.text, verb: verb.text },
    fix: { title: "join them with a dot", edits: [{ span: gap, new_text: "." }] },
  });
}

/** WF2008: a word after the label of a Call is meant as its result. */
function takeWordResult(reader: StepReader): { name: string; span: Slot["span"] } | null {
  if (reader.draft.results.length > 0) return null;
  const piece = takeRest(reader);
  if (piece === null) return null;
  const { text, span } = piece.slot;
  reader.reporter.report({
    code: "WF2008",
    span: piece.span,
    words: { word: text },
    expected: ["->name"],
    suggestion: piece.name ? `write ->${text}` : "write ->name",
    fix: piece.name ? { title: `write ->${text}`, edits: [{ span: spanBefore(span), new_text: "->" }] } : null,
  });
  if (piece.name) return { name: text, span };
  return keep(reader, piece);
}

function takeLimit(reader: StepReader): { limit: number | null; limit_slot: Slot | null } {
  const piece = reader.draft.rest[0];
  if (piece === undefined || piece.slot.quoted || !piece.slot.text.startsWith("limit=")) {
    return { limit: null, limit_slot: null };
  }
  takeRest(reader);
  const digits = piece.slot.text.slice("limit=".length);
  const limit = DIGITS.test(digits) ? Number(digits) : 0;
  if (limit > 0 && Number.isSafeInteger(limit)) return { limit, limit_slot: piece.slot };
  const { slot } = piece;
  reader.reporter.report({
    code: "WF2013",
    span: slot.span,
    words: { word: slot.text, expected: "limit=1, limit=2, …" },
    expected: ["limit=N"],
    suggestion: "limit= takes a positive whole number",
    fix: null,
  });
  return { limit: null, limit_slot: slot };
}

function takeSeconds(reader: StepReader): Slot | null {
  const piece = takeRest(reader);
  if (piece === null) return null;
  const word = wordOf(reader, piece);
  if (DIGITS.test(word.text) && Number.isSafeInteger(Number(word.text))) return word;
  reportOption(reader, word, [], "a whole number of seconds");
  return keep(reader, piece);
}
