/** WF_LOG_LEVEL on the command line: the events of runs on stderr, as a service writes them, and nothing of what a run works with. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const GREET = '# frame: name: text\nL1:\n  R core.CONCAT name " in-an-argument" ->text\n  J text\n';
const FAIL = '# frame: name: text\nL1:\n  R core.CONCAT name "!" ->text\n  R core.DIV 1 0 ->x\n  J x\n';
const PLANTED = "planted-in-the-frame hunter2hunter2";
const FRAME = ["--frame", JSON.stringify({ name: PLANTED })];
const INFO = { WF_LOG_LEVEL: "info", WF_SECRET_TOKEN: "hunter2hunter2" };
const HASH = /^sha256:[0-9a-f]{64}$/;

type LogEvent = Readonly<Record<string, unknown>>;

/** The events among the lines of stderr. */
function eventsOf(stderr: string): LogEvent[] {
  return stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

describe("WF_LOG_LEVEL", () => {
  it("logs start, calls and end of a run under the trace id of the answer", async () => {
    const cwd = folderWith({ "greet.wf": GREET });
    const result = await wf(["run", "greet.wf", "--json", ...FRAME], { cwd, environment: INFO });
    const { trace_id, out, label, usage } = documentOf(result);
    expect(out).toBe(`${PLANTED} in-an-argument`);
    const common = { level: "info", ts: "2030-01-01T00:00:00.000Z", schema_version: "1", trace_id };
    expect(eventsOf(result.stderr)).toEqual([
      {
        ...common,
        event: "run_start",
        limits_summary: expect.objectContaining({ max_steps: 500_000 }),
        policy_present: false,
        label: "L1",
        ir_checksum: expect.any(String),
        source_sha256: expect.stringMatching(HASH),
        allowed_adapters: null,
        replay: false,
      },
      {
        ...common,
        event: "adapter_call",
        adapter: "core",
        verb: "CONCAT",
        status: "ok",
        duration_ms: 0,
        result_hash: expect.stringMatching(HASH),
        seq: 1,
        label_id: "1",
        node_id: "n1",
        attempt: 1,
        arg_count: 2,
        args_hash: expect.stringMatching(HASH),
      },
      { ...common, event: "run_complete", label, duration_ms: 0, steps: 2, adapter_calls: 1, usage },
    ]);
    expect(result.stderr).not.toMatch(/planted|hunter2|in-an-argument/);
  });

  it("says which branch made a call", async () => {
    const program = "L1:\n  Each xs [7, 8] x ->L_in\n  J xs\nL_in:\n  R core.ADD x 1 ->y\n  J y\n";
    const result = await wf(["run", "a.wf"], { cwd: folderWith({ "a.wf": program }), environment: INFO });
    const calls = eventsOf(result.stderr).filter(({ event }) => event === "adapter_call");
    expect(calls.map(({ branch }) => branch)).toEqual(["1/n1/1#0", "1/n1/1#1"]);
  });

  it("logs where a run failed, without values", async () => {
    const cwd = folderWith({ "fail.wf": FAIL });
    const result = await wf(["run", "fail.wf", "--json", "--forbid-effect", "email", ...FRAME], {
      cwd,
      environment: INFO,
    });
    const { error, error_structured, trace_id, usage } = documentOf(result);
    const { code, message, label, node, line } = error_structured as LogEvent;
    expect([result.code, eventsOf(result.stderr).map(({ event }) => event)]).toEqual([
      1,
      ["run_start", "adapter_call", "adapter_call", "run_failed"],
    ]);
    const [start, , divided, failed] = eventsOf(result.stderr);
    expect(start).toMatchObject({ policy_present: true });
    expect(divided).toMatchObject({ verb: "DIV", status: "error", result_hash: null, seq: 2, error_code: code });
    expect(failed).toMatchObject({
      trace_id,
      ok: false,
      error,
      error_code: code,
      label_id: label,
      node_id: node,
      line,
      adapter_calls: 2,
      usage,
      message,
    });
    expect(result.stderr).not.toMatch(/planted|hunter2/);
  });

  it.each(["", "warn", "error"])("'%s' tells nothing of runs, and changes no byte of stdout", async (level) => {
    const cwd = folderWith({ "greet.wf": GREET, "fail.wf": FAIL });
    for (const file of ["greet.wf", "fail.wf"]) {
      const argv = ["run", file, "--json", "--trace", ...FRAME];
      const silent = await wf(argv, { cwd, environment: { ...INFO, WF_LOG_LEVEL: level } });
      const loud = await wf(argv, { cwd, environment: { ...INFO, WF_LOG_LEVEL: "debug" } });
      expect(eventsOf(silent.stderr)).toEqual([]);
      expect(eventsOf(loud.stderr)).not.toEqual([]);
      expect([loud.code, loud.stdout]).toEqual([silent.code, silent.stdout]);
      expect(loud.stderr.replace(/^\{.*\n/gm, "")).toBe(silent.stderr);
    }
  });

  it("also logs replays and traces, and IR without source", async () => {
    const cwd = folderWith({ "greet.wf": GREET });
    await wf(["run", "greet.wf", "--record", "greet.record.json", ...FRAME], { cwd });
    const replayed = [
      ["replay", "greet.wf", "greet.record.json"],
      ["replay", "--check", "."],
    ];
    for (const argv of replayed) {
      const { code, stderr } = await wf(argv, { cwd, environment: INFO });
      expect([code, eventsOf(stderr)]).toMatchObject([
        0,
        [{ event: "run_start", replay: true }, { status: "replayed" }, { event: "run_complete" }],
      ]);
    }
    const ir = await wf(["compile", "greet.wf"], { cwd });
    const traced = await wf(["trace", "-", "--json", ...FRAME], { cwd, environment: INFO, stdin: ir.stdout });
    const [start] = eventsOf(traced.stderr);
    expect(start).toMatchObject({ event: "run_start", trace_id: documentOf(traced)["trace_id"] });
    expect(start).not.toHaveProperty("source_sha256");
  });

  it.each([
    ["plain", {}],
    ["keyed", { WF_AUDIT_HASH_KEY: "0123456789abcdef" }],
  ])("writes a log that wf audit verify finds whole (%s hashes)", async (_kind, key) => {
    const cwd = folderWith({ "greet.wf": GREET });
    const environment = { ...INFO, ...key };
    const { stderr } = await wf(["run", "greet.wf", "--record", "run.record.json", ...FRAME], { cwd, environment });
    const [start] = eventsOf(stderr);
    const record = ["--record", "run.record.json", "--trace-id", String(start?.["trace_id"])];
    const report = documentOf(
      await wf(["audit", "verify", "-", "--json", ...record], { cwd, environment, stdin: stderr }),
    );
    expect(report).toEqual({ ok: true, lines: 3, runs: 1, calls: 1, dropped: 0, issues: [] });
  });

  it("refuses an unknown level", async () => {
    const cwd = folderWith({ "greet.wf": GREET });
    const result = await wf(["run", join(cwd, "greet.wf")], { cwd, environment: { WF_LOG_LEVEL: "loud" } });
    expect(result).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "environment variable WF_LOG_LEVEL must be debug, info, warn or error\n",
    });
  });
});
