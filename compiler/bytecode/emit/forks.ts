/** Each and Par to code: one instruction, where a run waits until its branches have ended; a block ends there. */
import type { NodeOf } from "../../ir/graph.ts";
import { Op } from "../opcodes.ts";
import type { CodeBuilder } from "./builder.ts";
import type { OperandEmitter } from "./operands.ts";

type Around = {
  /** What the branches of an Each run. */
  readonly body: string;
  /** The routine of a label: branches begin at one. */
  readonly routine: (label: string) => number;
  readonly depth: number;
};

export function emitFork(
  code: CodeBuilder,
  operands: OperandEmitter,
  node: NodeOf<"Each"> | NodeOf<"Par">,
  { body, routine, depth }: Around,
): void {
  const labels = node.op === "Par" ? node.data.branches : [body];
  const routines = labels.map(routine);
  const { item, limit } = node.op === "Par" ? { item: null, limit: labels.length } : node.data;
  const aux = code.auxIndex({ kind: "fork", item, routines, limit, mode: node.data.mode });
  const lists = node.op === "Par" ? [] : [operands.use(node.data.list)];
  const pc = code.emit(Op.Fork, code.variable(node.data.out), aux, depth, lists.length, ...lists);
  code.entry(pc, labels[0] ?? null, null);
  code.block = null;
  code.join();
}
