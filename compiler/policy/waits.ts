/** What a program waits for, and for how long at most (docs/policy.md, the security report). */
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { CALL_OPS, type CallData, type Ir, type IrOperand } from "../ir/graph.ts";
import { placeOf } from "../ir/unbounded.ts";
import { capabilitiesOf } from "./capabilities-of.ts";
import type { Unknown, Use, WaitBound } from "./report-shape.ts";
import { readSpan } from "./span.ts";

/** Adapters whose verbs wait. */
export const WAITING_ADAPTERS: readonly string[] = ["timer", "signal"];

export function waitsOf(every: readonly Use[]): WaitBound[] {
  return every.flatMap((use) => waitOf(use) ?? []);
}

/** `L1 n2 signal.wait`, for each. */
export function waitingSteps(ir: Ir, catalog: AdapterCatalog): readonly string[] {
  const every = ir.nodes.flatMap((node) =>
    capabilitiesOf(node.op, node.data, catalog).map((facts): Use => ({ node, facts })),
  );
  return waitsOf(every).map(({ label, node_id, call }) => `${writtenLabel(label)} ${node_id} ${call}`);
}

/** Waits that have no end that the program says. */
export function unknownWaits(every: readonly Use[]): Unknown[] {
  return every.flatMap((use): Unknown[] => {
    const wait = waitOf(use);
    if (wait === null || wait.max_s !== null || wait.until !== undefined) return [];
    const { call, names: _names, max_s: _most, ...place } = wait;
    const reason =
      optionOf(argsOf(use), "timeout") === undefined && use.facts.adapter === "signal"
        ? `${call} has no timeout: it waits as long as the job lives`
        : `how long ${call} waits is computed`;
    return [{ what: "waits", ...place, reason }];
  });
}

function waitOf(use: Use): WaitBound | null {
  const { adapter, verb, known, literals, dynamic_roles } = use.facts;
  if (!known || adapter === null || !WAITING_ADAPTERS.includes(adapter) || verb === "next") return null;
  const head = { ...placeOf(use.node), call: `${adapter}.${verb}` };
  const [first] = argsOf(use);
  if (adapter === "timer") {
    if (verb === "until" && first?.k === "str") return { ...head, max_s: null, until: first.v };
    return { ...head, max_s: verb === "sleep" ? secondsOf(first) : null };
  }
  const names = dynamic_roles.includes("signal") ? null : literals.signals;
  return { ...head, names, max_s: secondsOf(optionOf(argsOf(use), "timeout") ?? undefined) };
}

function argsOf({ node }: Use): readonly IrOperand[] {
  return CALL_OPS.has(node.op) ? (node.data as CallData).args : [];
}

/** undefined: it is left out; null: only a run knows. */
function optionOf(args: readonly IrOperand[], name: string): IrOperand | null | undefined {
  const options = args[1];
  if (options === undefined || options.k === "null") return undefined;
  return options.k === "map" ? options.entries.findLast(([key]) => key === name)?.[1] : null;
}

function secondsOf(operand: IrOperand | undefined): number | null {
  const ms = operand?.k === "str" || operand?.k === "num" ? readSpan(operand.v) : null;
  return ms === null ? null : ms / 1000;
}
