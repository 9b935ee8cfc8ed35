/**
 * The answer of a run in its two forms: the JSON shapes of docs/http.md (answers), and the text of a terminal.
 */

import { ADAPTER_CODES } from "../../adapters/errors.ts";
import { PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { writtenLabel } from "../../grammar/written-label.ts";
import { RUNTIME_CODES, surfaceWord } from "../../vm/error-codes.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { placedMessage } from "../../vm/placed-message.ts";
import type { Limits, RunError, TraceEvent, Usage } from "../../vm/run.ts";
import type { LoadedProgram } from "../program.ts";
import { recordDocument } from "../replay-log-file.ts";
import type { Screen } from "../screen.ts";
import { settingFlagOf } from "../setting-flags.ts";
import { RUNTIME_VERSION } from "../version.ts";
import { visible } from "./columns.ts";
import { divergence } from "./divergence.ts";
import { jsonIndented } from "./json.ts";
import { shellWord } from "./shell-word.ts";
import { lineOf, snippet } from "./snippet.ts";
import { counted, duration, grouped, table } from "./table.ts";

export type RunReport = {
  readonly program: LoadedProgram;
  readonly answer: RunAnswer;
  /** Whole milliseconds with three decimals, from the text read to the result. */
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Inputs that the program declares and the frame lacks. */
  readonly notGiven: readonly string[];
};

export function runDocument(report: RunReport, frame: JsonObject) {
  const { answer, program, durationMs, warnings } = report;
  const facts = {
    label: answer.label_written,
    ...(answer.ok ? { out: answer.out, result: answer.out } : {}),
    runtime_version: RUNTIME_VERSION,
    ir_version: program.ir.ir_version,
    duration_ms: durationMs,
    adapter_p95_ms: answer.adapter_p95_ms,
    usage: answer.usage,
    limits: answer.limits,
    stats: {
      compile_ms: thousandths(program.compileMs),
      run_ms: thousandths(answer.duration_ms),
      cache_hit: program.cached,
      checksum: program.ir.checksum,
    },
    warnings,
    ...(answer.trace === undefined ? {} : { trace: answer.trace }),
    ...(answer.record === undefined ? {} : { record: recordDocument(answer.record, frame) }),
    ...(answer.replay === undefined ? {} : { replay: answer.replay }),
  };
  if (answer.ok) return { ok: true, trace_id: answer.trace_id, ...facts };
  const { error } = answer;
  return {
    ok: false,
    trace_id: answer.trace_id,
    error: surfaceWord(error.code, error.data),
    message: placedMessage(error),
    error_structured: error,
    ...facts,
  };
}

export const thousandths = (ms: number): number => Math.round(ms * 1000) / 1000;

/** A text as itself, anything else as indented JSON, null as nothing. */
export function resultText(out: unknown, raw: boolean): string {
  if (out === null) return "";
  const text = typeof out === "string" ? out : jsonIndented(out);
  return raw ? text : `${text}\n`;
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
  return `${parts.join("  ")}\n`;
}

function meter(name: string, used: number, limit: number | undefined): string {
  return limit === undefined ? `${name} ${grouped(used)}` : `${name} ${grouped(used)}/${grouped(limit)}`;
}

/** The text of a failed run (docs/cli.md, wf run). */
export function failureText(report: RunReport, screen: Screen): string {
  const { answer, program } = report;
  if (answer.ok) return "";
  const { error } = answer;
  const paint = screen.errorPaint;
  const lines = [`${paint.error("error")} ${paint.bold(error.code)}  ${visible(error.message)}`];
  lines.push(...placeOf(error, program, screen), ...divergence(error, screen.width), ...adapterCodeOf(error));
  if (error.stack.length > 0) lines.push(`   = label stack: ${stackText(error.stack)}`);
  lines.push(`   = used: ${usageText(answer.usage, answer.limits, answer.duration_ms)}`);
  if (answer.replay !== undefined) {
    const { matched, remaining } = answer.replay;
    lines.push(`   = replay: ${counted(matched, "call")} matched, ${grouped(remaining)} left`);
  }
  if (report.notGiven.length > 0 && RUNTIME_CODES[error.code].class === "ordinary")
    lines.push(`   = note: declared with '# frame:' and not given: ${visible(report.notGiven.join(", "))}`);
  for (const help of helpOf(error)) lines.push(`   = help: ${visible(help)}`);
  return `${lines.join("\n")}\n`;
}

const SHOWN_LABELS = 12;

/** The labels from the entry to the failure; of many, the first and the last. */
function stackText(stack: readonly string[]): string {
  const written = (ids: readonly string[]): string[] => ids.map((id) => visible(writtenLabel(id)));
  if (stack.length <= SHOWN_LABELS) return written(stack).join(" > ");
  const half = SHOWN_LABELS / 2;
  const left = `… ${grouped(stack.length - SHOWN_LABELS)} more …`;
  return [...written(stack.slice(0, half)), left, ...written(stack.slice(-half))].join(" > ");
}

function usageText(usage: Usage, limits: Limits, ms: number): string {
  return [
    meter("steps", usage.steps, limits.max_steps),
    meter("calls", usage.adapter_calls, limits.max_adapter_calls),
    duration(ms),
  ].join(", ");
}

function placeOf(error: RunError, program: LoadedProgram, screen: Screen): string[] {
  const node = [error.label === null ? null : writtenLabel(error.label), error.node]
    .filter((part) => part !== null)
    .join(" ");
  const name = error.file ?? program.input.name;
  if (error.line === null) return node === "" ? [] : [`  --> ${visible(name)}  ${visible(node)}`];
  const text = program.textOf(error.file ?? null);
  const line = text === null ? null : lineOf(text, error.line);
  if (text === null || line === null) return [`  --> ${visible(name)}:${error.line}  ${visible(node)}`];
  const from = line.length - line.trimStart().length;
  const place = { line: error.line, from, to: line.trimEnd().length };
  const paint = screen.errorPaint;
  return [
    `  --> ${visible(name)}:${error.line}:${from + 1}  ${visible(node)}`,
    ...snippet(text, place, { width: screen.width, before: 1, paint: paint.error, dim: paint.dim }),
  ];
}

/** What the adapter itself says: the code that an Err handler would branch on. */
function adapterCodeOf({ data: { adapter, verb, adapter_code: code } }: RunError): string[] {
  if (typeof code !== "string" || typeof adapter !== "string" || typeof verb !== "string") return [];
  return [`   = code: ${visible(code)} of ${visible(adapter)}.${visible(verb)}`];
}

function helpOf(error: RunError): string[] {
  const code = error.data["adapter_code"];
  // An adapter of somebody else may have codes of its own.
  const told = typeof code === "string" && Object.hasOwn(ADAPTER_CODES, code);
  const help = [`wf explain ${told ? code : error.code}`];
  const adapter = error.data["adapter"];
  if (error.code === "RUNTIME_ADAPTER_NOT_ALLOWED" && typeof adapter === "string")
    help.unshift(...allowing(error, adapter));
  if (code === "ADAPTER_NOT_CONFIGURED" && typeof adapter === "string") {
    const { suggested_adapters } = error.data;
    // Nothing is suggested for one that is enabled: what it lacks is in the message.
    if (isObject(suggested_adapters)) help.unshift(`add ${enablingFlags(adapter, suggested_adapters)}`);
    else if (!PROVIDED_ADAPTERS.includes(adapter))
      help.unshift(`this build has no provider for adapter '${adapter}'; it can call: ${PROVIDED_ADAPTERS.join(" ")}`);
  }
  return help;
}

/** What admits an adapter that an allowlist lacks: flags undo flags, and tighten everything else. */
function allowing({ data: { rule } }: RunError, adapter: string): string[] {
  if (!isObject(rule) || rule["member"] !== "allowed_adapters") return [];
  const { source, sources = [source ?? null] } = rule;
  const others = (Array.isArray(sources) ? sources : []).filter((one) => one !== "request");
  if (others.length === 0) return [`add --allow-adapter ${shellWord(adapter)}`];
  return [`no flag lifts it: adapter ${adapter} is outside the allowlist of ${others.join(" and ")}`];
}

/** The flags that enable an adapter with the settings its calls need. The program chose their values, and people paste them. */
function enablingFlags(adapter: string, suggested: JsonObject): string {
  const flags = [`--enable-adapter ${shellWord(adapter)}`];
  const settings = suggested[adapter];
  if (isObject(settings)) {
    for (const [setting, values] of Object.entries(settings)) {
      const flag = settingFlagOf(adapter, setting);
      if (!Array.isArray(values)) continue;
      if (flag.startsWith("--set ")) flags.push(`${flag}=${shellWord(JSON.stringify(values))}`);
      else flags.push(...values.map((value: Json) => `${flag}${separatorFor(value)}${shellWord(String(value))}`));
    }
  }
  return flags.join(" ");
}

/** A value that looks like a flag is one behind a blank. */
const separatorFor = (value: Json): string => (String(value).startsWith("-") ? "=" : " ");

const MAX_TRACE_VALUE = 200;

export function traceTable(events: readonly TraceEvent[], width: number): string {
  const rows = [["seq", "kind", "label", "node", "op", "line", "ms", "value"]];
  for (const event of events) rows.push(traceRow(event));
  return `${table(rows, width).join("\n")}\n`;
}

function traceRow(event: TraceEvent): string[] {
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
  return [
    String(event.seq),
    event.kind,
    typeof label === "string" ? writtenLabel(label) : "",
    text(event["node_id"]),
    text(event["op"]),
    text(event["lineno"]),
    typeof ms === "number" ? ms.toFixed(3) : "",
    typeof value === "string"
      ? value.slice(0, MAX_TRACE_VALUE)
      : (JSON.stringify(value) ?? "").slice(0, MAX_TRACE_VALUE),
  ];
}

function text(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}
