/** `parallel(f, items, limit=8, settle=False)` and `parallel([f, g])`: branches (python-effects.md K-19, K-20). */
import type { Call } from "../../../../grammar/python/tree.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, NONE, variable } from "../operands.ts";
import { type Arguments, formArguments } from "./arguments.ts";
import { withVerbAsFunction } from "./verbs.ts";

const ARGUMENTS: Arguments = [
  ["f", null],
  ["items", NONE],
  ["limit", { k: "num", v: 8 }],
  ["settle", { k: "bool", v: false }],
];

export function lowerParallel(f: Lowerer, written: Call): IrOperand {
  const node = withVerbAsFunction(f, written, hasItems(written) ? 1 : 0);
  const [first] = written.args;
  if (first !== undefined) f.names.writes.branch(f.names.scopes, f.scope, first);
  const args = formArguments(f, node, "parallel", ARGUMENTS);
  if (args === null) return NONE;
  const [callee, items, limit, settle] = args as [IrOperand, IrOperand, IrOperand, IrOperand];
  const listed = (value: IrOperand): IrOperand => call("call", { k: "lib", v: "list" }, value);
  const works = items.k === "null" ? [listed(callee), NONE] : [callee, listed(items)];
  const out = f.body.temporary();
  f.body.add({ do: "set", name: out, value: call("fork", ...works, limit, settle) });
  return variable(out);
}

function hasItems({ args, keywords }: Call): boolean {
  return args.length > 1 || keywords.some(({ arg }) => arg === "items");
}
