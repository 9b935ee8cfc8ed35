/**
 * Programs of the operator as child processes: a fixed argument list without a shell, no environment but what is named,
 * a process group of their own, and no more than a few at once. All remaining processes of its group end with
 * it. It does not interpret what the programs read and write.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { adapterError } from "../../errors.ts";
import { WaitingLine } from "../waiting-line.ts";

export type Command = {
  /** Absolute path of the program, and its arguments. */
  readonly argv: readonly string[];
  /** Names of the variables it gets. */
  readonly env: readonly string[];
  readonly cwd?: string | undefined;
};

/** How a process ended: one of both is set. */
export type ProcessEnd = { readonly exitCode: number | null; readonly signal: string | null };

export interface RunningProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when it has ended and its output was read. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks its group to end, and ends it two seconds later. */
  stop(): void;
  /** Ends its group at once. */
  kill(): void;
}

export interface ProcessService {
  /**
   * Waits for its turn until `signal` fires. Rejects with ADAPTER_BUSY, or ADAPTER_NOT_CONFIGURED when it cannot be
   * started.
   */
  start(command: Command, signal: AbortSignal): Promise<RunningProcess>;
  /** Ends all processes. */
  close(): Promise<void>;
}

export type ProcessServiceOptions = {
  /** Where named variables come from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Most processes at once. */
  readonly most?: number;
};

const GRACE_MS = 2000;
/** How long output may stay open after the end, held by something that left the group. */
const LINGER_MS = 1000;
const MAX_WAITING = 1000;
/** Of the machine, not of the program. */
const SHORTAGES: ReadonlySet<string> = new Set(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"]);

export function createProcessService({ environment, most = 8 }: ProcessServiceOptions): ProcessService {
  const turns = Array.from({ length: most }, (_, turn) => turn);
  const line = new WaitingLine(turns, { waiting: MAX_WAITING, busy });
  const running = new Set<RunningProcess>();
  return {
    async start(command, signal) {
      const turn = await line.take(signal);
      try {
        const process = await started(command, environment);
        running.add(process);
        void process.ended.then(() => {
          running.delete(process);
          line.give(turn);
        });
        return process;
      } catch (thrown) {
        line.give(turn);
        throw thrown;
      }
    },
    async close() {
      line.close();
      await Promise.all(
        [...running].map((process) => {
          process.kill();
          return process.ended;
        }),
      );
    },
  };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

function started(command: Command, environment: ProcessServiceOptions["environment"]): Promise<RunningProcess> {
  const [program = "", ...args] = command.argv;
  const env: Record<string, string> = {};
  for (const name of command.env) {
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(notStarted(cause));
    try {
      const child = spawn(program, args, { cwd: command.cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
      child.once("error", failed);
      child.once("spawn", () => {
        child.off("error", failed);
        // What a program does not read is its own affair.
        for (const stream of [child, child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
        resolve(runningOf(child));
      });
    } catch (cause) {
      failed(cause);
    }
  });
}

function runningOf(child: Child): RunningProcess {
  let stopping: NodeJS.Timeout | undefined;
  let over = false;
  const group = (signal: "SIGTERM" | "SIGKILL") => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The group is empty.
    }
  };
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once("exit", (exitCode, signal) => {
      over = true;
      clearTimeout(stopping);
      group("SIGKILL");
      const linger = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LINGER_MS);
      child.once("close", () => {
        clearTimeout(linger);
        resolve({ exitCode, signal });
      });
    });
  });
  const kill = () => {
    if (!over) group("SIGKILL");
  };
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill,
    stop() {
      if (over || stopping !== undefined) return;
      group("SIGTERM");
      stopping = setTimeout(kill, GRACE_MS);
    },
  };
}

function notStarted(cause: unknown): Error {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  if (SHORTAGES.has(code)) return adapterError("ADAPTER_BUSY", "no further process can be started", { cause });
  return adapterError("ADAPTER_NOT_CONFIGURED", "the program cannot be started", { cause });
}

function busy(): Error {
  return adapterError("ADAPTER_BUSY", "too many programs are running");
}
