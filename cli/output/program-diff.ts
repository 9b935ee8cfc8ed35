/** The differences of two programs as aligned text: what they may touch first, then function by function, or label by label. */
import { calledText } from "../../compiler/diagram/host-words.ts";
import type { FunctionChange, LineChange } from "../../compiler/diff/line-changes.ts";
import type { PowerChange, PowerKind } from "../../compiler/diff/powers.ts";
import type { LabelChange, ProgramDiff, StepChange, TextChange, WayChange } from "../../compiler/diff/program-diff.ts";
import { shownLabel } from "../../grammar/text/written-label.ts";
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

/** `functions`: of programs in Python, by their source; null: of steps. */
export function programDiffText(diff: ProgramDiff, functions: readonly FunctionChange[] | null, paint: Paint): string {
  const nameOf = functions === null ? shownLabel : (id: string) => id;
  const lines = [
    ...diff.powers.map((change) => powerLine(change, functions === null ? stepPlace : linePlace)),
    ...entryLines(diff.entry, nameOf),
    ...diff.endpoints.map((change) => textLine("endpoints", change)),
    ...diff.declarations.map((change) => textLine("declarations", change)),
    ...(functions?.flatMap(functionLines) ?? diff.labels.flatMap(labelLines)),
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

type PowerPlace = PowerChange["steps"][number];

const stepPlace = ({ label, node, line }: PowerPlace): string =>
  `${shownLabel(label)} ${node}${line === null ? "" : `, line ${line}`}`;
const linePlace = ({ label, line }: PowerPlace): string => (line === null ? label : `${label}, line ${line}`);

function powerLine({ change, kind, value, steps }: PowerChange, placeOf: (step: PowerPlace) => string): Line {
  const [first] = steps;
  const more = steps.length > 1 ? ` and ${counted(steps.length - 1, "step")} more` : "";
  const call = kind === "adapter" ? "" : `${calledText(first?.call ?? "")} at `;
  const place = first === undefined ? "" : ` (${call}${placeOf(first)}${more})`;
  return { heading: HEADINGS[kind], sign: signOf(change), text: `${value}${place}` };
}

function entryLines(entry: ProgramDiff["entry"], nameOf: (id: string) => string): Line[] {
  if (entry === null) return [];
  const text = (label: string | null): string => (label === null ? "none" : nameOf(label));
  return [{ heading: "entry", sign: "~", text: `${text(entry.before)}  →  ${text(entry.after)}` }];
}

function textLine(heading: string, { change, text }: TextChange): Line {
  return { heading, sign: signOf(change), text };
}

const signOf = (change: "added" | "removed" | "changed"): Line["sign"] =>
  change === "added" ? "+" : change === "removed" ? "-" : "~";

function functionLines(change: FunctionChange): Line[] {
  const { name: heading } = change;
  const sign = signOf(change.change);
  if (change.change !== "changed")
    return [{ heading, sign, text: `${change.change} (${counted(change.lines, "line")})` }];
  if (change.lines === null)
    return [{ heading, sign, text: "changed; its source is not here (--steps shows its steps)" }];
  if (change.lines.length === 0)
    return [{ heading, sign, text: "has the same lines, which lead to other steps (--steps)" }];
  return change.lines.map((line): Line => ({ heading, sign: signOf(line.change), text: writtenLine(line) }));
}

function writtenLine(line: LineChange): string {
  if (line.change === "added") return `line ${line.after.line}  ${line.after.text}`;
  if (line.change === "removed") return `line ${line.before.line}  ${line.before.text}`;
  return `line ${line.after.line}  ${line.before.text}  →  ${line.after.text}`;
}

function labelLines(change: LabelChange): Line[] {
  const heading = shownLabel(change.label);
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
  const text = (target: string | null): string => (target === null ? "none" : isStep ? target : shownLabel(target));
  return `${node}  ${port} ${text(before)}  →  ${text(after)}`;
}
