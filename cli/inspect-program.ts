/** What can be said of a program without running it: entry, labels, endpoints, adapters, inputs, bounds. */
import { bounds, type IrIndex, indexIr, isCycle, labelComponents, reachableLabels } from "../compiler/ir/analysis.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { writtenLabel } from "./output/run.ts";
import { grouped } from "./output/table.ts";
import { adaptersOf } from "./program.ts";

type Bounds = {
  readonly min_steps: number;
  readonly max_steps: number | null;
  readonly min_adapter_calls: number;
  readonly max_adapter_calls: number | null;
};

export type LabelFacts = Bounds & {
  readonly label: string;
  readonly steps: number;
  readonly exits: readonly string[];
  readonly reachable: boolean;
  readonly line: number | null;
  readonly file: string | null;
  /** Why the steps are unbounded. */
  readonly reason: string | null;
};

export type ProgramFacts = {
  readonly ok: true;
  readonly entry: string | null;
  readonly labels: readonly LabelFacts[];
  readonly endpoints: Ir["endpoints"];
  readonly adapters: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  readonly bounds: Bounds | null;
  readonly ir_version: string;
  readonly checksum: string;
};

export function inspectProgram(ir: Ir): ProgramFacts {
  const index = indexIr(ir);
  const table = bounds(index);
  const entries = [...(ir.entry === null ? [] : [ir.entry]), ...ir.endpoints.map((endpoint) => endpoint.label)];
  const reached = reachableLabels(index, entries);
  const reasons = unboundedReasons(index);
  const labels = index.labelIds.map((id): LabelFacts => {
    const nodes = index.nodesOf(id);
    const found = table.get(id);
    return {
      label: writtenLabel(id),
      steps: nodes.length,
      exits: index.label(id)?.exits ?? [],
      reachable: reached.has(id),
      line: nodes[0]?.line ?? null,
      file: nodes[0]?.file ?? null,
      min_steps: found?.min_steps ?? 0,
      max_steps: found?.max_steps ?? null,
      min_adapter_calls: found?.min_adapter_calls ?? 0,
      max_adapter_calls: found?.max_adapter_calls ?? null,
      reason: (found?.max_steps ?? null) !== null ? null : (reasons.get(id) ?? "not known before the run"),
    };
  });
  const reasonOfLabel = labels.find((facts) => ir.entry !== null && facts.label === writtenLabel(ir.entry));
  return {
    ok: true,
    entry: ir.entry === null ? null : writtenLabel(ir.entry),
    labels,
    endpoints: ir.endpoints,
    adapters: adaptersOf(ir),
    inputs: inputsOf(ir),
    bounds:
      reasonOfLabel === undefined
        ? null
        : {
            min_steps: reasonOfLabel.min_steps,
            max_steps: reasonOfLabel.max_steps,
            min_adapter_calls: reasonOfLabel.min_adapter_calls,
            max_adapter_calls: reasonOfLabel.max_adapter_calls,
          },
    ir_version: ir.ir_version,
    checksum: ir.checksum,
  };
}

/** Declared inputs, each once: of several declarations the first that names a type. */
function inputsOf(ir: Ir): ProgramFacts["inputs"] {
  const types = new Map<string, string>();
  for (const { op, slots } of ir.declarations) {
    const [name = "", type = "any"] = slots;
    if (op === "frame" && (types.get(name) ?? "any") === "any") types.set(name, type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

/**
 * Per label the nearest cause on a way from it: a cycle of labels, or a Loop over a list that only a run knows. Callees come
 * first, so a label finds the causes of the labels it leads to ready: one pass, however long the ways are.
 */
function unboundedReasons(index: IrIndex): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const component of labelComponents(index)) {
    const cyclic = isCycle(index, component);
    for (const id of component) {
      const nodes = index.nodesOf(id);
      const loop = nodes.find((node) => node.op === "Loop");
      const reason = cyclic
        ? `${writtenLabel(id)} can lead back to itself${at(nodes[0]?.line)}`
        : loop !== undefined
          ? `Loop over a list of unknown length${at(loop.line)}`
          : firstOf(index.successorsOf(id), reasons);
      if (reason !== undefined) reasons.set(id, reason);
    }
  }
  return reasons;
}

function firstOf(ids: readonly string[], reasons: ReadonlyMap<string, string>): string | undefined {
  for (const id of ids) {
    const reason = reasons.get(id);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const at = (line: number | undefined): string => (line === undefined ? "" : ` (line ${line})`);

export function boundText(least: number, most: number | null): string {
  if (most === null) return `${grouped(least)} to unbounded`;
  return least === most ? grouped(most) : `${grouped(least)} to ${grouped(most)}`;
}
