/** The project's own compiler, in the page. It works in pieces, so a long program does not keep the page from being used. */
import { disassemble } from "../../../compiler/bytecode/disassemble.ts";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { bindInputs, compile, compileTask } from "../../../compiler/compile.ts";
import { type ConvertedText, convertText, type Form } from "../../../compiler/convert/convert-text.ts";
import { diagramOf } from "../../../compiler/diagram/draw.ts";
import type { Diagram } from "../../../compiler/diagram/model.ts";
import { diffPrograms, type ProgramDiff } from "../../../compiler/diff/program-diff.ts";
import { grammarShape } from "../../../compiler/grammar-shape.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";
import type { InputDeclaration } from "../../../grammar/ast.ts";
import { type Completion, complete } from "../../../grammar/complete.ts";
import type { Diagnostic } from "../../../grammar/diagnostic.ts";
import { parse, parseTask } from "../../../grammar/parse.ts";
import { format } from "../../../grammar/print/print.ts";
import { isIndented } from "../../../grammar/surface.ts";
import type { Task } from "../../../grammar/text/task.ts";

export type Compiled = {
  readonly diagnostics: readonly Diagnostic[];
  /** null: it has errors. */
  readonly ir: Ir | null;
  /** What the program says that it takes, in the order of the source. */
  readonly inputs: readonly InputDeclaration[];
};

const PIECE_MS = 8;
const shape = grammarShape(builtinCatalog);

/** Rejects when `signal` is aborted, which the next change of the text does. */
export async function compiled(source: string, names: readonly string[], signal: AbortSignal): Promise<Compiled> {
  const task = compileTask(source, { catalog: builtinCatalog, strict: true, advice: true });
  const { diagnostics, ir } = bindInputs(await inPieces(task, signal), names);
  const { inputs } = await inPieces(parseTask(source), signal);
  return { diagnostics, ir, inputs };
}

async function inPieces<T>(task: Task<T>, signal: AbortSignal): Promise<T> {
  for (let until = performance.now() + PIECE_MS; ; ) {
    const step = task.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await new Promise((next) => setTimeout(next));
    signal.throwIfAborted();
    until = performance.now() + PIECE_MS;
  }
}

/** The same text where it cannot be read. */
export function formatted(source: string): string {
  const result = format(source);
  return result.ok ? result.text : source;
}

export const drawn = (ir: Ir): Diagram => diagramOf(ir, builtinCatalog);
export const reported = (ir: Ir): SecurityReport => securityReport(ir, builtinCatalog);
export const bytecodeOf = (ir: Ir): string => disassemble(flatten(ir, ir.entry ?? ""));
export const completed = (prefix: string): Completion => complete(prefix, shape);

/** What the program says that it takes, in the order of the source. */
export const inputsOf = (source: string): readonly InputDeclaration[] => parse(source).inputs;

/** The form that a text does not have. */
export const otherForm = (source: string): Form => (isIndented(source) ? "opcode" : "indented");

export function converted(source: string, ir: Ir): ConvertedText {
  return convertText(
    source,
    otherForm(source),
    ir,
    (text) => compile(text, { catalog: builtinCatalog, strict: false }).ir,
  );
}

export const differenceOf = (before: Ir, after: Ir): ProgramDiff => diffPrograms(before, after, builtinCatalog);
