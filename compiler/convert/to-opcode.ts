/**
 * A program of the indented form as labels and steps: those that it is read as. Labels of blocks and hidden variables keep the names that they have
 * in its graph.
 */
import type { DeclarationLine, IncludeLine, InputDeclaration, Line, SourceFile, Step } from "../../grammar/ast.ts";
import { isIndented } from "../../grammar/surface.ts";
import { quoteText } from "../../grammar/text/quote.ts";
import { type WrittenLine, withComments } from "./comments.ts";
import { slotText, stepText } from "./step-text.ts";

/** What the other form cannot say, and where it stands. */
export type Refusal = { readonly line: number; readonly what: string };

export type Converted =
  | { readonly ok: true; readonly text: string; readonly labelOf: (label: string) => string }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** Needs no quotes. */
const PLAIN_PATH = /^\/[\w/{}.-]*$/;

export function toOpcode(file: SourceFile): Converted {
  const refusals = [...refusedSteps(file.lines), ...refusedInputs(file.inputs)].sort((a, b) => a.line - b.line);
  if (refusals.length > 0) return { ok: false, refusals };
  const [first, second] = file.lines;
  // The service that the first graph names stands after what the file declares.
  const isNamedLate = first !== undefined && second !== undefined && second.span.start < first.span.start;
  const late: WrittenLine[] = [];
  const lines: WrittenLine[] = [];
  let isDeclared = false;
  for (const line of file.lines) {
    if (line.kind === "label" && !isDeclared) {
      isDeclared = true;
      lines.push(...late, ...inputLines(file));
    }
    const written = lineOf(line);
    if (written === null) continue;
    if (isNamedLate && line === first) late.push({ ...written, span: null, gap: false });
    else lines.push({ ...written, gap: line.kind === "label" });
  }
  const text = withComments(lines, file.comments);
  return { ok: true, text: isIndented(text) ? `# surface: opcode\n${text}` : text, labelOf: (label) => label };
}

function lineOf(line: Line): Omit<WrittenLine, "gap"> | null {
  const { span } = line;
  switch (line.kind) {
    case "include":
      return { indent: "", text: includeText(line), span };
    case "declaration":
      return { indent: "", text: declarationText(line), span };
    case "label":
      return { indent: "", text: `L${line.id}:`, span };
    case "step":
      // A step that has no meaning has its finding.
      return line.step.op === "broken"
        ? null
        : { indent: "  ", text: stepText(line.step, ({ text }) => `->${text}`), span: line.step.word.span };
    default:
      return null;
  }
}

export function includeText({ path, alias }: IncludeLine): string {
  const text = `include ${quoteText(path?.text ?? "")}`;
  return alias === null ? text : `${text} as ${alias.text}`;
}

export function declarationText({ op, slots }: DeclarationLine): string {
  return [op, ...slots.map((slot) => (PLAIN_PATH.test(slot.text) ? slot.text : slotText(slot)))].join(" ");
}

/** Inputs that a comment declares stay in it. */
function inputLines({ inputs, comments }: SourceFile): readonly WrittenLine[] {
  const declared = inputs.filter(
    ({ span }) => !comments.some((comment) => comment.span.start <= span.start && span.end <= comment.span.end),
  );
  if (declared.length === 0) return [];
  const words = new Set(declared.map(({ name, type }) => (type === "any" ? name : `${name}: ${type}`)));
  return [{ indent: "", text: `# frame: ${[...words].join(", ")}`, span: null, gap: false }];
}

function refusedInputs(inputs: readonly InputDeclaration[]): Refusal[] {
  return inputs
    .filter(({ required }) => required === "graph")
    .map(({ name, span }) => ({
      line: span.line,
      what: `the input '${name}!', which only runs that begin at its graph need`,
    }));
}

function refusedSteps(lines: readonly Line[]): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const line of lines) {
    const what = line.kind === "step" ? refusedIn(line.step) : null;
    if (what !== null) found.set(`${line.span.line} ${what}`, { line: line.span.line, what });
  }
  return [...found.values()];
}

export function faultyStep({ word, span }: Step): Refusal {
  return { line: span.line, what: `the step '${word.text}', which has an error` };
}

function refusedIn(step: Step): string | null {
  if (step.faulty) return faultyStep(step).what;
  if (step.op === "Call" && step.inputs !== undefined)
    return `the call of '${step.label.text.replace(/^L_?/, "")}', which has variables of its own`;
  return (step.op === "Loop" || step.op === "While") && step.until !== undefined ? "a loop that break leaves" : null;
}
