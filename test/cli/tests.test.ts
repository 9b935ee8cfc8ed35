/** `wf test`: golden files, expectations in comments, mocks, rewriting, recording, coverage and reports. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const SUM = "# frame: a: any\nL1:\n  R core.ADD a 3 ->x\n  If x > 4 ->L2 ->L_small\nL2:\n  J x\nL_small:\n  J 0\n";
const FETCH =
  '# frame: url: text\nL1:\n  R http.Get url ->r\n  Retry 2 10\n  Err ->L_down\n  J r\nL_down:\n  J "down"\n';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** A folder with one program and its golden file. */
const tested = (program: string, cases: unknown): string =>
  folderWith({ "a.wf": program, "a.expected.json": json(cases) });

/** Names of the tests that failed, with what differed. */
async function failures(cwd: string, ...flags: string[]): Promise<unknown[]> {
  const { tests } = documentOf(await wf(["test", "--json", ...flags], { cwd })) as {
    tests: { name: string; ok: boolean; mismatches: { what: string }[] }[];
  };
  return tests.filter(({ ok }) => !ok).map(({ name, mismatches }) => [name, ...mismatches.map(({ what }) => what)]);
}

const MISPLACED = " has no place here; a test lists what it expects in expect; all other members stand next to it";

describe("wf test", () => {
  it("runs every example of the documentation", { timeout: 60_000 }, async () => {
    const result = await wf(["test", "examples", "--jobs", "4"], { cwd: ROOT });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/\n\d{2} tests, 0 failed\n$/);
  });

  it.each([
    [{ name: "a", frames: {} }, "it: unknown member 'frames'; did you mean frame?"],
    [{ expect: { reslt: 5 } }, "/expect: unknown member 'reslt'; did you mean result?"],
    [{ expect: { a: 5, b: 6 } }, "/expect: unknown member 'a', 'b'"],
    [{ ok: true, result: 5, mocks: {} }, `it: 'mocks'${MISPLACED}`],
    [{ expect: { mocks: {} } }, `/expect: 'mocks'${MISPLACED}`],
    [{ expect: { result: 5 }, mocks: { "http.Get": [] } }, "/mocks/http.Get: must not be empty"],
    [[{ name: "a", frame: 1 }], "/0/frame: none of the accepted forms"],
    [{ name: 5, expect: { result: 1 } }, "/name: expected string"],
  ])("says what is wrong with %j", async (golden, said) => {
    const result = await wf(["test"], { cwd: tested(SUM, golden) });
    expect(result).toMatchObject({ code: 2, stderr: `error invalid_test  a.expected.json is not a test: ${said}\n` });
  });

  it("prints one line for each test, and what differs", async () => {
    const cwd = folderWith({
      "hello.wf": "L1:\n  J 5\n",
      "hello.expected.json": json({ name: "adds", expect: { result: 5 } }),
      "flows/report.wf": SUM,
      "flows/report.expected.json": json([
        { name: "totals", frame: { a: 39 }, expect: { result: 41 } },
        { frame: { a: 1 }, expect: { result: 0 } },
      ]),
    });
    const result = await wf(["test"], { cwd });
    expect(result).toMatchObject({ code: 1, stderr: "" });
    expect(result.stdout).toBe(
      [
        "FAIL flows/report.wf  totals      0.0 ms",
        "    result",
        "    - 41",
        "    + 42",
        "ok   flows/report.wf  case 2      0.0 ms",
        "ok   hello.wf         adds        0.0 ms",
        "3 tests, 1 failed",
        "",
      ].join("\n"),
    );
    const utf8 = await wf(["test", "hello.wf"], { cwd, environment: { LC_ALL: "en_US.UTF-8" } });
    expect(utf8).toMatchObject({ code: 0, stdout: "✓ hello.wf  adds      0.0 ms\n1 test, 0 failed\n" });
    expect((await wf(["test", "--filter", "totals"], { cwd })).stdout).toMatch(/\n1 test, 1 failed\n$/);
    expect((await wf(["test", "--bail"], { cwd })).stdout).toMatch(/\n1 test, 1 failed, 2 not run\n$/);
  });

  it("names tests whose program is gone", async () => {
    const cwd = folderWith({
      "a.wf": "# expect: 1\nL1:\n  J 1\n",
      "d/old.expected.json": "{}",
      "b.property.json": "[]",
    });
    expect(await wf(["test"], { cwd })).toMatchObject({
      code: 0,
      stderr:
        "warning b.property.json tests nothing: b.wf does not exist\n" +
        "warning d/old.expected.json tests nothing: d/old.wf does not exist\n",
    });
    expect(await wf(["test", "a.wf"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([[[]], [["--filter", "x"]], [["empty"]], [["missing.wf"]], [["--jobs", "0"]], [["--reporter", "xml"]]])(
    "ends with 2 for %j",
    async (flags) => {
      const cwd = folderWith({ "plain.wf": "L1:\n  J 1\n", "empty/readme.txt": "" });
      expect((await wf(["test", ...flags], { cwd })).code).toBe(2);
    },
  );

  it.each([
    ["{", "it is not JSON at line 1, column 2"],
    ['{"expect": {"reslt": 1}}', "/expect"],
    ['{"expect": {}, "limits": {"max_stps": 1}}', "/limits"],
    ['[{"expect": {}}, {"expect": {"ok": 1}}]', "/1/expect/ok"],
    ['{"expect": {}, "mocks": {"core.ADD": {"result": 1}}}', "/mocks"],
    ['{"expect": {}, "policy": {"forbid": 1}}', "/policy"],
    ['{"expect": {}, "replay": "gone.json"}', "gone.json"],
  ])("refuses the file %s", async (text, place) => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n", "a.expected.json": text });
    const result = await wf(["test", "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ ok: false, message: expect.stringContaining(place) });
  });
});

describe("what a golden case can expect", () => {
  it.each<[string, object, readonly string[]]>([
    ["a result", { frame: { a: 2 }, expect: { result: 5 } }, []],
    ["another result", { frame: { a: 2 }, expect: { result: 6 } }, ["result"]],
    ["success alone", { frame: { a: 2 }, expect: { ok: true } }, []],
    ["a failure", { frame: { a: {} }, expect: { error: "RUNTIME_OP_ERROR" } }, []],
    ["the word of a failure", { frame: { a: {} }, expect: { error: "runtime_error" } }, []],
    ["its place", { frame: { a: {} }, expect: { error: { code: "RUNTIME_OP_ERROR", line: 3, label: "1" } } }, []],
    ["another place", { frame: { a: {} }, expect: { error: { line: 4 } } }, ["error"]],
    ["a failure that does not come", { frame: { a: 2 }, expect: { error: "RUNTIME_OP_ERROR" } }, ["error"]],
    ["success that does not come", { frame: { a: {} }, expect: { result: 1 } }, ["outcome"]],
    ["a limit", { frame: { a: 2 }, limits: { max_steps: 1 }, expect: { error: "max_steps" } }, []],
    ["another label", { frame: {}, label: "L_small", expect: { result: 0 } }, []],
    ["a label that does not exist", { label: "L9", frame: { a: 1 }, expect: { error: "RUNTIME_UNKNOWN_LABEL" } }, []],
    ["diagnostics", { frame: { a: 2 }, expect: { diagnostics: [] } }, []],
    ["other diagnostics", { frame: { a: 2 }, expect: { diagnostics: ["WF4001"] } }, ["outcome", "diagnostics"]],
    ["usage", { frame: { a: 2 }, expect: { usage: { steps: { max: 10 }, adapter_calls: 1 } } }, []],
    ["other usage", { frame: { a: 2 }, expect: { usage: { steps: { min: 10 } } } }, ["usage.steps"]],
    ["a trace", { frame: { a: 2 }, expect: { trace: [{ op: "If", branch: { port: "then" } }] } }, []],
    ["a trace in order", { frame: { a: 2 }, expect: { trace: [{ op: "If" }, { op: "R" }] } }, ["trace"]],
    [
      "a policy",
      {
        frame: { a: 2 },
        policy: { forbidden_adapters: ["core"] },
        expect: { policy_errors: ["POLICY_ADAPTER_FORBIDDEN"] },
      },
      [],
    ],
    ["calls", { frame: { a: 2 }, expect: { calls: [] } }, []],
  ])("%s", async (_, one, mismatches) => {
    const found = await failures(tested(SUM, one));
    expect(found).toEqual(mismatches.length === 0 ? [] : [["expected", ...mismatches]]);
  });

  it("the flat form of an earlier answer", async () => {
    const frame = { a: 2 };
    expect(await failures(tested(SUM, [{ frame, ok: true, label: "L1", result: 5 }]))).toEqual([]);
    expect(await failures(tested(SUM, { frame, ok: true, label: "L1", result: 6 }))).toEqual([["expected", "result"]]);
  });

  it("findings of a program that does not compile", async () => {
    const program = "L1:\n  J totl\n";
    expect(
      await failures(tested(program, { expect: { diagnostics: [{ code: "WF4001", line: 2, column: 5 }] } })),
    ).toEqual([]);
    expect(
      await failures(tested(program, { expect: { diagnostics: ["WF4001 at 2:5"], error: "compile_error" } })),
    ).toEqual([]);
    expect(await failures(tested(program, { strict: false, expect: { result: "totl" } }))).toEqual([]);
  });

  it("the same clock, random numbers and ids in every run", async () => {
    const program = "L1:\n  R core.NOW ->t\n  R core.UUID ->id\n  J [t, id]\n";
    const cwd = tested(program, { clock: "2031-02-03T04:05:06Z", random_seed: 7, expect: { result: 0 } });
    const first = await wf(["test", "--json"], { cwd });
    expect((await wf(["test", "--json"], { cwd })).stdout).toBe(first.stdout);
    expect(first.stdout).toContain(String(Date.UTC(2031, 1, 3, 4, 5, 6) / 1000));
  });

  it("a frame from a file next to it", async () => {
    const cwd = folderWith({
      "flows/a.wf": SUM,
      "flows/a.expected.json": json({ frame: "@frames/two.json", expect: { result: 5 } }),
      "flows/frames/two.json": '{"a": 2}',
    });
    expect(await failures(cwd)).toEqual([]);
  });
});

describe("mocks", () => {
  const timeout = { error: { code: "ADAPTER_TIMEOUT", retryable: true } };
  it.each<[string, object, readonly string[]]>([
    ["answer", { mocks: { "http.Get": { result: { n: 1 } } }, expect: { result: { n: 1 }, calls: ["http.Get"] } }, []],
    ["answer in any spelling", { mocks: { "http.get": { result: 1 } }, expect: { result: 1 } }, []],
    [
      "answer in turn",
      { mocks: { "http.Get": [timeout, { result: 1 }] }, expect: { result: 1, calls: ["http.Get", "http.Get"] } },
      [],
    ],
    [
      "repeat the last answer",
      { mocks: { "http.Get": [timeout] }, expect: { result: "down", usage: { adapter_calls: 3 } } },
      [],
    ],
    [
      "check arguments",
      { mocks: { "http.Get": { args: ["https://a.example"], result: 1 } }, expect: { result: 1 } },
      [],
    ],
    [
      "see other arguments",
      { mocks: { "http.Get": { args: ["https://b.example"], result: 1 } }, expect: { result: "down" } },
      ["calls"],
    ],
    ["must be there, even when the program handles it", { expect: { result: "down" } }, ["calls"]],
    [
      "show calls with their arguments",
      { mocks: { "http.Get": { result: 1 } }, expect: { calls: [{ call: "http.Get", args: ["https://a.example"] }] } },
      [],
    ],
  ])("%s", async (_, one, mismatches) => {
    const cwd = tested(FETCH, { name: "one", frame: { url: "https://a.example" }, ...one });
    expect(await failures(cwd)).toEqual(mismatches.length === 0 ? [] : [["one", ...mismatches]]);
  });

  it("give place to a record", async () => {
    const calls = [{ adapter: "http", verb: "Get", args: ["https://a.example"], result: { n: 1 } }];
    const cwd = tested(FETCH, {
      frame: { url: "https://a.example" },
      replay: "a.record.json",
      expect: { result: { n: 1 }, calls: ["http.Get"] },
    });
    writeFileSync(join(cwd, "a.record.json"), JSON.stringify(calls));
    expect(await failures(cwd)).toEqual([]);
  });
});

describe("expectations in comments", () => {
  it.each([
    ["# expect: 3\nL1:\n  J 3\n", true],
    ["# expect: 4\nL1:\n  J 3\n", false],
    ['# frame-value: a = 2\n# expect: {"n": 2}\nL1:\n  J {n: a}\n', true],
    ["# expect error WF4001 at 3:5\nL1:\n  J totl\n", true],
    ["# expect error WF4001 at 3:6\nL1:\n  J totl\n", false],
    ["# expect run-error RUNTIME_OP_ERROR\nL1:\n  R core.DIV 1 0 ->x\n  J x\n", true],
    ["# result: 3\nL1:\n  J 3\n", true],
    ["# result: 4\nL1:\n  J 3\n", false],
    ['# with: {"a": 2, "b": 1}\n# result: {"n": 2}\nL1:\n  J {n: a}\n', true],
    ["# fails: RUNTIME_OP_ERROR\nL1:\n  R core.DIV 1 0 ->x\n  J x\n", true],
    ['# fails: RUNTIME_MAX_STEPS\n# limits: {"max_steps": 1}\nL1:\n  Set a 1\n  J a\n', true],
    ["# expect: 3\n# result: the sum of both\nL1:\n  J 3\n", true],
    ["# limit: max_steps = 1\n# expect limit max_steps\nL1:\n  Set a 1\n  J a\n", true],
    ["# expect limit max_depth\nL1:\n  J 1\n", false],
  ])("%j", async (program, passes) => {
    const cwd = folderWith({ "a.wf": program });
    expect(await failures(cwd)).toHaveLength(passes ? 0 : 1);
  });

  it.each([
    "# expect: tree",
    '# result: {"a"',
    "# result: 1\n# with: {a}",
    '# result: 1\n# limits: {"max_stps": 1}',
    "# expect error WF40",
    "# expect limit max_stps",
  ])("refuses %s", async (comment) => {
    expect((await wf(["test"], { cwd: folderWith({ "a.wf": `${comment}\nL1:\n  J 1\n` }) })).code).toBe(2);
  });
});

describe("wf test --update", () => {
  it("rewrites what is expected, keeps the rest, and shows the difference", async () => {
    const kept = { frame: { a: 1 }, expect: { result: 0 } };
    const cwd = tested(SUM, [
      { name: "new", frame: { a: 3 }, expect: { usage: { steps: 1 }, result: 1, error: null } },
      { name: "fails", frame: { a: {} }, expect: { ok: true, result: 1 } },
      kept,
    ]);
    const result = await wf(["test", "--update"], { cwd });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("--- a.expected.json\n+++ a.expected.json  (updated)\n");
    expect(result.stdout).toContain('-      "result": 1,\n+      "result": 6,\n');
    expect(JSON.parse(readFileSync(join(cwd, "a.expected.json"), "utf8"))).toEqual([
      { name: "new", frame: { a: 3 }, expect: { usage: { steps: 3 }, result: 6, error: null } },
      { name: "fails", frame: { a: {} }, expect: { ok: false, error: "RUNTIME_OP_ERROR" } },
      kept,
    ]);
    expect(await failures(cwd)).toEqual([]);
  });

  it("changes nothing of a case that holds: bounds, arguments of calls, places", async () => {
    const mocks = { "http.Get": { result: { n: 1 } } };
    const calls = [{ call: "http.Get", args: ["x"] }];
    const cwd = tested(FETCH, [
      { frame: { url: "x" }, mocks, expect: { result: 0, calls, diagnostics: [], usage: { steps: { max: 10 } } } },
      { frame: { url: "x" }, mocks, expect: { result: 0, calls: [{ call: "http.Post", args: [] }] } },
      { frame: { url: "x" }, mocks, limits: { max_steps: 1 }, expect: { error: "max_steps", usage: { steps: 9 } } },
    ]);
    expect((await wf(["test", "--update"], { cwd })).code).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "a.expected.json"), "utf8"))).toMatchObject([
      { expect: { result: { n: 1 }, calls, diagnostics: [], usage: { steps: { max: 10 } } } },
      { expect: { result: { n: 1 }, calls } },
      { expect: { error: "max_steps", usage: { steps: 1 } } },
    ]);
    expect(await failures(cwd)).toEqual([]);
  });

  it("leaves correct expectations alone, and cannot fix a call without a mock", async () => {
    const text = '{"frame":{"a":2},"expect":{"result":5}}';
    const cwd = folderWith({ "a.wf": SUM, "a.expected.json": text });
    expect((await wf(["test", "--update"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "a.expected.json"), "utf8")).toBe(text);
    const unmocked = tested(FETCH, { frame: { url: "x" }, expect: { result: 1 } });
    const before = readFileSync(join(unmocked, "a.expected.json"), "utf8");
    expect((await wf(["test", "--update"], { cwd: unmocked })).code).toBe(1);
    expect(readFileSync(join(unmocked, "a.expected.json"), "utf8")).toBe(before);
  });
});

describe("wf test --record", () => {
  it("runs live once, and replays from then on", async () => {
    const cwd = tested("L1:\n  R core.UUID ->id\n  J id\n", [{ mocks: {}, expect: { result: "?" } }]);
    const result = await wf(["test", "--record", "--update"], { cwd });
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining("recorded a-1.record.json\n") });
    const [one] = JSON.parse(readFileSync(join(cwd, "a.expected.json"), "utf8"));
    expect(one).toEqual({ replay: "a-1.record.json", expect: { result: expect.stringMatching(/^0{8}-/) } });
    expect(await failures(cwd)).toEqual([]);
  });

  it.each(["../elsewhere.json", "/tmp/elsewhere.json", "records/../../elsewhere.json"])(
    "writes no record to %s",
    async (replay) => {
      const cwd = tested("L1:\n  R core.UUID ->id\n  J id\n", [{ replay, expect: { ok: true } }]);
      const { code, stderr } = await wf(["test", "--record"], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringContaining("/replay is outside the folder of the test")]);
    },
  );

  it.each([
    ["a.record.json", "profile", undefined],
    ["records", ".", "records/profile"],
  ])("follows no link %s out of the folder", async (link, target, replay) => {
    const elsewhere = folderWith({ profile: "mine\n" });
    const cwd = tested("L1:\n  R core.UUID ->id\n  J id\n", { replay, expect: { ok: true } });
    symlinkSync(join(elsewhere, target), join(cwd, link));
    expect((await wf(["test", "--record"], { cwd })).code).toBe(2);
    expect(readFileSync(join(elsewhere, "profile"), "utf8")).toBe("mine\n");
  });
});

describe("wf test --coverage", () => {
  it("counts labels and ways, and names what no test reached", async () => {
    const cwd = tested(SUM, { frame: { a: 2 }, expect: { result: 5 } });
    const result = await wf(["test", "--coverage"], { cwd });
    expect(result.stdout).toContain(
      "program  labels  edges  not covered\na.wf     2/3     1/2    L_small never entered\n",
    );
    expect(result.stdout).toContain("L1 n2 (line 4) else → L_small\n");
    expect(result.stdout).toMatch(/coverage: labels 2\/3, edges 1\/2 \(a.wf L_small never entered\)\n$/);
    expect(documentOf(await wf(["test", "--coverage", "--json"], { cwd }))["coverage"]).toMatchObject({
      labels: { taken: 2, total: 3 },
      edges: { taken: 1, total: 2 },
      programs: [
        {
          path: "a.wf",
          edges: [
            { port: "else", taken: 0 },
            { port: "then", to: "L2", taken: 1 },
          ],
        },
      ],
    });
  });

  it("knows the ways of failures, retries and loops", async () => {
    const program =
      "L1:\n  Loop [1, 0] n ->L_one ->L_end\nL_one:\n  R core.DIV 1 n ->x\n  Retry 1 0\n  Err ->L_bad\n  J x\nL_bad:\n  J 0\nL_end:\n  J 1\n";
    const cwd = tested(program, { expect: { result: 1 } });
    expect((await wf(["test", "--coverage"], { cwd })).stdout).toContain("coverage: labels 4/4, edges 5/5\n");
  });

  it("knows the functions and the ways of Python programs, handlers as one way each", async () => {
    const program = `def other():
    return 0


def main(items: list):
    total = 0
    for item in items:
        try:
            number = int(item)
            total = total + number
        except ValueError as error:
            total = other()
    return total
`;
    const all = tested(program, { frame: { items: ["1", "x"] }, expect: { result: 0 } });
    expect((await wf(["test", "--coverage"], { cwd: all })).stdout).toContain("coverage: labels 3/3, edges 4/4\n");
    const some = tested(program, { frame: { items: ["1"] }, expect: { result: 1 } });
    const { stdout } = await wf(["test", "--coverage"], { cwd: some });
    expect(stdout).toContain("other never entered\n");
    expect(stdout).toMatch(/main n\d+ \(line 9\) err → n\d+\n/);
    expect(stdout).toContain("coverage: labels 2/3, edges 2/4 ");
  });
});

describe("reports", () => {
  const cwd = (): string => tested(SUM, [{ name: "a & <b> # \u001b[31m", frame: { a: 2 }, expect: { result: "x" } }]);

  it("JSON", async () => {
    expect(documentOf(await wf(["test", "--reporter", "json"], { cwd: cwd() }))).toEqual({
      ok: false,
      tests: [
        {
          path: "a.wf",
          file: "a.expected.json",
          name: "a & <b> # \u001b[31m",
          kind: "golden",
          ok: false,
          duration_ms: 0,
          mismatches: [{ what: "result", expected: "x", actual: 5 }],
        },
      ],
      passed: 0,
      failed: 1,
      not_run: 0,
      updated: [],
      recorded: [],
    });
  });

  it("TAP", async () => {
    const { stdout } = await wf(["test", "--reporter", "tap"], { cwd: cwd() });
    expect(stdout).toMatch(/^TAP version 14\n1\.\.1\nnot ok 1 - a\.wf a & <b> \\# \\\\x1b\[31m\n {2}---\n/);
  });

  it("JUnit", async () => {
    const { stdout } = await wf(["test", "--reporter", "junit"], { cwd: cwd() });
    expect(stdout).toContain('<testsuite name="a.wf" tests="1" failures="1">');
    expect(stdout).toContain('name="a &amp; &lt;b&gt; # \\x1b[31m" time="0.000000">\n      <failure message="result">');
  });

  it("never lets a test drive the terminal", async () => {
    const { stdout } = await wf(["test"], { cwd: cwd(), terminal: true, environment: { NO_COLOR: "1" } });
    expect(stdout).toContain("a & <b> # \\x1b[31m");
  });
});

describe("wf test --watch", () => {
  it("runs again after a change, until it is ended", { timeout: 30_000 }, async () => {
    const directory = tested(SUM, { frame: { a: 2 }, expect: { result: 6 } });
    const listeners: ((signal: "SIGINT") => void)[] = [];
    const end = (): void => {
      for (const send of listeners) send("SIGINT");
    };
    let changed = false;
    const running = wf(["test", "--watch"], {
      cwd: directory,
      onListen: (send) => listeners.push(send),
      onWrite: (text) => {
        if (text.includes("1 test, 0 failed")) setImmediate(end);
        if (changed || !text.includes("1 test, 1 failed")) return;
        changed = true;
        writeFileSync(join(directory, "a.expected.json"), json({ frame: { a: 2 }, expect: { result: 5 } }));
      },
    });
    expect(await running).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 failed\n[\s\S]*0 failed\n/) });
  });
});

describe("adapters that only the mocks know", () => {
  const program = "L1:\n  R billing.Charge 5 ->r\n  J r\n";

  it("answer as the mocks say", async () => {
    const mocks = { "billing.charge": { args: [5], result: 7 } };
    const cwd = tested(program, [{ mocks, expect: { result: 7, diagnostics: [], calls: ["billing.Charge"] } }]);
    expect((await wf(["test"], { cwd })).code).toBe(0);
  });

  it("answer from a log", async () => {
    const cwd = tested(program, [{ replay: "a.record.json", expect: { result: 7 } }]);
    const log = JSON.stringify([{ adapter: "billing", verb: "Charge", args: [5], result: 7 }]);
    writeFileSync(join(cwd, "a.record.json"), log);
    expect((await wf(["test"], { cwd })).code).toBe(0);
  });
});
