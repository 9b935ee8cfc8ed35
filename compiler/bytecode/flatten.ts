/**
 * IR to bytecode: labels become routines or are inlined where they are used, nodes become instructions, in up to three
 * variants of the same program (`program.ts`). Reads like the chapters of docs/bytecode.md: names, routines, labels, ends.
 */
import { findFunction } from "../functions.ts";
import type { Ir } from "../ir/graph.ts";
import { type Fold, noFolding } from "../passes/fold.ts";
import { CodeBuilder } from "./builder.ts";
import { LabelEmitter } from "./emit-labels.ts";
import { Layout } from "./layout.ts";
import { FIXED_VARIABLES, type Program, type VariantKind, type VariantTables } from "./program.ts";

/** The bytecode of `ir` for runs that start at label `entry`, which must exist. All targets of labels must exist too. */
export function flatten(ir: Ir, entry: string, fold: Fold = noFolding): Program {
  const layout = new Layout(ir);
  const names = variableNames(ir);
  const built = new Map<VariantKind, VariantTables>();
  return {
    format: "weft-bytecode",
    version: 1,
    // Read by few, and computed when it is.
    get ir_checksum() {
      return ir.checksum;
    },
    entry,
    names,
    slots: new Map(names.map((name, slot) => [name, slot])),
    variant(kind) {
      const known = built.get(kind);
      if (known !== undefined) return known;
      const tables = emitVariant(layout, entry, names, kind, fold);
      built.set(kind, tables);
      return tables;
    },
  };
}

function emitVariant(
  layout: Layout,
  entry: string,
  names: readonly string[],
  kind: VariantKind,
  fold: Fold,
): VariantTables {
  const code = new CodeBuilder(kind, names);
  const emitter = new LabelEmitter(code, layout, { known: (name) => findFunction(name)?.name === name, fold });
  emitter.emitProgram(entry);
  return code.finish(names.length);
}

/** The machine's own variables, then every name the nodes read or write, in node order. */
function variableNames(ir: Ir): string[] {
  const names = new Set<string>(FIXED_VARIABLES);
  for (const node of ir.nodes) {
    for (const name of node.reads) names.add(name);
    for (const name of node.writes) names.add(name);
  }
  return [...names];
}
