/**
 * Names of labels in drawings: of functions their own. A block of an older program has no name in its source: it is called by its graph and by
 * what it is.
 */
import { shownLabel } from "../../grammar/text/written-label.ts";
import type { Ir, IrNode } from "../ir/graph.ts";
import { labelName } from "../ir/references.ts";

type StepPlace = Pick<IrNode, "label" | "id"> & {
  readonly line?: number | undefined;
  readonly file?: string | undefined;
};

/** A function of Python as its messages call it, without what only Python's own say; the statements of a file that are in none. */
export function functionName({ labels }: Pick<Ir, "labels">, id: string): string | null {
  const python = Object.hasOwn(labels, id) ? labels[id]?.python : undefined;
  if (python === undefined) return null;
  return python.kind === "module" ? "the file" : python.name.replaceAll(".<locals>", "");
}

/** A step as people read of it: `totals line 7`, `L1 n2` of the opcode form. */
export function stepName(ir: Pick<Ir, "labels">, { label, id, line, file }: StepPlace): string {
  const name = functionName(ir, label);
  if (name === null) return `${shownLabel(label)} ${id}`;
  return line === undefined ? name : `${name} line ${line}${file === undefined ? "" : ` of ${file}`}`;
}

/** Whether all of a program is in Python, which has lines to be shown by. */
export function hasSourceLines({ labels }: Pick<Ir, "labels">): boolean {
  const all = Object.values(labels);
  return all.length > 0 && all.every(({ python }) => python !== undefined);
}

const BLOCK = /^(.+)~([a-z]+)[0-9]+$/;
/** What follows an if or a loop is a block of its own. */
const KINDS: Readonly<Record<string, string>> = { cont: "after", body: "loop" };
const ENTRY = "_entry";

/** Whether an older version compiled the program, of a source that had names and lines and no labels. */
export function isIndented({ labels, entry }: Pick<Ir, "labels" | "entry">): boolean {
  return entry === ENTRY || Object.keys(labels).some((id) => BLOCK.test(id));
}

/** `totals`, `totals: loop`; `L1` for a label of the opcode form. */
export function labelNames(ir: Pick<Ir, "labels" | "entry" | "declarations">): (id: string) => string {
  if (!isIndented(ir)) return (id) => functionName(ir, id) ?? labelName(ir, id);
  const service = ir.declarations.find(({ op }) => op === "S")?.slots[0];
  const graphName = (id: string): string => {
    if (id === ENTRY) return service ?? shownLabel(id);
    return id.startsWith("_") && Object.hasOwn(ir.labels, id) ? id.slice(1) : shownLabel(id);
  };
  return (id) => {
    const [, graph, kind = ""] = BLOCK.exec(id) ?? [];
    return graph === undefined ? graphName(id) : `${graphName(graph)}: ${KINDS[kind] ?? kind}`;
  };
}
