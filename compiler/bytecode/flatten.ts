/**
 * IR to bytecode: labels become routines or are inlined where they are used, nodes become instructions, in up to three
 * variants of the same program (`program.ts`). Reads like the chapters of docs/bytecode.md: names, routines, labels, ends.
 */
import { findFunction } from "../functions.ts";
import type { Ir } from "../ir/graph.ts";
import { type Fold, noFolding } from "../passes/fold.ts";
import { CodeBuilder } from "./builder.ts";
import { LabelEmitter } from "./emit-labels.ts";
import type { Functions } from "./emit-operands.ts";
import { Layout } from "./layout.ts";
import { FIXED_VARIABLES, type Program, type VariantKind, type VariantTables } from "./program.ts";

/** The bytecode of `ir` for runs that start at label `entry`, which must exist. All targets of labels must exist too. */
export function flatten(ir: Ir, entry: string, fold: Fold = noFolding): Program {
  return new FlattenedProgram(ir, entry, fold);
}

/** Variants are emitted when they are first asked for; most runs need one. */
class FlattenedProgram implements Program {
  readonly format = "weft-bytecode";
  readonly version = 1;
  readonly entry: string;
  readonly names: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  private readonly ir: Ir;
  private readonly functions: Functions;
  private readonly variants: Partial<Record<VariantKind, VariantTables>> = {};

  constructor(ir: Ir, entry: string, fold: Fold) {
    this.ir = ir;
    this.entry = entry;
    this.slots = variableSlots(ir);
    this.names = [...this.slots.keys()];
    this.functions = { known: isFunctionName, fold };
  }

  /** Read by few, and computed when it is. */
  get ir_checksum(): string {
    return this.ir.checksum;
  }

  variant(kind: VariantKind): VariantTables {
    this.variants[kind] ??= this.emit(kind);
    return this.variants[kind];
  }

  private emit(kind: VariantKind): VariantTables {
    const code = new CodeBuilder(kind, this.slots);
    // Not kept: few programs need a second variant, and the layout is as large as one.
    new LabelEmitter(code, new Layout(this.ir), this.functions).emitProgram(this.entry);
    return code.finish(this.names.length);
  }
}

function isFunctionName(name: string): boolean {
  return findFunction(name)?.name === name;
}

/** The machine's own variables, then every name the nodes read or write, in node order. */
function variableSlots(ir: Ir): ReadonlyMap<string, number> {
  const slots = new Map<string, number>();
  const add = (name: string): void => {
    if (!slots.has(name)) slots.set(name, slots.size);
  };
  for (const name of FIXED_VARIABLES) add(name);
  for (const node of ir.nodes) {
    for (const name of node.reads) add(name);
    for (const name of node.writes) add(name);
  }
  return slots;
}
