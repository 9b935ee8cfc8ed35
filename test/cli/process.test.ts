/** The built binary as a real process: streams, signals, closed pipes. Skipped, with the reason, when it is not built. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, watch } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
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

  describe.skipIf(!existsSync("/dev/stdout"))("a result for a stream that is open", () => {
    const shell = (cwd: string, script: string) =>
      spawnSync("sh", ["-c", script, process.execPath, BINARY], { encoding: "utf8", cwd, input: '{"n":1}\n{"n":2}\n' });
    const files = { "hello.wf": HELLO, "n.wf": "# frame: n\nL1:\n  J n\n" };
    it.each([
      ["a pipe", "wf run hello.wf --out /dev/stdout | cat; cat /dev/null", "5\n"],
      [
        "a redirected file",
        "(echo before; wf run hello.wf --out /dev/stdout; echo after) > f; cat f",
        "before\n5\nafter\n",
      ],
      ["a number", "(echo before; wf run hello.wf --out /dev/fd/3; echo after) 3> f; cat f", "before\nafter\n5\n"],
      ["a link", "ln -s /proc/self/fd/1 l; (wf run hello.wf --out l; echo after) > f; cat f", "5\nafter\n"],
      ["stderr", "(echo before; wf run hello.wf --out /dev/stderr; echo after) 2>&1 | cat", "before\n5\nafter\n"],
      ["two results", "(wf run hello.wf --out /dev/stdout --record /dev/stdout) > f; wc -l < f", "2\n"],
      [
        "compiled code",
        "(echo before; wf compile hello.wf --format canonical-source --out /dev/stdout; echo after) > f; tail -n 1 f; head -n 1 f",
        "after\nbefore\n",
      ],
      [
        "a batch",
        '(echo before; wf batch n.wf --in - --ordered --rows full --quiet --out /dev/stdout; echo after) > f; sed "s/,.ok.*//" f; ls /dev/*.resume 2>/dev/null',
        'before\n{"index":0\n{"index":1\nafter\n',
      ],
    ])("is written to it: %s", (_, script, wanted) => {
      const cwd = folderWith(files);
      const { stdout, stderr } = shell(cwd, `wf() { '${process.execPath}' '${BINARY}' "$@"; }\n${script}`);
      expect([stdout, stderr]).toEqual([wanted, ""]);
    });

    it("is refused where the stream is closed, before anything runs", () => {
      const { status, stderr } = shell(
        folderWith(files),
        `exec '${process.execPath}' '${BINARY}' run hello.wf --out /dev/fd/999`,
      );
      expect([status, stderr]).toEqual([
        2,
        "error output_error  /dev/fd/999 cannot be written (EBADF): it is not open for writing\n",
      ]);
    });
  });

  it.skipIf(process.platform !== "linux").each<[readonly string[], number, string]>([
    [["--version"], 0, ""],
    [["--help"], 0, ""],
    [["mcp"], 2, "the working folder does not exist any more"],
    [["run", "hello.wf"], 2, "the working folder does not exist any more"],
    [["run", "hello.wf", "--cwd", "OTHER"], 0, ""],
    [["serve"], 2, "the working folder does not exist any more"],
    [["doctor"], 2, "the working folder does not exist any more"],
  ])("in a folder that was deleted, %j ends with %i and one sentence", (argv, code, message) => {
    const other = folderWith({ "hello.wf": HELLO });
    const gone = folderWith({});
    const words = argv.map((word) => (word === "OTHER" ? other : word));
    const script = 'cd "$0" && rmdir "$0" && exec "$@"';
    const { status, stderr } = spawnSync("sh", ["-c", script, gone, process.execPath, BINARY, ...words], {
      encoding: "utf8",
      input: "",
    });
    expect(stderr).toContain(message);
    expect(stderr.split("\n").length).toBeLessThanOrEqual(2);
    expect(status).toBe(code);
  });

  it("prints no warning when both NO_COLOR and FORCE_COLOR are set", () => {
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "1" };
    const { stdout, stderr } = spawnSync(process.execPath, [BINARY, "check", "-"], {
      input: "L1:\n  J ghost\n",
      encoding: "utf8",
      env,
    });
    expect([stdout.split("\n")[0], stderr]).toEqual([
      "<stdin>:2:5 error WF4001 nothing sets 'ghost' before this step",
      "",
    ]);
  });

  it.skipIf(!existsSync("/dev/full")).each([["run", "-"], ["run", "-", "--json"], ["compile", "-"], ["--version"]])(
    "a result that cannot be written is reported: %j",
    (...argv) => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, [BINARY, ...argv], {
        input: HELLO,
        stdio: ["pipe", full, "pipe"],
        encoding: "utf8",
      });
      closeSync(full);
      expect([status, stderr]).toEqual([2, "error output_error  standard output cannot be written (ENOSPC)\n"]);
    },
  );

  it.skipIf(process.platform === "win32").each([["--help"], ["profiles"], ["mcp"], ["serve"], ["fmt", "-"]])(
    "a system that cannot open more files is reported: %j",
    (...argv) => {
      // How many files the runtime itself has open differs from version to version.
      for (const most of [20, 24, 28]) {
        const limited = `ulimit -n ${most}; exec "$0" "$@"`;
        const { status, stderr } = spawnSync("sh", ["-c", limited, process.execPath, BINARY, ...argv], {
          input: HELLO,
          encoding: "utf8",
        });
        expect(stderr).not.toContain("internal error");
        if (status === 2)
          expect(stderr).toBe(
            "error too_many_open_files  this process may not open more files (EMFILE); raise the limit: ulimit -n 1024\n",
          );
      }
    },
  );

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

  const RECORDS = Array.from({ length: 50_000 }, (_, n) =>
    JSON.stringify({ namespace: "ops", record_kind: "k", record_id: `r${n}`, payload: { n } }),
  ).join("\n");
  const ENTRIES = { ops: Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])) };

  it.each([
    ["memory", RECORDS, ["--memory-db", "own.db"]],
    ["cache", JSON.stringify(ENTRIES), ["--cache-path", "own.db", "--set", "cache.max_entries=100000"]],
  ])("SIGINT ends wf %s import between two calls", { timeout: 60_000 }, async (command, content, flags) => {
    const cwd = folderWith({ content });
    // The store appears with the first call.
    const store = watch(cwd);
    const child = spawn(process.execPath, [BINARY, command, "import", "content", "--json", ...flags], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const ended = once(child, "close");
    await Promise.race([
      ended,
      new Promise<void>((resolve) => store.on("change", (_, name) => name === "own.db" && resolve())),
    ]);
    store.close();
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    const { ok, imported, kept } = JSON.parse(stdout);
    expect([ok, kept]).toEqual([true, 0]);
    expect(imported).toBeLessThan(50_000);
  });

  it("looks for the files of servers in --cwd", { timeout: 60_000 }, async () => {
    const cwd = folderWith({ "server.json": JSON.stringify({ name: "of_this_folder", adapter_allowlist: ["core"] }) });
    const flags = ["--cwd", cwd, "--profile", "./server.json"];
    const listed = run(["mcp", "--list", "--json", ...flags], "", "/");
    expect([listed.status, JSON.parse(listed.stdout)]).toMatchObject([0, { profile: "of_this_folder" }]);
    const child = spawn(process.execPath, [BINARY, "serve", "--port", "0", "--state-dir", "state", ...flags], {
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    for await (const line of createInterface({ input: child.stdout })) {
      if (JSON.parse(line).event !== "server_start") continue;
      expect(JSON.parse(line)).toMatchObject({ profile: "of_this_folder" });
      child.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
    expect(existsSync(join(cwd, "state"))).toBe(true);
  });

  it.each([
    [["--workers", "many"], "option --workers must be a whole number"],
    [["--database-url", "mysql://db"], "option --database-url must begin with postgres://"],
  ])("serve %j: a flag is its variable", (flags, message) => {
    const { status, stderr } = run(["serve", "--port", "0", ...flags]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("stops quietly when the reader of its output is gone", async () => {
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
