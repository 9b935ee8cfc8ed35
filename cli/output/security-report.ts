/** The security report as text (docs/cli.md, security-report). */
import type { AdapterUse, LabelReport, ProfileVerdict, SecurityReport } from "../../compiler/policy/report-shape.ts";
import { listed, nounFor } from "../../grammar/english.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import type { Screen } from "../screen.ts";
import { visible } from "./columns.ts";
import { shellWord } from "./shell-word.ts";
import { boundText, loopsText, mostText, targetText, unknownLines } from "./static-bounds.ts";
import { table } from "./table.ts";

export function reportText(report: SecurityReport, file: string, screen: Screen): string {
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
    lines.push(`- ${useText(name, use)}${marks.length === 0 ? "" : `  ${marks.join(", ")}`}`);
  }
  for (const [id, label] of Object.entries(report.labels)) lines.push(...labelLines(id, label, screen));
  lines.push("", ...reachLines(report, screen.width), "", "Admitted by");
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

function useText(name: string, use: AdapterUse): string {
  return visible(`${name}: verbs=[${use.verbs.join(", ")}] tiers=[${use.privilege_tiers.join(", ")}]`);
}

function labelLines(id: string, label: LabelReport, screen: Screen): string[] {
  if (label.nodes.length === 0) return [];
  const rows = Object.entries(label.adapters).map(([name, use]) => {
    const places = label.nodes.filter((node) => (node.adapter ?? "*") === name);
    const lines = [...new Set(places.flatMap((node) => node.lineno ?? []))];
    const noun = nounFor(lines.length, "line");
    return [`  ${useText(name, use)}`, lines.length === 0 ? "" : `${noun} ${lines.join(", ")}`];
  });
  const unreachable = label.reachable ? "" : "  (not reachable)";
  return ["", `${screen.paint.hint(visible(writtenLabel(id)))}${unreachable}`, ...table(rows, screen.tableWidth)];
}

function reachLines({ summary }: SecurityReport, width: number): string[] {
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
  ];
  for (const [title, text] of named) if (text !== "none") lines.push(`${title}: ${text}`);
  const { bounds } = summary;
  if (bounds !== null) {
    const steps = boundText(bounds.min_steps, bounds.max_steps);
    const calls = boundText(bounds.min_adapter_calls, bounds.max_adapter_calls);
    lines.push(`Bounds: steps ${steps}, calls ${calls}, depth ${mostText(summary.max_depth)}`);
  }
  if (summary.loops.length > 0) lines.push(`Loops: ${loopsText(summary.loops)}`);
  const unknown = unknownLines(summary.unknown, width);
  return [...lines.map(visible), ...(unknown.length === 0 ? [] : ["", ...unknown])];
}

export function reasonText(verdict: ProfileVerdict): string {
  const reasons: string[] = [];
  if (verdict.not_allowed.length > 0) reasons.push(`${listed(verdict.not_allowed)} not allowed`);
  const values = new Map<string, Set<string>>();
  for (const { code, data } of verdict.policy_errors) {
    const word = code === "POLICY_DYNAMIC_ADAPTER" ? "computed adapter or verb" : REASON_WORDS[data.rule.member];
    const set = values.get(word) ?? new Set();
    values.set(word, set);
    if (code !== "POLICY_DYNAMIC_ADAPTER" && data.rule.value !== true) set.add(data.rule.value);
  }
  for (const [word, set] of values) reasons.push([word, [...set].join(", ")].filter((part) => part !== "").join(" "));
  for (const one of verdict.limits_exceeded) reasons.push(`${one.limit} ${one.granted}, needs ${one.needs}`);
  if (verdict.needs.length > 0 && reasons.length === 0) reasons.push(`needs ${verdict.needs.join(", ")}`);
  return reasons.join("; ");
}

const REASON_WORDS = {
  forbidden_adapters: "forbidden",
  forbidden_effects: "effect",
  forbidden_effect_tiers: "effect tier",
  forbidden_privilege_tiers: "tier",
  forbidden_destructive: "destructive",
} as const;
