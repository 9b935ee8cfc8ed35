/**
 * Loading: the checks that a program must pass before its first step (docs/runtime.md, errors). Programs that
 * this version compiled or normalised can fail only by version and by labels that do not exist.
 */
import { IR_VERSION, type Ir, type IrNode, nodeNumber } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { shownLabel } from "../../grammar/text/written-label.ts";
import type { RuntimeCode } from "../errors/error-codes.ts";
import type { RunError } from "../run.ts";

const OPS: ReadonlySet<string> = new Set(
  "R CacheGet CacheSet QueuePut Tx Enf J Set X Filt Sort If Loop While Each Par Call Err Retry Py".split(" "),
);

/** The load error of a program, or null when it may run from `entry`. Linear in nodes and edges. */
export function loadError(ir: Ir, entry: string | null): RunError | null {
  if (!/^1(\.|$)/.test(ir.ir_version)) {
    const data = { ir_version: ir.ir_version };
    return refusal("RUNTIME_UNSUPPORTED_IR_VERSION", "unsupported IR version", undefined, data);
  }
  for (const node of ir.nodes) {
    if (!OPS.has(node.op)) return refusal("RUNTIME_UNKNOWN_OP", `unknown op ${node.op}`, node, { op: node.op });
    if (node.op === "X" && !node.data.name) return refusal("RUNTIME_X_MISSING_DST", "X without destination", node, {});
  }
  return nextFault(ir) ?? labelFault(ir, entry);
}

function nextFault(ir: Ir): RunError | null {
  // Loops of Python functions are edges that lead back.
  const isPython = ({ label }: { readonly label: string }): boolean => ir.labels[label]?.python !== undefined;
  const edges = ir.ir_version === IR_VERSION ? ir.edges.filter((edge) => !isPython(edge)) : ir.edges;
  if (runsForward(edges)) return null;
  const successors = new Map<string, string>();
  for (const edge of edges) {
    if (edge.port !== "next") continue;
    const key = `${edge.label}\n${edge.from}`;
    if (successors.has(key)) {
      const data = { nodes: [edge.from] };
      return refusal("RUNTIME_GRAPH_AMBIGUOUS_NEXT", "two next successors", nodeOf(ir, edge.label, edge.from), data);
    }
    successors.set(key, `${edge.label}\n${edge.to}`);
  }
  // A node that was walked from once need not be walked again: every walk marks its nodes with its own number.
  const walked = new Map<string, number>();
  let walk = 0;
  for (const start of successors.keys()) {
    walk += 1;
    for (let at: string | undefined = start; at !== undefined; at = successors.get(at)) {
      const mark = walked.get(at);
      if (mark === walk) {
        const [label = "", id = ""] = at.split("\n");
        const data = { nodes: [id] };
        return refusal("RUNTIME_GRAPH_AMBIGUOUS_NEXT", "cycle of next edges", nodeOf(ir, label, id), data);
      }
      if (mark !== undefined) break;
      walked.set(at, walk);
    }
  }
  return null;
}

/**
 * Edges label by label, `next` from each node at most once and to a higher number, as this version writes them: then there can be
 * neither a second successor nor a cycle.
 */
function runsForward(edges: Ir["edges"]): boolean {
  const seen = new Set<string>();
  let label: string | null = null;
  let last = 0;
  for (const edge of edges) {
    if (edge.label !== label) {
      if (seen.has(edge.label)) return false;
      seen.add(edge.label);
      label = edge.label;
      last = 0;
    }
    if (edge.port !== "next") continue;
    const from = nodeNumber(edge.from);
    if (!(from > last && nodeNumber(edge.to) > from)) return false;
    last = from;
  }
  return true;
}

function labelFault(ir: Ir, entry: string | null): RunError | null {
  for (const edge of ir.edges) {
    if (edge.to_kind === "label" && !Object.hasOwn(ir.labels, edge.to)) {
      const from = nodeOf(ir, edge.label, edge.from);
      return refusal("RUNTIME_UNKNOWN_LABEL", `unknown label ${shownLabel(edge.to)}`, from, { target: edge.to });
    }
  }
  if (entry === null || !Object.hasOwn(ir.labels, entry)) {
    return refusal("RUNTIME_UNKNOWN_LABEL", `unknown label ${entry ?? ""}`, undefined, { target: entry });
  }
  return null;
}

function nodeOf(ir: Ir, label: string, id: string): IrNode | undefined {
  return ir.nodes.find((node) => node.label === label && node.id === id);
}

function refusal(
  code: RuntimeCode,
  message: string,
  node: IrNode | undefined,
  data: { readonly [key: string]: Json },
): RunError {
  return {
    code,
    message,
    label: node?.label ?? null,
    node: node?.id ?? null,
    op: node?.op ?? null,
    line: node?.line ?? null,
    ...(node?.file === undefined ? {} : { file: node.file }),
    step_index: 0,
    stack: [],
    data: { cause_type: "program", retryable: false, ...data },
  };
}
