/** The text of a failed run for people: the error, its place in the program, what the run used, and what helps (docs/running.md, failure). */

import { ADAPTER_CODES } from "../../../adapters/errors.ts";
import { PROVIDED_ADAPTERS } from "../../../adapters/registry.ts";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { isPython } from "../../../grammar/surface.ts";
import { isBlockLabel, shownLabel } from "../../../grammar/text/written-label.ts";
import { RUNTIME_CODES } from "../../../vm/errors/error-codes.ts";
import { isOfFunction } from "../../../vm/errors/placed-message.ts";
import type { RunError, Usage } from "../../../vm/run.ts";
import { settingFlagOf } from "../../grant/setting-flags.ts";
import type { TextOf } from "../../session/faults.ts";
import type { Screen } from "../../session/screen.ts";
import { meter, type RunReport } from "../run.ts";
import { visible } from "../terminal/columns.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { lineOf, snippet } from "../terminal/snippet.ts";
import { counted, duration, grouped } from "../terminal/table.ts";
import { divergence } from "./divergence.ts";

/** The program as the user named it. */
export type FailedProgram = { readonly name: string; readonly textOf: TextOf };

/** What a run used of its limits, and its duration in milliseconds. */
type Spent = {
  readonly usage: Pick<Usage, "steps" | "adapter_calls">;
  readonly limits: { readonly max_steps?: number | undefined; readonly max_adapter_calls?: number | undefined };
  readonly ms: number;
};

export type Failure = {
  /** A service of another version may have codes that are not known here. */
  readonly error: Omit<RunError, "code"> & { readonly code: string };
  /** null: its text is not on this machine. */
  readonly program: FailedProgram | null;
  /** null: nothing is known of it. */
  readonly spent: Spent | null;
  readonly replay?: { readonly matched: number; readonly remaining: number } | undefined;
  /** Inputs that the program declares and the frame lacks, where that may be the reason. */
  readonly notGiven: readonly string[];
  /** The program ran in this process. */
  readonly here: boolean;
};

/** The text of a run of this process; empty when it succeeded. */
export function failureText({ answer, program, notGiven }: RunReport, screen: Screen): string {
  if (answer.ok) return "";
  const { error, usage, limits, duration_ms: ms, replay } = answer;
  const { input, textOf } = program;
  const spent = { usage, limits, ms };
  const missing = RUNTIME_CODES[error.code].class === "ordinary" ? notGiven : [];
  return textOfFailure(
    { error, program: { name: input.name, textOf }, spent, replay, notGiven: missing, here: true },
    screen,
  );
}

export function textOfFailure({ error, program, spent, replay, notGiven, here }: Failure, screen: Screen): string {
  const paint = screen.errorPaint;
  const lines = [`${paint.error("error")} ${paint.bold(visible(error.code))}  ${visible(error.message)}`];
  lines.push(...placeOf(error, program, screen), ...divergence(error, screen.width), ...adapterCodeOf(error));
  lines.push(...operandOf(error), ...limitOf(error, here));
  if (error.stack.length > 0) lines.push(`   = ${stackText(error, program)}`);
  if (spent !== null) lines.push(`   = used: ${usageText(spent)}`);
  if (replay !== undefined)
    lines.push(`   = replay: ${counted(replay.matched, "call")} matched, ${grouped(replay.remaining)} left`);
  if (notGiven.length > 0) lines.push(`   = note: inputs that were not given: ${visible(notGiven.join(", "))}`);
  for (const help of helpOf(error, here)) lines.push(`   = help: ${visible(help)}`);
  return `${lines.join("\n")}\n`;
}

/** Functions of Python have names, labels of the opcode form are written with an L. */
function namesOf(error: Failure["error"], program: FailedProgram | null): (id: string) => string {
  return hasFunctions(error, program) ? (id) => id : shownLabel;
}

function hasFunctions(error: Failure["error"], program: FailedProgram | null): boolean {
  return isOfFunction(error) || isPython(program?.textOf(error.file ?? null) ?? "");
}

const SHOWN_LABELS = 12;

/** The functions or labels from the entry to the failure; of many, the first and the last. */
function stackText(error: Failure["error"], program: FailedProgram | null): string {
  const nameOf = namesOf(error, program);
  const title = hasFunctions(error, program) ? "call stack" : "label stack";
  // What older versions made of the blocks of a graph has no name of its own.
  const stack = error.stack.filter((id, at) => at === 0 || !isBlockLabel(id));
  const written = (ids: readonly string[]): string[] => ids.map((id) => visible(nameOf(id)));
  if (stack.length <= SHOWN_LABELS) return `${title}: ${written(stack).join(" > ")}`;
  const half = SHOWN_LABELS / 2;
  const left = `… ${grouped(stack.length - SHOWN_LABELS)} more …`;
  return `${title}: ${[...written(stack.slice(0, half)), left, ...written(stack.slice(-half))].join(" > ")}`;
}

function usageText({ usage, limits, ms }: Spent): string {
  return [
    meter("steps", usage.steps, limits.max_steps),
    meter("calls", usage.adapter_calls, limits.max_adapter_calls),
    duration(ms),
  ].join(", ");
}

function placeOf(error: Failure["error"], program: FailedProgram | null, screen: Screen): string[] {
  const node = [
    error.label === null ? null : namesOf(error, program)(error.label),
    hasFunctions(error, program) ? null : error.node,
  ]
    .filter((part) => part !== null)
    .join(" ");
  const name = error.file ?? program?.name;
  const place = name === undefined ? "" : `${visible(name)}  `;
  if (error.line === null) return node === "" ? [] : [`  --> ${place}${visible(node)}`];
  const text = program?.textOf(error.file ?? null) ?? null;
  const line = text === null ? null : lineOf(text, error.line);
  if (name === undefined) return [`  --> line ${error.line}  ${visible(node)}`];
  if (text === null || line === null) return [`  --> ${visible(name)}:${error.line}  ${visible(node)}`];
  const from = line.length - line.trimStart().length;
  const marked = { line: error.line, from, to: line.trimEnd().length };
  const paint = screen.errorPaint;
  return [
    `  --> ${visible(name)}:${error.line}:${from + 1}  ${visible(node)}`,
    ...snippet(text, marked, { width: screen.width, before: 1, paint: paint.error, dim: paint.dim }),
  ];
}

/** The operand that had a value of the wrong kind. */
function operandOf({ data: { operand, operand_type: type } }: Failure["error"]): string[] {
  if (typeof operand !== "string" || typeof type !== "string") return [];
  return [`   = operand: ${visible(operand)} is ${visible(type)}`];
}

/** Who set the limit that the run reached, where that is known. */
function limitOf({ data: { meter, limit, source } }: Failure["error"], here: boolean): string[] {
  if (typeof meter !== "string" || typeof limit !== "number" || typeof source !== "string") return [];
  const places: Readonly<Record<string, string>> = {
    default: "it is the default",
    config: "wf.config.json sets it",
    server: "the operator sets it",
    request: here ? `--${meter.replaceAll("_", "-")} sets it` : "the request sets it",
  };
  const place = places[source] ?? `${visible(source)} sets it`;
  return [`   = limit: ${visible(meter)} ${grouped(limit)}; ${place}`];
}

/** What the adapter itself says: the code that an Err handler would branch on. */
function adapterCodeOf({ data: { adapter, verb, adapter_code: code } }: Failure["error"]): string[] {
  if (typeof code !== "string" || typeof adapter !== "string" || typeof verb !== "string") return [];
  return [`   = code: ${visible(code)} of ${visible(adapter)}.${visible(verb)}`];
}

/** `here`: the program ran in this process, so that flags of its command can help. */
function helpOf(error: Failure["error"], here: boolean): string[] {
  const code = error.data["adapter_code"];
  // An adapter of somebody else may have codes of its own.
  const told = typeof code === "string" && Object.hasOwn(ADAPTER_CODES, code);
  const help = [`wf explain ${told ? code : error.code}`];
  if (!here) return help;
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
function allowing({ data: { rule } }: Failure["error"], adapter: string): string[] {
  if (!isObject(rule) || rule["member"] !== "allowed_adapters") return [];
  const { source, sources = [source ?? null] } = rule;
  const others = (Array.isArray(sources) ? sources : []).filter((one) => one !== "request");
  if (others.length === 0) return [`add --allow-adapter ${shellWord(adapter)}`];
  return [`no flag changes this: adapter ${adapter} is outside the allowlist of ${others.join(" and ")}`];
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

/** After a space, a value that begins with a dash would be read as a flag. */
const separatorFor = (value: Json): string => (String(value).startsWith("-") ? "=" : " ");
