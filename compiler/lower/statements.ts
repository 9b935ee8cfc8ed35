/**
 * The steps of one label → its nodes and edges: numbering, data, targets, the chain of `next`, protection, and every read
 * for the check "defined before use" (docs/ir.md, edges). One label at a time; knows no other label but by reference.
 */
import type { Ref, Step } from "../../grammar/ast.ts";
import type { Finding } from "../../grammar/diagnostic.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { type IrEdge, type IrNode, type IrOperand, MAX_PAR_BRANCHES } from "../ir/graph.ts";
import { type NodeShape, operandsOf, walkOperands } from "../ir/operands.ts";
import { MAX_NAME } from "../ir/supplied/operands.ts";
import { annotate, annotatedNode } from "../policy/annotate.ts";
import { type FindingSink, sinkFor } from "./findings.ts";
import { type FailedAliases, type LabelTable, resolveReference, type SourceLabel, type SourceStep } from "./labels.ts";
import type { LoweredLabel, LoweredStep, Module, Read, Target } from "./lowered.ts";
import type { DeclaredNames } from "./names/declared-names.ts";
import { lowerStep, StepContext } from "./node-data.ts";
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

/** The label lowered; its edges are added to `edges`. `pieces` counts labels and steps. */
export function lowerLabel(label: SourceLabel, context: LoweringContext, edges: IrEdge[]): LoweredLabel {
  const { id, module, span } = label;
  const steps: OpenStep[] = [];
  const nodes: ProtectableNode[] = [];
  for (const source of label.steps) {
    const step = stepWithNode(source, context.strict);
    if (step === null) {
      steps.push({ step: source.step, node: null, targets: NO_TARGETS, reads: NO_READS, protects: null });
      continue;
    }
    const lowered = lowerNode(step, `n${nodes.length + 1}`, label, context);
    steps.push(lowered);
    nodes.push({ id: lowered.node.id, op: lowered.node.op, step });
  }
  const protection = protectNodes(id, nodes, (node_id) => sinkFor(context.findings, id, node_id));
  addChain(id, nodes, edges);
  for (const edge of protection.edges) edges.push(edge);
  for (const step of steps) {
    if (step.node === null) continue;
    step.protects = protection.protects.get(step.node.id) ?? null;
    addTargetEdges(step, edges);
  }
  return { id, module, span, steps };
}

/** What it protects is known when the whole label is. */
type OpenStep = Omit<LoweredStep, "protects"> & { protects: string | null };

const NO_TARGETS: readonly Target[] = [];
const NO_READS: readonly Read[] = [];

/**
 * The step, when it becomes a node. An Err without its handler is not a node; and a step above the first label is not checked
 * further in strict mode, where it is an error (R and J are not).
 */
function stepWithNode({ step, outside }: SourceStep, strict: boolean): NodeStep | null {
  if (step.op === "broken" || !step.node) return null;
  if (step.op === "Err" && step.handler === null) return null;
  if (outside && strict && step.op !== "R" && step.op !== "J") return null;
  const name = writtenName(step);
  return name === null || isName(name) ? step : null;
}

/** The name in the step's name slot. An invalid name was reported already, and no variable can have it. */
function writtenName(step: NodeStep): string | null {
  switch (step.op) {
    case "Set":
    case "X":
    case "Filt":
    case "Sort":
    case "Each":
    case "Par":
      return step.name.name;
    case "Loop":
      return step.item.name;
    case "R":
    case "Call":
    case "CacheGet":
    case "QueuePut":
      return step.out?.name ?? null;
    default:
      return null;
  }
}

function lowerNode(
  step: NodeStep,
  id: string,
  label: SourceLabel,
  context: LoweringContext,
): OpenStep & { readonly node: IrNode } {
  const { module } = label;
  const place = { id, label: label.id, line: step.word.span.line, file: module.file.file };
  // A step with a syntax error has its finding; what follows from it is not reported again.
  const stepContext = new StepContext(step.faulty ? [] : context.findings, place, module, context);
  const lowered = lowerStep(step, stepContext);
  const sink = step.faulty ? sinkFor(context.findings, label.id, id) : stepContext;
  // Except what must not run in any mode.
  if (step.faulty) for (const one of stepContext.findings) if (one.code === "WF5005") context.findings.push(one);
  const targets = targetsOf(step, module, context, sink);
  const shape = withBranches(lowered, targets);
  const node = annotatedNode(place, shape, annotate(shape.op, shape.data, context.catalog));
  // The text of a step is longer than any name in it.
  if (step.span.end - step.span.start > MAX_NAME && hasLongName(node)) {
    const words = { what: "length of a name", limit: `${MAX_NAME} characters` };
    sink.report("WF1011", step.span, { words, suggestion: "use a shorter name, or quote it if it is text" });
  }
  return { step, node, targets, reads: step.faulty ? NO_READS : stepContext.reads, protects: null };
}

/** A Par names its branches in its data too: their order is that of its values. */
function withBranches(shape: NodeShape, targets: readonly Target[]): NodeShape {
  if (shape.op !== "Par") return shape;
  return { op: "Par", data: { ...shape.data, branches: targets.map(({ id }) => id) } };
}

/** Of those that are too many, the first is reported, and none runs. */
function parBranches(bodies: readonly Ref[], sink: FindingSink): readonly Ref[] {
  const surplus = bodies[MAX_PAR_BRANCHES];
  if (surplus === undefined) return bodies;
  const words = { what: "number of branches", limit: String(MAX_PAR_BRANCHES) };
  sink.report("WF1011", surplus.span, { words, suggestion: "run a list of values with Each" });
  return bodies.slice(0, MAX_PAR_BRANCHES);
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
  const resolve = (ref: Ref, port: Target["port"]): Target =>
    resolveReference(ref, port, module, context.table, context.failed, sink);
  switch (step.op) {
    case "If":
      return step.else === null
        ? [resolve(step.then, "then")]
        : [resolve(step.then, "then"), resolve(step.else, "else")];
    case "Err":
      return step.handler === null ? NO_TARGETS : [resolve(step.handler, "handler")];
    case "Call":
      return [resolve(step.label, "call")];
    case "Loop":
    case "While":
      return [resolve(step.body, "body"), resolve(step.after, "after")];
    case "Each":
      return [resolve(step.body, "body")];
    case "Par":
      return parBranches(step.bodies, sink).map((body) => resolve(body, "branch"));
    default:
      return NO_TARGETS;
  }
}

function addTargetEdges({ node, targets }: OpenStep, edges: IrEdge[]): void {
  if (node === null) return;
  const { label, id } = node;
  for (const { id: to, port } of targets) edges.push({ label, from: id, to, to_kind: "label", port });
}

function addChain(label: string, nodes: readonly ProtectableNode[], edges: IrEdge[]): void {
  let before: ProtectableNode | null = null;
  for (const node of nodes) {
    if (before !== null && !TERMINAL_OPS.has(before.op)) {
      edges.push({ label, from: before.id, to: node.id, to_kind: "node", port: "next" });
    }
    before = node;
  }
}
