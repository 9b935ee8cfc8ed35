/** The built `wf serve` as a process that tests start and kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const BINARY = fileURLToPath(new URL("../../../../dist/wf.mjs", import.meta.url));
export const isBuilt = existsSync(BINARY);
if (!isBuilt) console.warn("skipped: dist/wf.mjs is not built (npm run build)");

export type StartedProcess = {
  /** When it serves; 0 when it ended before it did. */
  readonly served: Promise<number>;
  readonly pid: number;
  readonly stderr: () => string;
  /** Ends the process with nothing said, or asks it to end; resolves with its exit code. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
};
export type ServeProcess = Omit<StartedProcess, "served"> & {
  /** 0 when it ended before it served. */
  readonly port: number;
};

const SHIFTED_CLOCK = new URL("../../../support/shifted-clock.mjs", import.meta.url).href;

/** For a process that starts while the clock of its machine is wrong by `ms`, and is set right when it is `untilMs` old. */
export function shiftedClock(ms: number, untilMs: number): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
    WEFT_TEST_CLOCK_MS: String(ms),
    WEFT_TEST_CLOCK_UNTIL_MS: String(untilMs),
  };
}

const alive = new Set<ChildProcess>();

/** Ends processes that a failed test left running: for `afterAll`. */
export function endServices(): void {
  for (const child of alive) child.kill("SIGKILL");
}
process.once("exit", endServices);

/** Resolves when it serves, or when it has ended without. */
export async function serveProcess(
  variables: Readonly<Record<string, string>>,
  argv?: readonly string[],
): Promise<ServeProcess> {
  const { served, ...started } = startProcess(variables, "", argv);
  return { ...started, port: await served };
}

/** `bounds`: of the shell that starts it, as its `ulimit` takes them. `argv`: of Node; default: the built `wf serve`. */
export function startProcess(
  variables: Readonly<Record<string, string>>,
  bounds = "",
  argv: readonly string[] = [BINARY, "serve", "--port", "0"],
): StartedProcess {
  const command = [process.execPath, ...argv];
  const bounded = bounds === "" ? command : ["/bin/sh", "-c", `ulimit ${bounds}; exec "$@"`, "sh", ...command];
  const child = spawn(bounded[0] as string, bounded.slice(1), {
    env: { PATH: process.env["PATH"] ?? "", WF_WORKER_THREADS: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  alive.add(child);
  child.once("exit", () => alive.delete(child));
  // Not its exit: what it said last may still be on its way.
  const closed = once(child, "close");
  let stderr = "";
  child.stderr
    ?.on("error", () => {})
    .on("data", (chunk) => {
      stderr += String(chunk);
    });
  return {
    served: servedPort(child),
    pid: child.pid ?? 0,
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}

function servedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("close", () => resolve(0));
    // The log is read to its end: a full pipe would stop the service. A pipe of a killed process may end with ECONNRESET.
    createInterface({ input: child.stdout as Readable })
      .on("error", () => {})
      .on("line", (line) => {
        if (!line.includes('"event":"server_start"')) return;
        resolve(Number((JSON.parse(line) as { readonly port: number }).port));
      });
  });
}
