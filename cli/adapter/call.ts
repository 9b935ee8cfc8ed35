/**
 * `wf adapter call NAME.VERB ARGS…`: one call by hand, as a program makes it: through policy, settings, argument check, deadline and result
 * check of the dispatcher. The user is the operator, so naming an adapter enables it.
 */

import { coreCodeOf } from "../../adapters/builtin/core/core-adapter.ts";
import { callProgram } from "../../adapters/definition/check-definition.ts";
import { withoutSecrets } from "../../adapters/run-log/redaction.ts";
import type { Json } from "../../compiler/json.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { foldVerb } from "../../vm/adapter.ts";
import { surfaceWord } from "../../vm/errors/error-codes.ts";
import { warningsBefore } from "../../vm/gateway.ts";
import type { RunAnswer } from "../../vm/host.ts";
import type { RunError } from "../../vm/run.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { readTextFile } from "../input/input.ts";
import { resultText } from "../output/run.ts";
import { visible, visibleLines } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { duration } from "../output/terminal/table.ts";
import { preparedUnder } from "../run/prepare-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

export type Call = { readonly adapter: string; readonly verb: string; readonly args: readonly Json[] };

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** The operands of `wf adapter call`. */
export function readCall(target: string | undefined, args: readonly string[]): Call {
  const match = /^([A-Za-z][A-Za-z0-9_]*)\.([A-Za-z][A-Za-z0-9_]*)$/.exec(target ?? "");
  if (match === null) throw usageFault(`missing NAME.VERB, such as core.ADD${found(target)}`);
  const [, adapter = "", verb = ""] = match;
  return { adapter: adapter.toLowerCase(), verb, args: args.map(readArgument) };
}

function found(target: string | undefined): string {
  return target === undefined ? "" : `; found '${target}'`;
}

function readArgument(text: string, place: number): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw usageFault(`argument ${place + 1} is not JSON (a text needs quotes: '"text"')`);
  }
}

/** `--settings` as values of `--set`. */
export function readSettings(cwd: string, adapter: string, given: string | undefined): readonly string[] {
  if (given === undefined) return [];
  const text = given.startsWith("@") ? readTextFile(cwd, given.slice(1), MAX_SETTINGS_BYTES) : given;
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch {
    throw usageFault("option --settings: the value is not JSON");
  }
  if (typeof settings !== "object" || settings === null || Array.isArray(settings))
    throw usageFault("option --settings needs one JSON object");
  return Object.entries(settings).map(([name, value]) => `${adapter}.${name}=${JSON.stringify(value)}`);
}

export async function makeCall(session: Session, call: Call, grant: EffectiveGrant, dryRun: boolean): Promise<number> {
  const { io, screen } = session;
  try {
    requireVerb(grant, call);
    const { source, frame } = callProgram(call.adapter, call.verb, call.args);
    const { ir, diagnostics } = grant.gateway.host.compile(source, { strict: false, inputs: Object.keys(frame) });
    if (ir === null) throw usageFault(diagnostics[0]?.message ?? "this call cannot be written");
    const prepared = await preparedUnder(grant, ir, "-");
    const warnings = [...new Set([...grant.warnings, ...warningsBefore(prepared.warnings, {})])];
    for (const warning of warnings) screen.warning(warning);
    const { result: answer, by } = await interruptible(io, (signal) =>
      grant.gateway.run(prepared, { frame, signal, dryRun }),
    );
    if (by !== null && !(answer?.ok ?? false)) return exitOf(by);
    if (answer === null) return EXIT.failed;
    return printAnswer(session, call, withoutSecrets(answer, grant.runtime.secrets), warnings);
  } finally {
    await grant.close();
  }
}

/** A verb that does not exist is a wrong word of the user's, not a failure of the call. */
function requireVerb({ runtime }: EffectiveGrant, { adapter, verb }: Call): void {
  const entry = runtime.catalog.adapter(adapter);
  if (entry === undefined) {
    const near = nearest(adapter, runtime.catalog.names());
    throw usageFault(`unknown adapter '${adapter}'${near === null ? "" : `; did you mean ${near}?`}`, [
      "a plugin is named with --plugin PATH",
    ]);
  }
  const names = [...entry.verbs.map(({ name }) => name), ...Object.keys(entry.aliases)];
  if (entry.open_verbs || names.some((name) => foldVerb(name) === foldVerb(verb))) return;
  const near = nearest(verb, names);
  throw usageFault(`${adapter} has no verb '${verb}'${near === null ? "" : `; did you mean ${near}?`}`, [
    `its verbs: ${entry.verbs.map(({ name }) => name).join(" ")}`,
  ]);
}

/** Without a program around it, a failing function of core reads like a failing adapter. */
function outsideProgram(error: RunError, { adapter, verb }: Pick<Call, "adapter" | "verb">): RunError {
  if (adapter !== "core" || error.code !== "RUNTIME_OP_ERROR") return error;
  const called = { adapter, verb: verb.toUpperCase(), adapter_code: coreCodeOf(error.data["cause_type"]) };
  const data = { cause_type: "adapter", retryable: false, ...called, retry_after_ms: null, details: null };
  return { ...error, code: "RUNTIME_ADAPTER_ERROR", data };
}

function printAnswer(
  { screen }: Session,
  { adapter, verb }: Call,
  answer: RunAnswer,
  warnings: readonly string[],
): number {
  const later = answer.warnings.filter((warning) => !warnings.includes(warning));
  for (const warning of later) screen.warning(warning);
  const facts = { adapter, verb, duration_ms: answer.duration_ms, warnings: [...warnings, ...later] };
  const { trace_id } = answer;
  if (answer.ok) {
    if (screen.json) screen.document({ ok: true, trace_id, result: answer.out, ...facts });
    else screen.text(resultText(answer.out, false));
    if (screen.verbose) screen.err(`${screen.errorPaint.ok("ok")}  ${duration(answer.duration_ms)}\n`);
    return EXIT.success;
  }
  const error = outsideProgram(answer.error, { adapter, verb });
  const word = surfaceWord(error.code, error.data);
  if (screen.json)
    screen.document({ ok: false, trace_id, error: word, message: error.message, error_structured: error, ...facts });
  const code = error.data["adapter_code"];
  const head = screen.errorPaint.bold(typeof code === "string" ? code : error.code);
  screen.err(`${screen.errorPaint.error("error")} ${head}  ${visible(error.message)}\n`);
  screen.err(`${visibleLines(jsonIndented(error.data))}\n`);
  return error.code === "RUNTIME_INTERNAL" ? EXIT.defect : EXIT.failed;
}
