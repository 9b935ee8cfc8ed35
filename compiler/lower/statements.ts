/**
 * The steps of one label → its nodes and edges: numbering, data, targets, the chain of `next`, protection, and every read
 * for the check "defined before use" (docs/ir.md 3). One label at a time; knows no other label but by reference.
 */
import type { Ref, Step } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { NAME_PATTERN } from "../../grammar/tokens.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { annotate, annotatedNode } from "../ir/annotate.ts";
import type { IrEdge, IrNode, IrOperand } from "../ir/graph.ts";
import { MAX_NAME } from "../ir/normalize-operands.ts";
import { operandsOf, walkOperands } from "../ir/operands.ts";
import type { DeclaredNames } from "./declared-names.ts";
import { type FindingSink, sinkFor } from "./findings.ts";
import { type FailedAliases, type LabelTable, resolveReference, type SourceLabel, type SourceStep } from "./labels.ts";
import type { LoweredLabel, LoweredStep, Module, Read, Target } from "./lowered.ts";
import { lowerStep, type StepContext } from "./node-data.ts";
import { type ProtectableNode, protectNodes } from "./protection.ts";

export type LoweringContext = {
  readonly strict: boolean;
  readonly catalog: AdapterCatalog;
  readonly names: DeclaredNames;
  readonly table: LabelTable;
  readonly failed: FailedAliases;
  readonly findings: Finding[];
};

type NodeStep = Exclude<Step, { op: "broken" }>;

/** Steps that end their label: nothing is chained to them. */
const TERMINAL_OPS: ReadonlySet<string> = new Set(["J", "If", "Loop", "While"]);

export function lowerLabel(
  label: SourceLabel,
  context: LoweringContext,
): { readonly label: LoweredLabel; readonly edges: readonly IrEdge[] } {
  let count = 0;
  const drafts = label.steps.map((source) => {
    const step = stepWithNode(source, context.strict);
    if (step === null) return { step: source.step, node: null, targets: [], reads: [] };
    count += 1;
    return lowerNode(step, `n${count}`, label, context);
  });
  const nodes: ProtectableNode[] = drafts.flatMap(({ step, node }) =>
    node === null ? [] : [{ id: node.id, op: node.op, step }],
  );
  const protection = protectNodes(label.id, nodes, (node_id) => sinkFor(context.findings, label.id, node_id));
  const steps = drafts.map(({ step, node, targets, reads }): LoweredStep => {
    const protects = node === null ? null : (protection.protects.get(node.id) ?? null);
    return { step, node, targets, reads, protects };
  });
  return {
    label: { id: label.id, module: label.module, span: label.span, steps },
    edges: [...chain(label.id, nodes), ...protection.edges, ...steps.flatMap(targetEdges)],
  };
}

/**
 * The step, when it becomes a node. Without its handler an Err is none; and a step above the first label is not checked
 * further in strict mode, where it is an error (R and J are not).
 */
function stepWithNode({ step, outside }: SourceStep, strict: boolean): NodeStep | null {
  if (step.op === "broken" || !step.node) return null;
  if (step.op === "Err" && step.handler === null) return null;
  if (outside && strict && step.op !== "R" && step.op !== "J") return null;
  return writtenNames(step).every((name) => NAME_PATTERN.test(name)) ? step : null;
}

/** The names in the step's name slots: what is no NAME was reported, and no variable can have it. */
function writtenNames(step: NodeStep): readonly string[] {
  switch (step.op) {
    case "Set":
    case "X":
    case "Filt":
    case "Sort":
      return [step.name.name];
    case "Loop":
      return [step.item.name];
    case "R":
    case "Call":
    case "CacheGet":
    case "QueuePut":
      return step.out === null ? [] : [step.out.name];
    default:
      return [];
  }
}

function lowerNode(
  step: NodeStep,
  id: string,
  label: SourceLabel,
  context: LoweringContext,
): Omit<LoweredStep, "protects"> {
  const sink = sinkFor(context.findings, label.id, id);
  // A step with a syntax error has its finding; what follows from it is not reported again.
  const findings: Finding[] = step.faulty ? [] : context.findings;
  const reads: Read[] = [];
  const { module } = label;
  const { report, nearest } = step.faulty ? sinkFor(findings, label.id, id) : sink;
  const stepContext: StepContext = {
    report,
    nearest,
    source: module.file.text,
    reads,
    catalog: context.catalog,
    names: context.names,
    module,
    place: { label_id: label.id, node_id: id },
    findings,
  };
  const shape = lowerStep(step, stepContext);
  // Except what must not run in any mode.
  if (step.faulty) for (const finding of findings) if (finding.code === "WF5005") context.findings.push(finding);
  const place = { id, label: label.id, line: step.word.span.line, file: module.file.file };
  const node = annotatedNode(place, shape, annotate(shape.op, shape.data, context.catalog));
  if (hasLongName(node)) {
    const words = { what: "length of a name", limit: `${MAX_NAME} characters` };
    sink.report("WF1011", step.span, { words, suggestion: "use a shorter name, or quote it if it is text" });
  }
  return { step, node, targets: targetsOf(step, module, context, sink), reads: step.faulty ? [] : reads };
}

/** The words of a node that are names in its IR are bounded there (docs/ir.md, IR from outside). */
function hasLongName({ op, data, reads, writes }: IrNode): boolean {
  let long = reads.some(isLong) || writes.some(isLong);
  if ("adapter" in data) long ||= isLong(data.adapter) || isLong(data.verb);
  if ("cmp" in data) long ||= isLong(data.cmp);
  walkOperands(operandsOf(op, data), (operand) => {
    if (operand.k === "call") long ||= isLong(operand.fn);
  });
  return long;
}

function isLong(word: string | IrOperand): boolean {
  return typeof word === "string" && word.length > MAX_NAME;
}

function targetsOf(step: NodeStep, module: Module, context: LoweringContext, sink: FindingSink): readonly Target[] {
  return referencesOf(step).map(([port, ref]) =>
    resolveReference(ref, port, module, context.table, context.failed, sink),
  );
}

function referencesOf(step: NodeStep): readonly (readonly [Target["port"], Ref])[] {
  switch (step.op) {
    case "If":
      return step.else === null
        ? [["then", step.then]]
        : [
            ["then", step.then],
            ["else", step.else],
          ];
    case "Err":
      return step.handler === null ? [] : [["handler", step.handler]];
    case "Call":
      return [["call", step.label]];
    case "Loop":
    case "While":
      return [
        ["body", step.body],
        ["after", step.after],
      ];
    default:
      return [];
  }
}

function targetEdges(step: LoweredStep): readonly IrEdge[] {
  const { node } = step;
  if (node === null) return [];
  return step.targets.map((target) => ({
    label: node.label,
    from: node.id,
    to: target.id,
    to_kind: "label",
    port: target.port,
  }));
}

function chain(label: string, nodes: readonly ProtectableNode[]): readonly IrEdge[] {
  return nodes.slice(1).flatMap((node, index): IrEdge[] => {
    const before = nodes[index];
    if (before === undefined || TERMINAL_OPS.has(before.op)) return [];
    return [{ label, from: before.id, to: node.id, to_kind: "node", port: "next" }];
  });
}
