/** What can be said of a program without running it: entry, labels, endpoints, adapters, inputs, and what a run does at most. */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { hasSourceLines } from "../../compiler/diagram/label-names.ts";
import {
  bounds,
  type IrIndex,
  indexIr,
  type LabelBounds,
  labelComponents,
  reachableLabels,
} from "../../compiler/ir/analysis.ts";
import { readDeclaredInputs } from "../../compiler/ir/frame-inputs.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { annotationOf } from "../../compiler/ir/input-type.ts";
import { labelName } from "../../compiler/ir/references.ts";
import { type Cause, unboundedCauses } from "../../compiler/ir/unbounded.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import type { ReportSummary } from "../../compiler/policy/report-shape.ts";
import { lineText } from "../output/static-bounds.ts";
import { adaptersOf } from "../run/load-program.ts";

export type LabelFacts = LabelBounds & {
  readonly label: string;
  readonly steps: number;
  readonly exits: readonly string[];
  readonly reachable: boolean;
  readonly line: number | null;
  readonly file: string | null;
  /** Why the steps are unbounded. */
  readonly reason: string | null;
};

/** Places that the program names, and the bounds of a run from its entry. */
type AtMost = Pick<
  ReportSummary,
  | "egress"
  | "files"
  | "tables"
  | "tools"
  | "modules"
  | "queues"
  | "models"
  | "environment"
  | "max_depth"
  | "loops"
  | "waits"
  | "frames_at_once"
  | "unknown"
>;

export type ProgramFacts = AtMost & {
  readonly ok: true;
  readonly entry: string | null;
  readonly labels: readonly LabelFacts[];
  readonly endpoints: Ir["endpoints"];
  readonly adapters: readonly string[];
  readonly inputs: readonly {
    readonly name: string;
    readonly type: string;
    readonly annotation?: string;
    readonly required?: boolean;
  }[];
  readonly bounds: LabelBounds | null;
  readonly ir_version: string;
  readonly checksum: string;
};

export function inspectProgram(ir: Ir, catalog: AdapterCatalog): ProgramFacts {
  const index = indexIr(ir);
  const table = bounds(index);
  const { summary } = securityReport(ir, catalog);
  return {
    ok: true,
    entry: ir.entry === null ? null : labelName(ir, ir.entry),
    labels: labelFacts(ir, index, table),
    endpoints: ir.endpoints,
    adapters: adaptersOf(ir),
    inputs: inputsOf(ir),
    bounds: (ir.entry === null ? undefined : table.get(ir.entry)) ?? null,
    max_depth: summary.max_depth,
    loops: summary.loops,
    waits: summary.waits,
    frames_at_once: summary.frames_at_once,
    egress: summary.egress,
    files: summary.files,
    tables: summary.tables,
    tools: summary.tools,
    modules: summary.modules,
    queues: summary.queues,
    models: summary.models,
    environment: summary.environment,
    unknown: summary.unknown,
    ir_version: ir.ir_version,
    checksum: ir.checksum,
  };
}

function labelFacts(ir: Ir, index: IrIndex, table: ReadonlyMap<string, LabelBounds>): LabelFacts[] {
  const entries = [...(ir.entry === null ? [] : [ir.entry]), ...ir.endpoints.map((endpoint) => endpoint.label)];
  const reached = reachableLabels(index, entries);
  const causes = unboundedCauses(index, labelComponents(index), table, "max_steps");
  return index.labelIds.map((id) => {
    const nodes = index.nodesOf(id);
    const found = table.get(id);
    const cause = causes.get(id);
    return {
      label: labelName(ir, id),
      steps: nodes.length,
      exits: index.label(id)?.exits ?? [],
      reachable: reached.has(id),
      line: nodes[0]?.line ?? null,
      file: nodes[0]?.file ?? null,
      min_steps: found?.min_steps ?? 0,
      max_steps: found?.max_steps ?? null,
      min_adapter_calls: found?.min_adapter_calls ?? 0,
      max_adapter_calls: found?.max_adapter_calls ?? null,
      reason: cause === undefined ? null : reasonText(cause),
    };
  });
}

/** `Loop over a list that only a run knows (line 4)` */
function reasonText(cause: Cause): string {
  const line = lineText(cause);
  return line === "" ? cause.reason : `${cause.reason} (${line})`;
}

/** Declared inputs, each once: of several declarations the first that names a type. */
function inputsOf(ir: Ir): ProgramFacts["inputs"] {
  const isPython = hasSourceLines(ir);
  return readDeclaredInputs(ir).map(({ name, types, required }) => {
    const type = types[0] ?? "any";
    const input = isPython ? { name, type, annotation: annotationOf(types) } : { name, type };
    return required === null ? input : { ...input, required: true };
  });
}
