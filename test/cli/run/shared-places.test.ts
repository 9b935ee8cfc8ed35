/** Notes about state that every project of the machine shares. No test goes there: every call is refused. */
import { describe, expect, it } from "vitest";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const MEMORY = 'L1:\n  R memory.get "session" "note" "none" ->r\n  J r.found\n';
const NOTE =
  "note memory keeps its records in /tmp/ainl_memory.sqlite3, which every project and user of this machine shares; " +
  "--memory-db FILE or WF_MEMORY_DB chooses another place\n";
const folder = (): string => folderWith({ "in.ndjson": "{}\n{}\n", "p.wf": MEMORY });
const NO_CALLS = ["--max-adapter-calls", "0"];
const notes = (stderr: string): number => stderr.split(NOTE).length - 1;

describe("state in a place that all projects share", () => {
  it.each([
    ["run", ["run", "p.wf", ...NO_CALLS]],
    ["batch", ["batch", "p.wf", "--in", "in.ndjson", ...NO_CALLS]],
    ["trace", ["trace", "p.wf", ...NO_CALLS]],
    ["memory", ["memory", "import", "missing.ndjson"]],
  ])("is named once by wf %s", async (_, argv) => {
    expect(notes((await wf(argv, { cwd: folder() })).stderr)).toBe(1);
  });

  it.each([
    ["a flag names a place", ["--memory-db", "memory.db", ...NO_CALLS], {}],
    ["the variable names a place", NO_CALLS, { WF_MEMORY_DB: "/nowhere/memory.db" }],
    ["--quiet is given", ["--quiet", ...NO_CALLS], {}],
  ])("is not mentioned when %s", async (_, flags, environment) => {
    const { stderr } = await wf(["run", "p.wf", ...flags], { cwd: folder(), environment });
    expect(stderr).toContain("max_adapter_calls");
    expect(notes(stderr)).toBe(0);
  });

  it("is not mentioned by a replay, which makes no call", async () => {
    const cwd = folder();
    expect(
      await wf(["run", "p.wf", "--record", "log.json", "--memory-db", "memory.db"], { cwd, clock: realClock }),
    ).toMatchObject({ stderr: "" });
    expect(await wf(["run", "p.wf", "--replay", "log.json"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  });
});
