/**
 * Where a variable that is set can still be set later: the graph that "possibly set" is computed on. Each label
 * has a vertex for its start and one for everything it can set together with the labels it runs; places inside a label
 * get a vertex of their own only where something flows in or out (calls, branches, handlers). A name is possibly set at
 * a vertex when a vertex that sets it reaches that vertex. Size is linear in steps and targets.
 */
import type { LoweredLabel, LoweredStep, Target } from "../../lower/lowered.ts";
import { isFork } from "../branches.ts";
import { type ProgramView, TERMINAL_OPS } from "../program-view.ts";
import { type Adjacency, adjacencyOf } from "./components.ts";

export type FlowGraph = {
  readonly vertexCount: number;
  readonly adjacency: Adjacency;
  /** Per label, the vertex of the place before each step. What earlier steps of the label set themselves is not in it. */
  readonly places: readonly Int32Array[];
  /** Vertices that set each of the names asked for. */
  readonly settersOf: (names: ReadonlySet<string>) => ReadonlyMap<string, readonly number[]>;
};

/** A name set at a vertex; kept as two parallel lists. */
type Writes = { readonly names: string[]; readonly vertices: number[] };

type Draft = {
  readonly view: ProgramView;
  readonly from: number[];
  readonly to: number[];
  readonly writes: Writes;
  vertexCount: number;
};

export function buildFlowGraph(view: ProgramView): FlowGraph {
  const labels = view.program.labels;
  const draft: Draft = {
    view,
    from: [],
    to: [],
    writes: { names: [], vertices: [] },
    vertexCount: 2 * labels.length,
  };
  const places: Int32Array[] = [];
  for (const [index, label] of labels.entries()) {
    places.push(walkLabel(draft, label, index));
  }
  return {
    vertexCount: draft.vertexCount,
    adjacency: adjacencyOf(draft.vertexCount, draft.from, draft.to),
    places,
    settersOf: (names) => collectSetters(draft.writes, names),
  };
}

/** Everything the label and the labels it runs can set. */
function summaryVertex(index: number): number {
  return 2 * index;
}

function startVertex(index: number): number {
  return 2 * index + 1;
}

/** Follows one label's steps in order; returns the vertex before each step. */
function walkLabel(draft: Draft, label: LoweredLabel, index: number): Int32Array {
  const places = new Int32Array(label.steps.length);
  const summary = summaryVertex(index);
  let place = startVertex(index);
  let unseen: string[] = [];
  /** The Err that protects what follows, with the steps since then that run labels of their own and end the label. */
  let handler: { readonly target: Target; readonly ending: LoweredStep[] } | null = null;

  /** A vertex that also holds what the steps up to here set. */
  const materialise = (): number => {
    if (unseen.length > 0) {
      place = addVertex(draft, place);
      for (const name of unseen) addWrite(draft, name, place);
      unseen = [];
    }
    return place;
  };
  const closeHandler = (): void => {
    if (handler !== null) flowToHandler(draft, label, materialise(), handler.target, handler.ending);
    handler = null;
  };

  for (const [at, lowered] of label.steps.entries()) {
    const { step, targets } = lowered;
    if (step.op === "Err") closeHandler();
    places[at] = place;
    if (targets.length > 0) {
      const before = materialise();
      places[at] = before;
      const own = hasOwnVariables(lowered);
      if (!own && !isFork(lowered)) for (const target of targets) addSummary(draft, target, summary);
      if (own) flowToInputs(draft, label, lowered);
      else if (isFork(lowered)) flowToBranches(draft, label, lowered, before);
      else flowToTargets(draft, label, lowered, before);
      const called = step.op === "Call" && !own ? targets[0] : undefined;
      if (called !== undefined) {
        place = addVertex(draft, place);
        addSummary(draft, called, place);
      }
      const handlerTarget = targets.find(({ port }) => port === "handler");
      if (handlerTarget !== undefined) handler = { target: handlerTarget, ending: [] };
      else if (TERMINAL_OPS.has(step.op)) handler?.ending.push(lowered);
    }
    for (const name of writtenBy(lowered)) {
      addWrite(draft, name, summary);
      unseen.push(name);
    }
  }
  closeHandler();
  return places;
}

/** A call with variables of its own: nothing but its inputs is set where the label begins, and nothing comes back. */
function hasOwnVariables({ step }: LoweredStep): boolean {
  return step.op === "Call" && step.inputs !== undefined;
}

function flowToInputs(draft: Draft, label: LoweredLabel, { step, targets }: LoweredStep): void {
  const [target] = targets;
  const start = target === undefined ? null : startOf(draft, label, target);
  if (start === null || step.op !== "Call") return;
  for (const { name } of step.inputs ?? []) addWrite(draft, name.name, start);
}

/** A branch begins with what is set at the step, and its item. What it sets does not come back. */
function flowToBranches(draft: Draft, label: LoweredLabel, { step, targets }: LoweredStep, before: number): void {
  for (const target of targets) {
    const start = startOf(draft, label, target);
    if (start === null) continue;
    addEdge(draft, before, start);
    if (step.op === "Each") addWrite(draft, step.item.name, start);
  }
}

function flowToTargets(draft: Draft, label: LoweredLabel, lowered: LoweredStep, before: number): void {
  const { step, node, targets } = lowered;
  const body = targets.find(({ port }) => port === "body");
  for (const target of targets) {
    const start = startOf(draft, label, target);
    if (start === null) continue;
    if (target.port === "handler") {
      const protectedStep = lowered.protects === null ? undefined : draft.view.stepOfNode(label, lowered.protects);
      flowToHandler(draft, label, before, target, protectedStep === undefined ? [] : [protectedStep]);
      continue;
    }
    addEdge(draft, before, start);
    if (body === undefined) continue;
    // Bodies run again after themselves, and `after` runs after them.
    addSummary(draft, body, start);
    const own = step.op === "Loop" ? [step.item.name, ...(node?.writes ?? [])] : (node?.writes ?? []);
    for (const name of own) addWrite(draft, name, start);
  }
}

/** A handler can find set what was set before the failure, and whatever the failing steps' labels set before they failed. */
function flowToHandler(
  draft: Draft,
  label: LoweredLabel,
  before: number,
  handler: Target,
  failing: readonly LoweredStep[],
): void {
  const start = startOf(draft, label, handler);
  if (start === null) return;
  addEdge(draft, before, start);
  for (const step of failing) {
    if (!hasOwnVariables(step) && !isFork(step)) for (const target of step.targets) addSummary(draft, target, start);
    for (const name of writtenBy(step)) addWrite(draft, name, start);
  }
}

/** Start of the target label; null for missing ones, and for other modules: a module is checked on its own. */
function startOf(draft: Draft, label: LoweredLabel, target: Target): number | null {
  const index = draft.view.labelIndex.get(target.id);
  if (index === undefined || !target.exists) return null;
  return draft.view.program.labels[index]?.module.prefix === label.module.prefix ? startVertex(index) : null;
}

/** All that `target` and the labels it runs can set flows into `vertex`. */
function addSummary(draft: Draft, target: Target, vertex: number): void {
  const index = draft.view.labelIndex.get(target.id);
  if (index !== undefined && target.exists) addEdge(draft, summaryVertex(index), vertex);
}

/** Names a step sets on success, whether or not it became a node. */
export function writtenBy({ step, node }: LoweredStep): readonly string[] {
  return node === null || step.faulty ? [...step.writes, ...(node?.writes ?? [])] : node.writes;
}

function addVertex(draft: Draft, from: number): number {
  const vertex = draft.vertexCount++;
  addEdge(draft, from, vertex);
  return vertex;
}

function addEdge(draft: Draft, from: number, to: number): void {
  draft.from.push(from);
  draft.to.push(to);
}

function addWrite(draft: Draft, name: string, vertex: number): void {
  draft.writes.names.push(name);
  draft.writes.vertices.push(vertex);
}

function collectSetters(writes: Writes, names: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const setters = new Map<string, number[]>();
  for (const [index, name] of writes.names.entries()) {
    if (!names.has(name)) continue;
    const vertex = writes.vertices[index] ?? 0;
    const vertices = setters.get(name);
    if (vertices === undefined) setters.set(name, [vertex]);
    else vertices.push(vertex);
  }
  return setters;
}
