/**
 * Static bounds of labels: the least and most node visits and counted adapter calls of a run that ends by itself. Upper
 * bounds hold for every run; lower bounds for every run that no limit, cancellation or unhandled failure cuts short.
 * Works component by component, callees first, so that it needs neither recursion nor a fixpoint over the whole program.
 */
import { CALL_OPS, type CallData, type IrNode, type NodeOf, type Port } from "../graph.ts";
import type { IrIndex } from "../ir-index.ts";
import { filesOf, type PythonLabel, pythonLabels } from "./python-bounds.ts";

export type LabelBounds = {
  readonly min_steps: number;
  readonly max_steps: number | null;
  readonly min_adapter_calls: number;
  readonly max_adapter_calls: number | null;
};

/** `max_loop_iters` of a grant: bounds loops over lists that only a run knows. */
export type BoundsOptions = {
  readonly max_loop_iters?: number;
  /** Which calls count; default: all. */
  readonly counts?: (node: IrNode) => boolean;
};

/** Rounds of narrowing the lower bounds inside a cycle; every round is sound, more rounds are only tighter. */
const CYCLE_ROUNDS = 4;
/** Retry holds its count within 1 to 1000 (docs/runtime.md, errors). */
const MAX_RETRIES = 1000;

const NOTHING: LabelBounds = { min_steps: 0, max_steps: 0, min_adapter_calls: 0, max_adapter_calls: 0 };
const UNKNOWN: LabelBounds = { min_steps: 0, max_steps: null, min_adapter_calls: 0, max_adapter_calls: null };

type Scope = {
  readonly index: IrIndex;
  readonly options: BoundsOptions;
  /** Bounds found so far; inside a cycle the sound guess of the last round. */
  readonly known: Map<string, LabelBounds>;
};

/** `components` in Tarjan's order: a component's targets outside itself come before it. */
export function boundsOfLabels(
  index: IrIndex,
  components: readonly { readonly labels: readonly string[]; readonly cyclic: boolean }[],
  options: BoundsOptions,
): ReadonlyMap<string, LabelBounds> {
  const scope: Scope = { index, options, known: new Map() };
  const python = pythonLabels(index);
  for (const { labels: component, cyclic } of components) {
    if (component.some((id) => python.has(id))) boundPython(component, cyclic, scope, python);
    else if (cyclic) boundCycle(component, scope);
    else for (const id of component) scope.known.set(id, labelBounds(id, scope));
  }
  return python.size === 0 ? scope.known : withFiles(scope, python);
}

/** A run of a function of Python runs its file first. */
function withFiles(
  { index, known }: Scope,
  python: ReadonlyMap<string, PythonLabel>,
): ReadonlyMap<string, LabelBounds> {
  return new Map(
    [...known].map(([id, own]) => [
      id,
      python.has(id) ? filesOf(id, index).reduce((all, file) => sequence(all, known.get(file) ?? UNKNOWN), own) : own,
    ]),
  );
}

/** In a cycle a function has no most steps; it makes no calls when assuming none yields none. */
function boundPython(
  component: readonly string[],
  cyclic: boolean,
  scope: Scope,
  python: ReadonlyMap<string, PythonLabel>,
): void {
  if (cyclic) for (const id of component) scope.known.set(id, { ...UNKNOWN, max_adapter_calls: 0 });
  const found = component.map((id): [string, LabelBounds] => [id, functionBounds(id, scope, python.get(id))]);
  const calls = found.some(([, { max_adapter_calls: most }]) => most !== 0);
  for (const [id, own] of found)
    scope.known.set(id, cyclic ? { ...UNKNOWN, max_adapter_calls: calls ? null : 0 } : own);
}

/** The longest and the shortest way through the nodes of a function, from its ends to its beginning. */
function functionBounds(id: string, scope: Scope, facts: PythonLabel | undefined): LabelBounds {
  if (facts === undefined) return UNKNOWN;
  const { index } = scope;
  const onwards = new Map<string, LabelBounds>();
  for (const component of facts.components) {
    const inside = new Set(component);
    const isLooped = facts.looped.has(component[0] as string);
    let cost = NOTHING;
    let next: LabelBounds | null = null;
    let failing: LabelBounds | null = null;
    for (const one of component) {
      cost = sequence(cost, visitBounds(id, one, scope, facts));
      for (const { to, to_kind, port } of index.edgesFrom(id, one)) {
        const rest = to_kind === "node" && !inside.has(to) ? onwards.get(to) : undefined;
        if (rest === undefined) continue;
        if (port === "err") failing = failing === null ? rest : either(failing, rest);
        else next = next === null ? rest : either(next, rest);
      }
    }
    // A loop may be left at once, and a failure may come before anything is counted.
    const unsure = { ...cost, min_steps: 0, min_adapter_calls: 0 };
    const visit = isLooped ? { ...unsure, ...anyTimes(cost) } : cost;
    const through = sequence(visit, next ?? NOTHING);
    const all = failing === null ? through : either(through, sequence({ ...visit, ...LEAST_OF_FAILURE }, failing));
    for (const one of component) onwards.set(one, all);
  }
  const entry = index.label(id)?.entry;
  return entry === null || entry === undefined ? NOTHING : (onwards.get(entry) ?? UNKNOWN);
}

const LEAST_OF_FAILURE = { min_steps: 0, min_adapter_calls: 0 };

/** Passes count steps of their own. */
function anyTimes({ max_adapter_calls: calls }: LabelBounds): Pick<LabelBounds, "max_steps" | "max_adapter_calls"> {
  return { max_steps: null, max_adapter_calls: calls === 0 ? 0 : null };
}

function visitBounds(label: string, id: string, scope: Scope, { called, handed }: PythonLabel): LabelBounds {
  const node = scope.index.node(label, id);
  if (node === undefined) return UNKNOWN;
  const steps = node.step === true ? 1 : 0;
  const calls = callsOf(node, scope);
  let visit: LabelBounds = {
    min_steps: steps,
    max_steps: steps,
    min_adapter_calls: calls,
    max_adapter_calls: calls,
  };
  // What the operands call may be left out, as the right side of `or` is.
  for (const one of called.get(id) ?? []) {
    const below = sequence(onlyVisit(0), scope.known.get(one) ?? UNKNOWN);
    visit = sequence(visit, { ...below, ...LEAST_OF_FAILURE });
  }
  for (const one of handed.get(id) ?? [])
    visit = sequence(visit, { ...NOTHING, ...anyTimes(scope.known.get(one) ?? UNKNOWN) });
  return visit;
}

/** No most steps in a cycle. It makes no calls when assuming none yields none: then that is the least fixpoint. */
function boundCycle(component: readonly string[], scope: Scope): void {
  const round = (): void => {
    for (const id of component) scope.known.set(id, labelBounds(id, scope));
  };
  for (const id of component) scope.known.set(id, { ...UNKNOWN, max_adapter_calls: 0 });
  round();
  const calls = component.some((id) => scope.known.get(id)?.max_adapter_calls !== 0);
  if (calls) for (const id of component) scope.known.set(id, UNKNOWN);
  for (let count = 0; count < CYCLE_ROUNDS; count += 1) round();
}

/**
 * The nodes of the chain in turn. A node with a handler adds a way to end: everything up to it, then the handler. A visited
 * Err is the handler of later nodes that have none of their own.
 */
function labelBounds(label: string, scope: Scope): LabelBounds {
  let before = NOTHING;
  let ways: LabelBounds | null = null;
  let active: string | undefined;
  for (const node of scope.index.chainOf(label)) {
    const through = sequence(before, nodeBounds(node, scope));
    const handler = ownHandler(node, scope) ?? active;
    if (node.op === "Err") active = scope.index.targetOf(label, node.id, "handler") ?? active;
    else if (handler !== undefined) {
      const failing = {
        ...through,
        min_steps: before.min_steps + 1,
        min_adapter_calls: before.min_adapter_calls + callsOf(node, scope),
      };
      const handled = sequence(failing, targetBounds(handler, scope));
      ways = ways === null ? handled : either(ways, handled);
    }
    before = through;
  }
  return ways === null ? before : either(ways, before);
}

function ownHandler(node: IrNode, scope: Scope): string | undefined {
  const err = scope.index.targetOf(node.label, node.id, "err");
  return err === undefined ? undefined : scope.index.targetOf(node.label, err, "handler");
}

function nodeBounds(node: IrNode, scope: Scope): LabelBounds {
  const visit = sequence(onlyVisit(callsOf(node, scope)), nestedBounds(node, scope));
  const retry = scope.index.targetOf(node.label, node.id, "retry");
  const step = retry === undefined ? undefined : scope.index.node(node.label, retry);
  if (step?.op !== "Retry") return visit;
  return {
    ...visit,
    max_steps: times(visit.max_steps, 1 + retries(step)),
    max_adapter_calls: times(visit.max_adapter_calls, 1 + retries(step)),
  };
}

function retries(node: NodeOf<"Retry">): number {
  const count = node.data.count;
  return count.k === "num" ? Math.min(Math.max(Math.trunc(count.v), 1), MAX_RETRIES) : MAX_RETRIES;
}

function onlyVisit(calls: number): LabelBounds {
  return { min_steps: 1, max_steps: 1, min_adapter_calls: calls, max_adapter_calls: calls };
}

/** Counted calls of one visit. `auth.enforce` is answered by the runtime and never counts. */
function callsOf(node: IrNode, { options }: Scope): number {
  if (options.counts?.(node) === false) return 0;
  if (!CALL_OPS.has(node.op) || node.op === "Enf") return 0;
  if (node.op !== "R") return 1;
  const data: CallData = node.data;
  const enforce =
    typeof data.adapter === "string" &&
    typeof data.verb === "string" &&
    `${data.adapter}.${data.verb}`.toLowerCase() === "auth.enforce";
  return enforce ? 0 : 1;
}

/** What the labels that the node runs add. */
function nestedBounds(node: IrNode, scope: Scope): LabelBounds {
  const target = (port: Port): LabelBounds => {
    const id = scope.index.targetOf(node.label, node.id, port);
    return id === undefined ? NOTHING : targetBounds(id, scope);
  };
  switch (node.op) {
    case "Call":
      return target("call");
    case "If":
      return either(target("then"), target("else"));
    case "Loop": {
      const length = node.data.list.k === "list" ? node.data.list.items.length : null;
      // One that can end early makes one pass at least.
      const least = node.data.until === undefined ? (length ?? 0) : Math.min(1, length ?? 0);
      return sequence(repeated(target("body"), least, length ?? scope.options.max_loop_iters ?? null), target("after"));
    }
    case "Each": {
      const { list, mode } = node.data;
      const length = list.k === "list" ? list.items.length : null;
      // A branch that fails may end early; with `settle` the step continues.
      const least = mode === "settle" ? 0 : (length ?? 0);
      return repeated(target("body"), least, length ?? scope.options.max_loop_iters ?? null);
    }
    case "Par": {
      const all = node.data.branches.map((id) => targetBounds(id, scope)).reduce(sequence, NOTHING);
      return node.data.mode === "settle" ? { ...all, min_steps: 0, min_adapter_calls: 0 } : all;
    }
    case "While": {
      const most = Math.min(node.data.limit, scope.options.max_loop_iters ?? Number.POSITIVE_INFINITY);
      // An iteration whose body visits no node counts a step of its own.
      return sequence(repeated(atLeastOneStep(target("body")), 0, most), target("after"));
    }
    default:
      return NOTHING;
  }
}

/** A label that does not exist runs nothing. */
function targetBounds(id: string, scope: Scope): LabelBounds {
  return scope.known.get(id) ?? NOTHING;
}

function sequence(a: LabelBounds, b: LabelBounds): LabelBounds {
  return {
    min_steps: plus(a.min_steps, b.min_steps) ?? a.min_steps,
    max_steps: plus(a.max_steps, b.max_steps),
    min_adapter_calls: plus(a.min_adapter_calls, b.min_adapter_calls) ?? a.min_adapter_calls,
    max_adapter_calls: plus(a.max_adapter_calls, b.max_adapter_calls),
  };
}

function either(a: LabelBounds, b: LabelBounds): LabelBounds {
  return {
    min_steps: Math.min(a.min_steps, b.min_steps),
    max_steps: larger(a.max_steps, b.max_steps),
    min_adapter_calls: Math.min(a.min_adapter_calls, b.min_adapter_calls),
    max_adapter_calls: larger(a.max_adapter_calls, b.max_adapter_calls),
  };
}

function repeated(body: LabelBounds, least: number, most: number | null): LabelBounds {
  return {
    min_steps: times(body.min_steps, least) ?? Number.MAX_SAFE_INTEGER,
    max_steps: times(body.max_steps, most),
    min_adapter_calls: times(body.min_adapter_calls, least) ?? Number.MAX_SAFE_INTEGER,
    max_adapter_calls: times(body.max_adapter_calls, most),
  };
}

function atLeastOneStep(body: LabelBounds): LabelBounds {
  return { ...body, max_steps: body.max_steps === null ? null : Math.max(body.max_steps, 1) };
}

function larger(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

/** Figures beyond exact whole numbers say no more than "unbounded". */
function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null || a + b > Number.MAX_SAFE_INTEGER ? null : a + b;
}

function times(a: number | null, b: number | null): number | null {
  if (a === 0 || b === 0) return 0;
  return a === null || b === null || a * b > Number.MAX_SAFE_INTEGER ? null : a * b;
}
