/** What two programs in Python differ in, as lines of their source: of each function that the programs have otherwise, in the words of its author. */
import { functionName, hasSourceLines } from "../diagram/label-names.ts";
import type { LogicalLine } from "../diagram/logical-lines.ts";
import { isDefinition } from "../diagram/written-steps.ts";
import type { Ir } from "../ir/graph.ts";
import { type IrIndex, indexIr } from "../ir/ir-index.ts";
import type { LabelChange } from "./program-diff.ts";
import { alignSequences } from "./sequence.ts";

/** `textOf`: the source of a file of the program, null for its own; it is null where the source is not known. */
export type SourcedProgram = { readonly ir: Ir; readonly textOf: (file: string | null) => string | null };
/** The lines of a source by their numbers; a statement over several lines may be one of them. */
type LinesOf = (source: string) => ReadonlyMap<number, LogicalLine>;
type WrittenLine = { readonly line: number; readonly text: string };
export type LineChange =
  | { readonly change: "added"; readonly after: WrittenLine }
  | { readonly change: "removed"; readonly before: WrittenLine }
  | { readonly change: "changed"; readonly before: WrittenLine; readonly after: WrittenLine };
/** `lines` of a function that one of the programs does not have: how many. null: its source is not known. */
export type FunctionChange =
  | { readonly change: "added" | "removed"; readonly name: string; readonly lines: number }
  | { readonly change: "changed"; readonly name: string; readonly lines: readonly LineChange[] | null };

/** `labels`: those that differ, as `diffPrograms` found them. null: not both programs are in Python with their source at hand. */
export function functionsOf(
  labels: readonly LabelChange[],
  before: SourcedProgram,
  after: SourcedProgram,
  linesOf: LinesOf,
): readonly FunctionChange[] | null {
  const isWritten = ({ ir, textOf }: SourcedProgram) => hasSourceLines(ir) && textOf(null) !== null;
  return isWritten(before) && isWritten(after)
    ? functionChanges(labels, new Written(before, linesOf), new Written(after, linesOf))
    : null;
}

function functionChanges(labels: readonly LabelChange[], before: Written, after: Written): readonly FunctionChange[] {
  const sides = { before, after };
  /** A lambda stands in a line of the function around it, which shows the change. */
  const shown = new Set<string>();
  return labels.flatMap((label): FunctionChange[] => {
    if (label.change !== "changed") {
      const side = sides[label.change === "added" ? "after" : "before"];
      return [{ change: label.change, name: side.nameOf(label.label), lines: side.linesOf(label.label)?.length ?? 0 }];
    }
    const name = sides.after.nameOf(label.label);
    const [old, fresh] = [sides.before.linesOf(label.label), sides.after.linesOf(label.label)];
    if (old === null || fresh === null) return [{ change: "changed", name, lines: null }];
    const found = lineChanges(old, fresh);
    // Only definitions of functions came or went, which are shown themselves.
    if (found.length === 0 && sides.after.isFile(label.label)) return [];
    const lines = found.filter((one) => !shown.has(keyOf(one)));
    for (const one of lines) shown.add(keyOf(one));
    return lines.length === 0 && found.length > 0 ? [] : [{ change: "changed", name, lines }];
  });
}

class Written {
  readonly #program: SourcedProgram;
  readonly #index: IrIndex;
  readonly #files = new Map<string | null, ReadonlyMap<number, LogicalLine> | null>();

  readonly #linesOf: LinesOf;

  constructor(program: SourcedProgram, linesOf: LinesOf) {
    this.#program = program;
    this.#linesOf = linesOf;
    this.#index = indexIr(program.ir);
  }

  nameOf(label: string): string {
    return functionName(this.#program.ir, label) ?? label;
  }

  isFile(label: string): boolean {
    return this.#program.ir.labels[label]?.python?.kind === "module";
  }

  /** In the order of the source, indented as in their function. */
  linesOf(label: string): readonly WrittenLine[] | null {
    const isFile = this.isFile(label);
    const nodes = this.#index.nodesOf(label).filter((node) => !(isFile && isDefinition(node)));
    const lines = this.#linesIn(nodes[0]?.file ?? null);
    if (lines === null) return null;
    const own = new Set(nodes.flatMap(({ line }) => (line === undefined ? [] : (lines.get(line) ?? []))));
    const least = Math.min(...[...own].map(({ indent }) => indent));
    return [...own]
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, indent, text }) => ({ line, text: `${" ".repeat(indent - least)}${text}` }));
  }

  #linesIn(file: string | null): ReadonlyMap<number, LogicalLine> | null {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const text = this.#program.textOf(file);
    const lines = text === null ? null : this.#linesOf(text);
    this.#files.set(file, lines);
    return lines;
  }
}

/** Between lines that both have, as many lines that went as came are the same lines, changed. */
function lineChanges(before: readonly WrittenLine[], after: readonly WrittenLine[]): readonly LineChange[] {
  const found: LineChange[] = [];
  const [olds, news] = [before.values(), after.values()];
  let [removed, added]: [WrittenLine[], WrittenLine[]] = [[], []];
  const closeGap = () => {
    const isChanged = removed.length === added.length;
    for (const [at, old] of removed.entries()) {
      const fresh = isChanged ? added[at] : undefined;
      if (fresh === undefined) found.push({ change: "removed", before: old });
      else found.push({ change: "changed", before: old, after: fresh });
    }
    if (!isChanged) for (const fresh of added) found.push({ change: "added", after: fresh });
    [removed, added] = [[], []];
  };
  const texts = (lines: readonly WrittenLine[]) => lines.map(({ text }) => text);
  for (const { kind } of alignSequences(texts(before), texts(after))) {
    const old = kind === "+" ? undefined : olds.next().value;
    const fresh = kind === "-" ? undefined : news.next().value;
    if (kind === " ") closeGap();
    else if (old !== undefined) removed.push(old);
    else if (fresh !== undefined) added.push(fresh);
  }
  closeGap();
  return found;
}

const keyOf = (one: LineChange): string =>
  `${"before" in one ? one.before.line : ""} ${"after" in one ? one.after.line : ""}`;
