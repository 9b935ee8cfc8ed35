/**
 * The linked program → IR: places are dropped, the rest is put in the order docs/ir.md 2 asks for. Decides nothing.
 */
import type { AdapterCatalog } from "../catalog.ts";
import {
  IR_VERSION,
  type Ir,
  type IrDeclaration,
  type IrEdge,
  type IrEndpoint,
  type IrLabel,
  type IrNode,
  nodeNumber,
} from "../ir/graph.ts";
import { measured } from "../ir/measured.ts";
import type { UnmeasuredIr } from "../policy/requirements.ts";
import type { LoweredEndpoint, LoweredLabel, LoweredProgram, Module } from "./lowered.ts";

export function assembleIr(program: LoweredProgram, catalog: AdapterCatalog): Ir {
  const parts: UnmeasuredIr = {
    ir_version: IR_VERSION,
    entry: program.entry,
    labels: labelTable(program.labels),
    nodes: program.labels.flatMap(nodesOf),
    edges: sortedEdges(program),
    endpoints: program.endpoints.flatMap(endpointOf),
    declarations: declarationsOf(program),
  };
  return measured(parts, catalog);
}

function nodesOf(label: LoweredLabel): readonly IrNode[] {
  return label.steps.flatMap((step) => (step.node === null ? [] : [step.node]));
}

/** Ids are data, `__proto__` too: members are defined, not assigned. */
function labelTable(labels: readonly LoweredLabel[]): Ir["labels"] {
  const table: Record<string, IrLabel> = {};
  for (const label of labels) {
    const nodes = nodesOf(label);
    const value: IrLabel = {
      entry: nodes[0]?.id ?? null,
      exits: nodes.filter((node) => node.op === "J").map((node) => node.id),
    };
    Object.defineProperty(table, label.id, { value, writable: true, enumerable: true, configurable: true });
  }
  return table;
}

/** By label order, number of `from`, port. */
function sortedEdges(program: LoweredProgram): readonly IrEdge[] {
  const order = new Map(program.labels.map((label, index) => [label.id, index]));
  const rank = (edge: IrEdge): number => order.get(edge.label) ?? order.size;
  return [...program.edges].sort(
    (a, b) => rank(a) - rank(b) || nodeNumber(a.from) - nodeNumber(b.from) || (a.port < b.port ? -1 : 1),
  );
}

function endpointOf(endpoint: LoweredEndpoint): readonly IrEndpoint[] {
  if (endpoint.target === null) return [];
  const { method, path, returns, type, description, line, module, target } = endpoint;
  return [{ method, path, label: target.id, returns, type, description, line: line.span.line, ...fileOf(module) }];
}

/** Main file first; inside a file declarations and frame inputs by place. */
function declarationsOf(program: LoweredProgram): readonly IrDeclaration[] {
  const byModule = new Map<Module, { start: number; declaration: IrDeclaration }[]>(
    program.modules.map((module) => [
      module,
      module.file.inputs.map(({ name, type, span }) => ({
        start: span.start,
        declaration: { op: "frame", slots: [name, type], line: span.line, ...fileOf(module) },
      })),
    ]),
  );
  for (const { line, module } of program.declarations) {
    const slots = line.slots.map((slot) => slot.text);
    byModule.get(module)?.push({
      start: line.span.start,
      declaration: { op: line.op, slots, line: line.span.line, ...fileOf(module) },
    });
  }
  return [...byModule.values()].flatMap((entries) =>
    entries.sort((a, b) => a.start - b.start).map((entry) => entry.declaration),
  );
}

function fileOf(module: Module): { readonly file?: string } {
  return module.file.file === null ? {} : { file: module.file.file };
}
