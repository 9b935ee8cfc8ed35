/** `wf batch`: lines in, lines out, whatever the lines are; resumed, interrupted, ordered, from CSV, and over threads. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { progressLine } from "../../../cli/output/terminal/progress.ts";
import { realClock } from "../../support/adapter-bench.ts";
import { verifies } from "../../support/requirements.ts";
import { type ConsoleOptions, type ConsoleResult, tickingClock, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const DIVIDE = "# frame: n\nL1:\n  X r div 12 n\n  J r\n";
const ENDLESS = "# frame: n\nL1:\n  Set c n\n  While c ->L2 ->L3 limit=1000000000\nL2:\n  Set c n\n  J c\nL3:\n  J n\n";

type Line = { readonly index?: number; readonly ok: boolean; readonly [member: string]: unknown };

const linesIn = (text: string): Line[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));

const brief = (text: string) => linesIn(text).map((line) => [line.index, line.ok ? line["out"] : line["error"]]);

const frames = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `{"n":${at + from}}\n`).join("");

/** Rows that name their frames, unless other ones are asked for. */
function batch(cwd: string, words: string, options: ConsoleOptions = {}): Promise<ConsoleResult> {
  const rows = words.includes("--rows") ? "" : " --rows full";
  return wf(["batch", ...`${words}${rows}`.split(" ")], { cwd, ...options });
}

describe("wf batch", () => {
  it("writes one line per input line, and exits with 1 when any failed", async () => {
    verifies("cli.exit.1");
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": '{"n":3}\n{"n":0}\n\noops\n{"n":4}' });
    const { code, stdout, stderr } = await batch(cwd, "p.wf --in in.ndjson");
    expect(brief(stdout)).toEqual([
      [0, 4],
      [1, "runtime_error"],
      [2, "invalid_json"],
      [3, 3],
    ]);
    expect(linesIn(stdout)[0]).toMatchObject({ usage: { steps: 2 }, duration_ms: 0 });
    expect(linesIn(stdout)[1]).toMatchObject({
      message: "division by zero at L1, line 3",
      error_structured: { line: 3 },
    });
    expect(linesIn(stdout)[2]).toEqual({
      index: 2,
      ok: false,
      error: "invalid_json",
      message: "line 4 is not JSON",
      line: 4,
    });
    expect(stderr).toBe(
      "failed  index 1  runtime_error  division by zero at L1, line 3\n" +
        "failed  index 2  invalid_json  line 4 is not JSON\n" +
        "4 frames  2 failed  0.0 ms  0/s\n",
    );
    expect(code).toBe(1);
  });

  it("lists up to ten failed frames in the summary, including those of an earlier part", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": '{"n":0}\n{"n":1}\n' });
    const first = { index: 0, error: "runtime_error", message: "division by zero at L1, line 3" };
    const summary = async (words: string) => linesIn((await batch(cwd, `p.wf --in in.ndjson ${words}`)).stdout).at(-1);
    expect(await summary("--json")).toMatchObject({ failed: 1, failures: [first] });
    await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --max-frames 1");
    expect(await summary("--out out.ndjson --resume --json")).toMatchObject({ failed: 1, failures: [first] });
    const { stderr } = await batch(cwd, "p.wf --in -", { stdin: '{"n":0}\n'.repeat(13) });
    expect(stderr.match(/^failed {2}index \d+ {2}/gm)).toHaveLength(10);
    expect(stderr).toContain('3 further frames failed: their results have "ok":false\n');
    expect((await batch(cwd, "p.wf --in in.ndjson --quiet")).stderr).toBe("");
  });

  it.each([
    ["p.wf --frames -", '{"n":3}\n', [[0, 4]]],
    ["p.wf --in - --max-frames 2", frames(9), [[0, 12], [1, 6]]], // biome-ignore format: one row
    ["p.wf --in - --jobs 1 --on-error stop", '{"n":0}\n{"n":1}\n', [[0, "runtime_error"]]],
    ["p.wf --in - --concurrency=2 --ordered", frames(3), [[0, 12], [1, 6], [2, 4]]], // biome-ignore format: one row
    ["p.wf --in -", "", []],
  ])("%s", async (words, stdin, wanted) => {
    const cwd = folderWith({ "p.wf": DIVIDE });
    expect(brief((await batch(cwd, words, { stdin })).stdout)).toEqual(wanted);
  });

  it("with --json writes only JSON lines, the last of which is the summary", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE });
    const { stdout, stderr, code } = await batch(cwd, "p.wf --in - --json", { stdin: frames(2) });
    const lines = linesIn(stdout);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatchObject({ summary: true, ok: true, count: 2, succeeded: 2, failed: 0, adapter_p95_ms: {} });
    expect(stderr).toBe("");
    expect(code).toBe(0);
  });

  it("reads rows of CSV as frames of strings, and reports a broken row as a result", async () => {
    const csv = 'name,note\r\nAnn,"said ""hi"",\nthen left"\r\nBob\r\n"Eve,1\r\nZoe,\r\n';
    const cwd = folderWith({
      "p.wf": "# frame: name\n# frame: note\nL1:\n  X t concat name note\n  J t\n",
      "in.csv": csv,
    });
    const { stdout } = await batch(cwd, "p.wf --frames-csv in.csv");
    expect(brief(stdout)).toEqual([
      [0, 'Annsaid "hi",\nthen left'],
      [1, "invalid_json"],
      [2, "invalid_json"],
      [3, "Zoe"],
    ]);
    expect(linesIn(stdout)[1]).toMatchObject({ line: 4, message: "line 4 has 1 values, the header has 2" });
  });

  it.each([
    ["p.wf", "missing frames"],
    ["p.wf --in a --frames-csv b", "exclude each other"],
    ["p.wf", "--in FILE (or --frames FILE), --frames-csv FILE or --frames-arrow FILE"],
    ["p.wf --in a --frames-csv b", "--in and --frames-csv exclude"],
    ["p.wf --frames a --frames-csv b", "--frames and --frames-csv exclude"],
    ["p.wf --in - --jobs 0", "option --jobs needs a number from 1"],
    ["p.wf --in - --concurrency 0", "option --concurrency needs a number from 1"],
    ["p.wf --in - --concurrency=many", "option --concurrency needs"],
    ["p.wf --in - --on-error maybe", "--on-error needs one of"],
    ["p.wf --in p.wf --out ./p.wf", "are the same file"],
    ["p.wf --in - --resume", "--resume needs --out"],
    ["- --in -", "cannot both come from standard input"],
    ["p.wf --in missing.ndjson", "missing.ndjson does not exist"],
    ["p.wf --in p.wf --out no/such/folder/out", "cannot be written (ENOENT)"],
    ["p.wf --in - --label L9", "label 'L9' does not exist"],
    ["p.wf --frames-csv -", "no header row"],
  ])("%s is refused with 2", async (words, message) => {
    const cwd = folderWith({ "p.wf": DIVIDE });
    const { code, stdout, stderr } = await batch(cwd, words, { stdin: "" });
    expect(stderr).toContain(message);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("never overwrites its frames, under any name of their file", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": frames(2) });
    symlinkSync("in.ndjson", join(cwd, "link"));
    const { code, stderr } = await batch(cwd, "p.wf --in in.ndjson --out link");
    expect([code, readFileSync(join(cwd, "in.ndjson"), "utf8")]).toEqual([2, frames(2)]);
    expect(stderr).toContain("are the same file");
  });

  it("escapes control characters of results on a terminal", async () => {
    const cwd = folderWith({ "p.wf": "# frame: n\nL1:\n  J n\n" });
    const { stdout } = await batch(cwd, "p.wf --in -", { stdin: '{"n":"a\u009bb"}\n', terminal: true });
    expect(stdout).toContain("a\\u009bb");
  });

  it("runs nothing that the policy forbids", async () => {
    const cwd = folderWith({ "p.wf": '# frame: n\nL1:\n  R http.Get "https://example.com/" ->r\n  J r\n' });
    const { code, stdout } = await batch(cwd, "p.wf --in - --forbid-adapter http", { stdin: frames(2) });
    expect([code, stdout]).toEqual([3, ""]);
  });

  it("calls adapters as a run does, one instance a frame", async () => {
    const source =
      '# frame: n\nL1:\n  X path concat "f" n ".txt"\n  R fs.write path "x" ->w\n  R fs.read path ->r\n  J r\n';
    const cwd = folderWith({ "p.wf": source, "files/keep": "" });
    const { stdout, code } = await batch(cwd, "p.wf --in - --fs-root files --ordered --jobs 2 --quiet", {
      stdin: frames(5),
      clock: realClock,
    });
    expect(linesIn(stdout).map(({ ok, index }) => [ok, index])).toEqual([0, 1, 2, 3, 4].map((index) => [true, index]));
    expect(readFileSync(join(cwd, "files", "f3.txt"), "utf8")).toBe("x");
    expect(code).toBe(0);
  });

  it("limits hold for each frame, with their source", async () => {
    const cwd = folderWith({ "p.wf": ENDLESS });
    const { stdout } = await batch(cwd, "p.wf --in - --max-steps 30000", { stdin: '{"n":1}\n{"n":0}\n' });
    const [first, second] = linesIn(stdout);
    expect(first).toMatchObject({ index: 1, ok: true });
    expect(second).toMatchObject({ index: 0, error: "max_steps_exceeded", usage: { steps: 30_000 } });
    expect(second?.["error_structured"]).toMatchObject({ data: { limit: 30_000, source: "request" } });
  });

  it("continues after the finished frames, wherever the run was cut off", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": `${frames(3)}oops\n${frames(3, 4)}` });
    const whole = (await batch(cwd, "p.wf --in in.ndjson --ordered")).stdout;
    const lines = whole.split("\n");
    // Results 0, 1 and 4 are there, the last one is cut off in the middle.
    const begun = `${[lines[0], lines[4], lines[1]].join("\n")}\n${lines[2]?.slice(0, 20)}`;
    writeFileSync(join(cwd, "out.ndjson"), begun);
    const { code, stderr } = await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --resume");
    const written = readFileSync(join(cwd, "out.ndjson"), "utf8");
    expect(brief(written).sort(([a], [b]) => Number(a) - Number(b))).toEqual(brief(whole));
    expect(written.endsWith("\n")).toBe(true);
    expect(stderr).toContain("7 frames  1 failed  3 done before");
    expect(code).toBe(1);
    await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --resume");
    expect(readFileSync(join(cwd, "out.ndjson"), "utf8")).toBe(written);
  });

  it.each([
    ["lines", "dear diary\n"],
    ["a line without end", '{"dear":"diary"}'],
  ])("resumes only results of a batch, and leaves other %s alone", async (_title, text) => {
    const cwd = folderWith({ "p.wf": DIVIDE, "out.txt": text });
    const { code, stderr } = await batch(cwd, "p.wf --in - --out out.txt --resume", { stdin: frames(1) });
    expect([code, readFileSync(join(cwd, "out.txt"), "utf8")]).toEqual([2, text]);
    expect(stderr).toContain("out.txt contains lines that are not results of a batch");
  });

  const begun = async () => {
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": frames(3), "q.wf": DIVIDE.replace("12", "24") });
    await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --max-frames 2");
    return { cwd, results: readFileSync(join(cwd, "out.ndjson"), "utf8") };
  };

  it.each([
    ["another program", "q.wf --in in.ndjson", {}],
    ["no --dry-run", "p.wf --in in.ndjson --dry-run", {}],
    ["other frames", "p.wf --in in.ndjson", { "in.ndjson": frames(3, 7) }],
  ])("does not continue after results of %s", async (what, words, changed) => {
    const { cwd, results } = await begun();
    for (const [name, text] of Object.entries(changed)) writeFileSync(join(cwd, name), text);
    const { code, stdout, stderr } = await batch(cwd, `${words} --out out.ndjson --resume`);
    expect(stderr).toContain(`out.ndjson was started with ${what}\n`);
    expect(stderr).toContain("remove out.ndjson.resume");
    expect([code, stdout, readFileSync(join(cwd, "out.ndjson"), "utf8")]).toEqual([2, "", results]);
    rmSync(join(cwd, "out.ndjson.resume"));
    const forced = await batch(cwd, `${words} --out out.ndjson --resume`);
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining("it is unknown which program made") });
  });

  describe("of a program that calls adapters", () => {
    const STORE = '# frame: n\nL1:\n  R fs.write "last.txt" "x" ->w\n  J n\n';
    /** Files take real time. */
    const real = (cwd: string, words: string) => batch(cwd, words, { clock: realClock });
    const SECRET = "canary-hunter2";
    const GIVEN = "p.wf --in in.ndjson --out out.ndjson --enable-adapter fs --fs-root files --grant grant.json";
    const started = async () => {
      const grant = { adapter_constraints: { http: { proxy_url: `http://user:${SECRET}@proxy.example` } } };
      const cwd = folderWith({ "p.wf": STORE, "in.ndjson": frames(3), "grant.json": JSON.stringify(grant) });
      const first = await real(cwd, `${GIVEN} --max-frames 2`);
      expect(first).toMatchObject({ code: 0 });
      return { cwd, results: readFileSync(join(cwd, "out.ndjson"), "utf8") };
    };

    it.each([
      ["other settings of its adapters", "--fs-root other"],
      ["other settings of its adapters", "--fs-root files --fs-allow-ext .txt"],
      ["another policy or allowlist", "--fs-root files --allow-adapter fs,core"],
      ["another policy or allowlist", "--fs-root files --forbid-adapter http"],
      ["other adapters: fs", ""],
    ])("does not continue after results of %s: %s", async (what, flags) => {
      const { cwd, results } = await started();
      const words = `p.wf --in in.ndjson --out out.ndjson --resume ${flags}`.trim();
      const { code, stdout, stderr } = await real(cwd, words);
      expect(stderr).toContain(`out.ndjson was started with ${what}\n`);
      expect(stderr).toContain("remove out.ndjson.resume");
      expect([code, stdout, readFileSync(join(cwd, "out.ndjson"), "utf8")]).toEqual([2, "", results]);
    });

    it("continues with the same settings, and with other settings of adapters that the program does not call", async () => {
      const { cwd, results } = await started();
      writeFileSync(join(cwd, "grant.json"), "{}");
      const { code, stderr } = await real(cwd, `${GIVEN} --resume`);
      expect([code, stderr]).toEqual([0, expect.stringContaining("3 frames  2 done before")]);
      expect(readFileSync(join(cwd, "out.ndjson"), "utf8").startsWith(results)).toBe(true);
    });

    it("does not continue where functions of core may read other variables", async () => {
      const cwd = folderWith({ "p.wf": '# frame: n\nL1:\n  X r (env "E")\n  J r\n', "in.ndjson": frames(3) });
      const words = "p.wf --in in.ndjson --out out.ndjson --grant grant.json";
      const may = (allow_env?: readonly string[]) =>
        writeFileSync(join(cwd, "grant.json"), JSON.stringify({ adapter_constraints: { core: { allow_env } } }));
      may(["E"]);
      expect(await batch(cwd, `${words} --max-frames 1`)).toMatchObject({ code: 0 });
      for (const others of [["F"], undefined]) {
        may(others);
        const { code, stderr } = await batch(cwd, `${words} --resume`);
        expect([code, stderr]).toEqual([2, expect.stringContaining("started with other settings of its adapters")]);
      }
      may(["E"]);
      expect(await batch(cwd, `${words} --resume`)).toMatchObject({ code: 0 });
    });

    it("stores no setting, and hashes with a salt per file", async () => {
      const texts: string[] = [];
      for (const _ of [1, 2]) {
        const { cwd } = await started();
        const http = "p.wf --in in.ndjson --out http.ndjson --enable-adapter http --grant grant.json --max-frames 1";
        writeFileSync(join(cwd, "p.wf"), '# frame: n\nL1:\n  R http.Get "http://127.0.0.1:1/" ->r\n  J r\n');
        await real(cwd, http);
        const text = readFileSync(join(cwd, "http.ndjson.resume"), "utf8");
        for (const part of [SECRET, "user", "proxy", Buffer.from(SECRET).toString("base64")])
          expect(text).not.toContain(part);
        texts.push(JSON.parse(text).powers.settings.hash);
      }
      expect(texts[0]).not.toBe(texts[1]);
    });

    it("compares the members that a file of an earlier version has", async () => {
      const { cwd } = await started();
      const path = join(cwd, "out.ndjson.resume");
      const { powers: _, ...earlier } = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify(earlier));
      const more = await real(cwd, "p.wf --in in.ndjson --out out.ndjson --resume --fs-root other --dry-run");
      expect(more.stderr).toContain("was started with no --dry-run");
      expect(await real(cwd, "p.wf --in in.ndjson --out out.ndjson --resume --fs-root other")).toMatchObject({
        code: 0,
      });
    });
  });

  it("continues with another layout, more frames and other limits, and reports them", async () => {
    const { cwd, results } = await begun();
    writeFileSync(join(cwd, "p.wf"), `# a comment\n${DIVIDE}`);
    writeFileSync(join(cwd, "in.ndjson"), frames(4));
    const { code, stderr } = await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --resume --max-steps 90");
    expect(stderr).toContain("warning out.ndjson was started with another max_steps; existing results are kept");
    expect([code, readFileSync(join(cwd, "out.ndjson"), "utf8").startsWith(results)]).toEqual([0, true]);
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toHaveLength(4);
    // No frames are left to continue with.
    expect(existsSync(join(cwd, "out.ndjson.resume"))).toBe(false);
  });

  it("keeps no file next to a device", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE });
    expect(await batch(cwd, "p.wf --in - --out /dev/null --max-frames 1", { stdin: frames(2) })).toMatchObject({
      code: 0,
    });
    expect(existsSync("/dev/null.resume")).toBe(false);
  });

  it("an interrupt leaves whole lines, and --resume does the rest", async () => {
    verifies("cli.exit.130");
    const cwd = folderWith({ "p.wf": ENDLESS, "in.ndjson": '{"n":0}\n{"n":1}\n{"n":0}\n' });
    const first = await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --max-steps 9000000000", {
      onListen: (send) => {
        const look = setInterval(() => {
          if (linesIn(readFileSync(join(cwd, "out.ndjson"), "utf8")).length < 2) return;
          clearInterval(look);
          send("SIGINT");
        }, 5);
      },
    });
    expect(first.code).toBe(130);
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual([
      [0, 0],
      [2, 0],
    ]);
    expect(first.stderr).toContain("--resume continues from here");
    await batch(cwd, "p.wf --in in.ndjson --out out.ndjson --max-steps 1000 --resume");
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))[2]).toEqual([1, "max_steps_exceeded"]);
  });

  it("over threads the results are the same, in order on request", { timeout: 60_000 }, async () => {
    const note = "some more text ".repeat(20);
    const input = frames(4000, 0).replaceAll("}", `,"note":"${note}"}`).replace('{"n":7,', "oops{");
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": input });
    expect(input.length).toBeGreaterThan(1024 * 1024);
    const texts: string[] = [];
    for (const jobs of ["1", "2"]) {
      const result = await batch(cwd, `p.wf --in in.ndjson --out out${jobs} --ordered --jobs ${jobs}`);
      expect(result.stderr).toContain("4,000 frames  2 failed");
      texts.push(readFileSync(join(cwd, `out${jobs}`), "utf8").replaceAll(/"(duration|time)_ms":[0-9.]+/g, ""));
    }
    expect(texts[1] === texts[0]).toBe(true);
  });

  it("over threads frames have the same powers, and failures say whose limit they met", {
    timeout: 60_000,
  }, async () => {
    const source = [
      "# frame: n",
      "L1:",
      '  X shown (env "SHOWN")',
      '  X hidden (env "HIDDEN")',
      "  If n < 2 ->L2 ->L3",
      "L2:",
      "  While n >= 0 ->L4 ->L3 limit=1000",
      "L3:",
      "  J [shown, hidden]",
      "L4:",
      "  Set x n",
      "",
    ];
    const note = "some more text ".repeat(350);
    const grant = { limits: { max_steps: 100 }, adapter_constraints: { core: { allow_env: ["SHOWN", "OTHER"] } } };
    const cwd = folderWith({
      "p.wf": source.join("\n"),
      "in.ndjson": frames(200, 0).replaceAll("}", `,"note":"${note}"}`),
      "grant.json": JSON.stringify(grant),
    });
    expect(readFileSync(join(cwd, "in.ndjson")).length).toBeGreaterThan(1024 * 1024);
    const texts: string[] = [];
    for (const jobs of ["1", "2"]) {
      const words = `p.wf --in in.ndjson --ordered --jobs ${jobs} --grant grant.json --quiet`;
      const { stdout } = await batch(cwd, words, {
        environment: { WF_EXPOSE_ENV: "SHOWN,HIDDEN", SHOWN: "s", HIDDEN: "h" },
      });
      const lines = linesIn(stdout);
      expect(lines.map((line) => (line.ok ? line["out"] : line["error"]))).toEqual([
        ...Array(2).fill("max_steps_exceeded"),
        ...Array(198).fill(["s", null]),
      ]);
      texts.push(JSON.stringify(lines.map((line) => [line["out"], line["error_structured"]])));
    }
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('"source":"request"');
  });

  it("starts no frame after a failed one, in an input of any size", async () => {
    const cwd = folderWith({ "p.wf": DIVIDE, "in.ndjson": `${frames(3)}{"n":0}\n${frames(150_000)}` });
    const { stdout } = await batch(cwd, "p.wf --in in.ndjson --on-error stop");
    expect(brief(stdout).map(([index]) => index)).toEqual([0, 1, 2, 3]);
  });
});

describe("progress", () => {
  it.each([
    [
      { count: 68_120, failed: 3 },
      2200,
      0.6812,
      true,
      "batch ██████░░░░ 68%  68,120/~100,000  31k/s  3 failed  eta 2s",
    ],
    [{ count: 500, failed: 0 }, 1000, 0.5, false, "batch 50%  500/~1,000  500/s  eta 1s"],
    [{ count: 500, failed: 0 }, 1000, null, true, "batch 500 frames  500/s"],
    [{ count: 0, failed: 0 }, 0, 0, true, "batch ░░░░░░░░░░ 0%  0  0/s"],
  ])("%j", (counts, elapsed, share, bar, text) => {
    expect(progressLine(counts, elapsed, share, 0, bar)).toBe(text);
  });

  it.each<[count: number, elapsed: number, share: number | null, before: number, text: string]>([
    [100, 10_000, 0.75, 0.5, "batch 75%  100/~200  10/s  eta 10s"],
    [0, 0, 0.5, 0.5, "batch 50%  0  0/s"],
    [100, 59_000, 0.5, 0, "batch 50%  100/~200  2/s  eta 59s"],
    [100, 60_000, 0.5, 0, "batch 50%  100/~200  2/s  eta 1m 0s"],
    [100, 3_599_000, 0.5, 0, "batch 50%  100/~200  0/s  eta 59m 59s"],
    [100, 3_600_000, 0.5, 0, "batch 50%  100/~200  0/s  eta 1h 0m"],
    [100, 7_320_000, 0.5, 0, "batch 50%  100/~200  0/s  eta 2h 2m"],
    [9999, 1000, 1, 0, "batch 100%  9,999/~9,999  9,999/s"],
    [10_000, 1000, 1, 0, "batch 100%  10,000/~10,000  10k/s"],
    [1, 1000, null, 0, "batch 1 frame  1/s"],
  ])("counts earlier frames as done, and estimates the remaining time: %d in %d ms at %d of 1", (...row) => {
    const [count, elapsed, share, before, text] = row;
    expect(progressLine({ count, failed: 0 }, elapsed, share, before, false)).toBe(text);
  });

  it("is drawn only on a terminal, within its width, and removed at the end", async () => {
    const cwd = folderWith({ "p.wf": ENDLESS, "in.ndjson": '{"n":1}\n{"n":2}\n' });
    const run = (options: ConsoleOptions) =>
      batch(cwd, "p.wf --in in.ndjson --max-steps 100000", { ...options, clock: tickingClock(60) });
    const [drawn, end] = (await run({ terminal: true })).stderr.split("\r\u001b[K");
    // All of the input is read at once; that is not how much is done.
    expect(drawn).toContain("\rbatch ░░░░░░░░░░ 0%");
    expect(end).toMatch(/^failed {2}index 0 {2}max_steps_exceeded .*\nfailed {2}index 1 .*\n2 frames {2}2 failed/);
    const narrow = (await run({ terminal: true, columns: 20 })).stderr;
    expect(narrow).toContain("\rbatch ░░░░░░░░░░…\u001b[K");
    const plain = [
      { terminal: false },
      ...[{ TERM: "dumb" }, { CI: "true" }].map((environment) => ({ terminal: true, environment })),
    ];
    for (const options of plain) expect((await run(options)).stderr).not.toContain("\r");
  });
});

describe("whole numbers beyond 2^53 in frames", () => {
  const frames = '{"n": 1}\n{"n": 9007199254740993}\n';
  const said = "9007199254740993 is beyond 2^53 and becomes 9007199254740992; give it as text to keep its digits";

  it("have a warning with the result of their frame", async () => {
    const cwd = folderWith({ "p.wf": "# frame: n\nL1:\n  J n\n", "in.ndjson": frames });
    const { code, stdout } = await wf(["batch", "p.wf", "--in", "in.ndjson", "--jobs", "1", "--rows", "full"], { cwd });
    const [first, second] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, first.warnings]).toEqual([0, undefined]);
    expect(second).toMatchObject({ ok: true, out: 9007199254740992, warnings: [`number_precision: line 2: ${said}`] });
  });

  it("fail their frame with --strict", async () => {
    const cwd = folderWith({ "p.wf": "# frame: n\nL1:\n  J n\n", "in.ndjson": frames });
    const { code, stdout } = await wf(["batch", "p.wf", "--in", "in.ndjson", "--jobs", "1", "--strict"], { cwd });
    const [first, second] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, first.ok]).toEqual([1, true]);
    expect(second).toEqual({
      index: 1,
      ok: false,
      error: "invalid_request",
      message: `line 2: number_precision: ${said}`,
      line: 2,
    });
  });
});
