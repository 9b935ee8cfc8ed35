/**
 * The state of a run: the list of activations, the node each of them is at, and what all parts of the interpreter do to them:
 * writing variables, entering labels, building error objects, closing a visit in the trace.
 */

import type { IrEdge, IrNode, Port } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { isShown } from "../../../grammar/text/written-label.ts";
import { causeOf } from "../../../vm/calls/call-errors.ts";
import { branchFailure } from "../../../vm/errors/branch-failures.ts";
import type { FailureCause } from "../../../vm/errors/failures.ts";
import type { TraceSink } from "../../../vm/recording/trace.ts";
import type { RunError } from "../../../vm/run.ts";
import { thousandths } from "../../../vm/values/durations.ts";
import type { Frame } from "./frame.ts";
import type { Graph } from "./graph.ts";
import type { Meters } from "./meters.ts";
import type { RunClock } from "./run-clock.ts";

export type EntryKind = "root" | "call" | "own" | "branch" | "body" | "after" | "handler";

export type LoopProgress = {
  readonly elements: Json[];
  readonly item: string;
  /** The item variable's state before the loop; undefined: unset. */
  readonly kept: Json | undefined;
  position: number;
  restored: boolean;
};
type WhileProgress = { bodies: number; stepsBefore: number };

/** One visit of one node. */
export type Visit = {
  readonly node: IrNode;
  readonly index: number;
  readonly startMs: number;
  /** Its step or error event is written (or it never began). */
  reported: boolean;
  chosen: { readonly port: Port; readonly edge: IrEdge } | null;
  condition: boolean | null;
  loop: LoopProgress | null;
  while: WhileProgress | null;
};

export type RetryPlan = { readonly count: number; readonly backoffMs: number; made: number };

export type Activation = {
  readonly label: string;
  readonly kind: EntryKind;
  /** Node to visit next; null: the label is done. */
  next: string | null;
  /** Visits made so far. */
  visits: number;
  visit: Visit | null;
  activeHandler: string | null;
  readonly retries: Map<string, RetryPlan>;
};

export type RunState = {
  /** Name of the branch; empty outside of branches. */
  readonly branch: string;
  /** How many branches this one stands in. */
  readonly nesting: number;
  /** Activations outside of the branch. */
  readonly depth: number;
  readonly graph: Graph;
  /** The variables of the innermost call that has its own. */
  frame: Frame;
  /** Those of the calls around it, the outermost first. */
  readonly callers: Frame[];
  readonly meters: Meters;
  readonly clock: RunClock;
  readonly trace: TraceSink | null;
  readonly stack: Activation[];
  /** The innermost label has ended with this value. */
  ended: { readonly value: Json } | null;
  /** The label whose entry broke the depth limit. */
  refusedLabel: string | null;
};

/** Ends the run. */
export class RunFailed extends Error {
  readonly error: RunError;
  constructor(error: RunError) {
    super(error.message);
    this.name = "RunFailed";
    this.error = error;
  }
}

/** A failure whose cause is already mapped (adapter calls). */
export class CallFailed extends Error {
  readonly failure: FailureCause;
  constructor(failure: FailureCause) {
    super(failure.message);
    this.name = "CallFailed";
    this.failure = failure;
  }
}

/** An ordinary failure that a branch ended with, thrown where the branches were begun. */
export class BranchFailed extends Error {
  readonly error: RunError;
  readonly branch: number;
  readonly failed: number;
  constructor(error: RunError, branch: number, failed: number) {
    super(error.message);
    this.name = "BranchFailed";
    this.error = error;
    this.branch = branch;
    this.failed = failed;
  }
}

export function top(state: RunState): Activation {
  const activation = state.stack.at(-1);
  if (activation === undefined) throw new Error("no activation");
  return activation;
}

/** The visit that is under way in the innermost activation. */
export function currentVisit(state: RunState): Visit {
  const visit = top(state).visit;
  if (visit === null) throw new Error("no visit");
  return visit;
}

/** A write that breaks the frame limit does not stay. */
export function write(state: RunState, name: string, value: Json): void {
  change(state, name, value);
}

/** Puts back what a loop kept aside of its item variable. */
export function restoreItem(state: RunState, loop: LoopProgress): void {
  loop.restored = true;
  change(state, loop.item, loop.kept);
}

function change(state: RunState, name: string, value: Json | undefined): void {
  const before = state.frame.get(name);
  state.frame.set(name, value);
  try {
    state.meters.frame(frameBytes(state), name);
  } catch (failure) {
    state.frame.set(name, before);
    throw failure;
  }
}

/** Fails when the variables were too large with `name` as a list of `bytes`. Changes nothing. */
export function checkFrameWith(state: RunState, name: string, bytes: number): void {
  const before = state.frame.get(name);
  state.frame.set(name, []);
  const total = frameBytes(state) - "[]".length + bytes;
  state.frame.set(name, before);
  state.meters.frame(total, name);
}

/** Length of all variables as one JSON object would have it, wherever they belong. */
function frameBytes(state: RunState): number {
  let members = 0;
  // `{}` has no member, and anything else a comma or a brace for each.
  for (const frame of [...state.callers, state.frame])
    members += frame.sortedNames().length === 0 ? 0 : frame.bytes() - 1;
  return Math.max(2, 1 + members);
}

/** The innermost label is over: what it was called with is gone, where it had variables of its own. */
export function leaveLabel(state: RunState): Activation | undefined {
  const activation = state.stack.pop();
  if (activation?.kind === "own") {
    const caller = state.callers.pop();
    if (caller === undefined) throw new Error("no caller");
    state.frame = caller;
    state.meters.frame(frameBytes(state), null);
  }
  return activation;
}

/** Fails when the label would stand too deep. */
export function checkEntry(state: RunState, label: string): void {
  const from = state.stack.at(-1)?.visit?.node;
  try {
    state.meters.enter(
      state.depth + state.stack.length + 1,
      from === undefined ? null : { label: from.label, node: from.id, op: from.op },
    );
  } catch (failure) {
    state.refusedLabel = label;
    throw failure;
  }
}

export function enter(state: RunState, label: string, kind: EntryKind): void {
  checkEntry(state, label);
  state.stack.push({
    label,
    kind,
    next: state.graph.entryOf(label),
    visits: 0,
    visit: null,
    activeHandler: null,
    retries: new Map(),
  });
}

/** The innermost activation stands before `node`: the visit counts, and has an event, only once it has begun. */
export function approach(state: RunState, node: IrNode): Visit {
  const activation = top(state);
  const visit: Visit = {
    node,
    index: activation.visits,
    startMs: state.clock.sinceStart(),
    reported: true,
    chosen: null,
    condition: null,
    loop: null,
    while: null,
  };
  activation.next = node.id;
  activation.visit = visit;
  return visit;
}

/** The node of the current visit has done its work: its event is written and the label continues. */
export function completeVisit(state: RunState, out: Json): void {
  const activation = top(state);
  const visit = currentVisit(state);
  const next = state.graph.edge(visit.node, "next");
  activation.retries.delete(visit.node.id);
  activation.next = next?.to ?? null;
  visit.chosen ??= next === undefined ? null : { port: "next", edge: next };
  visit.reported = true;
  state.trace?.push("step", {
    ...placeMembers(state, visit),
    depth: state.depth + state.stack.length,
    out,
    ...(state.trace.wantsFrameKeys ? { frame_keys: state.frame.sortedNames().filter(isShown) } : {}),
    ...takenMembers(visit),
    ...(visit.condition === null ? {} : { branch: { port: visit.chosen?.port ?? "none", condition: visit.condition } }),
    ...iterationMembers(visit),
    ...(isFork(visit.node) && Array.isArray(out) ? { branches: out.length } : {}),
  });
}

/** The error event of a visit; `handler` is the label that caught the failure here. */
export function reportFailure(state: RunState, visit: Visit, error: RunError, handler: string | null): void {
  if (visit.reported) return;
  visit.reported = true;
  state.trace?.push("error", { ...placeMembers(state, visit), code: error.code, message: error.message, handler });
}

function placeMembers(state: RunState, visit: Visit): { readonly [member: string]: Json } {
  return {
    label: visit.node.label,
    node_id: visit.node.id,
    op: visit.node.op,
    lineno: visit.node.line ?? null,
    step: visit.index,
    start_ms: thousandths(visit.startMs),
    duration_ms: thousandths(state.clock.sinceStart() - visit.startMs),
  };
}

function takenMembers(visit: Visit): { readonly [member: string]: Json } {
  if (visit.chosen === null) return {};
  const { port, edge } = visit.chosen;
  return { port_taken: port, edge_taken: { port, to_kind: edge.to_kind, to: edge.to } };
}

function isFork({ op }: IrNode): boolean {
  return op === "Each" || op === "Par";
}

function iterationMembers(visit: Visit): { readonly [member: string]: Json } {
  if (visit.loop !== null) return { iterations: visit.loop.position };
  return visit.while === null ? {} : { iterations: visit.while.bodies };
}

/** The error object of what was thrown while the innermost activation was at work. A defect is thrown on. */
export function describe(state: RunState, thrown: unknown): RunError {
  if (thrown instanceof BranchFailed) {
    const around = state.stack.map((one) => one.label);
    return branchFailure(thrown.error, thrown.branch, thrown.failed, around);
  }
  const cause = thrown instanceof CallFailed ? thrown.failure : causeOf(thrown);
  if (cause === null) throw thrown;
  const activation = top(state);
  const visit = activation.visit;
  const stack = state.stack.map((one) => one.label);
  const place = {
    line: visit?.node.line ?? null,
    ...(visit?.node.file === undefined ? {} : { file: visit.node.file }),
  };
  if (cause.code === "RUNTIME_MAX_DEPTH" && state.refusedLabel !== null) {
    const label = state.refusedLabel;
    return { ...cause, label, node: null, op: "CALL", ...place, step_index: 0, stack: [...stack, label] };
  }
  return {
    ...cause,
    label: activation.label,
    node: visit?.node.id ?? null,
    op: visit?.node.op ?? null,
    ...place,
    step_index: visit?.index ?? 0,
    stack,
  };
}
