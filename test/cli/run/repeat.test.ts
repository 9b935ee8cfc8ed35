/** `wf run --repeat`: the figures of a clock that ticks by itself are exact. */
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { documentOf, tickingClock, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const HELLO = "# frame: n: number\nL1:\n  R core.ADD 2 n ->x\n  J x\n";
const folder = (files: Readonly<Record<string, string>> = {}): string => folderWith({ "hello.wf": HELLO, ...files });
const FLAGS = ["--frame", '{"n": 3}'];

describe("wf run --repeat", () => {
  it("prints figures, runs and steps in a second, and the adapters", async () => {
    const cwd = folder({ "cached.wf": "L1:\n  If true ->L2 ->L3\nL2:\n  J 1\nL3:\n  CacheGet c k ->x\n  J x\n" });
    const result = await wf(["run", "cached.wf", "--repeat", "5", "--cache-path", "c.db"], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toBe(
      [
        "compile    0.000 ms",
        "first run  0.000 ms",
        "p50        0.000 ms",
        "p95        0.000 ms",
        "p99        0.000 ms",
        "runs/s     0",
        "steps/s    0",
        "adapters   cache",
        "5 runs",
        "",
      ].join("\n"),
    );
  });

  it("counts runs and steps by the clock", async () => {
    const argv = ["run", "hello.wf", "--json", "--repeat", "40", ...FLAGS];
    const document = documentOf(await wf(argv, { cwd: folder(), clock: tickingClock(1) }));
    expect(document).toMatchObject({ ok: true, runs: 40, adapters: [] });
    const figures = document["figures"] as Record<string, number>;
    expect(figures["p50_ms"]).toBeGreaterThan(0);
    expect(figures["p50_ms"]).toBe(figures["p99_ms"]);
    expect(figures["runs_per_s"]).toBe(Math.round(1000 / (figures["p50_ms"] ?? 1)));
    expect(figures["steps_per_s"]).toBe(Math.round(2000 / (figures["p50_ms"] ?? 1)));
  });

  it("Ctrl-C ends it between runs, however short they are", async () => {
    const argv = ["run", "hello.wf", "--repeat", "1000000", ...FLAGS];
    const onListen = (send: (signal: "SIGINT") => void): void => void setImmediate(() => send("SIGINT"));
    expect(await wf(argv, { cwd: folder(), clock: realClock, onListen })).toMatchObject({ code: 130, stdout: "" });
  });

  it("reads the frame from standard input", async () => {
    const argv = ["run", "hello.wf", "--repeat", "2", "--frame", "@-"];
    expect(await wf(argv, { cwd: folder(), stdin: '{"n": 1}' })).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    [["hello.wf", "--repeat", "0"], 2, "option --repeat needs a number from 1 to 1000000, found '0'"],
    [["hello.wf", "--repeat", "many"], 2, "option --repeat needs a whole number, found 'many'"],
    [["hello.wf", "--repeat", "2", "--watch"], 2, "--repeat and --watch exclude each other"],
    [["--program", "digest", "--repeat", "2"], 2, "--repeat and --program exclude each other"],
    [["hello.wf", "--repeat", "2", "--record", "log.json"], 2, "--repeat and --record exclude each other"],
    [["hello.wf", "--repeat", "2", "--trace"], 2, "--repeat and --trace exclude each other"],
    [["hello.wf", "--repeat", "2", "--label", "L9"], 2, "label 'L9' does not exist"],
    [["hello.wf", "--repeat", "2", ...FLAGS, "--forbid-adapter", "core"], 3, "POLICY_ADAPTER_FORBIDDEN"],
    [["div.wf", "--repeat", "2"], 1, "division by zero"],
    [["bad.wf", "--repeat", "2", "--strict"], 1, "error WF"],
  ])("%j ends with %i", async (argv, code, message) => {
    const cwd = folder({ "div.wf": "L1:\n  X x div 1 0\n  J x\n", "bad.wf": "L1:\n  Nope\n" });
    const result = await wf(["run", ...argv], { cwd });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});
