/**
 * `Each` and `Par`: branches, one after the other, each with a copy of the variables (docs/language.md, branches). The machine runs
 * them at the same time and must come to the same.
 */
import type { BranchMode, NodeOf } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import {
  branchName,
  insideBranch,
  MAX_BRANCH_NESTING,
  nestedTooDeep,
  settledFailure,
} from "../../../vm/errors/branch-failures.ts";
import { RUNTIME_CODES } from "../../../vm/errors/error-codes.ts";
import type { RunError } from "../../../vm/run.ts";
import type { Caller } from "./calls.ts";
import { Frame } from "./frame.ts";
import { deepCopy, serialisedBytes } from "./json-walk.ts";
import { readOperand } from "./operands.ts";
import {
  BranchFailed,
  CallFailed,
  checkEntry,
  checkFrameWith,
  completeVisit,
  describe,
  enter,
  RunFailed,
  type RunState,
  write,
} from "./state.ts";

type Fork = NodeOf<"Each"> | NodeOf<"Par">;
/** Runs a label in a branch until it ends. */
export type RunBranch = (state: RunState, caller: Caller, begin: () => void) => Promise<Json>;

export async function runBranches(state: RunState, caller: Caller, node: Fork, run: RunBranch): Promise<void> {
  const elements = node.op === "Each" ? elementsOf(state, node) : null;
  const labels = elements === null ? branchesOf(node) : elements.map(() => bodyOf(state, node));
  if (state.nesting === MAX_BRANCH_NESTING) throw nestedTooDeep();
  if (labels[0] !== undefined) checkEntry(state, labels[0]);
  const { out, mode } = node.data;
  const place = caller.visitOf(node);
  const values: Json[] = [];
  let first: { readonly at: number; readonly error: RunError } | null = null;
  let failed = 0;
  /** Of the values so far as a list. */
  let bytes = 1;
  const { frameBytes } = state.meters;
  try {
    for (const [at, label] of labels.entries()) {
      const ended = await ofBranch(
        state,
        caller,
        { name: branchName(state.branch, place, at), node, label, element: elements?.[at] },
        run,
      );
      if ("error" in ended) {
        first ??= { at, error: ended.error };
        failed += 1;
      }
      const value = listed(ended, mode);
      if (value === undefined) continue;
      values.push(value);
      bytes += serialisedBytes(value) + 1;
      checkFrameWith(state, out, bytes);
    }
  } finally {
    // The size of the run's variables is what counts in the end.
    state.meters.frameBytes = frameBytes;
  }
  if (first !== null && mode === "all") throw new BranchFailed(first.error, first.at, failed);
  write(state, out, values);
  completeVisit(state, values);
}

type Ended = { readonly value: Json } | { readonly error: RunError };

/** What an ended branch adds to the list; undefined: nothing. */
function listed(ended: Ended, mode: BranchMode): Json | undefined {
  if ("error" in ended) return mode === "settle" ? settledFailure(ended.error) : undefined;
  return mode === "settle" ? { ok: true, value: ended.value } : ended.value;
}

function elementsOf(state: RunState, node: NodeOf<"Each">): readonly Json[] {
  const list = readOperand(node.data.list, state.frame);
  const elements = Array.isArray(list) ? (deepCopy(list) as Json[]) : [];
  state.meters.loopLength(elements.length);
  state.meters.iteration(elements.length);
  return elements;
}

function branchesOf(node: Fork): readonly string[] {
  return node.op === "Par" ? node.data.branches : [];
}

function bodyOf(state: RunState, node: Fork): string {
  return state.graph.edge(node, "body")?.to ?? "";
}

type Branch = {
  readonly name: string;
  readonly node: Fork;
  readonly label: string;
  readonly element: Json | undefined;
};

async function ofBranch(
  state: RunState,
  caller: Caller,
  { name, node, label, element }: Branch,
  run: RunBranch,
): Promise<Ended> {
  const branch: RunState = {
    ...state,
    branch: name,
    nesting: state.nesting + 1,
    depth: state.depth + state.stack.length,
    frame: new Frame(state.frame.copy()),
    callers: [],
    trace: state.trace?.within(name) ?? null,
    stack: [],
    ended: null,
    refusedLabel: null,
  };
  try {
    const value = await run(branch, caller.within(branch), () => {
      enter(branch, label, "root");
      if (node.op === "Each" && element !== undefined) write(branch, node.data.item, element);
    });
    return { value };
  } catch (failure) {
    if (!(failure instanceof RunFailed)) throw failure;
    const { error } = failure;
    if (RUNTIME_CODES[error.code].class === "ordinary") return { error };
    throw new CallFailed(insideBranch(error, name));
  }
}

/** What `begin` of a branch throws has no node yet. */
export function beginning(state: RunState, begin: () => void): void {
  try {
    begin();
  } catch (failure) {
    throw new RunFailed(describe(state, failure));
  }
}
