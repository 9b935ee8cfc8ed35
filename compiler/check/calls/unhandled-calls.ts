/**
 * Calls that may fail and whose failure nothing handles (WF9029), one finding for each label. Handled is what an Err of the label, or of any
 * label that runs it, can catch, and what a Retry repeats. What handlers do themselves is the last resort, and of a module its
 * caller decides: neither is a finding.
 */
import type { Finding } from "../../../grammar/diagnostic.ts";
import { nounFor } from "../../../grammar/text/english.ts";
import { spanOver } from "../../../grammar/text/span.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../../catalog.ts";
import { CALL_OPS, type CallData } from "../../ir/graph.ts";
import type { LoweredLabel, LoweredStep } from "../../lower/lowered.ts";
import type { ProgramView } from "../program-view.ts";

export function unhandledCalls(view: ProgramView, catalog: AdapterCatalog): Finding[] {
  if (view.labelIndex.has("ENTRY")) return [];
  const handled = protectedNodes(view);
  const covered = coveredLabels(view, handled);
  const findings: Finding[] = [];
  for (const label of view.program.labels) {
    if (label.module.prefix !== "" || covered.has(label.id)) continue;
    const finding = labelFinding(label, handled, catalog);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

type ProtectedNodes = { readonly err: ReadonlySet<string>; readonly retry: ReadonlySet<string> };

/** `label node` of every step that an Err or Retry names or stands under. */
function protectedNodes({ program }: ProgramView): ProtectedNodes {
  const err = new Set<string>();
  const retry = new Set<string>();
  for (const { port, label, from } of program.edges) {
    if (port === "err") err.add(`${label} ${from}`);
    else if (port === "retry") retry.add(`${label} ${from}`);
  }
  return { err, retry };
}

/** Labels that run under a handler, or as one, with everything that they run. */
function coveredLabels(view: ProgramView, { err }: ProtectedNodes): ReadonlySet<string> {
  const covered = new Set<string>();
  const waiting: string[] = [];
  const cover = ({ targets }: LoweredStep): void => {
    for (const { id, exists } of targets) {
      if (!exists || covered.has(id)) continue;
      covered.add(id);
      waiting.push(id);
    }
  };
  for (const label of view.program.labels) {
    let handling = false;
    for (const lowered of label.steps) {
      if (lowered.step.op === "Err") handling = true;
      if (handling || err.has(`${label.id} ${lowered.node?.id}`)) cover(lowered);
    }
  }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const lowered of view.program.labels[view.labelIndex.get(id) ?? -1]?.steps ?? []) cover(lowered);
  }
  return covered;
}

function labelFinding(label: LoweredLabel, handled: ProtectedNodes, catalog: AdapterCatalog): Finding | null {
  let first: { readonly lowered: LoweredStep; readonly call: string } | null = null;
  let more = 0;
  for (const lowered of label.steps) {
    // It stays the handler of what is below it.
    if (lowered.step.op === "Err") break;
    const place = `${label.id} ${lowered.node?.id}`;
    const call = handled.err.has(place) || handled.retry.has(place) ? null : fallibleCall(lowered, catalog);
    if (call === null) continue;
    if (first === null) first = { lowered, call };
    else more += 1;
  }
  if (first === null) return null;
  const { step, node } = first.lowered;
  const others = more === 0 ? "" : ` and ${more} more ${nounFor(more, "call")} of the label`;
  return {
    code: "WF9029",
    span: step.op === "R" ? spanOver(step.adapter.span, step.verb.span) : step.word.span,
    label_id: label.id,
    node_id: node?.id ?? null,
    severity: "hint",
    words: { calls: `${first.call}${others}` },
  };
}

/** `http.Get`; null for steps that call nothing outside, and for calls that have a finding of their own. Enf is meant to fail. */
function fallibleCall({ step, node }: LoweredStep, catalog: AdapterCatalog): string | null {
  if (node === null || step.faulty || !CALL_OPS.has(node.op) || node.op === "Enf") return null;
  const { adapter, verb } = node.data as CallData;
  const entry = typeof adapter === "string" ? findAdapter(catalog, adapter) : undefined;
  if (entry === undefined || entry.name === "core" || typeof verb !== "string") return null;
  const known = findVerb(entry, verb);
  return known === undefined || known.effect_tier === "pure" ? null : `${entry.name}.${known.name}`;
}
