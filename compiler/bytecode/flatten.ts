/**
 * IR to bytecode: labels become routines or are inlined where they are used, nodes become instructions, in up to three
 * variants of the same program (`program.ts`). Reads like the chapters of docs/bytecode.md: names, routines, labels, ends.
 */
import { completed, type Task } from "../../grammar/text/task.ts";
import { findFunction } from "../functions.ts";
import type { Ir } from "../ir/graph.ts";
import { type Fold, noFolding } from "../passes/fold.ts";
import { CodeBuilder } from "./emit/builder.ts";
import { LabelEmitter } from "./emit/labels.ts";
import { layoutOf } from "./emit/layout.ts";
import type { Functions } from "./emit/operands.ts";
import { FIXED_VARIABLES, type Program, type VariantKind, type VariantTables } from "./program.ts";

/** The bytecode of `ir` for runs that start at label `entry`, which must exist. All targets of labels must exist too. */
export function flatten(ir: Ir, entry: string, fold: Fold = noFolding): Program {
  return new FlattenedProgram(ir, entry, fold);
}

/** Variants are emitted when they are first asked for; most runs need one. */
class FlattenedProgram implements Program {
  readonly format = "weft-bytecode";
  readonly version: 1 | 2;
  readonly entry: string;
  readonly names: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  private readonly ir: Ir;
  private readonly functions: Functions;
  private readonly variants: Partial<Record<VariantKind, VariantTables>> = {};

  constructor(ir: Ir, entry: string, fold: Fold) {
    this.ir = ir;
    this.entry = entry;
    this.version = ir.nodes.some(({ op }) => op === "Each" || op === "Par") ? 2 : 1;
    this.slots = variableSlots(ir);
    this.names = [...this.slots.keys()];
    this.functions = { known: isFunctionName, fold };
  }

  /** Read by few, and computed when it is. */
  get ir_checksum(): string {
    return this.ir.checksum;
  }

  variant(kind: VariantKind): VariantTables {
    this.variants[kind] ??= completed(this.emit(kind));
    return this.variants[kind];
  }

  *variantTask(kind: VariantKind): Task<void> {
    if (this.variants[kind] !== undefined) return;
    const tables = yield* this.emit(kind);
    this.variants[kind] ??= tables;
  }

  private *emit(kind: VariantKind): Task<VariantTables> {
    const code = new CodeBuilder(kind, this.slots);
    // Not kept: few programs need a second variant, and the layout is as large as one.
    const layout = yield* layoutOf(this.ir);
    yield;
    yield* new LabelEmitter(code, layout, this.functions).emitProgram(this.entry);
    yield;
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
    if (node.op === "Each") add(node.data.item);
    if (node.op === "Call") for (const [name] of node.data.inputs ?? []) add(name);
  }
  return slots;
}
