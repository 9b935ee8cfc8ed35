/** `--record` and `--replay` of `wf run`, and `wf replay`. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const ORDER = "L1:\n  R core.UUID ->id\n  R core.ADD n 1 ->sum\n  J [id, sum]\n";
const ID = "00000000-0000-4000-8000-000000000001";

/** A folder with a program and the record of its run. */
async function recorded(program = ORDER, flags: readonly string[] = ["--frame", '{"n": 4}']) {
  const cwd = folderWith({ "order.wf": program });
  const first = await wf(["run", "order.wf", ...flags, "--record", "order.record.json"], { cwd });
  const log = (): Record<string, unknown> => JSON.parse(readFileSync(join(cwd, "order.record.json"), "utf8"));
  return { cwd, first, log };
}

describe("wf replay --continue", () => {
  const program = "L1:\n  R core.UUID ->a\n  R core.UUID ->b\n  J [a, b]\n";

  it("keeps the trace id of the run that failed, and with it the keys of its writes", async () => {
    const { cwd, first, log } = await recorded(program, ["--max-adapter-calls", "1", "--json"]);
    expect(documentOf(first)).toMatchObject({ ok: false });
    expect(log()["trace_id"]).toBe(documentOf(first)["trace_id"]);
    const traceOf = async (trace_id: string, environment: Readonly<Record<string, string>> = {}) => {
      writeFileSync(join(cwd, "order.record.json"), JSON.stringify({ ...log(), trace_id }));
      const again = await wf(["replay", "order.wf", "order.record.json", "--continue", "--json"], { cwd, environment });
      const { ok, trace_id: used } = documentOf(again);
      return [ok, used];
    };
    expect(await traceOf("order-7")).toEqual([true, "order-7"]);
    expect(await traceOf("order-7", { WF_LOG_LEVEL: "info" })).toEqual([true, "order-7"]);
    expect(await traceOf("../no trace id")).toEqual([true, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });
});

describe("wf run --record", () => {
  it("writes the log whole, for the user only, marked as sensitive", async () => {
    verifies("run.record_calls-on");
    const { cwd, first, log } = await recorded();
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(join(cwd, "order.record.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(cwd)).toEqual(["order.record.json", "order.wf"]);
    expect(log()).toEqual({
      format: "weft-record",
      version: 1,
      program_checksum: expect.stringMatching(/^sha256:/),
      label: "1",
      complete: true,
      sensitive: true,
      frame: { n: 4 },
      calls: [
        {
          seq: 0,
          label_id: "1",
          node_id: "n1",
          attempt: 1,
          adapter: "core",
          verb: "UUID",
          args: [],
          ok: true,
          result: expect.any(String),
        },
        {
          seq: 1,
          label_id: "1",
          node_id: "n2",
          attempt: 1,
          adapter: "core",
          verb: "ADD",
          args: [4, 1],
          ok: true,
          result: 5,
        },
      ],
    });
  });

  it("shows the log in JSON, and nothing of it without the flag", async () => {
    const cwd = folderWith({ "order.wf": ORDER });
    const flags = ["run", "order.wf", "--frame-set", "n=1", "--json"];
    const document = documentOf(await wf([...flags, "--record-adapters=x.json"], { cwd }));
    expect(document["record"]).toEqual(JSON.parse(readFileSync(join(cwd, "x.json"), "utf8")));
    const plain = documentOf(await wf(flags, { cwd }));
    expect(Object.keys(plain)).not.toContain("record");
    expect(Object.keys(plain)).not.toContain("replay");
  });

  it("writes the log of a failed run", async () => {
    const { first, log } = await recorded("L1:\n  R core.DIV 1 0 ->x\n  J x\n", []);
    expect(first.code).toBe(1);
    expect(log()).toMatchObject({ complete: false, calls: [{ ok: false, error: { message: "division by zero" } }] });
  });

  it("says so when the log cannot be written", async () => {
    const cwd = folderWith({ "order.wf": "L1:\n  J 1\n" });
    expect(await wf(["run", "order.wf", "--record", "no/such/x.json"], { cwd })).toMatchObject({ code: 2 });
  });
});

describe("wf run --replay", () => {
  it("takes the answers from the log", async () => {
    const { cwd, first } = await recorded();
    const again = ["run", "order.wf", "--frame", '{"n": 4}', "--replay", "order.record.json"];
    expect(await wf(again, { cwd })).toEqual({ ...first, left: [] });
    expect(documentOf(await wf([...again, "--json"], { cwd }))).toMatchObject({
      ok: true,
      out: [ID.replace(/1$/, "2"), 5],
      replay: { matched: 2, remaining: 0 },
      warnings: [],
    });
    expect(
      await wf(
        again.map((word) => word.replace("--replay", "--replay-adapters")),
        { cwd },
      ),
    ).toMatchObject({ code: 0 });
  });

  it("fails with the short word, the log's call and the program's", async () => {
    const { cwd } = await recorded();
    const result = await wf(["run", "order.wf", "--frame", '{"n": 7}', "--replay", "order.record.json", "--json"], {
      cwd,
    });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({
      ok: false,
      error: "replay_mismatch",
      error_structured: {
        code: "RUNTIME_REPLAY_MISMATCH",
        line: 3,
        data: { index: 1, path: "/args/0", expected: { args: [4, 1] }, got: { args: [7, 1] } },
      },
      replay: { matched: 1, remaining: 1 },
    });
  });

  it("keeps allowlist and policy in force", async () => {
    verifies("replay.gate");
    const { cwd } = await recorded();
    const again = ["replay", "order.wf", "order.record.json", "--json"];
    expect(documentOf(await wf([...again, "--allow-adapter", "http"], { cwd }))).toMatchObject({
      error: "adapter_not_allowed",
    });
    const refused = await wf([...again, "--forbid-adapter", "core"], { cwd });
    expect(refused.code).toBe(3);
    expect(documentOf(refused)).toMatchObject({ error: "policy_violation" });
  });

  it("warns of another version of the program", async () => {
    const { cwd } = await recorded();
    writeFileSync(join(cwd, "order.wf"), ORDER.replace("J [id, sum]", "J sum"));
    const result = await wf(["replay", "order.wf", "order.record.json"], { cwd });
    expect(result).toMatchObject({
      code: 0,
      stdout: "5\n",
      stderr: expect.stringContaining("replay_checksum_differs"),
    });
  });

  it.each([
    ["{", "", "must be JSON"],
    ["1", "", "must be a record, an object with calls, or a list of calls"],
    ['{"calls": [1]}', "/calls/0", "must be an object"],
    ['{"calls": [], "frame": 1}', "/frame", "must be an object"],
  ])("refuses the log %s", async (text, path, message) => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n", "log.json": text });
    const result = await wf(["run", "a.wf", "--replay", "log.json", "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({
      error: "replay_log_invalid",
      message: `log.json is not a replay log: ${path === "" ? "it" : path} ${message}`,
      issues: [{ path, code: "replay_log_invalid", message }],
    });
  });

  it("says when the log does not exist", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n" });
    const result = await wf(["run", "a.wf", "--replay", "log.json", "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ error: "input_error", error_kind: "path_not_found" });
  });
});

describe("wf replay FILE LOG", () => {
  it("prints the result, with label and variables of the recorded run", async () => {
    const program = "L1:\n  J other\nL2:\n  R core.UUID ->id\n  J [id, n]\n";
    const { cwd, first } = await recorded(program, ["--label", "L2", "--frame", '{"n": 4}']);
    expect(first.stdout).toContain(ID.replace(/1$/, ""));
    expect(await wf(["replay", "order.wf", "order.record.json"], { cwd })).toEqual({ ...first, left: [] });
    const otherwise = await wf(["replay", "order.wf", "order.record.json", "--frame-set", "n=5", "--json"], { cwd });
    expect(documentOf(otherwise)).toMatchObject({ label: "L2", out: [expect.any(String), 5] });
  });

  it("reads the log from standard input for -, as wf run --replay does", async () => {
    const { cwd, first, log } = await recorded();
    const stdin = JSON.stringify(log());
    expect(await wf(["replay", "order.wf", "-"], { cwd, stdin })).toMatchObject({ code: 0, stdout: first.stdout });
    const frame = ["--frame", '{"n": 4}'];
    const ran = await wf(["run", "order.wf", "--replay", "-", ...frame], { cwd, stdin });
    expect(ran).toMatchObject({ code: 0, stdout: first.stdout });
    const broken = await wf(["replay", "order.wf", "-"], { cwd, stdin: "{" });
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("<stdin> is not a replay log: it must be JSON"),
    });
  });

  it.each([
    [["replay", "-", "-"], "the program and the log cannot both come from standard input"],
    [["run", "-", "--replay", "-"], "the program and the log cannot both come from standard input"],
    [["run", "--replay", "-"], "the program and the log cannot both come from standard input"],
    [["replay", "a.wf", "-", "--frame", "@-"], "--frame @- and the log cannot both come from standard input"],
    [["run", "a.wf", "--replay", "-", "--watch"], "--watch reads the log at every run: --replay needs a file"],
  ])("%j is refused: standard input is read once", async (args, message) => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n" });
    expect(await wf(args, { cwd, stdin: "{}" })).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("shows the first divergence side by side", async () => {
    const { cwd } = await recorded();
    const result = await wf(["replay", "order.wf", "order.record.json", "--frame-set", "n=7"], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr.replace(/\d+\.\d ms/, "0.0 ms")).toBe(
      [
        "error RUNTIME_REPLAY_MISMATCH  recorded call 1, core.ADD, had other arguments (at /args/0)",
        "  --> order.wf:3:3  L1 n2",
        "   |",
        " 2 |   R core.UUID ->id",
        " 3 |   R core.ADD n 1 ->sum",
        "   |   ^^^^^^^^^^^^^^^^^^^^",
        "   = call 1 of the log:",
        "                 recorded  now",
        "     call        core.ADD  core.ADD",
        "     args        [4,1]     [7,1]",
        "     at /args/0  4         7",
        "   = label stack: L1",
        "   = used: steps 2/500,000, calls 2/50,000, 0.0 ms",
        "   = replay: 1 call matched, 1 left",
        "   = help: wf explain RUNTIME_REPLAY_MISMATCH",
        "",
      ].join("\n"),
    );
  });

  it("shows where a log ends too early, and too late", async () => {
    const { cwd } = await recorded();
    writeFileSync(join(cwd, "order.wf"), `${ORDER.replace("  J", "  R core.NOW ->t\n  J")}`);
    const early = await wf(["replay", "order.wf", "order.record.json"], { cwd });
    expect(early.stderr).toMatch(
      /RUNTIME_REPLAY_EXHAUSTED {2}the log ends after 2 calls; the program now asks for core.NOW/,
    );
    expect(early.stderr).toMatch(/call +\(end of the log\) +core\.NOW/);
    writeFileSync(join(cwd, "order.wf"), ORDER.replace("  R core.ADD n 1 ->sum\n", ""));
    const late = await wf(["replay", "order.wf", "order.record.json"], { cwd });
    expect(late.stderr).toMatch(/RUNTIME_REPLAY_LEFTOVER {2}1 recorded call was not made; the first is core.ADD/);
    expect(late.stderr).toMatch(/call +core\.ADD +\(end of the run\)/);
    expect([early.code, late.code]).toEqual([1, 1]);
  });

  it("says when a partial log was not used up", async () => {
    const calls = [{ adapter: "core", verb: "UUID", args: [], result: "u" }];
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n", "log.json": JSON.stringify(calls) });
    const result = await wf(["replay", "a.wf", "log.json"], { cwd });
    expect(result).toMatchObject({ code: 0, stdout: "1\n", stderr: "note 1 call of the log not used\n" });
  });

  it("never lets a log drive the terminal", async () => {
    const calls = [{ adapter: "core", verb: "UUID\u001b[31m", args: ["\u009b"], result: "u" }];
    const cwd = folderWith({ "a.wf": "L1:\n  R core.UUID ->x\n  J x\n", "log.json": JSON.stringify(calls) });
    const result = await wf(["replay", "a.wf", "log.json"], { cwd, terminal: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(result.stderr.replaceAll(/\u001b\[\d+m/g, "")).not.toMatch(/[\u001b\u009b]/);
    expect(result.code).toBe(1);
  });

  it.each([[[]], [["a.wf"]], [["a.wf", "b.json", "c.json"]], [["a.wf", "b.json", "--check", "x"]]])(
    "refuses the operands %j",
    async (operands) => {
      expect((await wf(["replay", ...operands])).code).toBe(2);
    },
  );
});

describe("wf replay --check DIR", () => {
  it("passes records of unchanged programs, failed runs included", async () => {
    const { cwd } = await recorded();
    mkdirSync(join(cwd, "below"));
    writeFileSync(join(cwd, "div.wf"), "L1:\n  R core.DIV 1 0 ->x\n  J x\n");
    await wf(["run", "div.wf", "--record", "below/div.record.json"], { cwd });
    const path = join(cwd, "below/div.record.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), program: "../div.wf" }));
    const result = await wf(["replay", "--check", "."], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toBe("ok      below/div.record.json\nok      order.record.json\n\n2 records, 0 failed\n");
    expect(documentOf(await wf(["replay", "--check", ".", "--json"], { cwd }))).toEqual({
      ok: true,
      files: [
        { path: "below/div.record.json", program: "div.wf", ok: true },
        { path: "order.record.json", program: "order.wf", ok: true },
      ],
      passed: 2,
      failed: 0,
    });
  });

  it("fails on a program that makes other calls, with the place", async () => {
    const { cwd } = await recorded();
    writeFileSync(join(cwd, "order.wf"), ORDER.replace("n 1", "n 2"));
    const result = await wf(["replay", "--check", "."], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain("failed  order.record.json  RUNTIME_REPLAY_MISMATCH  recorded call 1, core.ADD,");
    expect(result.stdout).toContain("  --> order.wf:3\n");
    expect(result.stdout).toContain("1 record, 1 failed\n");
    expect(documentOf(await wf(["replay", "--check", ".", "--json"], { cwd }))).toMatchObject({
      ok: false,
      files: [{ ok: false, error: "RUNTIME_REPLAY_MISMATCH", data: { index: 1, path: "/args/1" } }],
      failed: 1,
    });
  });

  it("fails on a run that succeeded and now fails by itself", async () => {
    const { cwd } = await recorded();
    writeFileSync(join(cwd, "order.wf"), ORDER.replace("J [id, sum]", "X x div 1 0\n  J x"));
    expect(await wf(["replay", "--check", "."], { cwd })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("RUNTIME_OP_ERROR  division by zero"),
    });
  });

  it.each([
    ["an invalid log", { "a.wf": "L1:\n  J 1\n", "a.record.json": "{}" }, 2, "replay_log_invalid"],
    ["a record without program", { "a.record.json": '{"calls": []}' }, 2, "input_error"],
    [
      "a program that does not compile",
      { "a.wf": 'L1:\n  J "\n', "a.record.json": '{"calls": []}' },
      1,
      "compile_error",
    ],
  ])("reports %s", async (_title, files, code, error) => {
    const cwd = folderWith(files);
    const result = await wf(["replay", "--check", ".", "--json"], { cwd });
    expect(result.code).toBe(code);
    expect(documentOf(result)).toMatchObject({ ok: false, files: [{ ok: false, error }] });
  });

  it("needs a record at least", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n" });
    expect(await wf(["replay", "--check", "."], { cwd })).toMatchObject({
      code: 2,
      stderr: "no *.record.json below .\n",
    });
  });
});

describe("a log of an adapter that this host does not have", () => {
  const program = "L1:\n  R billing.Charge 5 ->r\n  J r\n";
  const log = JSON.stringify([{ adapter: "billing", verb: "Charge", args: [5], result: 7 }]);

  it("is replayed, alone and in a folder", async () => {
    const cwd = folderWith({ "a.wf": program, "a.record.json": log });
    expect(await wf(["replay", "a.wf", "a.record.json"], { cwd })).toMatchObject({
      code: 0,
      stdout: "7\n",
      stderr: "",
    });
    expect((await wf(["replay", "a.wf", "a.record.json", "--strict"], { cwd })).code).toBe(0);
    expect((await wf(["replay", "--check", "."], { cwd })).code).toBe(0);
  });

  it("does not lift a policy, nor what the log says", async () => {
    const cwd = folderWith({ "a.wf": program.replace("5", "6"), "a.record.json": log });
    expect((await wf(["replay", "a.wf", "a.record.json"], { cwd })).stderr).toContain("RUNTIME_REPLAY_MISMATCH");
    const denied = await wf(["replay", "a.wf", "a.record.json", "--forbid-destructive"], { cwd });
    expect(denied.code).toBe(3);
  });
});
