/** What can be said of a program without running it: entry, labels, endpoints, adapters, inputs, bounds. */
import { bounds, callCycles, indexIr, reachableLabels } from "../compiler/ir/analysis.ts";
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
  const cyclic = new Set(callCycles(index).flat());
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
      reason: (found?.max_steps ?? null) !== null ? null : reasonOf(id),
    };
  });
  const reasonOfLabel = labels.find((facts) => ir.entry !== null && facts.label === writtenLabel(ir.entry));
  return {
    ok: true,
    entry: ir.entry === null ? null : writtenLabel(ir.entry),
    labels,
    endpoints: ir.endpoints,
    adapters: adaptersOf(ir),
    inputs: ir.declarations
      .filter(({ op }) => op === "frame")
      .map(({ slots }) => ({ name: slots[0] ?? "", type: slots[1] ?? "any" })),
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

  /** The nearest cause on the way from a label: a cycle of labels, or a Loop over a list that only a run knows. */
  function reasonOf(start: string): string {
    for (const id of reachableLabels(index, [start])) {
      const nodes = index.nodesOf(id);
      if (cyclic.has(id)) return `${writtenLabel(id)} can lead back to itself${at(nodes[0]?.line)}`;
      const loop = nodes.find((node) => node.op === "Loop");
      if (loop !== undefined) return `Loop over a list of unknown length${at(loop.line)}`;
    }
    return "not known before the run";
  }
}

const at = (line: number | undefined): string => (line === undefined ? "" : ` (line ${line})`);

export function boundText(least: number, most: number | null): string {
  if (most === null) return `${grouped(least)} to unbounded`;
  return least === most ? grouped(most) : `${grouped(least)} to ${grouped(most)}`;
}
