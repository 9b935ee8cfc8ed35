/** The reference programs of benchmarks/agents are right and free of findings. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { faultsOf } from "../../benchmarks/agents/judge.ts";
import { readTasks } from "../../benchmarks/agents/tasks.ts";
import { openServer } from "../mcp/opened.ts";

const tasks = readTasks(process.cwd());

describe("tasks for agents", () => {
  it("are at least forty, each with a name of its own", () => {
    expect(tasks.length).toBeGreaterThanOrEqual(40);
    expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length);
  });

  it.each(tasks.map((task) => [task.name, task] as const))(
    "%s: the reference program is right",
    async (_name, task) => {
      const server = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
      const call = async (name: string, args: object) => (await server.call(name, args)).payload;
      expect(await faultsOf(task.program, task, call)).toEqual([]);
      const { diagnostics } = await call("wf_validate", { code: task.program, frame: task.cases[0]?.frame ?? {} });
      expect(diagnostics).toEqual([]);
      await server.close();
    },
  );
});

const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const JUDGE = `
import json, sys
for task in json.load(sys.stdin):
    scope = {}
    exec(task["program"], scope)
    for case in task["cases"]:
        try:
            got = {"expect": scope["main"](**case["frame"])}
        except Exception as failure:
            got = {"error": str(failure)}
        wanted = {k: case[k] for k in ("expect", "error") if k in case}
        if got != wanted:
            print(task["name"], got, wanted)
`;

describe("the same programs in CPython", () => {
  it.skipIf(!hasPython)("give the same results where they call nothing (needs python3 from 3.11)", () => {
    const pure = tasks.filter(({ cases }) => cases.every(({ calls }) => calls.length === 0));
    expect(execFileSync("python3", ["-c", JUDGE], { input: JSON.stringify(pure), encoding: "utf8" })).toBe("");
  });
});
