/** The built `wf serve` as a process that tests start and kill. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const BINARY = fileURLToPath(new URL("../../../dist/wf.mjs", import.meta.url));
export const isBuilt = existsSync(BINARY);
if (!isBuilt) console.warn("skipped: dist/wf.mjs is not built (npm run build)");

export type ServeProcess = {
  /** 0 when it ended before it served. */
  readonly port: number;
  readonly stderr: () => string;
  /** Ends the process with nothing said, or asks it to end; resolves with its exit code. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null>;
};

/** Resolves when it serves, or when it has ended without. */
export async function serveProcess(variables: Readonly<Record<string, string>>): Promise<ServeProcess> {
  const child = spawn(process.execPath, [BINARY, "serve", "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (): boolean => child.kill("SIGKILL");
  process.once("exit", stop);
  child.once("exit", () => process.removeListener("exit", stop));
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const port = await servedPort(child);
  return {
    port,
    stderr: () => stderr,
    async end(signal) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}

function servedPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("close", () => resolve(0));
    // The log is read to its end: a full pipe would stop the service.
    createInterface({ input: child.stdout as Readable }).on("line", (line) => {
      if (!line.includes('"event":"server_start"')) return;
      resolve(Number((JSON.parse(line) as { readonly port: number }).port));
    });
  });
}
