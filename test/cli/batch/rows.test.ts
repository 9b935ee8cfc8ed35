/** What `wf batch` writes for a frame: the result alone, a lean row or everything; in the order of the frames, also when a batch is continued. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const DIVIDE = "def main(n: int):\n    return {'n': n, 'share': 12 / n}\n";
const FRAMES = '{"n":3}\n{"n":0}\n\noops\n{"n":5,"more":1}\n';

const folder = () => folderWith({ "p.py": DIVIDE, "in.ndjson": FRAMES });
const batch = (cwd: string, words: string) => wf(["batch", "p.py", "--in", "in.ndjson", ...words.split(" ")], { cwd });

describe("rows", () => {
  it("are lean by default: results in the order of their frames, and failures in full", async () => {
    const { stdout, stderr, code } = await wf(["batch", "p.py", "--in", "in.ndjson"], { cwd: folder() });
    const lines = stdout.split("\n");
    expect(lines[0]).toBe('{"ok":true,"out":{"n":3,"share":4.0}}');
    expect(JSON.parse(lines[1] as string)).toMatchObject({ index: 1, ok: false, error: "runtime_error", usage: {} });
    expect(JSON.parse(lines[2] as string)).toMatchObject({ index: 2, ok: false, error: "invalid_json", line: 4 });
    expect(lines.slice(3)).toEqual(['{"ok":true,"out":{"n":5,"share":2.4}}', ""]);
    expect(stderr).toContain("warning input_unknown: the program does not declare 'more'\n");
    expect(stderr).toContain("4 frames  2 failed");
    expect(code).toBe(1);
  });

  it("are the results alone on request", async () => {
    const { stdout } = await batch(folder(), "--rows out");
    expect(stdout.split("\n")[3]).toBe('{"n":5,"share":2.4}');
  });

  it("leave their usage and warnings to the summary", async () => {
    const { stdout } = await batch(folder(), "--json");
    expect(JSON.parse(stdout.trim().split("\n").at(-1) as string)).toMatchObject({
      summary: true,
      count: 4,
      failed: 2,
      usage: { depth: 1, frame_bytes: null },
      warnings: ["input_unknown: the program does not declare 'more'"],
    });
  });

  it.each(["lean", "out"])("continue where an earlier batch was cut off: %s", async (rows) => {
    const cwd = folder();
    await batch(cwd, `--rows ${rows} --out whole`);
    const whole = readFileSync(join(cwd, "whole"), "utf8");
    const failure = whole.indexOf("\n") + 1;
    for (const bytes of [5, failure, failure + 3, whole.length - 4]) {
      await batch(cwd, `--rows ${rows} --out part --max-frames 1`);
      writeFileSync(join(cwd, "part"), whole.slice(0, bytes));
      const { stderr, code } = await batch(cwd, `--rows ${rows} --out part --resume`);
      const bare = (text: string): string => text.replaceAll(/"(duration|time)_ms":[0-9.]+/g, "");
      expect(bare(readFileSync(join(cwd, "part"), "utf8"))).toBe(bare(whole));
      expect([code, stderr.includes("2 failed")]).toEqual([1, true]);
    }
  });

  it("are not mixed with rows of another kind, or with other lines", async () => {
    const cwd = folder();
    await batch(cwd, "--rows full --out out --max-frames 1");
    const { code, stderr } = await batch(cwd, "--out out --resume");
    expect([code, stderr]).toEqual([2, expect.stringContaining("out was started with --rows full")]);
    writeFileSync(join(cwd, "diary"), "dear diary\n");
    expect((await batch(cwd, "--out diary --resume")).stderr).toContain(
      "contains lines that are not results of a batch",
    );
    expect(readFileSync(join(cwd, "diary"), "utf8")).toBe("dear diary\n");
  });

  it("have no separators that end a line for some readers", async () => {
    const cwd = folderWith({
      "p.py": "def main(t: str):\n    return [t, t + 'é']\n",
      "in.ndjson": '{"t":"a\u2028b"}\n',
    });
    expect((await batch(cwd, "--rows out")).stdout).toBe('["a\\u2028b","a\\u2028bé"]\n');
  });

  it("are refused when they have another name", async () => {
    expect((await batch(folder(), "--rows fat")).stderr).toContain("--rows");
  });
});
