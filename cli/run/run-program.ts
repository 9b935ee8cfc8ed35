/** One run from plan to printed answer and exit code. The grant is settled before; here the program is executed. */

import { withoutSecrets } from "../../adapters/run-log/redaction.ts";
import { inputsNotGiven } from "../../compiler/ir/frame-inputs.ts";
import type { Prepared } from "../../vm/admission/prepare.ts";
import { warningsBefore } from "../../vm/gateway.ts";
import type { HostRunRequest, RunAnswer } from "../../vm/host.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { lineSafe } from "../../vm/values/json-line.ts";
import { sharedPlaceNotes } from "../grant/shared-places.ts";
import { checkOutputs, writeAtomically } from "../input/files.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { recordDocument } from "../input/replay-log-file.ts";
import { failureText } from "../output/failure/run-failure.ts";
import { printedText, type RunReport, resultText, runDocument, successLine, traceTable } from "../output/run.ts";
import { jsonLine } from "../output/terminal/json.ts";
import { counted } from "../output/terminal/table.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { loadWithFrame, planned, showDiagnostics } from "./prepare-program.ts";
import { askingOn, NO_ANSWERS } from "./questions/asking.ts";
import type { RunPlan } from "./run-plan.ts";
import { showWaiting, type Waiting } from "./waiting.ts";

export async function runProgram(session: Session, asked: RunPlan): Promise<number> {
  const { io, screen } = session;
  for (const name of session.environment.foreign) screen.note(`wf run ignores ${name}, a variable of the services`);
  const { program, plan } = await loadWithFrame(session, asked);
  const started = io.clock.now();
  const { prepared, entry } = await planned(session, plan, program);
  checkOutputs(session.cwd, program.input, plan.out, plan.record, ...traceFiles(plan));
  const touched = plan.replay === null || plan.continues === true ? sharedPlaceNotes(session, prepared) : [];
  for (const note of [...plan.grant.notes, ...touched]) screen.note(note);
  const known = saidBefore(plan, program, prepared);
  const { result, by } = await interruptible(io, (signal, cleans) => {
    // Ctrl-C cancels from the first output on, so that a user can react to a warning.
    showDiagnostics(session, program);
    for (const warning of known) screen.warning(warning);
    return execute(session, program, prepared, plan, signal, cleans);
  }).finally(() => plan.grant.close());
  if (result === null) {
    throw new CliFault("interrupted; an adapter did not stop within 2 s", {
      error: "cancelled",
      exitCode: by === null ? EXIT.failed : exitOf(by),
    });
  }
  const answer = withoutSecrets(result, plan.grant.runtime.secrets);
  const report: RunReport = {
    program,
    answer,
    durationMs: thousandths(program.compileMs + io.clock.now() - started),
    warnings: [...new Set([...known, ...answer.warnings])],
    notGiven: inputsNotGiven(program.ir, entry, plan.frame),
  };
  for (const warning of report.warnings.slice(known.length)) screen.warning(warning);
  writeTraces(session, plan, answer);
  if (plan.record !== undefined && answer.record !== undefined) {
    const document = recordDocument(answer.record, { traceId: answer.trace_id, frame: plan.frame });
    writeAtomically(session.cwd, plan.record, `${lineSafe(JSON.stringify(document))}\n`, 0o600);
  }
  const unused = answer.ok ? (answer.replay?.remaining ?? 0) : 0;
  if (unused > 0) screen.note(`${counted(unused, "call")} of the log not used`);
  printReport(session, plan, report);
  if (by !== null && !answer.ok && answer.error.code === "RUNTIME_CANCELLED") return exitOf(by);
  return exitCodeOf(answer);
}

/** Runs a prepared program as planned, and prints nothing but the events that WF_LOG_LEVEL asks for. */
export async function execute(
  session: Session,
  program: LoadedProgram,
  prepared: Prepared,
  plan: RunPlan,
  signal: AbortSignal,
  cleans?: (ms: number) => void,
): Promise<RunAnswer> {
  const waiting = showWaiting(session, prepared);
  try {
    return await executed(session, program, waiting, plan, { signal, cleans });
  } finally {
    waiting.end();
  }
}

async function executed(
  session: Session,
  program: LoadedProgram,
  { prepared, progress, end }: Pick<Waiting, "prepared" | "progress" | "end">,
  plan: RunPlan,
  ends: Pick<HostRunRequest, "cleans"> & { readonly signal: AbortSignal },
): Promise<RunAnswer> {
  const { signal } = ends;
  const level = session.environment.logLevel;
  // A run that is continued keeps its call ids, so that a keyed write whose answer was lost is not done twice.
  const continued = plan.continues === true ? plan.replay?.traceId : null;
  const asking = askingOn({ io: session.io, signal, before: end }, plan.answers ?? NO_ANSWERS);
  if (level === null) return runPlanned(prepared, plan, ends, { traceId: continued ?? undefined, progress, ...asking });
  const { beginLog } = await import("./run-log.ts");
  const traceId = continued ?? session.io.uuid();
  const { observer, ended } = beginLog(session, program, prepared, plan, { level, traceId });
  const answer = await runPlanned(prepared, plan, ends, { traceId, observer, ...asking });
  ended(answer, answer.duration_ms);
  return answer;
}

function runPlanned(
  prepared: Prepared,
  plan: RunPlan,
  ends: Pick<HostRunRequest, "signal" | "cleans">,
  logged: Pick<HostRunRequest, "traceId" | "observer" | "progress" | "wait" | "desk"> = {},
): Promise<RunAnswer> {
  const { show, document, lines } = plan.trace;
  return plan.grant.gateway.run(prepared, {
    ...logged,
    frame: plan.frame,
    outText: true,
    // It was checked when it was read.
    inputs: "checked",
    trace: show || document !== undefined || lines !== undefined,
    ...ends,
    record: plan.record !== undefined,
    dryRun: plan.dryRun,
    ...(plan.replay === null ? {} : { replay: plan.replay.log, replayContinues: plan.continues ?? false }),
    ...(plan.label === undefined ? {} : { label: plan.label }),
  });
}

/** What can be said before the first step: ignored limits, facts of the IR, calls and literals that will be refused. */
function saidBefore(plan: RunPlan, program: LoadedProgram, prepared: Prepared): string[] {
  const known = warningsBefore(prepared.warnings, {
    replay: plan.replay?.log,
    replayContinues: plan.continues ?? false,
  });
  return [...new Set([...plan.warnings, ...plan.grant.warnings, ...program.warnings, ...known])];
}

/** The files that `--trace-out` and `--trace-jsonl` name. */
export function traceFiles({ trace: { document, lines } }: Pick<RunPlan, "trace">): readonly (string | undefined)[] {
  return [document, lines === "-" ? undefined : lines];
}

export function writeTraces(
  session: Session,
  plan: Pick<RunPlan, "trace">,
  answer: Pick<RunAnswer, "trace" | "trace_id" | "label_written" | "ok">,
): void {
  const events = answer.trace ?? [];
  if (plan.trace.document !== undefined) {
    const document = { trace_id: answer.trace_id, label: answer.label_written, ok: answer.ok, trace: events };
    writeAtomically(session.cwd, plan.trace.document, jsonLine(document), 0o600);
  }
  if (plan.trace.lines === undefined) return;
  const lines = events.map(jsonLine).join("");
  if (plan.trace.lines === "-") session.screen.out(lines);
  else writeAtomically(session.cwd, plan.trace.lines, lines, 0o600);
}

function printReport(session: Session, plan: RunPlan, report: RunReport): void {
  const { screen } = session;
  const { answer } = report;
  if (plan.print === undefined && !screen.json) screen.err(printedText(answer));
  if (plan.out !== undefined && answer.ok)
    writeAtomically(session.cwd, plan.out, resultText(answer.out, plan.raw, answer.out_text));
  if (plan.print !== undefined) {
    plan.print(runDocument(report, plan.frame));
    if (!answer.ok) screen.err(failureText(report, screen));
    return;
  }
  if (screen.json) {
    const document = runDocument(report, plan.frame);
    const { trace, ...rest } = document;
    screen.document(plan.trace.show ? document : rest);
    return;
  }
  if (plan.trace.show && answer.trace !== undefined)
    screen.err(traceTable(answer.trace, report.program.ir, screen.errorTraceWidth));
  if (!answer.ok) {
    screen.err(failureText(report, screen));
    return;
  }
  // Events on stdout leave no place for the result there.
  if (plan.out === undefined && plan.trace.lines !== "-") {
    const text = resultText(answer.out, plan.raw, answer.out_text);
    if (plan.raw) screen.out(text);
    else screen.text(text);
  }
  if (screen.verbose) screen.err(successLine(report, screen));
}

function exitCodeOf(answer: RunAnswer): number {
  if (answer.ok) return EXIT.success;
  if (answer.error.code === "RUNTIME_INTERNAL") return EXIT.defect;
  return EXIT.failed;
}
