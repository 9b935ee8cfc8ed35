/**
 * `wf replay --check DIR`: every record below a folder against its program, for continuous integration. A record passes when the
 * program makes exactly the recorded calls and succeeds; one of a run that failed passes when it fails again.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JsonObject } from "../../compiler/json.ts";
import type { RunAnswer } from "../../vm/host.ts";
import { expandFiles } from "../input/files.ts";
import { type LogFile, readLogFile } from "../input/replay-log-file.ts";
import { divergence } from "../output/failure/divergence.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { loadPlanned, prepare } from "../run/prepare-program.ts";
import type { RunPlan } from "../run/run-plan.ts";
import { execute } from "../run/run-program.ts";
import { withStandIns } from "../run/stand-ins.ts";
import { CliFault, CompileFault, EXIT, usageFault, worstExit } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

const SUFFIX = ".record.json";

type Verdict = {
  readonly path: string;
  readonly program: string | null;
  readonly exit: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly data: JsonObject | null;
  /** Further lines of the human form. */
  readonly lines: readonly string[];
};

type MakePlan = (session: Session, file: string, log: LogFile) => RunPlan;

export async function checkRecords(session: Session, folder: string, planFor: MakePlan): Promise<number> {
  const files = recordsBelow(session.cwd, folder);
  const verdicts: Verdict[] = [];
  const { by } = await interruptible(session.io, async (signal) => {
    for (const file of files) if (!signal.aborted) verdicts.push(await check(session, file, planFor, signal));
  });
  print(session, verdicts);
  return by === null ? worstExit(verdicts.map((verdict) => verdict.exit)) : exitOf(by);
}

function recordsBelow(cwd: string, folder: string): string[] {
  const base = folder.replace(/\/+$/, "");
  try {
    return expandFiles(cwd, [`${base}/**/*${SUFFIX}`]);
  } catch (cause) {
    if (cause instanceof CliFault) throw usageFault(`no *${SUFFIX} below ${folder}`);
    throw cause;
  }
}

async function check(session: Session, path: string, planFor: MakePlan, signal: AbortSignal): Promise<Verdict> {
  let program: string | null = null;
  try {
    const log = readLogFile(session.cwd, path);
    program = programOf(session.cwd, path, log);
    const known = withStandIns(session, log.adapters);
    const plan = planFor(known, program, log);
    const loaded = await loadPlanned(known, plan, Object.keys(plan.frame));
    const prepared = await prepare(plan, loaded);
    const answer = await execute(known, loaded, prepared, plan, signal).finally(() => plan.grant.close());
    return judge(session, path, program, log, answer);
  } catch (cause) {
    // What is wrong with the command line is wrong for every record.
    if (cause instanceof CliFault && cause.error === "usage_error") throw cause;
    const facts = { path, program, data: null, lines: [] };
    if (cause instanceof CliFault) return { ...facts, exit: cause.exitCode, code: cause.error, message: cause.message };
    if (!(cause instanceof CompileFault)) throw cause;
    return { ...facts, exit: EXIT.failed, code: "compile_error", message: `${cause.program} does not compile` };
  }
}

function judge(session: Session, path: string, program: string, log: LogFile, answer: RunAnswer): Verdict {
  const passed = { path, program, exit: EXIT.success, code: null, message: null, data: null, lines: [] };
  if (answer.ok) return passed;
  const { error } = answer;
  const diverged = error.code.startsWith("RUNTIME_REPLAY_") || (answer.replay?.remaining ?? 0) > 0;
  if (log.incomplete && !diverged && error.code !== "RUNTIME_CANCELLED") return passed;
  const { code, message, data } = error;
  const place = error.line === null ? [] : [`  --> ${visible(error.file ?? program)}:${error.line}`];
  return {
    ...passed,
    exit: EXIT.failed,
    code,
    message,
    data,
    lines: [...place, ...divergence(error, session.screen.width)],
  };
}

/** The program that the log names, or the program of the same name next to it. */
function programOf(cwd: string, path: string, log: LogFile): string {
  if (log.program !== null) return join(dirname(path), log.program);
  const stem = path.slice(0, -SUFFIX.length);
  const found = [`${stem}.wf`, `${stem}.json`].find((file) => existsSync(resolve(cwd, file)));
  return found ?? `${stem}.wf`;
}

function print({ screen }: Session, verdicts: readonly Verdict[]): void {
  const failed = verdicts.filter((verdict) => verdict.exit !== EXIT.success).length;
  if (screen.json) {
    const files = verdicts.map(({ path, program, exit, code, message, data }) => ({
      path,
      program,
      ok: exit === EXIT.success,
      ...(code === null ? {} : { error: code, message, ...(data === null ? {} : { data }) }),
    }));
    screen.document({ ok: failed === 0, files, passed: verdicts.length - failed, failed });
    return;
  }
  for (const { path, code, message, lines } of verdicts) {
    if (code === null) screen.out(`${screen.paint.ok("ok")}      ${visible(path)}\n`);
    else {
      screen.out(`${screen.paint.error("failed")}  ${visible(path)}  ${code}  ${visible(message ?? "")}\n`);
      for (const line of lines) screen.out(`${line}\n`);
    }
  }
  screen.out(`\n${counted(verdicts.length, "record")}, ${failed} failed\n`);
}
