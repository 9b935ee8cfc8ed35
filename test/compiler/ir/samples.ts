/** Small programs in IR form for tests: nodes chained in written order, label edges given by port. */
import { readFileSync } from "node:fs";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import type { Ir, NodeOp } from "../../../compiler/ir/graph.ts";
import { normalize } from "../../../compiler/ir/supplied/normalize.ts";

export type SampleStep = {
  readonly op: NodeOp;
  readonly data: unknown;
  readonly to?: Readonly<Record<string, string>>;
  readonly err?: string;
  readonly retry?: string;
};
export type SampleProgram = Readonly<Record<string, readonly SampleStep[]>>;

export type RawIr = {
  ir_version: string;
  entry?: string | null;
  labels?: Record<string, unknown>;
  nodes: Record<string, unknown>[];
  edges: Record<string, unknown>[];
  [member: string]: unknown;
};

const TERMINAL = ["J", "If", "Loop", "While"];

export const num = (v: number) => ({ k: "num", v });
export const str = (v: string) => ({ k: "str", v });
export const variable = (v: string) => ({ k: "var", v });
export const list = (...items: unknown[]) => ({ k: "list", items });
export const call = (fn: string, ...args: unknown[]) => ({ k: "call", fn, args });

export const give = (value: unknown = num(1)): SampleStep => ({ op: "J", data: { value } });
export const set = (name = "x", value: unknown = num(1)): SampleStep => ({ op: "Set", data: { name, value } });
export const request = (adapter: unknown, verb: unknown, args: unknown[] = [], out = "res"): SampleStep => ({
  op: "R",
  data: { adapter, verb, args, out },
});
export const branch = (then: string, other?: string): SampleStep => ({
  op: "If",
  data: { cond: { c: "truthy", of: variable("c") } },
  to: other === undefined ? { then } : { then, else: other },
});
export const loop = (over: unknown, body: string, after: string): SampleStep => ({
  op: "Loop",
  data: { list: over, item: "i" },
  to: { body, after },
});
export const during = (limit: number, body: string, after: string): SampleStep => ({
  op: "While",
  data: { cond: { c: "truthy", of: variable("c") }, limit },
  to: { body, after },
});
export const invoke = (label: string): SampleStep => ({ op: "Call", data: { out: "r" }, to: { call: label } });
export const handler = (label: string): SampleStep => ({ op: "Err", data: {}, to: { handler: label } });
export const retry = (count: unknown = num(3)): SampleStep => ({
  op: "Retry",
  data: { count, backoff_ms: num(0), strategy: "fixed" },
});

/** The least a host may send: version, nodes and edges. */
export function rawIr(program: SampleProgram): RawIr {
  const nodes: Record<string, unknown>[] = [];
  const edges: Record<string, unknown>[] = [];
  for (const [label, steps] of Object.entries(program)) {
    steps.forEach((step, index) => {
      const id = `n${index + 1}`;
      nodes.push({ id, label, op: step.op, data: step.data });
      if (!TERMINAL.includes(step.op) && index + 1 < steps.length) {
        edges.push({ label, from: id, to: `n${index + 2}`, to_kind: "node", port: "next" });
      }
      for (const [port, to] of Object.entries(step.to ?? {}))
        edges.push({ label, from: id, to, to_kind: "label", port });
      if (step.err !== undefined) edges.push({ label, from: id, to: step.err, to_kind: "node", port: "err" });
      if (step.retry !== undefined) edges.push({ label, from: id, to: step.retry, to_kind: "node", port: "retry" });
    });
  }
  return { ir_version: "1.0", nodes, edges };
}

export function ir(program: SampleProgram, more: Record<string, unknown> = {}): Ir {
  const result = normalize({ ...rawIr(program), ...more }, builtinCatalog);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.ir;
}

/** The worked example of docs/ir.md (an example), with every derived member. */
export function exampleIr(): RawIr & Ir {
  return JSON.parse(readFileSync(new URL("../../fixtures/ir-example.json", import.meta.url), "utf8"));
}
