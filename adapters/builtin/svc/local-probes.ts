/**
 * Probes of the machine itself: units of systemd, processes, files that a service touches while it is well. Files are named by the
 * operator; of a pid file only the number is taken.
 */
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { runProcess } from "../../engine/process/run.ts";
import type { ProcessService } from "../../engine/process/service.ts";
import { errnoOf } from "../../guard/files/errors.ts";
import type { ProbeOf } from "./settings.ts";
import { degraded, down, UP, unknown, type Verdict } from "./verdict.ts";

const MAX_OUTPUT_BYTES = 16_384;
/** More than any number of a process, with its line end. */
const PID_BYTES = 32;

/** The unit follows `--`, so that a name is never read as an option. */
export function systemctl(...args: readonly string[]) {
  return { argv: ["systemctl", ...args], env: ["PATH"] };
}

export async function probeSystemd(
  { unit }: ProbeOf<"systemd">,
  processes: ProcessService,
  signal: AbortSignal,
): Promise<Verdict> {
  const command = systemctl("show", "--property=ActiveState,SubState,MainPID", "--", unit);
  const { exitCode, stdout } = await runProcess(processes, command, {
    input: "",
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  const state = /^ActiveState=([a-z-]+)$/m.exec(stdout.toString("utf8"))?.[1];
  if (exitCode !== 0 || state === undefined) return unknown("systemd");
  if (state === "active") return UP;
  return state === "reloading" || state === "activating" ? degraded(state) : down(state);
}

export async function probeProcess({ pid_file: path }: ProbeOf<"process">): Promise<Verdict> {
  const text = await beginning(path);
  if (text === null) return down("no_pid_file");
  const pid = /^\s*([1-9][0-9]{0,9})\s*$/.exec(text)?.[1];
  return pid !== undefined && isRunning(Number(pid)) ? UP : down("not_running");
}

/** Signal 0 asks only; a process of somebody else may not be signalled, but it runs. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return errnoOf(thrown) === "EPERM";
  }
}

/** Null when the file does not exist. */
async function beginning(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((thrown: unknown) => {
    if (errnoOf(thrown) === "ENOENT") return null;
    throw thrown;
  });
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PID_BYTES), 0, PID_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

export async function probeHeartbeat(probe: ProbeOf<"heartbeat">, now: number): Promise<Verdict> {
  try {
    const { mtimeMs } = await stat(probe.file);
    // One that lies ahead is from before the clock was set back.
    return Math.abs(now - mtimeMs) > probe.max_age_s * 1000 ? down("stale") : UP;
  } catch (thrown) {
    if (errnoOf(thrown) === "ENOENT") return down("no_heartbeat");
    throw thrown;
  }
}
