/** The project's own compiler, in the page. */

import { disassemble } from "../../../compiler/bytecode/disassemble.ts";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { type FunctionChange, functionsOf, type SourcedProgram } from "../../../compiler/diff/line-changes.ts";
import { diffPrograms, type ProgramDiff } from "../../../compiler/diff/program-diff.ts";
import { grammarShape } from "../../../compiler/grammar-shape.ts";
import { type DeclaredInput, inputsByRun, readDeclaredInputs, rootsOf } from "../../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { annotationOf } from "../../../compiler/ir/input-type.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import type { SecurityReport } from "../../../compiler/policy/report-shape.ts";
import { complete } from "../../../grammar/complete.ts";
import type { Completion } from "../../../grammar/completion.ts";
import type { Diagnostic } from "../../../grammar/diagnostic.ts";
import { parse } from "../../../grammar/parse.ts";
import { format } from "../../../grammar/print/print.ts";
import { isPython } from "../../../grammar/surface.ts";
import type { FrameInput } from "../parts/frame-form.tsx";
import { loadPython } from "./python/form.ts";

export type Compiled = {
  readonly source: string;
  readonly diagnostics: readonly Diagnostic[];
  /** null: it has errors. */
  readonly ir: Ir | null;
  /** What the program says that it takes, in the order of the source. */
  readonly inputs: readonly FrameInput[];
};

const shape = grammarShape(builtinCatalog);

/** Like all that takes a signal, it rejects when that is aborted, which the next change of the text does. */
export async function compiled(source: string, names: readonly string[], signal: AbortSignal): Promise<Compiled> {
  await loadFor(source);
  const { diagnostics, ir } = await later(() => compile(source, { strict: true, advice: true, inputs: names }), signal);
  const inputs = isPython(source) ? parametersOf(ir) : parse(source).inputs;
  return { source, diagnostics, ir, inputs };
}

/** Loads the form of a text. */
async function loadFor(source: string): Promise<void> {
  if (isPython(source)) await loadPython();
}

/** Does work once the page has had its turn, unless it is not asked for any more. */
async function later<T>(work: () => T, signal: AbortSignal): Promise<T> {
  await new Promise((next) => setTimeout(next));
  signal.throwIfAborted();
  return work();
}

/** The same text where it cannot be read. */
export async function formatted(source: string): Promise<string> {
  await loadFor(source);
  const result = format(source);
  return result.ok ? result.text : source;
}

export const reported = (ir: Ir, signal: AbortSignal): Promise<SecurityReport> =>
  later(() => securityReport(ir, builtinCatalog), signal);
/** The listing of a program of the opcode form; null of one in Python, which has none. */
export const bytecodeOf = (ir: Ir): string | null =>
  Object.values(ir.labels).some(({ python }) => python !== undefined) ? null : disassemble(flatten(ir, ir.entry ?? ""));
export async function completed(prefix: string, signal: AbortSignal): Promise<Completion> {
  await loadFor(prefix);
  return later(() => complete(prefix, shape), signal);
}

/** Where a run may begin, and what it takes there. `label`: null where a program of the opcode form begins. */
export type Beginning = { readonly label: string | null; readonly inputs: readonly FrameInput[] };

/** The entry first. */
export async function beginningsOf(source: string, signal: AbortSignal): Promise<readonly Beginning[]> {
  if (!isPython(source)) return [{ label: null, inputs: parse(source).inputs }];
  const { ir } = await compiled(source, [], signal);
  if (ir === null) return [];
  const inputsAt = inputsByRun(ir);
  return rootsOf(ir).map((label) => ({ label, inputs: inputsAt(label).map(fieldOf) }));
}

const parametersOf = (ir: Ir | null): readonly FrameInput[] => (ir === null ? [] : readDeclaredInputs(ir)).map(fieldOf);

const fieldOf = ({ name, types, required }: DeclaredInput): FrameInput => ({
  ...{ name, type: types.length === 1 ? (types[0] as string) : "any", annotation: annotationOf(types) },
  ...(required === null ? {} : { required }),
});

/** `functions`: null where not both are in Python with their source. */
export type Difference = ProgramDiff & { readonly functions: readonly FunctionChange[] | null };

export const differenceOf = (before: SourcedProgram, after: SourcedProgram, signal: AbortSignal): Promise<Difference> =>
  later(() => {
    const difference = diffPrograms(before.ir, after.ir, builtinCatalog);
    return { ...difference, functions: functionsOf(difference.labels, before, after, physicalLines) };
  }, signal);

/** What stands in each line: the lexer is too large to be loaded for it. */
function physicalLines(source: string) {
  return new Map(
    source.split("\n").map((text, at) => {
      const indent = text.search(/\S|$/);
      return [at + 1, { line: at + 1, indent, text: text.trim() }];
    }),
  );
}
