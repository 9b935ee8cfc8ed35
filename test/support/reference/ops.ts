/**
 * What each op does at its visit (docs/language.md, steps), and how a node continues when a label it entered has ended.
 * A node that enters a label stays the current visit of its activation until that label is done.
 */
import { isHostCall } from "../../../compiler/functions.ts";
import type { CallData, IrNode, IrOperand, NodeData, NodeOf, Port } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { whileLimitFailure } from "../../../vm/errors/fatal-failures.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { filterList, sortList } from "../../../vm/values/filter-sort.ts";
import { textOf } from "../../../vm/values/text.ts";
import { truthy } from "../../../vm/values/values.ts";
import { type RunBranch, runBranches } from "./branches.ts";
import type { Caller } from "./calls.ts";
import { Frame } from "./frame.ts";
import { deepCopy } from "./json-walk.ts";
import { conditionHolds, readOperand } from "./operands.ts";
import {
  type Activation,
  completeVisit,
  currentVisit,
  enter,
  type RunState,
  restoreItem,
  top,
  write,
} from "./state.ts";

export async function act(state: RunState, caller: Caller, node: IrNode, run: RunBranch): Promise<void> {
  switch (node.op) {
    case "Set":
    case "X":
      return store(state, node.data.name, await assigned(state, caller, node.data.value));
    case "Filt":
    case "Sort":
      return store(state, node.data.name, listResult(state, node));
    case "J": {
      const value = readOperand(node.data.value, state.frame);
      completeVisit(state, value);
      return endLabel(state, value);
    }
    case "If":
      return decide(state, node);
    case "Loop":
      return beginLoop(state, node);
    case "While":
      currentVisit(state).while = { bodies: 0, stepsBefore: 0 };
      return iterateWhile(state, node);
    case "Call":
      callLabel(state, node);
      return;
    case "Each":
    case "Par":
      return runBranches(state, caller, node, run);
    case "Err":
      top(state).activeHandler = target(state, node, "handler");
      return completeVisit(state, null);
    case "Retry":
      return completeVisit(state, null);
    case "Py":
      throw new Error("a Python step among the steps of the opcode form");
    default:
      return callAdapter(state, caller, node);
  }
}

function store(state: RunState, name: string, value: Json): void {
  write(state, name, value);
  completeVisit(state, value);
}

function endLabel(state: RunState, value: Json): void {
  state.ended = { value };
}

function target(state: RunState, node: IrNode, port: Port): string {
  const edge = state.graph.edge(node, port);
  if (edge === undefined) throw new Error(`${node.label}/${node.id} has no ${port} edge`);
  return edge.to;
}

/** Host functions stand only at the top of an assigned value. */
async function assigned(state: RunState, caller: Caller, value: IrOperand): Promise<Json> {
  if (value.k !== "call" || !isHostCall(value.fn, value.args.length)) return readOperand(value, state.frame);
  const args = value.args.map((arg) => readOperand(arg, state.frame));
  return caller.hostFunction(value.fn, args);
}

function listResult(state: RunState, node: NodeOf<"Filt"> | NodeOf<"Sort">): Json {
  const list = readOperand(node.data.list, state.frame);
  if (node.op === "Sort") return sortList(list, node.data.field, node.data.order, unmetered);
  const value = readOperand(node.data.value, state.frame);
  return filterList(list, node.data.field, node.data.cmp, value, unmetered);
}

type CallOp = "R" | "CacheGet" | "CacheSet" | "QueuePut" | "Tx" | "Enf";

async function callAdapter(state: RunState, caller: Caller, node: NodeOf<CallOp>): Promise<void> {
  const data: CallData = node.data;
  const args = data.args.map((arg) => readOperand(arg, state.frame));
  const fallback = node.op === "CacheGet" ? fallbackValue(state, node.data) : null;
  if (node.op === "CacheGet" || node.op === "CacheSet") args[1] = textOf(args[1] ?? null);
  const attempt = (top(state).retries.get(node.id)?.made ?? 0) + 1;
  let answer = await caller.callNode(node, data, args, attempt);
  if (answer === null) answer = fallback;
  if (node.op === "Tx" && data.out !== null) answer = transactionId(answer);
  if (data.out === null) completeVisit(state, null);
  else store(state, data.out, answer);
}

function fallbackValue(state: RunState, data: NodeData["CacheGet"]): Json {
  return data.fallback === null ? null : readOperand(data.fallback, state.frame);
}

function transactionId(answer: Json): Json {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return answer;
  const holder = answer as { readonly [key: string]: Json };
  return Object.hasOwn(holder, "txn_id") ? (holder["txn_id"] ?? null) : answer;
}

function decide(state: RunState, node: NodeOf<"If">): void {
  const visit = currentVisit(state);
  visit.condition = conditionHolds(node.data.cond, state.frame);
  enterOrEnd(state, node, visit.condition ? "then" : "else", "branch");
}

function callLabel(state: RunState, node: NodeOf<"Call">): void {
  const label = target(state, node, "call");
  const { inputs } = node.data;
  if (inputs === undefined) {
    enter(state, label, "call");
    return;
  }
  const values = inputs.map(([name, value]) => [name, readOperand(value, state.frame)] as const);
  state.callers.push(state.frame);
  state.frame = new Frame({});
  for (const [name, value] of values) write(state, name, value);
  enter(state, label, "own");
}

/** The label at `port` gives this label's result; null without such an edge. */
function enterOrEnd(state: RunState, node: IrNode, port: Port, kind: "branch" | "after"): void {
  const edge = state.graph.edge(node, port);
  if (edge === undefined) {
    completeVisit(state, null);
    endLabel(state, null);
    return;
  }
  currentVisit(state).chosen = { port, edge };
  enter(state, edge.to, kind);
}

function beginLoop(state: RunState, node: NodeOf<"Loop">): void {
  const list = readOperand(node.data.list, state.frame);
  const elements = Array.isArray(list) ? (deepCopy(list) as Json[]) : [];
  state.meters.loopLength(elements.length);
  const { item } = node.data;
  currentVisit(state).loop = { elements, item, kept: state.frame.get(item), position: 0, restored: false };
  iterateLoop(state, node);
}

function iterateLoop(state: RunState, node: IrNode): void {
  const loop = currentVisit(state).loop;
  if (loop === null) throw new Error("no loop");
  const element = loop.elements[loop.position];
  if (element === undefined) {
    restoreItem(state, loop);
    enterOrEnd(state, node, "after", "after");
    return;
  }
  loop.position += 1;
  state.meters.iteration(loop.position);
  write(state, loop.item, element);
  enter(state, target(state, node, "body"), "body");
}

function iterateWhile(state: RunState, node: NodeOf<"While">): void {
  const progress = currentVisit(state).while;
  if (progress === null) throw new Error("no While");
  if (!conditionHolds(node.data.cond, state.frame)) {
    enterOrEnd(state, node, "after", "after");
    return;
  }
  const granted = state.meters.limits.max_loop_iters;
  if (progress.bodies + 1 > Math.min(node.data.limit, granted ?? Number.POSITIVE_INFINITY)) {
    throw whileLimitFailure(node.data.limit, granted);
  }
  progress.bodies += 1;
  state.meters.iteration(progress.bodies);
  progress.stepsBefore = state.meters.steps;
  enter(state, target(state, node, "body"), "body");
}

/** `child` has ended with `value` and is off the stack; the node that entered it continues. */
export function resume(state: RunState, child: Activation, value: Json): void {
  if (child.kind === "handler") {
    endLabel(state, value);
  } else if (child.kind === "branch" || child.kind === "after") {
    completeVisit(state, value);
    endLabel(state, value);
  } else if (child.kind === "own") {
    finishOwnCall(state, value);
  } else if (child.kind === "call") {
    finishCall(state, value);
  } else {
    finishBody(state, value);
  }
}

function finishOwnCall(state: RunState, value: Json): void {
  const { node } = currentVisit(state);
  if (node.op !== "Call") throw new Error(`${node.op} calls no label`);
  write(state, node.data.out, value);
  completeVisit(state, value);
}

function finishCall(state: RunState, value: Json): void {
  const { node } = currentVisit(state);
  if (node.op !== "Call") throw new Error(`${node.op} calls no label`);
  write(state, node.data.out, value);
  if (node.data.out !== "_call_result") write(state, "_call_result", value);
  completeVisit(state, value);
}

function finishBody(state: RunState, value: Json): void {
  const visit = currentVisit(state);
  const { node } = visit;
  if (node.op !== "Loop" && node.op !== "While") throw new Error(`${node.op} has no body`);
  if (value !== null) write(state, node.op === "Loop" ? "_loop_last" : "_while_last", value);
  const isEnded = takesEnd(state, node.data.until);
  if (node.op === "Loop") {
    if (isEnded && visit.loop !== null) visit.loop.elements.length = visit.loop.position;
    iterateLoop(state, node);
  } else {
    // An iteration whose body visits no node counts one step, so that no loop is free.
    if (state.meters.steps === visit.while?.stepsBefore) state.meters.step();
    if (isEnded) enterOrEnd(state, node, "after", "after");
    else iterateWhile(state, node);
  }
}

/** Whether the variable that ends a loop is truthy; it is false from then on. */
function takesEnd(state: RunState, until: string | undefined): boolean {
  if (until === undefined) return false;
  const isEnded = truthy(state.frame.get(until) ?? null);
  write(state, until, false);
  return isEnded;
}
