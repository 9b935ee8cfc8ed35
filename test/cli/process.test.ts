/** The built binary as a real process: streams, signals, closed pipes. Skipped, with the reason, when it is not built. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { verifies } from "../support/requirements.ts";
import { folderWith } from "./folders.ts";

const BINARY = fileURLToPath(new URL("../../dist/wf.mjs", import.meta.url));
const built = existsSync(BINARY);
if (!built) console.warn("test/cli/process.test.ts: skipped, dist/wf.mjs is not built (npm run build)");

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const run = (argv: readonly string[], input = "", cwd?: string) =>
  spawnSync(process.execPath, [BINARY, ...argv], {
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(cwd === undefined ? {} : { cwd }),
  });

describe.skipIf(!built)("the built wf", () => {
  it("runs one program and exits with its code", () => {
    verifies(
      "service.cli-one-shot",
      "service.container-per-run",
      "cli.stdin",
      "cli.exit.0",
      "cli.exit.1",
      "cli.exit.2",
    );
    const cwd = folderWith({ "hello.wf": HELLO });
    expect(run(["run", "hello.wf"], "", cwd)).toMatchObject({ status: 0, stdout: "5\n", stderr: "" });
    expect(run(["run", "-", "--json"], HELLO).stdout).toMatch(/^\{"ok":true.*"out":5.*\}\n$/);
    expect(run(["run", "-"], 'L1:\n  J "open\n').status).toBe(1);
    expect(run(["run", "missing.wf"], "", cwd).status).toBe(2);
  });

  it("writes large results whole", () => {
    const program = "L1:\n  X xs range 0 200000\n  J xs\n";
    const result = run(["run", "-", "--json"], program);
    expect(result.status).toBe(0);
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: true, out: { length: 200_000 } });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it with %d", async (signal, code) => {
    verifies("cli.exit.130");
    // The warning about the adapter that is never called is the sign that the run begins.
    const program = [
      "L1:",
      "  Set n 1",
      "  While n ->L2 ->L3 limit=100000000",
      "L2:",
      "  J 1",
      "L3:",
      '  R http.Get "https://example.com/" ->r',
      "  J r",
      "",
    ].join("\n");
    const flags = ["--json", "--max-steps", "9000000000", "--max-time-ms", "60000", "--allow-adapter", "core"];
    const child = spawn(process.execPath, [BINARY, "run", "-", ...flags], { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", (status) => resolve(status)));
    const begun = new Promise<void>((resolve) => child.stderr.once("data", () => resolve()));
    child.stdin.end(program);
    await begun;
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: "cancelled" });
  });

  it("stops quietly when nobody reads", async () => {
    const cwd = folderWith({ "big.wf": "L1:\n  X xs range 0 300000\n  J xs\n" });
    const child = spawn(
      "sh",
      ["-c", `"${process.execPath}" "${BINARY}" run "${join(cwd, "big.wf")}" | head -n 1; exit 0`],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const ended = new Promise<number | null>((resolve) => child.on("close", (status) => resolve(status)));
    expect(await ended).toBe(0);
    expect(stderr).toBe("");
  });
});
