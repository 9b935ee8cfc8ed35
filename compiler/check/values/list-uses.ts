/**
 * What a graph does with a value whose type nothing declares: a value whose elements are read by their members, or that is sorted by a field, is a
 * list of objects. It reports nothing.
 */
import type { Operand } from "../../../grammar/ast.ts";
import { findFunction } from "../../functions.ts";
import type { LoweredStep } from "../../lower/lowered.ts";
import { walkOperands } from "../operand-walk.ts";
import type { ProgramView } from "../program-view.ts";

/** Functions that read a field of the elements of their first argument, and how many arguments say so. */
const BY_FIELD: ReadonlyMap<string, number> = new Map([
  ...["sum", "avg", "sort_by", "group_by", "count_by", "index_by", "min_by", "max_by"].map((name): [string, number] => [
    name,
    2,
  ]),
  ["find", 3],
]);

export class ListUses {
  private readonly view: ProgramView;
  private found: Set<string> | null = null;

  constructor(view: ProgramView) {
    this.view = view;
  }

  /** Whether the graph of a label uses a value as a list of objects. */
  isList(label_id: string, operand: Operand): boolean {
    const key = keyOf(operand);
    if (key === null) return false;
    this.found ??= usesIn(this.view);
    return this.found.has(`${graphOf(label_id, this.view)} ${key}`);
  }
}

/** The blocks of a graph `name` are labels `name~…`, and the graph is `_name`; the first graph is `_entry`. */
function graphOf(label_id: string, { labelIndex }: ProgramView): string {
  const [name = "", block] = label_id.split("~", 2);
  if (block === undefined) return name.replace(/^_/, "");
  return labelIndex.has(`_${name}`) ? name : "entry";
}

function keyOf(operand: Operand): string | null {
  if (operand.k === "name" || operand.k === "var") return operand.v;
  return operand.k === "path" ? [operand.root, ...operand.segments].join(".") : null;
}

function usesIn(view: ProgramView): Set<string> {
  const used = new Set<string>();
  const members = new Set<string>();
  const loops: { readonly key: string; readonly item: string }[] = [];
  for (const { id, steps } of view.program.labels) {
    const graph = graphOf(id, view);
    for (const lowered of steps) {
      if (lowered.step.faulty) continue;
      for (const list of listsOf(lowered)) used.add(`${graph} ${list}`);
      walkOperands(lowered.step, (operand) => {
        if (operand.k === "path" && !/^-?[0-9]+$/.test(operand.segments[0] ?? ""))
          members.add(`${graph} ${operand.root}`);
      });
      const { step } = lowered;
      if (step.op !== "Loop" && step.op !== "Each") continue;
      const key = keyOf(
        step.list.k === "call" && step.list.fn.text === "each" ? (step.list.args[0] ?? step.list) : step.list,
      );
      if (key !== null) loops.push({ key: `${graph} ${key}`, item: `${graph} ${step.item.name}` });
    }
  }
  for (const { key, item } of loops) if (members.has(item)) used.add(key);
  return used;
}

function listsOf({ step }: LoweredStep): readonly string[] {
  const lists: string[] = [];
  walkOperands(step, (operand) => {
    if (operand.k !== "call") return;
    const least = BY_FIELD.get(findFunction(operand.fn.text)?.name ?? "");
    const [list] = operand.args;
    const key = list === undefined ? null : keyOf(list);
    if (least !== undefined && operand.args.length >= least && key !== null) lists.push(key);
  });
  return lists;
}
