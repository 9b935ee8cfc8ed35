/** Arguments of Weft's own forms: by position or by name, with what they are when left out. */
import type { Call } from "../../../../grammar/python/tree.ts";
import { nearest } from "../../../../grammar/text/nearest.ts";
import type { IrOperand } from "../../../ir/graph.ts";
import type { Lowerer } from "../lowerer.ts";

/** `null`: it is required. */
export type Arguments = readonly (readonly [name: string, otherwise: IrOperand | null])[];

/** The arguments in their order; null: they are refused. */
export function formArguments(f: Lowerer, node: Call, form: string, known: Arguments): IrOperand[] | null {
  const refused = (at: Parameters<Lowerer["refuse"]>[0], row: string, words = {}): null => {
    f.refuse(at, row, { name: form, ...words });
    return null;
  };
  if (node.args.some(({ kind }) => kind === "Starred") || node.keywords.some(({ arg }) => arg === null))
    return refused(node, "adapter_spread");
  if (node.args.length > known.length) return refused(node, "too_many_arguments", { n: String(known.length) });
  const values = f.exprs([...node.args, ...node.keywords.map(({ value }) => value)]);
  const given: (IrOperand | undefined)[] = values.slice(0, node.args.length);
  for (const [at, keyword] of node.keywords.entries()) {
    const argument = keyword.arg as string;
    const place = known.findIndex(([name]) => name === argument);
    if (place < 0) {
      const names = known.map(([name]) => name);
      const near = nearest(argument, names) ?? "";
      return refused(keyword, near === "" ? "unknown_argument" : "unknown_argument_near", {
        argument,
        near,
        names: names.join(", "),
      });
    }
    if (given[place] !== undefined) return refused(keyword, "argument_twice", { argument });
    given[place] = values[node.args.length + at];
  }
  const all: IrOperand[] = [];
  for (const [at, [argument, otherwise]] of known.entries()) {
    const value = given[at] ?? otherwise;
    if (value === null) return refused(node, "missing_argument", { argument });
    all.push(value);
  }
  return all;
}
