/** The security report as text (docs/policy.md, the security report). */

import { adapterName, hostName } from "../../compiler/diagram/host-words.ts";
import { hasSourceLines } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { AdapterUse, LabelReport, ProfileVerdict, SecurityReport } from "../../compiler/policy/report-shape.ts";
import { listed, nounFor } from "../../grammar/text/english.ts";
import type { Screen } from "../session/screen.ts";
import { boundText, loopsText, mostText, targetText, unknownLines, waitsText } from "./static-bounds.ts";
import { type StepNames, stepNames } from "./step-names.ts";
import { visible } from "./terminal/columns.ts";
import { shellWord } from "./terminal/shell-word.ts";
import { table } from "./terminal/table.ts";

export function reportText(
  report: SecurityReport,
  { file, ir }: { readonly file: string; readonly ir: Ir },
  screen: Screen,
): string {
  const names = stepNames(ir);
  const isPython = hasSourceLines(ir);
  const { summary } = report;
  const { paint } = screen;
  const tiers = summary.privilege_tiers.length === 0 ? "(none)" : summary.privilege_tiers.join(", ");
  const lines = [paint.bold("Security report"), `Privilege tiers in use: ${tiers}`];
  const nodes = Object.values(report.labels).flatMap((label) => label.nodes);
  for (const [name, use] of Object.entries(summary.adapters)) {
    const own = nodes.filter((node) => (node.adapter ?? "*") === name);
    const marks = [
      ...(own.some((node) => node.destructive) ? ["destructive"] : []),
      ...(own.some((node) => node.network_facing) ? ["network"] : []),
      ...(own.some((node) => !node.known) ? ["unknown"] : []),
      ...(own.some((node) => node.dynamic) ? ["computed"] : []),
    ];
    lines.push(`- ${useText(name, use, isPython)}${marks.length === 0 ? "" : `  ${marks.join(", ")}`}`);
  }
  lines.push(...labelsLines(report, { names, isPython }, screen));
  lines.push("", ...reachLines(report, names, screen.width), "", "Admitted by");
  const rows = Object.entries(report.profiles).map(([name, verdict]) => [
    `  ${name}`,
    verdict.admitted ? "yes" : "no",
    reasonText(verdict),
  ]);
  lines.push(
    ...table(rows, screen.tableWidth),
    "",
    visible(`Least grant: wf security-report ${shellWord(file)} --grant`),
  );
  return `${lines.join("\n")}\n`;
}

/** `isPython`: the program names no adapter `core`, and has functions for what it asks of its host. */
function useText(name: string, { verbs, privilege_tiers: tiers }: AdapterUse, isPython: boolean): string {
  const [shown, words] = isPython
    ? [adapterName(name), verbs.map((verb) => hostName(name, verb) ?? verb)]
    : [name, verbs];
  return visible(`${shown}: verbs=[${words.join(", ")}] tiers=[${tiers.join(", ")}]`);
}

type Words = { readonly names: StepNames; readonly isPython: boolean };

/** Each label that calls something, with its calls; their lines stand below one another over all labels. */
function labelsLines({ labels }: SecurityReport, { names, isPython }: Words, screen: Screen): string[] {
  const calling = Object.entries(labels).filter(([, { nodes }]) => nodes.length > 0);
  if (calling.length === 0) return [];
  const rows = table(
    calling.flatMap(([, label]) => labelRows(label, isPython)),
    screen.tableWidth,
  );
  const lines = calling.flatMap(([id, { adapters, reachable }]) => {
    const name = `${screen.paint.hint(visible(names.label(id)))}${reachable ? "" : "  (not reachable)"}`;
    return [name, ...rows.splice(0, Object.keys(adapters).length)];
  });
  return ["", ...lines];
}

function labelRows({ adapters, nodes }: LabelReport, isPython: boolean): string[][] {
  return Object.entries(adapters).map(([name, use]) => {
    const places = nodes.filter((node) => (node.adapter ?? "*") === name);
    const lines = [...new Set(places.flatMap((node) => node.lineno ?? []))];
    const noun = nounFor(lines.length, "line");
    return [`  ${useText(name, use, isPython)}`, lines.length === 0 ? "" : `${noun} ${lines.join(", ")}`];
  });
}

function reachLines({ summary }: SecurityReport, names: StepNames, width: number): string[] {
  const lines = [
    [
      `Egress: ${targetText(summary, "hosts")}`,
      `Files: ${targetText(summary, "files")}`,
      `Environment: ${targetText(summary, "environment")}`,
    ].join("     "),
  ];
  const named = [
    ["Tables", targetText(summary, "tables")],
    ["Tools", targetText(summary, "tools")],
    ["Modules", targetText(summary, "modules")],
    ["Queues", targetText(summary, "queues")],
    ["Models", targetText(summary, "models")],
  ];
  for (const [title, text] of named) if (text !== "none") lines.push(`${title}: ${text}`);
  const { bounds } = summary;
  if (bounds !== null) {
    const steps = boundText(bounds.min_steps, bounds.max_steps);
    const calls = boundText(bounds.min_adapter_calls, bounds.max_adapter_calls);
    lines.push(`Bounds: steps ${steps}, calls ${calls}, depth ${mostText(summary.max_depth)}`);
  }
  if (summary.loops.length > 0) lines.push(`Loops: ${loopsText(summary.loops, names)}`);
  if (summary.waits.length > 0) lines.push(`Waits: ${waitsText(summary.waits, names)}`);
  if (summary.frames_at_once > 1) lines.push(`Memory: at most ${summary.frames_at_once} times max_frame_bytes`);
  const unknown = unknownLines(summary.unknown, names, width);
  return [...lines.map(visible), ...(unknown.length === 0 ? [] : ["", ...unknown])];
}

/** Why a profile does not admit a program, or what it needs to. */
export function reasonText(verdict: ProfileVerdict): string {
  const values = new Map<keyof typeof REASONS, Set<string>>();
  let computed = false;
  for (const { code, data } of verdict.policy_errors) {
    if (code === "POLICY_DYNAMIC_ADAPTER") computed = true;
    else values.set(data.rule.member, (values.get(data.rule.member) ?? new Set()).add(String(data.rule.value)));
  }
  const forbidden = values.get("forbidden_adapters");
  const absent = verdict.not_allowed.filter((name) => forbidden?.has(name) !== true);
  const reasons = [
    ...(absent.length > 0 ? [`${listed(absent)} not allowed`] : []),
    ...[...values].map(([member, names]) => REASONS[member]([...names])),
    ...(computed ? ["computed adapter or verb"] : []),
    ...verdict.limits_exceeded.map(({ limit, granted, needs }) => `${limit} ${granted}, needs ${needs}`),
  ];
  if (verdict.needs.length > 0 && reasons.length === 0) reasons.push(`needs ${verdict.needs.join(", ")}`);
  return reasons.join("; ");
}

const tagged = (noun: string) => (names: readonly string[]) => `${nounFor(names.length, noun)} ${names.join(", ")}`;

const REASONS = {
  forbidden_adapters: (names: readonly string[]) => `${listed(names)} forbidden`,
  forbidden_effects: tagged("effect"),
  forbidden_effect_tiers: tagged("effect tier"),
  forbidden_privilege_tiers: tagged("tier"),
  forbidden_destructive: () => "destructive",
};
