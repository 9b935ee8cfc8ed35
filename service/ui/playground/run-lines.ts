/**
 * The steps of a run as a person follows them: of a program in Python line by line, with what the function holds after each. What the compiler made
 * of a line is one step, and the definitions of a file are left out.
 */
import { functionName } from "../../../compiler/diagram/label-names.ts";
import type { Ir, IrNode } from "../../../compiler/ir/graph.ts";
import type { TraceStep } from "./trace-step.ts";

export type RunLine = {
  /** The last of its events, by its place among all of them. */
  readonly at: number;
  /** The function; null: the program is not in Python, and its step stands for itself. */
  readonly name: string | null;
  readonly line: number | null;
  readonly ms: number;
  /** null: they are not known. */
  readonly variables: Variables | null;
  /** Names of those that are new or have another value than after the step before it in the same call. */
  readonly changed: ReadonlySet<string>;
  /** What it returned to its caller; undefined: it did not. */
  readonly returned: unknown;
  /** What it raised; null: nothing. */
  readonly error: string | null;
};
type Variables = Readonly<Record<string, unknown>>;

export function runLines(steps: readonly TraceStep[], ir: Ir | null): readonly RunLine[] {
  const nodes = new Map((ir?.nodes ?? []).map((node) => [`${node.label}\n${node.id}`, node]));
  const lines: { first: TraceStep; last: RunLine }[] = [];
  for (const [at, step] of withDepths(steps).entries()) {
    const python = step.label === undefined ? undefined : pythonOf(ir, step.label);
    const node = nodes.get(`${step.label}\n${step.node_id}`);
    if (python?.kind === "module" && isSetUp(node)) continue;
    const name = ir === null || step.label === undefined ? null : functionName(ir, step.label);
    const line: RunLine = {
      at,
      name,
      line: step.lineno ?? null,
      ms: step.duration_ms ?? 0,
      variables: step.variables ?? null,
      changed: new Set(),
      returned: python?.kind === "function" && node?.op === "Py" && node.data.do === "return" ? step.out : undefined,
      error: errorOf(step),
    };
    const before = lines.at(-1);
    if (before !== undefined && name !== null && isSameLine(before.first, step))
      before.last = { ...line, ms: before.last.ms + line.ms, error: before.last.error ?? line.error };
    else lines.push({ first: step, last: line });
  }
  return withChanges(lines);
}

/** An event of an error does not say how deep its call is: as deep as the step of its function before it. */
function withDepths(steps: readonly TraceStep[]): readonly TraceStep[] {
  const depths = new Map<string, number>();
  return steps.map((step) => {
    const key = `${step.label}\n${step.in_branch ?? ""}`;
    if (step.depth !== undefined) depths.set(key, step.depth);
    const depth = step.depth ?? depths.get(key);
    return depth === undefined ? step : { ...step, depth };
  });
}

function pythonOf(ir: Ir | null, label: string) {
  return ir !== null && Object.hasOwn(ir.labels, label) ? ir.labels[label]?.python : undefined;
}

/** The definition of a function, and the end of a file. */
function isSetUp(node: IrNode | undefined): boolean {
  if (node?.op !== "Py") return false;
  const { data } = node;
  if (data.do === "return") return true;
  return data.do === "set_global" && data.value.k === "call" && data.value.fn === "py.function";
}

const callOf = ({ label, depth, in_branch: branch }: TraceStep): string => `${label}\n${depth}\n${branch ?? ""}`;

function isSameLine(one: TraceStep, other: TraceStep): boolean {
  const isOnward = (other.step ?? 0) > (one.step ?? 0);
  return one.lineno === other.lineno && callOf(one) === callOf(other) && isOnward;
}

function errorOf({ error, message, code }: TraceStep): string | null {
  if (message !== undefined) return message;
  return error === undefined ? (code ?? null) : typeof error === "string" ? error : JSON.stringify(error);
}

function withChanges(lines: readonly { readonly first: TraceStep; readonly last: RunLine }[]): readonly RunLine[] {
  const held = new Map<string, { readonly step: number; readonly variables: Variables }>();
  return lines.map(({ first, last }) => {
    if (last.variables === null) return last;
    const call = callOf(first);
    const before = held.get(call);
    // Numbers of steps begin anew in another call of the same function.
    const known = before !== undefined && before.step < (first.step ?? 0) ? before.variables : {};
    held.set(call, { step: first.step ?? 0, variables: last.variables });
    const changed = Object.entries(last.variables).filter(
      ([name, value]) => !Object.hasOwn(known, name) || JSON.stringify(known[name]) !== JSON.stringify(value),
    );
    return { ...last, changed: new Set(changed.map(([name]) => name)) };
  });
}
