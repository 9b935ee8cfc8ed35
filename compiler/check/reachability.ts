/**
 * Advice that needs the whole graph: labels that no entry reaches, and failure handlers that do more than the label they
 * protect. Labels of included files are a library: using only some of them is not reported.
 */
import type { Finding } from "../../grammar/diagnostic.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { ANONYMOUS_LABEL } from "../ir/graph.ts";
import type { LoweredLabel } from "../lower/lowered.ts";
import type { CompileOptions } from "../options.ts";
import { type ProgramView, resolveLabel } from "./program-view.ts";

export function checkReachability(view: ProgramView, options: CompileOptions): Finding[] {
  return [...unusedLabels(view, options), ...handlerEffects(view)];
}

function unusedLabels(view: ProgramView, options: CompileOptions): Finding[] {
  const { program } = view;
  if (program.entry === null) return [];
  const reached = reachedLabels(view);
  const isModule = view.labelIndex.has("ENTRY");
  const demanded = options.reachability === true && program.endpoints.length > 0;
  const findings: Finding[] = [];
  for (const { id, module, span } of program.labels) {
    if (reached.has(id) || module.prefix !== "" || id === ANONYMOUS_LABEL) continue;
    if (isModule && id.startsWith("EXIT_")) continue;
    const finding: Finding = { code: "WF9014", span, label_id: id, words: { id: writtenLabel(id) } };
    if (demanded) findings.push({ ...finding, severity: options.strict === false ? "warning" : "error" });
    else findings.push(options.advice === true ? { ...finding, severity: "hint" } : finding);
  }
  return findings;
}

function reachedLabels(view: ProgramView): ReadonlySet<string> {
  const { program, labelIndex } = view;
  const reached = new Set<string>();
  const waiting: string[] = [];
  const reach = (id: string | null): void => {
    if (id === null || reached.has(id) || !labelIndex.has(id)) return;
    reached.add(id);
    waiting.push(id);
  };
  reach(program.entry);
  for (const { target } of program.endpoints) reach(target?.exists ? target.id : null);
  for (const { line, module } of program.declarations) {
    const label = line.slots[0];
    if ((line.op === "Cr" || line.op === "Tst") && label !== undefined) reach(resolveLabel(view, label.text, module));
  }
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const { targets } of program.labels[labelIndex.get(id) ?? -1]?.steps ?? []) {
      for (const target of targets) reach(target.exists ? target.id : null);
    }
  }
  return reached;
}

/** Kinds that every label has and that touch nothing. */
const HARMLESS_KINDS: ReadonlySet<string> = new Set(["compute", "control", "call"]);

function handlerEffects(view: ProgramView): Finding[] {
  const kinds = new Map<LoweredLabel, ReadonlySet<string>>();
  const kindsOf = (label: LoweredLabel): ReadonlySet<string> => {
    let known = kinds.get(label);
    if (known === undefined) {
      known = new Set(label.steps.flatMap(({ node }) => node?.effect_kinds ?? []));
      kinds.set(label, known);
    }
    return known;
  };
  const findings: Finding[] = [];
  for (const label of view.program.labels) {
    for (const { step, node, targets } of label.steps) {
      const target = step.op === "Err" && !step.faulty ? targets[0] : undefined;
      const handler = target?.exists ? view.program.labels[view.labelIndex.get(target.id) ?? -1] : undefined;
      if (target === undefined || handler === undefined) continue;
      const own = kindsOf(label);
      const added = [...kindsOf(handler)].filter((kind) => !own.has(kind) && !HARMLESS_KINDS.has(kind)).sort();
      if (added.length === 0) continue;
      findings.push({
        code: "WF9022",
        span: step.word.span,
        label_id: label.id,
        node_id: node?.id ?? null,
        words: { id: writtenLabel(target.id), kinds: added.join(", ") },
      });
    }
  }
  return findings;
}
