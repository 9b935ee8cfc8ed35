/**
 * The lines read in slot mode: declarations, includes and lines that start with no op (docs/language.md, declarations),
 * with what can be said about one such line alone. It knows the op table; whether a label, file or type exists is not its
 * business.
 */
import type { DeclarationLine, IncludeLine, Slot, UnknownLine } from "../ast.ts";
import type { Fix } from "../diagnostic.ts";
import { insertBefore } from "../operands/operands.ts";
import { isName } from "../operands/tokens.ts";
import {
  findOp,
  isModuleOp,
  isRequired,
  minimumSlots,
  OP_WORDS,
  OPS,
  type Op,
  requiredSlotsText,
  signatureOf,
} from "../ops.ts";
import type { Reporter } from "../reporter.ts";
import { nearest } from "../text/nearest.ts";
import { isBlank } from "../text/source.ts";
import { type Span, spanOver } from "../text/span.ts";
import { referenceText } from "./slot-readers.ts";

const DIGITS = /^[0-9]+$/;

const SURPLUS_SLOT = "it is kept for other tools; remove it if none reads it, and quote a text of several words";

function lineSpan(word: Slot, slots: readonly Slot[]): Span {
  return spanOver(word.span, slots.at(-1)?.span ?? word.span);
}

// ---- declarations ----

export function readDeclaration(op: Op, word: Slot, slots: readonly Slot[], reporter: Reporter): DeclarationLine {
  const tooShort = slots.length < minimumSlots(op);
  if (tooShort) reportArity(op, word, slots.length, reporter);
  else {
    checkDeclaration(op, word, slots, reporter);
    reportSurplus(op, slots, reporter);
  }
  return { kind: "declaration", op: op.name, word, slots, too_short: tooShort, span: lineSpan(word, slots) };
}

function reportArity(op: Op, word: Slot, given: number, reporter: Reporter): void {
  reporter.report({
    code: "WF2004",
    span: word.span,
    words: { op: op.name, slots: requiredSlotsText(op), signature: signatureOf(op) },
    expected: op.slots
      .filter(isRequired)
      .slice(given)
      .map((slot) => slot.class),
    ...(isModuleOp(op, word.text) ? { severity: "warning" as const } : {}),
  });
}

/**
 * WF9001 for slots that the op has no place for. Which slots of an endpoint are surplus depends on what they look like. Declarations keep
 * all their words for the tools that read them, so no edit removes one.
 */
function reportSurplus(op: Op, slots: readonly Slot[], reporter: Reporter): void {
  if (op.name === "E" || op.slots.some((slot) => slot.repeat || slot.class === "rest")) return;
  for (const slot of slots.slice(op.slots.length)) {
    const words = { op: op.name, word: slot.text.slice(0, 100) };
    reporter.report({ code: "WF9001", span: slot.span, words, suggestion: SURPLUS_SLOT });
  }
}

function checkDeclaration(op: Op, word: Slot, slots: readonly Slot[], reporter: Reporter): void {
  const [first, , third] = slots;
  if (op.name === "E" && third !== undefined) checkEndpointTarget(third, reporter);
  else if ((op.name === "Cr" || op.name === "Tst") && first !== undefined) checkReference(first, reporter);
  else if (op.name === "C" && third !== undefined && !DIGITS.test(third.text)) reportSeconds(third, reporter);
  else if (op.name === "Inc") reportNoEffect(op.name, word.span, reporter, "use include");
  else if (op.name === "D") {
    for (const field of slots.slice(1)) {
      if (!field.text.includes(":")) reportNoEffect(field.text, field.span, reporter, `write ${field.text}:S`);
    }
  }
}

/** WF9019: something that is read and means nothing. */
export function reportNoEffect(word: string, span: Span, reporter: Reporter, suggestion: string | null): void {
  reporter.report({ code: "WF9019", span, words: { op: word.slice(0, 100) }, suggestion });
}

function reportSeconds(slot: Slot, reporter: Reporter): void {
  const expected = "a whole number of seconds";
  reporter.report({
    code: "WF2013",
    span: slot.span,
    words: { word: slot.text, expected },
    expected: ["int"],
    suggestion: `use ${expected}`,
  });
}

function checkReference(slot: Slot, reporter: Reporter): void {
  const bare = slot.text.startsWith("->") ? slot.text.slice(2) : slot.text;
  if (referenceText(bare) === "") reporter.report({ code: "WF3004", span: slot.span, expected: ["->L<id>"] });
}

/** Endpoints name their label as `->L<id>` or `->alias/ID` only. */
function checkEndpointTarget(slot: Slot, reporter: Reporter): void {
  const arrow = slot.text.startsWith("->");
  const bare = referenceText(arrow ? slot.text.slice(2) : slot.text);
  if (bare === "") {
    reporter.report({ code: "WF3004", span: slot.span, expected: ["->L<id>"] });
    return;
  }
  const qualified = bare.includes("/");
  if (arrow && (bare.startsWith("L") || qualified) && !slot.text.endsWith(":")) return;
  const id = bare.startsWith("L") ? bare.slice(1) : bare;
  const target = qualified ? `->${bare}` : `->L${id}`;
  reporter.report({
    code: "WF3003",
    span: slot.span,
    words: { id },
    expected: ["->L<id>"],
    suggestion: `write ${target}`,
    fix: { title: `write ${target}`, edits: [{ span: slot.span, new_text: target }] },
  });
}

// ---- includes ----

export function readInclude(word: Slot, slots: readonly Slot[], reporter: Reporter): IncludeLine {
  const [path, as, alias] = slots;
  const span = lineSpan(word, slots);
  const line = { kind: "include", word, slots, span } as const;
  if (path !== undefined && slots.length === 1 && path.text !== "") return { ...line, path, alias: null };
  const sound = slots.length === 3 && as !== undefined && !as.quoted && as.text.toLowerCase() === "as";
  if (path !== undefined && path.text !== "" && sound && alias !== undefined && !alias.quoted && isName(alias.text)) {
    return { ...line, path, alias };
  }
  if (path !== undefined && path.text !== "" && sound && alias !== undefined) reportAlias(alias, reporter);
  else {
    const fix = missingAs(slots);
    reporter.report({ code: "WF3011", span: word.span, expected: ["file"], ...(fix === null ? {} : { fix }) });
  }
  return { ...line, path: null, alias: null };
}

/** The alias alone is wrong. References to the file's labels hold it too, so it is not rewritten here. */
function reportAlias(alias: Slot, reporter: Reporter): void {
  const name = alias.text.replace(/[^\p{L}\p{Nd}_]+/gu, "_");
  reporter.report({
    code: "WF3011",
    span: alias.span,
    expected: ["name"],
    suggestion: isName(name)
      ? `an alias has letters, digits and _: write as ${name}`
      : "an alias has letters, digits and _",
  });
}

/** `include path name` lacks its `as`. */
function missingAs(slots: readonly Slot[]): Fix | null {
  const alias = slots[1];
  if (slots.length !== 2 || alias === undefined || alias.quoted || !isName(alias.text)) return null;
  if (alias.text.toLowerCase() === "as") return null;
  return { title: "insert as", edits: [insertBefore(alias.span, "as ")] };
}

// ---- unknown lines ----

/** For who has no page at hand: the words that steps begin with. */
const STEP_OPS: readonly string[] = OPS.filter(({ kind }) => kind === "step").map(({ name }) => name);

const NO_CLOSING_WORD = "labels need no closing word; remove the line";
const NO_BLOCK_WORD = "a label's steps need no block words; use Err and If with labels";
/** Words that the predecessor read over. */
const FORMER_WORDS: Readonly<Record<string, string>> = {
  END: NO_CLOSING_WORD,
  EndFor: NO_CLOSING_WORD,
  Ret: "use J to end a label with a value",
  "begin:": NO_BLOCK_WORD,
  "rescue:": NO_BLOCK_WORD,
  "else:": NO_BLOCK_WORD,
};
const FORMER_OP = /^(?:memory|persona)\.[A-Za-z_]+$/;

function formerAdvice({ text, quoted }: Slot): string | null {
  if (quoted) return null;
  if (FORMER_OP.test(text)) return "use R memory.… to reach the memory adapter";
  return Object.hasOwn(FORMER_WORDS, text) ? (FORMER_WORDS[text] ?? null) : null;
}

/** Words so short, or all in lower case, are names and text far more often than misspelt declarations. */
const MAX_SHORT_WORD_LENGTH = 3;
const STEP_WORDS: readonly string[] = OP_WORDS.filter((word) => findOp(word)?.kind !== "declaration");

/** The op word nearest to an unknown one. */
function nearestOp(word: string): string | null {
  const guarded = word.length <= MAX_SHORT_WORD_LENGTH || (word === word.toLowerCase() && !word.includes("."));
  return nearest(word, guarded ? STEP_WORDS : OP_WORDS);
}

/** Reports a word that starts no statement. */
export function reportUnknown(word: Slot, reporter: Reporter): void {
  if (reporter.isFull("WF2001")) return;
  const { text } = reporter.source;
  const advice = formerAdvice(word);
  const near = advice === null ? nearestOp(word.text) : null;
  const next = text.charAt(word.span.end);
  const apart = next === "" || next === "\n" || isBlank(next.charCodeAt(0));
  const nearFix = near === null ? null : { title: `write ${near}`, edits: [{ span: word.span, new_text: near }] };
  reporter.report({
    code: "WF2001",
    span: word.span,
    words: { word: word.text.slice(0, 100), ...(near === null ? {} : { near }) },
    ...(advice === null && near === null ? { expected: STEP_OPS } : {}),
    suggestion: advice ?? (near === null ? null : `did you mean ${near}?`),
    fix: apart ? nearFix : null,
  });
}

export function unknownLine(word: Slot, slots: readonly Slot[]): UnknownLine {
  return { kind: "unknown", word, slots, span: lineSpan(word, slots) };
}
