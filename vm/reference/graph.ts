/**
 * Loading: the checks that a program must pass before its first step (docs/runtime.md 1.1, 8.2), and look-ups in its graph.
 */
import type { Ir, IrEdge, IrNode, Port } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { RuntimeCode } from "../error-codes.ts";
import type { RunError } from "../run.ts";

const OPS: ReadonlySet<string> = new Set([
  "R",
  "CacheGet",
  "CacheSet",
  "QueuePut",
  "Tx",
  "Enf",
  "J",
  "Set",
  "X",
  "Filt",
  "Sort",
  "If",
  "Loop",
  "While",
  "Call",
  "Err",
  "Retry",
]);

export class Graph {
  readonly #nodes = new Map<string, IrNode>();
  readonly #edges = new Map<string, IrEdge>();
  readonly #entries = new Map<string, string | null>();

  constructor(ir: Ir) {
    for (const [id, label] of Object.entries(ir.labels)) this.#entries.set(id, label.entry);
    for (const node of ir.nodes) this.#nodes.set(`${node.label}\n${node.id}`, node);
    for (const edge of ir.edges) {
      const key = `${edge.label}\n${edge.from}\n${edge.port}`;
      if (!this.#edges.has(key)) this.#edges.set(key, edge);
    }
  }

  hasLabel(label: string): boolean {
    return this.#entries.has(label);
  }

  /** First node of a label; null when it has none. */
  entryOf(label: string): string | null {
    return this.#entries.get(label) ?? null;
  }

  node(label: string, id: string): IrNode {
    const node = this.#nodes.get(`${label}\n${id}`);
    if (node === undefined) throw new Error(`no node ${id} in label ${label}`);
    return node;
  }

  edge(node: IrNode, port: Port): IrEdge | undefined {
    return this.#edges.get(`${node.label}\n${node.id}\n${port}`);
  }
}

/** The load error of a program, or null when it may run from `entry`. */
export function loadError(ir: Ir, entry: string | null): RunError | null {
  if (!/^1(\.|$)/.test(ir.ir_version)) {
    return refusal("RUNTIME_UNSUPPORTED_IR_VERSION", "unsupported IR version", undefined, {
      ir_version: ir.ir_version,
    });
  }
  for (const node of ir.nodes) {
    if (!OPS.has(node.op)) return refusal("RUNTIME_UNKNOWN_OP", `unknown op ${node.op}`, node, { op: node.op });
    if (node.op === "X" && !node.data.name) return refusal("RUNTIME_X_MISSING_DST", "X without destination", node, {});
  }
  return nextFault(ir) ?? labelFault(ir, entry);
}

function nodeOf(ir: Ir, label: string, id: string): IrNode | undefined {
  return ir.nodes.find((node) => node.label === label && node.id === id);
}

function nextFault(ir: Ir): RunError | null {
  const successors = new Map<string, string>();
  for (const edge of ir.edges) {
    if (edge.port !== "next") continue;
    const key = `${edge.label}\n${edge.from}`;
    if (successors.has(key)) {
      return refusal("RUNTIME_GRAPH_AMBIGUOUS_NEXT", "two next successors", nodeOf(ir, edge.label, edge.from), {
        nodes: [edge.from],
      });
    }
    successors.set(key, edge.to);
  }
  for (const node of ir.nodes) {
    const seen = new Set<string>();
    for (let id: string | undefined = node.id; id !== undefined; id = successors.get(`${node.label}\n${id}`)) {
      if (seen.has(id)) {
        return refusal("RUNTIME_GRAPH_AMBIGUOUS_NEXT", "cycle of next edges", nodeOf(ir, node.label, id), {
          nodes: [...seen],
        });
      }
      seen.add(id);
    }
  }
  return null;
}

function labelFault(ir: Ir, entry: string | null): RunError | null {
  for (const edge of ir.edges) {
    if (edge.to_kind === "label" && !Object.hasOwn(ir.labels, edge.to)) {
      return refusal("RUNTIME_UNKNOWN_LABEL", `unknown label ${edge.to}`, nodeOf(ir, edge.label, edge.from), {
        target: edge.to,
      });
    }
  }
  if (entry === null || !Object.hasOwn(ir.labels, entry)) {
    return refusal("RUNTIME_UNKNOWN_LABEL", `unknown label ${entry ?? ""}`, undefined, { target: entry });
  }
  return null;
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
