/** `wf run`: results, answers, failures, traces, interrupts. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { realClock } from "../../support/adapter-bench.ts";
import { verifies } from "../../support/requirements.ts";
import { documentOf, stillClock, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const DIV = "L1:\n  Set n 0\n  R core.DIV 10 n ->x\n  J x\n";
const FLOOR = { max_steps: 500_000, max_depth: 500, max_adapter_calls: 50_000, max_time_ms: 900_000 };

const textOf = (program: string): Promise<string> =>
  wf(["run", "-"], { stdin: program }).then((result) => result.stdout);

describe("a secret of the operator", () => {
  const environment = { WF_SECRET_API: 'canary"1' };
  it.each<{ readonly flags: readonly string[] }>([{ flags: [] }, { flags: ["--json"] }, { flags: ["--trace"] }])(
    "is not shown by a run that fails, $flags",
    async ({ flags }) => {
      const stdin = "# frame: t\nL1:\n  R core.FAIL t ->x\n  J x\n";
      const argv = ["run", "-", "--frame", JSON.stringify({ t: 'got {"key":"canary\\"1"}' }), ...flags];
      const { code, stdout, stderr } = await wf(argv, { stdin, environment });
      expect(code).toBe(1);
      expect(flags.includes("--json") ? stdout : stderr).toContain("[secret]");
      expect(stdout + (flags.includes("--trace") ? "" : stderr)).not.toContain("canary");
    },
  );

  it("is not shown by a call that fails", async () => {
    const argv = ["adapter", "call", "core.FAIL", '"canary-canary"', "--json"];
    const { stdout, stderr } = await wf(argv, { environment: { WF_SECRET_API: "canary-canary" } });
    expect(stdout).toContain("[secret]");
    expect(stdout + stderr).not.toContain("canary");
  });
});

describe("a run that succeeds", () => {
  it("prints the result on stdout and nothing else", async () => {
    verifies("cli.run", "cli.exit.0", "service.cli-one-shot", "service.container-per-run");
    const cwd = folderWith({ "hello.wf": HELLO });
    expect(await wf(["run", "hello.wf"], { cwd })).toEqual({ code: 0, stdout: "5\n", stderr: "", left: [] });
  });

  it("says what it used with -v", async () => {
    const cwd = folderWith({ "hello.wf": HELLO });
    const result = await wf(["run", "hello.wf", "-v"], { cwd });
    expect(result.stdout).toBe("5\n");
    expect(result.stderr).toBe("ok  L1  0.0 ms  steps 2/500,000  depth 1/500  calls 1/50,000\n");
  });

  it.each([
    ['J "two words"', "two words\n"],
    ["J null", ""],
    ['J ""', "\n"],
    ["J true", "true\n"],
    ["J [1, 2]", "[\n  1,\n  2\n]\n"],
    ['J {"a": "\u009b"}', '{\n  "a": "\\u009b"\n}\n'],
  ])("%s prints %j", async (step, printed) => {
    expect(await textOf(`L1:\n  ${step}\n`)).toBe(printed);
  });

  it("prints a text exactly with --raw", async () => {
    const result = await wf(["run", "-", "--raw"], { stdin: 'L1:\n  J "x"\n' });
    expect(result.stdout).toBe("x");
  });

  it("never lets a result drive the terminal, and leaves it alone in a pipe", async () => {
    const frame = ["--frame", JSON.stringify({ t: "a\u001b[31m\u009bb\nc" })];
    const program = "# frame: t\nL1:\n  J t\n";
    expect((await wf(["run", "-", ...frame], { stdin: program, terminal: true })).stdout).toBe("a\\x1b[31m\\x9bb\nc\n");
    expect((await wf(["run", "-", ...frame], { stdin: program })).stdout).toBe("a\u001b[31m\u009bb\nc\n");
  });

  it("answers the contract's members in JSON", async () => {
    verifies("cli.flag.json", "response.usage");
    const result = await wf(["run", "-", "--json"], { stdin: HELLO });
    const document = documentOf(result);
    expect(document).toEqual({
      ok: true,
      trace_id: expect.any(String),
      label: "L1",
      out: 5,
      result: 5,
      runtime_version: "1.0.0",
      ir_version: "1.0",
      duration_ms: 0,
      adapter_p95_ms: { core: 0 },
      usage: { steps: 2, depth: 1, adapter_calls: 1, time_ms: 0, frame_bytes: null, loop_iters: 0 },
      limits: FLOOR,
      stats: { compile_ms: 0, run_ms: 0, cache_hit: false, checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      warnings: [],
    });
    expect(result).toMatchObject({ code: 0, stderr: "" });
  });

  it("reads the program from standard input, with or without -", async () => {
    verifies("cli.stdin");
    expect(await wf(["run", "-"], { stdin: HELLO })).toMatchObject({ code: 0, stdout: "5\n" });
    expect(await wf(["run"], { stdin: HELLO })).toMatchObject({ code: 0, stdout: "5\n" });
  });

  it("runs IR from a .json file and from standard input", async () => {
    const { ir } = compile(HELLO, { catalog: builtinCatalog });
    const text = JSON.stringify(ir);
    const cwd = folderWith({ "hello.json": text });
    expect(await wf(["run", "hello.json"], { cwd })).toMatchObject({ code: 0, stdout: "5\n" });
    const strict = await wf(["run", "-", "--json", "--strict"], { stdin: text });
    expect(documentOf(strict)).toMatchObject({
      ok: true,
      out: 5,
      warnings: [expect.stringMatching(/^strict_ignored: /)],
    });
  });

  it("takes the frame from flags", async () => {
    const cwd = folderWith({ "f.json": '{"a": 40}' });
    const program = "L1:\n  J (add a b)\n";
    expect(
      await wf(["run", "-", "--strict", "--frame", "@f.json", "--frame-set", "b=2"], { stdin: program, cwd }),
    ).toMatchObject({ code: 0, stdout: "42\n" });
    expect(await wf(["run", "-", "--frame-json", '{"a":1,"b":1}'], { stdin: program })).toMatchObject({
      stdout: "2\n",
    });
  });

  it("starts at the label asked for", async () => {
    const program = "L1:\n  J 1\nL2:\n  J 2\n";
    for (const label of ["L2", "2", "->L2"])
      expect((await wf(["run", "-", "--label", label], { stdin: program })).stdout).toBe("2\n");
  });

  it("writes the result to a file with --out", async () => {
    const cwd = folderWith({});
    expect(await wf(["run", "-", "--out", "r.txt"], { stdin: HELLO, cwd })).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(cwd, "r.txt"), "utf8")).toBe("5\n");
  });

  it("reads includes next to the program and none outside", async () => {
    verifies("language.includes-confined");
    const module = 'LENTRY:\n  J "in"\nLEXIT_OK:\n  J "out"\n';
    const main = (path: string) => `include "${path}" as m\nL1:\n  Call m/ENTRY ->r\n  J r\n`;
    const cwd = folderWith({
      "p/main.wf": main("lib/m.wf"),
      "p/lib/m.wf": module,
      "p/bad.wf": main("../m.wf"),
      "m.wf": module,
    });
    expect(await wf(["run", "p/main.wf"], { cwd })).toMatchObject({ code: 0, stdout: "in\n" });
    const outside = await wf(["run", "p/bad.wf", "--json"], { cwd });
    expect(outside.code).toBe(1);
    expect(JSON.stringify(documentOf(outside)["diagnostics"])).toContain("WF3018");
    expect(await wf(["run", "p/bad.wf", "--include-root", "."], { cwd })).toMatchObject({ code: 0, stdout: "in\n" });
    const stdin = await wf(["run", "-", "--json"], { cwd, stdin: main("m.wf") });
    expect(JSON.stringify(documentOf(stdin)["diagnostics"])).toContain("WF3017");
  });

  it("keeps members with dangerous names", async () => {
    const result = await wf(["run", "-", "--json", "--frame", '{"t": {"__proto__": 1}}'], { stdin: "L1:\n  J t\n" });
    expect(result.stdout).toContain('"out":{"__proto__":1}');
  });
});

describe("strict mode", () => {
  it("is off for run unless asked for", async () => {
    verifies("cli.flag.strict");
    const program = "L1:\n  J pelican\n";
    expect(await wf(["run", "-", "-q"], { stdin: program })).toMatchObject({
      code: 0,
      stdout: "pelican\n",
      stderr: "",
    });
    const strict = await wf(["run", "-", "--strict", "--json"], { stdin: program });
    expect(strict.code).toBe(1);
    expect(documentOf(strict)).toMatchObject({
      ok: false,
      error: "compile_error",
      diagnostics: [{ code: "WF4001", line: 2, column: 5 }],
    });
  });
});

describe("a program that does not compile", () => {
  it("shows where, runs nothing, and ends with 1", async () => {
    verifies("cli.exit.1", "errors.cli-nonzero");
    const cwd = folderWith({ "bad.wf": 'L1:\n  J "open\n' });
    const result = await wf(["run", "bad.wf"], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("bad.wf:2:5 error WF1001 string is not closed on this line\n");
    expect(result.stderr).toContain(' 2 |   J "open\n   |     ^^^^^\n');
    expect(result.stderr).toContain("1 error; nothing was executed\n");
  });

  it("shows warnings on stderr and runs all the same", async () => {
    const result = await wf(["run", "-"], { stdin: "L1:\n  Set x {k: 1, k: 2}\n  J x\n" });
    expect(JSON.parse(result.stdout)).toEqual({ k: 2 });
    expect(result.code).toBe(0);
    expect(result.stderr).toContain("<stdin>:2:16 warning WF9026");
  });
});

describe("a run that fails", () => {
  it("shows the place, the stack and what it used", async () => {
    verifies("errors.cli-nonzero");
    const cwd = folderWith({ "div.wf": DIV });
    const result = await wf(["run", "div.wf", "--max-steps", "500"], { cwd });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toBe(
      [
        "error RUNTIME_OP_ERROR  division by zero",
        "  --> div.wf:3:3  L1 n2",
        "   |",
        " 2 |   Set n 0",
        " 3 |   R core.DIV 10 n ->x",
        "   |   ^^^^^^^^^^^^^^^^^^^",
        "   = label stack: L1",
        "   = used: steps 2/500, calls 1/50,000, 0.0 ms",
        "   = help: wf explain RUNTIME_OP_ERROR",
        "",
      ].join("\n"),
    );
  });

  it("answers the error shape in JSON, usage and limits included", async () => {
    verifies("response.usage");
    const result = await wf(["run", "-", "--json"], { stdin: DIV });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({
      ok: false,
      error: "runtime_error",
      message: "division by zero at L1, line 3",
      error_structured: {
        message: "division by zero",
        code: "RUNTIME_OP_ERROR",
        label: "1",
        node: "n2",
        line: 3,
        stack: ["1"],
        data: { cause_type: "division_by_zero" },
      },
      label: "L1",
      runtime_version: "1.0.0",
      ir_version: "1.0",
      usage: { steps: 2, adapter_calls: 1 },
      limits: FLOOR,
      warnings: [],
    });
    expect(result.stdout).not.toContain('"out"');
  });

  it("says that an adapter is not there", async () => {
    verifies("cli.flag.enable-adapter");
    const program = "L1:\n  R calendar.calendars ->r\n  J r\n";
    for (const flags of [[], ["--enable-adapter", "calendar"]]) {
      const result = await wf(["run", "-", "--json", ...flags], { stdin: program });
      expect(result.code).toBe(1);
      expect(documentOf(result)).toMatchObject({
        error: "adapter_not_available",
        error_structured: { data: { adapter_code: "ADAPTER_NOT_CONFIGURED" } },
      });
    }
    expect((await wf(["run", "-"], { stdin: program })).stderr).toContain("= help: add --enable-adapter calendar\n");
    const enabled = await wf(["run", "-", "--enable-adapter", "calendar"], { stdin: program });
    expect(enabled.stderr).toContain("wf explain ADAPTER_NOT_CONFIGURED\n");
    expect(enabled.stderr).not.toContain("add --enable-adapter");
  });

  it("shows the adapter's own code, and how to explain it", async () => {
    const cwd = folderWith({ "a.wf": 'L1:\n  R fs.delete "x" ->r\n  J r\n', "root/x": "" });
    const { stderr } = await wf(["run", "a.wf", "--fs-root", "root"], { cwd, clock: realClock });
    expect(stderr).toContain("   = code: ADAPTER_DELETE_FORBIDDEN of fs.delete\n");
    expect(stderr).toMatch(/ {3}= help: wf explain ADAPTER_DELETE_FORBIDDEN\n$/);
  });

  it("warns in advance of adapters the allowlist does not hold, then denies them", async () => {
    verifies("errors.allowlist-warning");
    const result = await wf(["run", "-", "--json", "--allow-adapter", "cache"], { stdin: HELLO });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({
      error: "adapter_not_allowed",
      warnings: [expect.stringMatching(/^adapter_not_allowed: .*core\.ADD/)],
    });
    const unreached = await wf(["run", "-", "--json", "--allow-adapter", "core"], {
      stdin: 'L1:\n  J 1\nL2:\n  R http.Get "https://example.com/" ->r\n  J r\n',
    });
    expect(unreached.code).toBe(0);
    expect(documentOf(unreached)).toMatchObject({
      out: 1,
      warnings: [expect.stringMatching(/^adapter_not_allowed: .*http\.Get/)],
    });
    expect(unreached.stderr).toContain("warning adapter_not_allowed: ");
  });

  it("mentions limits that were ignored", async () => {
    const result = await wf(["run", "-", "--json", "--max-steps=0", "--max-adapter-calls=-1"], { stdin: HELLO });
    expect(documentOf(result)).toMatchObject({
      limits: FLOOR,
      warnings: [
        expect.stringMatching(/^limit_ignored: max_steps/),
        expect.stringMatching(/^limit_ignored: max_adapter_calls/),
      ],
    });
  });
});

describe("traces", () => {
  it("are a member in JSON and a table on stderr", async () => {
    const document = documentOf(await wf(["run", "-", "--json", "--trace"], { stdin: HELLO }));
    expect(document["trace"]).toMatchObject([
      { kind: "step", op: "R" },
      { kind: "step", op: "J", out: 5 },
      { kind: "end" },
    ]);
    const text = await wf(["run", "-", "--trace"], { stdin: HELLO });
    expect(text.stdout).toBe("5\n");
    expect(text.stderr.split("\n")[0]).toBe("seq  kind  label  node  op  line  ms     value");
  });

  it("go to private files", async () => {
    const cwd = folderWith({});
    const result = await wf(["run", "-", "--json", "--trace-out", "t.json", "--trace-jsonl", "t.ndjson"], {
      stdin: HELLO,
      cwd,
    });
    expect(documentOf(result)["trace"]).toBeUndefined();
    expect(JSON.parse(readFileSync(join(cwd, "t.json"), "utf8"))).toMatchObject({
      ok: true,
      label: "L1",
      trace: [{}, {}, {}],
    });
    const lines = readFileSync(join(cwd, "t.ndjson"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["step", "step", "end"]);
    expect(statSync(join(cwd, "t.json")).mode & 0o777).toBe(0o600);
  });

  it("cannot share stdout with --json", async () => {
    const result = await wf(["run", "-", "--json", "--trace-jsonl", "-"], { stdin: HELLO });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ ok: false, error: "usage_error" });
  });
});

describe("inputs that are declared and not given", () => {
  const SUM = "# frame: a: number, b: number\nL1:\n  R core.ADD $a $b ->x\n  J x\n";

  it.each([
    [["--frame", '{"b": 2}'], "note: inputs that were not given: a\n"],
    [[], "not given: a, b\n"],
  ])("are named when a run with %j fails", async (flags, told) => {
    const result = await wf(["run", "-", ...flags], { stdin: SUM });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
  });

  it.each([[["--loose", "--frame", '{"a": "x", "b": 2}']], [["--max-steps", "1"]]])(
    "are not blamed for the failure of %j",
    async (flags) => {
      const stdin = flags[0] === "--loose" ? SUM : "# frame: a: number\nL1:\n  Set b 1\n  J b\n";
      const result = await wf(["run", "-", ...flags], { stdin });
      expect([result.code, result.stderr.includes("not given")]).toEqual([1, false]);
    },
  );
});

describe("interrupts", () => {
  const SLEEPER = "L1:\n  R core.SLEEP 1000 ->x\n  J 1\n";
  const endless = { ...stillClock, wait: () => () => undefined };

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s cancels the run and ends with %d", async (signal, code) => {
    verifies("cli.exit.130");
    const onListen = (send: (signal: "SIGINT" | "SIGTERM") => void) => void setImmediate(() => send(signal));
    const result = await wf(["run", "-", "--json"], { stdin: SLEEPER, clock: endless, onListen });
    expect(result.code).toBe(code);
    expect(documentOf(result)).toMatchObject({ ok: false, error: "cancelled", usage: { steps: expect.any(Number) } });
    expect(result.left).toEqual([]);
  });

  it("a second signal leaves at once", async () => {
    const onListen = (send: (signal: "SIGINT" | "SIGTERM") => void) =>
      void setImmediate(() => {
        send("SIGINT");
        send("SIGINT");
      });
    const result = await wf(["run", "-"], { stdin: SLEEPER, clock: endless, onListen });
    expect(result.left).toEqual([130]);
    expect(result.stderr).toContain("= used: ");
  });
});
