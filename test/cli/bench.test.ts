/** `wf bench`: the figures of a clock that ticks by itself are exact. */
import { describe, expect, it } from "vitest";
import { realClock } from "../support/adapter-bench.ts";
import { documentOf, tickingClock, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const HELLO = "# frame: n: number\nL1:\n  R core.ADD 2 n ->x\n  J x\n";
const folder = (files: Readonly<Record<string, string>> = {}): string => folderWith({ "hello.wf": HELLO, ...files });
const FLAGS = ["--frame", '{"n": 3}', "--iterations", "40", "--warmup", "2"];

describe("wf bench", () => {
  it("prints figures, runs and steps in a second, and the adapters", async () => {
    const cwd = folder({ "cached.wf": "L1:\n  If true ->L2 ->L3\nL2:\n  J 1\nL3:\n  CacheGet c k ->x\n  J x\n" });
    const result = await wf(["bench", "cached.wf", "--iterations", "5", "--cache-path", "c.db"], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.replace(/heap .*/, "heap")).toBe(
      [
        "compile    0.000 ms",
        "first run  0.000 ms",
        "p50        0.000 ms",
        "p95        0.000 ms",
        "p99        0.000 ms",
        "runs/s     0",
        "steps/s    0",
        "heap",
        "adapters   cache",
        "5 runs",
        "",
      ].join("\n"),
    );
  });

  it("counts runs and steps by the clock", async () => {
    const document = documentOf(
      await wf(["bench", "hello.wf", "--json", ...FLAGS], { cwd: folder(), clock: tickingClock(1) }),
    );
    expect(document).toMatchObject({ ok: true, runs: 40, adapters: [], change: {} });
    const figures = document["figures"] as Record<string, number>;
    expect(figures["p50_ms"]).toBeGreaterThan(0);
    expect(figures["p50_ms"]).toBe(figures["p99_ms"]);
    expect(figures["runs_per_s"]).toBe(Math.round(1000 / (figures["p50_ms"] ?? 1)));
    expect(figures["steps_per_s"]).toBe(Math.round(2000 / (figures["p50_ms"] ?? 1)));
  });

  it("Ctrl-C ends it between runs, however short they are", async () => {
    const argv = ["bench", "hello.wf", "--frame", '{"n": 3}', "--iterations", "1000000"];
    const onListen = (send: (signal: "SIGINT") => void): void => void setImmediate(() => send("SIGINT"));
    expect(await wf(argv, { cwd: folder(), clock: realClock, onListen })).toMatchObject({ code: 130, stdout: "" });
  });

  it("measures for a second without --iterations", async () => {
    const argv = ["bench", "hello.wf", "--json", "--warmup", "0", "--frame", '{"n": 1}'];
    const { runs } = documentOf(await wf(argv, { cwd: folder(), clock: tickingClock(10) })) as { runs: number };
    expect(runs).toBeGreaterThan(1);
    expect(runs).toBeLessThan(100);
  });

  it("compares with an earlier document", async () => {
    const cwd = folder();
    const { stdout } = await wf(["bench", "hello.wf", "--json", ...FLAGS], { cwd, clock: tickingClock(2) });
    const here = folder({ "before.json": stdout, "other.json": stdout.replace(/sha256:\w+/, "sha256:0") });
    const again = ["bench", "hello.wf", ...FLAGS, "--compare"];
    const compared = await wf([...again, "before.json"], { cwd: here, clock: tickingClock(1) });
    expect(compared.stdout).toMatch(/p50 +\d+\.000 ms {2}0\.50 x\n/);
    expect(compared.stdout).toMatch(/runs\/s +\d+ +2\.0\d x\n/);
    expect(compared.stderr).toBe("");
    expect((await wf([...again, "other.json"], { cwd: here })).stderr).toContain("another program");
  });

  it.each([
    [["hello.wf", "--iterations", "0"], 2, "option --iterations needs a number from 1 to 1000000"],
    [["hello.wf", "--compare", "hello.wf"], 2, "hello.wf is not a document of wf bench --json"],
    [["hello.wf", "--label", "L9"], 2, "label 'L9' does not exist"],
    [["hello.wf", "--frame", '{"n": 3}', "--forbid-adapter", "core"], 3, "POLICY_ADAPTER_FORBIDDEN"],
    [["div.wf"], 1, "division by zero"],
    [["bad.wf", "--strict"], 1, "error WF"],
  ])("%j ends with %i", async (argv, code, message) => {
    const cwd = folder({ "div.wf": "L1:\n  X x div 1 0\n  J x\n", "bad.wf": "L1:\n  Nope\n" });
    const result = await wf(["bench", ...argv], { cwd });
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });
});
