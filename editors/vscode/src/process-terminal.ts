/**
 * A process whose output goes to a terminal of the editor. It is started directly: a shell, or a task of the editor, would read
 * `$(…)` or `${command:…}` in the names that a program's author chose. It knows nothing of the editor's interface.
 */
import { spawn } from "node:child_process";
import type { Invocation } from "./invocation.ts";

export type RunningProcess = {
  /** As Ctrl+C does. */
  interrupt(): void;
  /** For a terminal that is closed. */
  end(): void;
  /** Settles when the process has ended, or could not be started, and all was written. Never rejects. */
  readonly ended: Promise<void>;
};

/** Starts it and writes what it says, with the line ends of a terminal, and at last how it ended. */
export function startProcess(
  { command, args }: Invocation,
  cwd: string | null,
  write: (text: string) => void,
): RunningProcess {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    shell: false,
    ...(cwd === null ? {} : { cwd }),
  });
  const say = (text: string): void => write(shown(text).replace(/\r?\n/g, "\r\n"));
  child.stdout.setEncoding("utf8").on("data", say);
  child.stderr.setEncoding("utf8").on("data", say);
  const ended = new Promise<void>((resolve) => {
    let absent = false;
    child.once("error", (error) => {
      absent = child.pid === undefined;
      say(`${command}: ${error.message}\n`);
    });
    child.once("close", (code, signal) => {
      if (!absent) say(`\n[${signal === null ? `exit code ${code}` : `ended by ${signal}`}]\n`);
      resolve();
    });
  });
  return { interrupt: () => void child.kill("SIGINT"), end: () => void child.kill(), ended };
}

/** A program's result may hold what a terminal obeys: the process writes to a pipe, and leaves it as it is. */
function shown(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
