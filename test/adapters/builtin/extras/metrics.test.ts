/** Summaries of runs: what is read, what is not a summary, and what is written. */
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdapterBench } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type ExtrasWorld, extrasWorld } from "./world.ts";

const EMPTY = {
  run_count: 0,
  ok_count: 0,
  error_count: 0,
  ok_ratio: null,
  runtime_versions: [],
  result_kinds: {},
  trace_op_counts: {},
  label_counts: {},
  timestamps_present: false,
};

let world: ExtrasWorld;
let bench: AdapterBench;
beforeAll(async () => {
  world = await extrasWorld();
  bench = await world.open();
});
afterAll(async () => {
  await bench.end();
  await world.close();
});

describe("metrics", () => {
  it.each<readonly [content: string, metrics: object]>([
    ["{}", EMPTY],
    ['{"unknown": {"a": []}}', EMPTY],
    [
      '{"run_count": 4, "ok_count": 3, "error_count": 1}',
      { ...EMPTY, run_count: 4, ok_count: 3, error_count: 1, ok_ratio: 0.75 },
    ],
    ['{"runtime_versions": ["1.0.0"]}', { ...EMPTY, runtime_versions: ["1.0.0"] }],
    [
      '{"result_kinds": {"str": 2, "__proto__": 1}}',
      { ...EMPTY, result_kinds: JSON.parse('{"str": 2, "__proto__": 1}') },
    ],
    [
      '{"trace_op_counts": {"R": 9}, "label_counts": {"L1": 2}}',
      { ...EMPTY, trace_op_counts: { R: 9 }, label_counts: { L1: 2 } },
    ],
    ['{"timestamps": ["2030-01-01T00:00:00Z"]}', { ...EMPTY, timestamps_present: true }],
    ['{"timestamps": []}', EMPTY],
    ['{"timestamps_present": true}', { ...EMPTY, timestamps_present: true }],
  ])("%s", async (content, metrics) => {
    verifies("env.WF_SUMMARY_ROOT");
    await world.file("sum/read.json", content);
    expect(await bench.call("metrics", "read.json")).toEqual(metrics);
  });

  it.each([
    "",
    "no JSON",
    "[]",
    "null",
    '"text"',
    '{"run_count": "3"}',
    '{"run_count": null}',
    '{"ok_count": true}',
    '{"error_count": {}}',
    '{"label_counts": {"L1": "2"}}',
    '{"result_kinds": []}',
    '{"runtime_versions": "1.0.0"}',
    "\ufffd\ufffd{",
  ])("%j is not a summary", async (content) => {
    await world.file("sum/bad.json", content);
    expect(await bench.code("metrics", "bad.json")).toBe("ADAPTER_BAD_DATA");
  });

  it.each([
    ["none.json", "ADAPTER_NOT_FOUND"],
    ["../x.json", "ADAPTER_PATH_ESCAPE"],
    ["/etc/passwd", "ADAPTER_PATH_ESCAPE"],
    ["link/x.json", "ADAPTER_PATH_ESCAPE"],
    ["folder", "ADAPTER_NOT_A_FILE"],
    ["large.json", "ADAPTER_TOO_LARGE"],
  ])("%s: %s", async (path, code) => {
    const outside = await mkdtemp(join(tmpdir(), "weft-outside-"));
    await world.file("sum/folder/x.json", "{}");
    await world.file("sum/large.json", " ".repeat(1024 * 1024 + 1));
    await symlink(outside, join(world.folder, "sum/link"));
    expect(await bench.code("metrics", path)).toBe(code);
    await rm(join(world.folder, "sum/link"));
    await rm(outside, { recursive: true });
  });

  it("needs a folder", async () => {
    const none = await world.open({ summary_root: "relative" }).catch((error: { code: string }) => error.code);
    expect(none).toBe("ADAPTER_BAD_SETTINGS");
  });
});

describe("metrics_write", () => {
  it("writes what metrics reads", async () => {
    const object = { run_count: 3, ok_count: 3, label_counts: { L1: 3 } };
    const text = `${JSON.stringify(object)}\n`;
    expect(await bench.call("metrics_write", "daily/2030-01-15", object)).toEqual({ ok: true, bytes: text.length });
    expect(await readFile(join(world.folder, "sum/daily/2030-01-15.json"), "utf8")).toBe(text);
    expect(await bench.call("metrics", "daily/2030-01-15.json")).toMatchObject({ run_count: 3, ok_ratio: 1 });
  });

  it("replaces the file as a whole and leaves no temporary file", async () => {
    await Promise.all([1, 2, 3, 4].map((run_count) => bench.call("metrics_write", "again/x", { run_count })));
    expect(await readdir(join(world.folder, "sum/again"))).toEqual(["x.json"]);
    expect(await bench.call("metrics", "again/x.json")).toMatchObject({ error_count: 0 });
  });

  it("writes numbers for Prometheus", async () => {
    const object = {
      run_count: 3,
      "ok-count": 2,
      ok_count: 9,
      kinds: { 'a"b\\c\nd': 1.5, none: null },
      text: "x",
      list: [1],
    };
    await bench.call("metrics_write", 'p"q', object, { prometheus: true });
    expect(await readFile(join(world.folder, 'sum/p"q.prom'), "utf8")).toBe(
      [
        "# TYPE weft_run_count gauge",
        'weft_run_count{summary="p\\"q"} 3',
        "# TYPE weft_ok_count gauge",
        'weft_ok_count{summary="p\\"q"} 2',
        "# TYPE weft_kinds gauge",
        'weft_kinds{summary="p\\"q",key="a\\"b\\\\c\\nd"} 1.5',
        "",
      ].join("\n"),
    );
  });

  it.each<readonly [unknown, unknown, string]>([
    ["../x", {}, "ADAPTER_PATH_ESCAPE"],
    [".", {}, "ADAPTER_BAD_ARGS"],
    ["", {}, "ADAPTER_BAD_ARGS"],
    ["x".repeat(252), {}, "ADAPTER_BAD_ARGS"],
    ["x", [], "ADAPTER_BAD_ARGS"],
    ["x", null, "ADAPTER_BAD_ARGS"],
    ["x", { text: "y".repeat(1024 * 1024) }, "ADAPTER_TOO_LARGE"],
  ])("%s: refused", async (name, object, code) => {
    expect(await bench.code("metrics_write", name, object)).toBe(code);
  });

  it("needs a folder", async () => {
    const { folder } = world;
    await world.file("plain");
    const wrong = await world.open({ summary_root: join(folder, "plain") });
    expect(await wrong.code("metrics_write", "x", {})).toBe("ADAPTER_BAD_SETTINGS");
  });
});
