/**
 * A program of the opcode form as graphs: a label is a graph, and its steps are statements where one says the same. A label that one `If`, `Loop` or
 * `While` alone goes to becomes a block; where labels are shared, those stay steps, which end a graph as they end their label.
 */

import type { DeclarationLine, LabelLine, Ref, SourceFile, Step } from "../../grammar/ast.ts";
import { isIndented } from "../../grammar/surface.ts";
import { Pieces, type Task } from "../../grammar/text/task.ts";
import { resolveReference } from "../ir/references.ts";
import { type BlockParts, findBlocks, type LabelBlocks } from "./blocks.ts";
import { type WrittenLine, withComments } from "./comments.ts";
import { headText, type Style, statementText } from "./expression-text.ts";
import { type GraphName, graphNames } from "./graph-names.ts";
import type { RefText } from "./step-text.ts";
import { type Converted, declarationText, faultyStep, includeText, type Refusal } from "./to-opcode.ts";

/** Statement number `at` of a label. */
export type StyleOf = (label: string, at: number) => Style;

const ENDS: ReadonlySet<string> = new Set(["J", "If", "Loop", "While"]);

/** Lines that are written in one piece. */
const LINES_OF_A_PIECE = 500;

/** In pieces. `hasBlocks`: labels become blocks where they can. */
export function* toIndented(file: SourceFile, styleOf: StyleOf, hasBlocks: boolean): Task<ConvertedGraphs> {
  const pieces = new Pieces(LINES_OF_A_PIECE);
  const names = graphNames(file);
  yield;
  const blocks = findBlocks(file, hasBlocks);
  yield;
  const refusals = refusedIn(file);
  if (refusals.length > 0) return { ok: false, refusals };
  const refText: RefText = ({ text }) => graphOf(text, names)?.name ?? text;
  const lines: WrittenLine[] = [];
  let label = "";
  const rows = file.text.split("\n");
  const add = (text: string, indent: string, span: WrittenLine["span"], isHeader = false): void => {
    const gap = isHeader || (span !== null && lines.length > 0 && isBehindEmptyLine(rows, span.line));
    // The lines of one statement.
    lines.push({ indent, text: text.replaceAll("\n", `\n${indent}`), span, gap });
  };
  /** `label` and `at`: where the step stands in the program that is read. */
  const addSteps = (label: string, steps: readonly Step[], indent: string, isPass: boolean): void => {
    const kept = isPass ? steps.slice(0, -1) : steps;
    let at = 0;
    for (const step of kept) {
      if (step.op === "broken") continue;
      const parts = blocks.of(step);
      if (parts === null)
        add(statementText(step, styleOf(label, at), referenceOf(step, refText)), indent, step.word.span);
      else addBlocks(step, parts, styleOf(label, at), indent);
      if (step.node) at++;
    }
    const last = steps.at(-1);
    if (kept.length === 0 && last !== undefined) add("pass", indent, last.word.span);
  };
  const addBlocks = (step: Step, parts: BlockParts, style: Style, indent: string): void => {
    add(`${headText(step, style)}:`, indent, step.word.span);
    addSteps(parts.body.id, parts.body.steps, `${indent}  `, step.op !== "If");
    if (step.op === "If") add("else:", indent, null);
    addSteps(parts.next.id, parts.next.steps, step.op === "If" ? `${indent}  ` : indent, false);
  };
  for (const line of file.lines) {
    if (pieces.add(line.kind === "label" ? line.steps.length + 1 : 1)) yield;
    if (line.kind === "include") add(includeText(line), label === "" ? "" : "  ", line.span);
    else if (line.kind === "declaration" && isGiven(line, names)) continue;
    else if (line.kind === "declaration")
      add(declarationText(withLabels(line, names)), label === "" ? "" : "  ", line.span);
    else if (line.kind === "label") {
      label = line.id;
      if (blocks.isBlock(label)) continue;
      add(`${names.get(label)?.name}:`, "", line.word.span, true);
      addSteps(label, blocks.stepsOf(line), "  ", false);
    }
  }
  yield;
  const text = withComments(lines, file.comments);
  const labelOf = (id: string): string => names.get(id)?.label ?? id;
  return { ok: true, text: isIndented(text) ? text : `# surface: indented\n${text}`, labelOf, blocks };
}

/** With the labels that became blocks, which the compiler names. */
export type ConvertedGraphs = Converted & { readonly blocks?: LabelBlocks };

/** The service that the first graph names by itself. */
function isGiven({ op, slots }: DeclarationLine, names: ReadonlyMap<string, GraphName>): boolean {
  const [first] = names.values();
  return op === "S" && slots.map(({ text }) => text).join(" ") === `${first?.name} core noop`;
}

function graphOf(written: string, names: ReadonlyMap<string, GraphName>): GraphName | undefined {
  return names.get(resolveReference(written, (id) => names.has(id)));
}

/** Statements name graphs; steps point at them. */
function referenceOf(step: Step, refText: RefText): RefText {
  const isNamed = step.op === "Call" || step.op === "Each" || step.op === "Par";
  return isNamed ? refText : (ref: Ref) => `->${refText(ref)}`;
}

/** Whether an empty line stands above a statement, or above its comments. `line` counts from 1. */
function isBehindEmptyLine(rows: readonly string[], line: number): boolean {
  let at = line - 2;
  while (rows[at]?.trimStart().startsWith("#")) at--;
  return rows[at]?.trim() === "";
}

/** The labels of endpoints and schedules. */
function withLabels(line: DeclarationLine, names: ReadonlyMap<string, GraphName>): DeclarationLine {
  const place = line.op === "E" ? 2 : line.op === "Cr" || line.op === "Tst" ? 0 : -1;
  const slots = line.slots.map((slot, at) => {
    const graph = at === place ? graphOf(slot.text.replace(/^->/, "").replace(/:$/, ""), names) : undefined;
    return graph === undefined
      ? slot
      : { ...slot, text: `${line.op === "E" ? "->" : ""}L${graph.label}`, quoted: false };
  });
  return { ...line, slots };
}

function refusedIn({ lines }: SourceFile): readonly Refusal[] {
  const refusals: Refusal[] = [];
  let label: LabelLine | null = null;
  let last: Step | null = null;
  const close = (): void => {
    if (label === null || (last !== null && ENDS.has(last.op))) return;
    const what = `the label 'L${label.id}', which ends without J: write J null at its end`;
    refusals.push({ line: label.span.line, what });
  };
  const see = (step: Step): void => {
    if (step.faulty) refusals.push(faultyStep(step));
    const isGuard = step.op === "Err" || step.op === "Retry";
    if (label === null) refusals.push({ line: step.span.line, what: "a step above the first label" });
    else if (last !== null && ENDS.has(last.op) && (last.op === "J" || !isGuard))
      refusals.push({ line: step.span.line, what: `a step below ${last.op}, which nothing reaches` });
    // Err and Retry belong to the step above them.
    if (!isGuard) last = step;
  };
  for (const line of lines) {
    if (line.kind === "label") {
      close();
      label = line;
      last = null;
      for (const step of line.steps) see(step);
    } else if (line.kind === "step") see(line.step);
    else if (line.kind === "include" && label !== null)
      refusals.push({ line: line.span.line, what: "an include below a label: write it above the first one" });
    else if (line.kind === "unknown") refusals.push({ line: line.span.line, what: `the line '${line.word.text}'` });
  }
  close();
  return refusals;
}
