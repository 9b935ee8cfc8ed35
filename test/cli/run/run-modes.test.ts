/** `wf run` without running: `--plan`; in other words: `--summary`; again and again: `--watch`, which `wf check` has, too. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { realClock } from "../../support/adapter-bench.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const WEATHER = `# frame: city
L1:
  R http.Get "https://api.example.com/v1/weather" ->r
  R core.ADD 1 2 ->pure
  If r.ok ->L2 ->L3
L2:
  R cache.set "weather" city r.body ->done
  J done
L3:
  Call L4
  R queue.Put "failed" {"city": city} ->put
  J put
L4:
  R cache.get "weather" city ->old
  J old
`;

describe("wf run --plan", () => {
  it("lists the calls in the order in which a run would come to them, and bounds", async () => {
    const cwd = folderWith({ "weather.wf": WEATHER });
    const result = await wf(["run", "weather.wf", "--plan", "--http-allow-host", "api.example.com"], {
      cwd,
      columns: 200,
    });
    expect(result).toEqual({
      code: 0,
      stdout: [
        'L1 n1  line 3   http.Get   io-read   network             "https://api.example.com/v1/weather"',
        'L2 n1  line 7   cache.set  io-write  local_state         "weather" city r.body',
        'L4 n1  line 14  cache.get  io-read   local_state         "weather" city',
        'L3 n2  line 11  queue.Put  io-write  operator_sensitive  "failed" {"city": city}',
        "steps 5 to 8, calls 3 to 4",
        "",
      ].join("\n"),
      stderr: "note adapter http is enabled by its settings\n",
      left: [],
    });
  });

  it("begins at another label, and tells everything as JSON", async () => {
    const cwd = folderWith({ "weather.wf": WEATHER });
    const result = await wf(
      ["run", "weather.wf", "--plan", "--label", "L2", "--json", "--max-steps", "9", "--frame", '{"city": "Rome"}'],
      { cwd },
    );
    expect(documentOf(result)).toEqual({
      ok: true,
      label: "L2",
      calls: [
        {
          label: "L2",
          node_id: "n1",
          line: 7,
          adapter: "cache",
          verb: "set",
          args: ['"weather"', "city", "r.body"],
          effect_tier: "io-write",
          privilege_tier: "local_state",
          destructive: true,
        },
      ],
      bounds: { min_steps: 2, max_steps: 2, min_adapter_calls: 1, max_adapter_calls: 1 },
      limits: { max_steps: 9, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 },
      warnings: [expect.stringContaining("adapter_not_enabled")],
    });
  });

  it.each([
    [["--forbid-adapter", "http"], 3],
    [["--label", "L9"], 2],
    [["--watch"], 2],
  ])("ends as a run would: %j", async (flags, code) => {
    const cwd = folderWith({ "weather.wf": WEATHER });
    expect(await wf(["run", "weather.wf", "--plan", ...flags], { cwd })).toMatchObject({ code, stdout: "" });
  });

  it("ends for labels in a circle, and reports that the program makes no calls", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  Call L2\n  J 1\nL2:\n  Call L1\n  J 2\n" });
    expect(await wf(["run", "a.wf", "--plan"], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^steps \d+ to unbounded, calls 0\n$/),
      stderr: expect.stringContaining("note no calls\n"),
    });
  });
});

describe("files that cannot be written", () => {
  const EFFECT = 'L1:\n  R fs.write "effect.txt" "done" ->x\n  J x\n';

  it.each(["--out", "--record", "--trace-out", "--trace-jsonl"])("%s: told before anything runs", async (flag) => {
    const cwd = folderWith({ "a.wf": EFFECT, "folder/x": "" });
    const run = (name: string) =>
      wf(["run", "a.wf", "--fs-root", ".", "--fs-allow-ext", ".txt", flag, name], { cwd, clock: realClock });
    for (const name of ["missing/x", "folder"])
      expect(await run(name)).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be written") });
    expect(existsSync(join(cwd, "effect.txt"))).toBe(false);
    expect((await run("x")).code).toBe(0);
    expect(existsSync(join(cwd, "effect.txt"))).toBe(true);
  });

  it.each([
    ["run", "--out"],
    ["run", "--record"],
    ["compile", "-o"],
    ["diagram", "-o"],
  ])("wf %s %s -: no file gets that name", async (command, flag) => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n" });
    const { code, stderr } = await wf([command, "a.wf", flag, "-"], { cwd });
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "'-' is not a file name here; omit the flag to write to standard output, or use ./- for a file of that name",
    ]);
    expect(existsSync(join(cwd, "-"))).toBe(false);
  });
});

describe("wf run --summary", () => {
  it("prints the envelope of a success and of a failure", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 5\n", "b.wf": "L1:\n  X x div 1 0\n  J x\n" });
    const good = documentOf(await wf(["run", "a.wf", "--summary", "--json"], { cwd }));
    expect(good).toMatchObject({ status: "ok", summary: "run ok (L1)", result: { out: 5 } });
    const bad = await wf(["run", "b.wf", "--summary"], { cwd });
    expect(bad.code).toBe(1);
    expect(documentOf(bad)).toMatchObject({ status: "runtime_error" });
    expect(bad.stderr).toContain("division by zero");
  });

  it("prints one of a program that is refused, and none of wrong usage", async () => {
    const cwd = folderWith({ "a.wf": 'L1:\n  R http.Get "https://x.example" ->r\n  J r\n', "c.wf": "L1:\n  Set\n" });
    const refused = await wf(["run", "a.wf", "--summary", "--json", "--forbid-adapter", "http"], { cwd });
    expect(refused.code).toBe(3);
    expect(documentOf(refused)).toMatchObject({ status: "policy_violation" });
    const broken = await wf(["run", "c.wf", "--summary", "--strict"], { cwd });
    expect(broken.code).toBe(1);
    expect(documentOf(broken)).toMatchObject({ status: "validation_error" });
    expect(await wf(["run", "none.wf", "--summary"], { cwd })).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("--watch", { timeout: 30_000 }, () => {
  const watched = async (argv: readonly string[], first: string, second: string): Promise<string> => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 41\n", "other.txt": "" });
    const listeners: ((signal: "SIGINT") => void)[] = [];
    const end = (): void => {
      for (const send of listeners) send("SIGINT");
    };
    let changed = false;
    const result = await wf(argv, {
      cwd,
      onListen: (send) => listeners.push(send),
      onWrite: (text) => {
        if (changed && text.includes(second)) setImmediate(end);
        if (changed || !text.includes(first)) return;
        changed = true;
        writeFileSync(join(cwd, "a.wf"), "L1:\n  J 42\n  J 43\n");
      },
    });
    expect(result.code).toBe(0);
    return result.stdout;
  };

  it("runs again after a change, until it is ended", async () => {
    expect(await watched(["run", "a.wf", "--watch"], "41", "42")).toMatch(/^41\n(42\n)+$/);
  });

  it("checks again after a change", async () => {
    expect(await watched(["check", ".", "--watch"], "ok", "1 error")).toContain("a.wf:3:3 error");
  });

  it.each([
    [["run", "-", "--watch"], "--watch needs a FILE\n"],
    [["check", ".", "--watch", "--format", "sarif"], "--watch prints for people only\n"],
  ])("refuses %j", async (argv, stderr) => {
    expect(await wf(argv, { cwd: folderWith({}), stdin: "L1:\n  J 1\n" })).toMatchObject({ code: 2, stderr });
  });
});
