/** A trace as a tree with times and values, as a table of the slowest steps, and as JSON. */

import { widthOf } from "../../grammar/text/width.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { Usage } from "../../vm/run.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { cut, padTo, visible } from "../output/terminal/columns.ts";
import { jsonLine } from "../output/terminal/json.ts";
import { counted, grouped, table } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";
import type { StepEvent, Trace } from "./trace-events.ts";
import { type LabelVisit, ownTime, stepsOf, type TracedStep, visitTime } from "./tree.ts";

type TracedEvent = TracedStep["event"];
/** Text of a step by label and node; null when the program is not at hand. */
export type StepTexts = (label: string, node: string) => string | null;
/** How steps are shown. `titles`: of what `label` and `place` say. */
export type StepWords = {
  readonly titles: readonly [label: string, place: string];
  readonly label: (label: string) => string;
  readonly place: (event: TracedEvent) => string;
  readonly text: (event: TracedEvent) => string;
};

/** As the machine knows them. */
export function machineWords(texts: StepTexts): StepWords {
  return {
    titles: ["label", "step"],
    label: writtenLabel,
    place: ({ node_id }) => node_id,
    text: ({ label, node_id, op }) => texts(label, node_id) ?? op,
  };
}

type Row = { readonly tree: string; readonly ms: number; readonly value: string; readonly failed: boolean };
type Signs = { readonly fork: string; readonly last: string; readonly line: string; readonly bar: string };

const TREE: Signs = { fork: "├─ ", last: "└─ ", line: "│  ", bar: "█" };
const PLAIN_TREE: Signs = { fork: "|- ", last: "`- ", line: "|  ", bar: "#" };
const BAR_COLUMNS = 8;
const MS_COLUMNS = 11;
const LEAST_VALUE_COLUMNS = 16;
/** Two blanks before each column but the first. */
const GAPS = 6;

/** `width`: of the terminal that the tree is printed on; Infinity for files and pipes, which get every cell whole. */
export function traceTreeText(
  visits: readonly LabelVisit[],
  words: StepWords,
  { paint, width }: Pick<Screen, "paint" | "width">,
  utf8: boolean,
): string {
  const signs = utf8 ? TREE : PLAIN_TREE;
  const rows = visits.flatMap((visit) => visitRows(visit, "", words, signs));
  const longest = Math.max(0, ...visits.map(visitTime));
  const room = Math.max(20, width - MS_COLUMNS - BAR_COLUMNS - LEAST_VALUE_COLUMNS - GAPS);
  const treeWidth = Math.min(room, Math.max(0, ...rows.map(({ tree }) => widthOf(tree))));
  const valueWidth = Math.max(LEAST_VALUE_COLUMNS, width - treeWidth - MS_COLUMNS - BAR_COLUMNS - GAPS);
  return rows
    .map(({ tree, ms, value, failed }) => {
      const bar = signs.bar.repeat(longest === 0 ? 0 : Math.round((BAR_COLUMNS * ms) / longest));
      const shown = cut(value, valueWidth);
      const line = [
        padTo(cut(tree, treeWidth), treeWidth),
        milliseconds(ms).padStart(MS_COLUMNS),
        paint.dim(padTo(bar, BAR_COLUMNS)),
        failed ? paint.error(shown) : shown,
      ].join("  ");
      return `${line.replace(/ +$/, "")}\n`;
    })
    .join("");
}

function visitRows(visit: LabelVisit, indent: string, words: StepWords, signs: Signs): Row[] {
  const handler = visit.handler ? "  (handler)" : "";
  const head: Row = {
    tree: `${indent}${visible(words.label(visit.label))}${branchText(visit)}${handler}`,
    ms: visitTime(visit),
    value: "",
    failed: false,
  };
  const below = indent.replaceAll(signs.fork, signs.line).replaceAll(signs.last, "   ");
  const rows = visit.steps.flatMap((step, at) => {
    const sign = at === visit.steps.length - 1 ? signs.last : signs.fork;
    return stepRows(step, below + sign, words, signs);
  });
  return [head, ...rows];
}

/** ` #3` of the fourth branch. */
function branchText({ branch }: LabelVisit): string {
  return branch === null ? "" : ` ${branch.slice(branch.lastIndexOf("#"))}`;
}

function stepRows(step: TracedStep, indent: string, words: StepWords, signs: Signs): Row[] {
  const { event } = step;
  const row: Row = {
    tree: `${indent}${visible(words.place(event))}  ${visible(words.text(event))}`.trimEnd(),
    ms: event.duration_ms,
    value: visible(outcomeText(step, words)),
    failed: event.kind === "error",
  };
  const below = indent.replaceAll(signs.fork, signs.line).replaceAll(signs.last, "   ");
  const inner = step.visits.flatMap((visit, at) =>
    visitRows(visit, below + (at === step.visits.length - 1 ? signs.last : signs.fork), words, signs),
  );
  return [row, ...inner];
}

function outcomeText({ event, retry, visits }: TracedStep, words: StepWords): string {
  if (event.kind === "step") return stepValue(event, visits, words);
  const handled = event.handler === null ? "" : `  handled by ${words.label(event.handler)}`;
  const again =
    retry === null ? "" : `  retry ${retry.attempt} of ${retry.count} after ${milliseconds(retry.delay_ms)}`;
  return `${event.code}  ${event.message}${handled}${again}`;
}

function stepValue(
  { op, branch, iterations, out }: StepEvent,
  visits: readonly LabelVisit[],
  words: StepWords,
): string {
  if (op === "If" && branch !== undefined) {
    const target = visits[0] === undefined ? "" : ` → ${words.label(visits[0].label)}`;
    return `${branch.port}${target}`;
  }
  if (iterations !== undefined) return counted(iterations, "iteration");
  return jsonLine(out).trimEnd();
}

const milliseconds = (ms: number): string => `${ms.toFixed(3)} ms`;

/** `usage`: of a run that was made just now. */
export function traceFooter({ total, dropped }: Trace, usage: Usage | null): string {
  const missing = dropped === 0 ? "" : `, ${grouped(dropped)} in the middle not kept`;
  const used = usage === null ? "" : `  steps ${grouped(usage.steps)}  calls ${grouped(usage.adapter_calls)}`;
  return `${counted(total, "event")}${missing}${used}`;
}

/** The steps that took longest by themselves. */
export function slowest(visits: readonly LabelVisit[], most: number): readonly TracedStep[] {
  return [...stepsOf(visits)].sort((a, b) => ownTime(b) - ownTime(a)).slice(0, most);
}

export function slowestText(steps: readonly TracedStep[], words: StepWords, width: number): string {
  const rows = steps.map((step) => {
    const { event } = step;
    const { label, lineno, duration_ms } = event;
    const line = lineno === null || lineno === undefined ? "" : `line ${lineno}`;
    const place = words.place(event);
    const times = [milliseconds(ownTime(step)), milliseconds(duration_ms)].map((text) => text.padStart(MS_COLUMNS));
    return [...times, words.label(label), ...(place === line ? [] : [place]), line, words.text(event)];
  });
  const titles = words.titles[1] === "line" ? words.titles : [...words.titles, "line"];
  return `${table([["own".padStart(MS_COLUMNS), "whole".padStart(MS_COLUMNS), ...titles, ""], ...rows], width).join("\n")}\n`;
}

export function visitDocument(visit: LabelVisit, texts: StepTexts): object {
  const { label, handler, steps } = visit;
  return {
    label: writtenLabel(label),
    handler,
    duration_ms: thousandths(visitTime(visit)),
    steps: steps.map((step) => stepDocument(step, texts)),
  };
}

export function stepDocument(step: TracedStep, texts: StepTexts) {
  const { event, retry, visits } = step;
  const { label, node_id, op, lineno, start_ms, duration_ms } = event;
  const facts = {
    node_id,
    op,
    text: texts(label, node_id),
    line: lineno ?? null,
    start_ms,
    duration_ms,
    own_ms: thousandths(ownTime(step)),
    ok: event.kind === "step",
  };
  const outcome =
    event.kind === "step"
      ? {
          out: event.out,
          ...(event.branch === undefined ? {} : { branch: event.branch.port }),
          ...(event.iterations === undefined ? {} : { iterations: event.iterations }),
        }
      : {
          error: { code: event.code, message: event.message, handler: event.handler },
          ...(retry === null
            ? {}
            : { retry: { attempt: retry.attempt, count: retry.count, delay_ms: retry.delay_ms } }),
        };
  return { ...facts, ...outcome, visits: visits.map((visit) => visitDocument(visit, texts)) };
}
