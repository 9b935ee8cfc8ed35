/**
 * Small programs for tests that need a process of their own: to be killed in the middle of something, to run under another user,
 * or to be one of several writers. They are written in the test and bundled with what they import.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
/** The user `nobody`, for whom permissions hold when tests run as root. */
const NOBODY = 65534;

export type Ended = { readonly code: number | null; readonly signal: string | null; readonly output: string };

export type ChildProgram = {
  /** Its standard output is collected by `ended`. */
  start(args: readonly string[], user?: "nobody"): ChildProcess;
  run(args: readonly string[], user?: "nobody"): Promise<Ended>;
  remove(): void;
};

/** Bundles `source`, whose imports are relative to the repository. */
export async function childProgram(source: string): Promise<ChildProgram> {
  const folder = mkdtempSync(join(tmpdir(), "weft-child-"));
  chmodSync(folder, 0o755);
  const outfile = join(folder, "program.mjs");
  await build({
    stdin: { contents: source, resolveDir: REPOSITORY, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const start = (args: readonly string[], user?: "nobody"): ChildProcess => {
    const drop = user === "nobody" && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    return spawn(process.execPath, [outfile, ...args], { stdio: ["ignore", "pipe", "inherit"], cwd: "/", ...drop });
  };
  return {
    start,
    run: (args, user) => ended(start(args, user)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, output };
}
