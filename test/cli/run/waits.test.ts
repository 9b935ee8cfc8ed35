/** Programs that wait for times and signals, under `wf run` and `wf test`. */
import { describe, expect, it } from "vitest";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const WAITS = [
  "L1:",
  '  R timer.sleep "3d" ->a',
  '  R signal.wait ["go", "stop"] {"timeout": "1d"} ->s',
  '  R timer.until "2030-01-10T00:00:00Z" ->b',
  "  R core.NOW ->n",
  '  J {"a": a.at, "s": s.name, "data": s.data, "b": b.at}',
  "",
].join("\n");
const KEYED = 'L1:\n  R signal.wait "paid" {"key": 4711, "timeout": "1d"} ->s\n  J s.data\n';
const run = (stdin: string, ...flags: string[]) => wf(["run", "-", "--json", ...flags], { stdin });

describe("wf run", () => {
  it.each([
    ["skips timers and the timeouts of signals", WAITS, ["--skip-timers"], { s: null, data: null }],
    ["gives a signal", WAITS, ["--skip-timers", "--signal", 'go={"x": 1}'], { s: "go", data: { x: 1 } }],
    ["gives the first that fits", WAITS, ["--skip-timers", "--signal", "other=1", "--signal", "stop"], { s: "stop" }],
  ])("%s", async (_, program, flags, out) => {
    const result = await run(program, ...flags);
    expect(result.code, result.stderr).toBe(0);
    expect(documentOf(result)["out"]).toMatchObject(out);
  });

  it("gives a signal under its key, and no other", async () => {
    expect(documentOf(await run(KEYED, "--signal", "paid@4711=7"))["out"]).toBe(7);
    for (const signal of ["paid=7", "paid@4712=7"]) {
      const { error_structured } = documentOf(await run(KEYED, "--signal", signal)) as {
        error_structured: { data: { adapter_code: string } };
      };
      expect(error_structured.data.adapter_code).toBe("ADAPTER_NOT_CONFIGURED");
    }
  });

  it("gives each signal once", async () => {
    const program = 'L1:\n  R signal.wait "x" ->a\n  R signal.wait "x" {"timeout": 0} ->b\n  J [a.data, b.received]\n';
    expect(documentOf(await run(program, "--signal", "x=1"))["out"]).toEqual([1, false]);
  });

  it.each(["=1", "a b=1", "x@=1", "x=no"])("refuses --signal %s", async (signal) => {
    expect(await run(KEYED, "--signal", signal)).toMatchObject({ code: 2 });
  });
});

describe("wf test", () => {
  const tested = async (program: string, cases: object[]) => {
    const cwd = folderWith({ "a.wf": program, "a.expected.json": JSON.stringify(cases) });
    const { tests } = documentOf(await wf(["test", "--json"], { cwd })) as {
      tests: { mismatches: unknown[] }[];
    };
    return tests.map(({ mismatches }) => mismatches);
  };
  const received = { received: true, name: "go", data: 1, id: "i", at: "2030-01-04T00:00:00Z" };

  it("moves its clock on where a program waits, and counts none of it for the run", async () => {
    const expected = { a: "2030-01-04T00:00:00.000Z", b: "2030-01-10T00:00:00.000Z", s: "go", data: 1 };
    const mocks = { "signal.wait": { result: received } };
    const limits = { max_time_ms: 1000 };
    expect(await tested(WAITS, [{ mocks, limits, expect: { result: expected } }])).toEqual([[]]);
  });

  it("lets waits of branches end in the order of their times", async () => {
    const program = [
      "L1:",
      "  Each at spans s ->L_wait",
      "  J at",
      "L_wait:",
      "  R timer.sleep s ->t",
      "  R core.NOW ->n",
      "  J t.at",
      "",
    ].join("\n");
    const result = ["2030-01-03T00:00:00.000Z", "2030-01-01T02:00:00.000Z"];
    expect(
      await tested(`# frame: spans: list\n${program}`, [{ frame: { spans: ["2d", "2h"] }, expect: { result } }]),
    ).toEqual([[]]);
  });

  it("asks for the mock of a signal, and takes those of a timer", async () => {
    const [missing, mocked] = await tested(WAITS, [
      { name: "missing", expect: { result: 1 } },
      {
        name: "mocked",
        mocks: { "timer.sleep": { error: { code: "X" } } },
        expect: { error: "RUNTIME_ADAPTER_ERROR" },
      },
    ]);
    expect(JSON.stringify(missing)).toContain("signal.wait was called and has no mock");
    expect(mocked).toEqual([]);
  });
});
