/**
 * Texts with a variable in the marks of other languages' templates (WF9031): `"Hello ${name}"` stays as it is written; and bare words that
 * compute with a variable elsewhere (WF9030): `-n`, `!ready`, `n-1`. Reported only where the name is one that the program sets or declares, so a text
 * that is a template for somebody else, or a flag, is left alone.
 */
import type { Operand, Step } from "../../grammar/ast.ts";
import type { Finding, Fix } from "../../grammar/diagnostic.ts";
import { isWritable } from "../../grammar/operands/tokens.ts";
import { quoteText } from "../../grammar/text/quote.ts";
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../catalog.ts";
import { findFunction } from "../functions.ts";
import type { LoweredStep } from "../lower/lowered.ts";
import type { CompileOptions } from "../options.ts";
import { conditionOf, walkOperands } from "./operand-walk.ts";
import { type ProgramView, STEPS_OF_A_PIECE } from "./program-view.ts";
import { writtenBy } from "./variables/flow-graph.ts";

/** `${name}`, `#{order.id}`, `{{ name }}`, `${{ name }}`, `$name`. */
const MARKS =
  /\$?\{\{\s*\$?([\p{L}_][\p{L}\p{N}_.]*)\s*\}\}|[$#]\{\s*\$?([\p{L}_][\p{L}\p{N}_.]*)\s*\}|(?<![\p{L}\p{N}_$\\])\$([\p{L}_][\p{L}\p{N}_]*)(?![\p{L}\p{N}_({$])/gu;
const OPENING = /[$#{]\{|[\s([,:][-!]\$?[\p{L}_]|["'][^"'\n]*\$[\p{L}_]|[\p{L}\p{N}_][-+*/][\p{L}\p{N}_]/u;
/** `n-1`, `a.b*c` */
const COMPUTED =
  /^(([\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+)*)([-+*/])(?:(([\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+)*)|([0-9]+(?:\.[0-9]+)?))$/u;
const COMPUTING: Readonly<Record<string, string>> = { "-": "sub", "+": "plus", "*": "mul", "/": "div" };
const SIGNED = /^([-!])\$?(([\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+)*)$/u;

/** What other languages put into a text, without its marks, and the text before and between. */
type Piece = { readonly text: string } | { readonly read: string; readonly mark: string };

export function* checkTemplates(view: ProgramView, { catalog, inputs }: CompileOptions): Task<Finding[]> {
  const { labels, modules } = view.program;
  if (!modules.some(({ file }) => OPENING.test(file.text))) return [];
  const names = namesOf(view, inputs ?? []);
  const findings: Finding[] = [];
  let fillsOthers = false;
  const pieces = new Pieces(STEPS_OF_A_PIECE);
  for (const label of labels) {
    for (const lowered of label.steps) {
      if (pieces.add()) yield;
      const templates = new Set<Operand>();
      walkOperands(lowered.step, (operand) => {
        if (operand.k === "call" && isFormat(operand.fn.text)) note(templates, operand.args[0]);
      });
      noteOfStep(lowered, templates);
      // A template that is made elsewhere may be any text of the program.
      fillsOthers ||= [...templates].some(({ k }) => k !== "str");
      if (lowered.node === null || lowered.step.faulty) continue;
      const place = { label_id: label.id, node_id: lowered.node.id };
      walkOperands(lowered.step, (operand) => {
        if ((operand.k !== "str" && operand.k !== "word") || templates.has(operand)) return;
        const fixable = isOperandSlot(lowered, operand, catalog);
        const finding =
          operand.k === "word"
            ? (signedFinding(operand, names, fixable) ?? computedFinding(operand, names, fixable))
            : findingOf(operand, names, fixable, lowered.step);
        if (finding !== null) findings.push({ ...finding, ...place });
      });
    }
  }
  return fillsOthers ? findings.filter(({ code }) => code !== "WF9031") : findings;
}

function note(templates: Set<Operand>, operand: Operand | undefined): void {
  if (operand !== undefined) templates.add(operand);
}

/** `X t format "…" a` and `R core.FORMAT "…" a`. */
function noteOfStep({ step }: LoweredStep, templates: Set<Operand>): void {
  if (step.op === "X" && step.first.k === "name" && isFormat(step.first.v)) note(templates, step.args[0]);
  if (step.op === "R" && step.adapter.text === "core" && isFormat(step.verb.text)) note(templates, step.args[0]);
}

function isFormat(word: string): boolean {
  return findFunction(word)?.name === "format";
}

/** Names that something sets somewhere, or that the run begins with. */
function namesOf({ program }: ProgramView, given: readonly string[]): ReadonlySet<string> {
  const names = new Set([...given, ...program.inputs.keys()]);
  for (const { steps } of program.labels) for (const step of steps) for (const name of writtenBy(step)) names.add(name);
  return names;
}

type Text = Extract<Operand, { k: "str" | "word" }>;

/** `-n`, `!ready`. */
function signedFinding({ v: word, span }: Text, names: ReadonlySet<string>, fixable: boolean): Finding | null {
  const [, mark, read = "", root = ""] = SIGNED.exec(word) ?? [];
  if (mark === undefined || !names.has(root)) return null;
  const written = mark === "-" ? `(sub 0 ${read})` : `(not ${read})`;
  const fix: Fix = { title: `write ${written}`, edits: [{ span, new_text: written }] };
  const suggestion = `write ${written}; quote it if it is text`;
  return { code: "WF9030", span, words: { mark, word }, suggestion, fix: fixable ? fix : null };
}

/** `n-1`, where `n` is a variable, and `a-b`, where both are. */
function computedFinding({ v: word, span }: Text, names: ReadonlySet<string>, fixable: boolean): Finding | null {
  const [, left = "", root = "", mark = "", right, other, number] = COMPUTED.exec(word) ?? [];
  if (!names.has(root) || (number === undefined && !names.has(other ?? ""))) return null;
  const fn = mark === "+" && number !== undefined ? "add" : COMPUTING[mark];
  const written = `(${fn} ${operandOf(left)} ${number ?? right})`;
  const fix: Fix = { title: `write ${written}`, edits: [{ span, new_text: written }] };
  const suggestion = `write ${written}; quote it if it is text`;
  // `orders/5` may be a path.
  return { code: "WF9030", span, words: { mark, word }, suggestion, fix: fixable && mark !== "/" ? fix : null };
}

function findingOf({ v: text, span }: Text, names: ReadonlySet<string>, fixable: boolean, step: Step): Finding | null {
  // Queries and shells have variables of their own that look like `$name`, and the opcode form quotes `"$x"` to say that it is text.
  const isPlain = step.op !== "R" && !/^\$\w+$/.test(text);
  const pieces = piecesOf(text, names, isPlain);
  const first = pieces.find((piece) => "mark" in piece);
  if (first === undefined || !("mark" in first)) return null;
  const written = pieces.map((piece) => ("text" in piece ? quoteText(piece.text) : operandOf(piece.read)));
  const only = written.length === 1 ? (written[0] ?? "") : null;
  const joined = only ?? `(concat ${written.join(" ")})`;
  const fix: Fix = { title: "join the pieces", edits: [{ span, new_text: joined }] };
  return { code: "WF9031", span, words: { mark: first.mark, joined }, fix: fixable ? fix : null };
}

function piecesOf(text: string, names: ReadonlySet<string>, withPlain: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: mark, 1: doubled, 2: single, 3: plain, index } of text.matchAll(MARKS)) {
    if (plain !== undefined && !withPlain) continue;
    const read = doubled ?? single ?? plain ?? "";
    if (!names.has(read.split(".", 1)[0] ?? "") || read.endsWith(".") || read.includes("..")) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ read, mark });
    from = index + mark.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** A name that is also a function's would be called where it stands first. */
function operandOf(read: string): string {
  return isWritable(read) && findFunction(read) !== undefined ? `$${read}` : read;
}

/** Whether a call in brackets may stand where the text stands. */
function isOperandSlot({ step }: LoweredStep, operand: Operand, catalog: AdapterCatalog): boolean {
  if (conditionOf(step) !== null) return false;
  if (step.op !== "R") return true;
  const at = step.args.indexOf(operand);
  if (at === -1) return true;
  const entry = findAdapter(catalog, step.adapter.text);
  const parameters = entry === undefined ? undefined : findVerb(entry, step.verb.text)?.parameters;
  const parameter = parameters?.[at] ?? parameters?.findLast(({ repeat }) => repeat);
  return parameter !== undefined && parameter.class !== "word";
}
