/** The differences of two programs as aligned text: what they may touch first, then label by label. */
import type { PowerChange, PowerKind } from "../../compiler/diff/powers.ts";
import type { LabelChange, ProgramDiff, StepChange, TextChange, WayChange } from "../../compiler/diff/program-diff.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { Paint } from "./terminal/colour.ts";
import { padTo, visible } from "./terminal/columns.ts";
import { counted } from "./terminal/table.ts";

/** A line with the heading it stands under; the heading is shown once. */
type Line = { readonly heading: string; readonly sign: "+" | "-" | "~"; readonly text: string };

const HEADINGS: Readonly<Record<PowerKind, string>> = {
  privilege: "privileges",
  adapter: "adapters",
  effect: "effects",
  host: "hosts",
  path: "paths",
  table: "tables",
  signal: "signals",
  approver: "people asked",
  program: "jobs of",
  event: "events emitted",
  accepts: "events accepted",
  tool: "tools",
  module: "modules",
  queue: "queues",
  model: "models",
  environment: "environment",
  computed: "computed",
};

export function programDiffText(diff: ProgramDiff, paint: Paint): string {
  const lines = [
    ...diff.powers.map(powerLine),
    ...entryLines(diff.entry),
    ...diff.endpoints.map((change) => textLine("endpoints", change)),
    ...diff.declarations.map((change) => textLine("declarations", change)),
    ...diff.labels.flatMap(labelLines),
  ].map((line) => ({ ...line, heading: visible(line.heading), text: visible(line.text) }));
  const width = Math.max(0, ...lines.map(({ heading }) => heading.length));
  const tones = { "+": paint.ok, "-": paint.error, "~": paint.warning };
  return lines
    .map(({ heading, sign, text }, at) => {
      const shown = lines[at - 1]?.heading === heading ? "" : heading;
      return `${paint.hint(padTo(shown, width))}  ${tones[sign](sign)} ${text}\n`;
    })
    .join("");
}

function powerLine({ change, kind, value, steps }: PowerChange): Line {
  const [first] = steps;
  const line = first?.line === null || first === undefined ? "" : `, line ${first.line}`;
  const more = steps.length > 1 ? ` and ${counted(steps.length - 1, "step")} more` : "";
  const call = kind === "adapter" ? "" : `${first?.call ?? ""} at `;
  const place = first === undefined ? "" : ` (${call}${writtenLabel(first.label)} ${first.node}${line}${more})`;
  return { heading: HEADINGS[kind], sign: signOf(change), text: `${value}${place}` };
}

function entryLines(entry: ProgramDiff["entry"]): Line[] {
  if (entry === null) return [];
  const text = (label: string | null): string => (label === null ? "none" : writtenLabel(label));
  return [{ heading: "entry", sign: "~", text: `${text(entry.before)}  →  ${text(entry.after)}` }];
}

function textLine(heading: string, { change, text }: TextChange): Line {
  return { heading, sign: signOf(change), text };
}

const signOf = (change: "added" | "removed" | "changed"): Line["sign"] =>
  change === "added" ? "+" : change === "removed" ? "-" : "~";

function labelLines(change: LabelChange): Line[] {
  const heading = writtenLabel(change.label);
  if (change.change !== "changed") {
    return [{ heading, sign: signOf(change.change), text: `${change.change} (${counted(change.steps, "step")})` }];
  }
  return [
    ...change.steps.map((step): Line => ({ heading, sign: signOf(step.change), text: stepLine(step) })),
    ...change.ways.map((way): Line => ({ heading, sign: "~", text: wayText(way) })),
  ];
}

function stepLine(step: StepChange): string {
  if (step.change === "added") return `${step.after.node}  ${step.after.text}`;
  if (step.change === "removed") return `${step.before.node}  ${step.before.text}`;
  return `${step.after.node}  ${step.before.text}  →  ${step.after.text}`;
}

function wayText({ node, port, before, after }: WayChange): string {
  const isStep = port === "next" || port === "err" || port === "retry";
  const text = (target: string | null): string => (target === null ? "none" : isStep ? target : writtenLabel(target));
  return `${node}  ${port} ${text(before)}  →  ${text(after)}`;
}
