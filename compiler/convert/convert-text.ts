/**
 * The same program in the other form. What is written is compiled and compared with the graph of the original: a step whose better spelling means
 * something else is written as a step, and a program that the other form cannot say is refused. It knows nothing of files.
 */

import type { SourceFile } from "../../grammar/ast.ts";
import { parseTask } from "../../grammar/parse.ts";
import { formatTask } from "../../grammar/print/print.ts";
import { isIndented, isPython } from "../../grammar/surface.ts";
import { completed, type Task } from "../../grammar/text/task.ts";
import type { Ir } from "../ir/graph.ts";
import { STYLES, type Style } from "./expression-text.ts";
import { compareGraphs, type Difference } from "./same-graph.ts";
import { toIndented } from "./to-indented.ts";
import { type Converted, type Refusal, toOpcode } from "./to-opcode.ts";

export const FORMS = ["indented", "opcode"] as const;
export type Form = (typeof FORMS)[number];

export type ConvertedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

/** The graph of a text in place of the program; null when it does not compile. */
export type CompileText = (text: string) => Ir | null;
type CompileTextTask = (text: string) => Task<Ir | null>;

/** `before`: the graph of `text`. A program that has the form already is left as it is. */
export function convertText(text: string, to: Form, before: Ir, compile: CompileText): ConvertedText {
  // biome-ignore lint/correctness/useYield: it is compiled in one go
  const task = convertTask(text, to, before, function* (written) {
    return compile(written);
  });
  return completed(task);
}

const PYTHON: Refusal = {
  line: 1,
  what: "a program in Python: its values and functions have no labels and steps of the same meaning",
};

/** The same in pieces. */
export function* convertTask(text: string, to: Form, before: Ir, compile: CompileTextTask): Task<ConvertedText> {
  if (isPython(text)) return { ok: false, refusals: [PYTHON] };
  if (isIndented(text) === (to === "indented")) return { ok: true, text };
  const file = yield* parseTask(text);
  yield;
  return yield* to === "opcode" ? asOpcode(file, before, compile) : asIndented(file, before, compile);
}

function* asOpcode(file: SourceFile, before: Ir, compile: CompileTextTask): Task<ConvertedText> {
  const converted = yield* formatted(toOpcode(file));
  if (!converted.ok) return converted;
  const after = yield* compile(converted.text);
  yield;
  if (after === null) return notCompiled(file);
  const { differences } = yield* compareGraphs(before, after, converted.labelOf);
  return differences.length === 0 ? { ok: true, text: converted.text } : refused(file, before, differences);
}

function* formatted<C extends Converted>(converted: C): Task<C> {
  yield;
  if (!converted.ok) return converted;
  const result = yield* formatTask(converted.text);
  yield;
  return result.ok ? { ...converted, text: result.text } : converted;
}

function* asIndented(file: SourceFile, before: Ir, compile: CompileTextTask): Task<ConvertedText> {
  const withBlocks = yield* written(file, before, compile, true);
  return withBlocks.ok ? withBlocks : yield* written(file, before, compile, false);
}

function* written(file: SourceFile, before: Ir, compile: CompileTextTask, hasBlocks: boolean): Task<ConvertedText> {
  const styles = new Map<string, number>();
  let least = 0;
  const keyOf = (label: string, at: number): string => `${label}\0${at}`;
  const styleAt = (label: string, at: number): number => Math.max(least, styles.get(keyOf(label, at)) ?? 0);
  const styleOf = (label: string, at: number): Style => STYLES[styleAt(label, at)] as Style;
  // Each round writes at least one statement another way.
  for (;;) {
    const converted = yield* formatted(yield* toIndented(file, styleOf, hasBlocks));
    if (!converted.ok) return converted;
    const after = yield* compile(converted.text);
    yield;
    if (after === null) {
      if (least >= STYLES.length - 1) return notCompiled(file);
      least += 1;
      continue;
    }
    const labelOf = converted.blocks?.namesIn(after, converted.labelOf) ?? converted.labelOf;
    const faulty = yield* faultyLines(converted.text);
    yield;
    const { differences } = yield* compareGraphs(before, after, labelOf, faulty);
    yield;
    if (differences.length === 0) return { ok: true, text: converted.text };
    let isChanged = false;
    for (const difference of differences) {
      if (difference === null) continue;
      const { label, at } = difference;
      const next = styleAt(label, at) + 1;
      if (next >= STYLES.length) continue;
      styles.set(keyOf(label, at), next);
      isChanged = true;
    }
    if (!isChanged) return refused(file, before, differences);
  }
}

/** Statements whose better spelling is not read as meant. */
function* faultyLines(text: string): Task<ReadonlySet<number>> {
  const { findings } = yield* parseTask(text);
  return new Set(findings.flatMap(({ code, span }) => (code.startsWith("WF1") && span !== null ? [span.line] : [])));
}

const MOST_REFUSALS = 20;

function notCompiled({ lines }: SourceFile): ConvertedText {
  return {
    ok: false,
    refusals: [{ line: lines[0]?.span.line ?? 1, what: "the program: as it would be written it does not compile" }],
  };
}

function refused(file: SourceFile, before: Ir, differences: readonly Difference[]): ConvertedText {
  const refusals = differences.slice(0, MOST_REFUSALS).map((difference): Refusal => {
    if (difference === null)
      return { line: file.lines[0]?.span.line ?? 1, what: "the entry, labels, endpoints or declarations" };
    const { label, at, what } = difference;
    const node = before.nodes.filter((one) => one.label === label)[at];
    return { line: node?.line ?? 1, what: `${node?.op ?? "the end"} in the label 'L${label}': another ${what}` };
  });
  return { ok: false, refusals };
}
