/**
 * The answer of a run in its two forms: the JSON shapes of docs/http.md (answers), and the text of a terminal.
 */

import { functionName } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { shownLabel } from "../../grammar/text/written-label.ts";
import { answerOf } from "../../vm/answer.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { Printed, TraceEvent } from "../../vm/run.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { recordDocument } from "../input/replay-log-file.ts";
import type { Screen } from "../session/screen.ts";
import { visible, visibleLines } from "./terminal/columns.ts";
import { indentedText, jsonIndented } from "./terminal/json.ts";
import { counted, duration, grouped, table } from "./terminal/table.ts";

export type RunReport = {
  readonly program: LoadedProgram;
  readonly answer: RunAnswer;
  /** Whole milliseconds with three decimals, from the text read to the result. */
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Inputs that the program declares and the frame lacks. */
  readonly notGiven: readonly string[];
};

export function runDocument({ answer, program, durationMs, warnings }: RunReport, frame: JsonObject) {
  const { ir, compileMs, cached } = program;
  const { ok, trace_id, record, ...members } = answerOf({ answer, ir, compileMs, cached, durationMs, warnings });
  const own =
    answer.record === undefined ? {} : { record: recordDocument(answer.record, { traceId: answer.trace_id, frame }) };
  if (!("out" in members)) return { ok, trace_id, ...members, ...own };
  const { label, out, ...rest } = members;
  return { ok, trace_id, label, out, result: out, ...rest, ...own };
}

/** A text as itself, anything else as indented JSON, null as nothing. `exact`: the JSON text of the value, where that says more. */
export function resultText(out: unknown, raw: boolean, exact?: string): string {
  if (out === null) return "";
  const text = typeof out === "string" ? out : exact === undefined ? jsonIndented(out) : indentedText(exact);
  return raw ? text : `${text}\n`;
}

/** What the program printed, for standard error: standard output is for its value. */
export function printedText({ printed = "", printed_dropped: dropped = 0 }: Printed): string {
  if (printed === "") return "";
  const end = printed.endsWith("\n") ? "" : "\n";
  const more = dropped === 0 ? "" : `… ${counted(dropped, "more character")}\n`;
  return `${visibleLines(printed)}${end}${more}`;
}

/** `ok  L1  1.3 ms  steps 2/500,000  depth 1/500  calls 1/50,000` */
export function successLine(report: RunReport, screen: Screen): string {
  const { answer } = report;
  const { usage, limits } = answer;
  const parts = [
    screen.errorPaint.ok("ok"),
    screen.errorPaint.hint(visible(answer.label_written)),
    duration(report.durationMs),
    meter("steps", usage.steps, limits.max_steps),
    meter("depth", usage.depth, limits.max_depth),
    meter("calls", usage.adapter_calls, limits.max_adapter_calls),
  ];
  if (usage.frame_bytes !== null) parts.push(meter("frame bytes", usage.frame_bytes, limits.max_frame_bytes));
  if (limits.max_loop_iters !== undefined) parts.push(meter("loop", usage.loop_iters, limits.max_loop_iters));
  if (usage.llm !== undefined) {
    const { calls, input_tokens, output_tokens, cost } = usage.llm;
    const money = cost === 0 ? "" : `, cost ${cost}`;
    parts.push(
      `llm calls ${grouped(calls)}, tokens ${grouped(input_tokens)} in, ${grouped(output_tokens)} out${money}`,
    );
  }
  return `${parts.join("  ")}\n`;
}

export function meter(name: string, used: number, limit: number | undefined): string {
  return limit === undefined ? `${name} ${grouped(used)}` : `${name} ${grouped(used)}/${grouped(limit)}`;
}

const MAX_TRACE_VALUE = 200;

/** Functions in Python have names and lines, and no ids of steps that people know. */
export function traceTable(events: readonly TraceEvent[], ir: Pick<Ir, "labels">, width: number): string {
  const rows = [["seq", "kind", "label", "node", "op", "line", "ms", "value"]];
  // Files and pipes, which have no width, get every value whole.
  const most = width === Number.POSITIVE_INFINITY ? width : MAX_TRACE_VALUE;
  for (const event of events) rows.push(traceRow(event, ir, most));
  return `${table(rows, width).join("\n")}\n`;
}

function traceRow(event: TraceEvent, ir: Pick<Ir, "labels">, most: number): string[] {
  if (event.kind === "end")
    return [
      String(event.seq),
      "end",
      "",
      "",
      "",
      "",
      "",
      `events ${text(event["events"])}  dropped ${text(event["dropped"])}`,
    ];
  const value =
    event.kind === "step"
      ? event["out"]
      : event.kind === "error"
        ? event["message"]
        : `attempt ${text(event["attempt"])}`;
  const ms = event["duration_ms"];
  const label = event["label"];
  const name = typeof label === "string" ? functionName(ir, label) : null;
  return [
    String(event.seq),
    event.kind,
    typeof label === "string" ? `${name ?? shownLabel(label)}${inBranch(event)}` : "",
    name === null ? text(event["node_id"]) : "",
    text(event["op"]),
    text(event["lineno"]),
    typeof ms === "number" ? ms.toFixed(3) : "",
    typeof value === "string" ? value.slice(0, most) : (JSON.stringify(value) ?? "").slice(0, most),
  ];
}

/** ` #3`, or ` #3>#0` in a branch of a branch. */
function inBranch({ in_branch: name }: TraceEvent): string {
  if (typeof name !== "string") return "";
  return ` ${name
    .split(">")
    .map((one) => one.slice(one.lastIndexOf("#")))
    .join(">")}`;
}

function text(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
