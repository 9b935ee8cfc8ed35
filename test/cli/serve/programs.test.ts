/** `wf deploy`, `wf programs` and `wf run --program` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const DOUBLE = "# frame: a: number\nE /double P ->L1 ->x\nL1:\n  R core.MUL a 2 ->x\n  J x\n";
const FETCH = "L1:\n  R http.Get https://api.example.com/x ->x\n  J x\n";

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const weft = (cwd: string, argv: readonly string[], options: Partial<Parameters<typeof wf>[1]> = {}) =>
  wf(argv, {
    cwd,
    environment: { WF_SERVER: `http://127.0.0.1:${service.port}` },
    clock: realClock,
    stdin: "",
    ...options,
  });

describe("wf deploy", () => {
  it("deploys a file under its name, with the settings of its folder", async () => {
    const cwd = folderWith({
      "Daily_Digest.wf": DOUBLE,
      "wf.config.json": JSON.stringify({ programs: { "daily-digest": { frame: { a: 4 }, tags: { team: "ops" } } } }),
    });
    const done = await weft(cwd, ["deploy", "Daily_Digest.wf"]);
    expect([done.code, done.stdout]).toEqual([0, "deployed  daily-digest 1\n  POST /app/daily-digest/double\n"]);
    expect((await weft(cwd, ["deploy", "Daily_Digest.wf"])).stdout).toContain("unchanged  daily-digest 1");
    expect(await weft(cwd, ["run", "--program", "daily-digest"])).toMatchObject({ code: 0, stdout: "8\n" });
    const run = await weft(cwd, ["run", "--program", "daily-digest@1", "--frame-set", "a=5", "--json"]);
    expect(documentOf(run)).toMatchObject({ ok: true, out: 10 });
  });

  it("queues jobs of what is deployed by its name, with the current version or another one", async () => {
    const cwd = folderWith({
      "twice.py": "def main(n: int):\n    return n * 2\n",
      "in.ndjson": '{"n": 4}\n{"n": 5}\n',
      "thrice.py": "def main(n: int):\n    return n * 3\n",
    });
    await weft(cwd, ["deploy", "twice.py"]);
    await weft(cwd, ["deploy", "thrice.py", "--name", "twice", "--yes"]);
    const submit = ["jobs", "submit", "--program"];
    expect(await weft(cwd, [...submit, "twice", "--frame", '{"n": 7}', "--wait"])).toMatchObject({ stdout: "21\n" });
    const first = await weft(cwd, [...submit, "twice@1", "--frame-set", "n=7", "--wait"]);
    expect(first).toMatchObject({ code: 0, stdout: "14\n" });
    const { stdout } = await weft(cwd, [...submit, "twice", "--in", "in.ndjson", "--name", "both"]);
    const results = [];
    for (const id of stdout.trim().split("\n")) results.push((await weft(cwd, ["jobs", "wait", id])).stdout);
    expect(results).toEqual(["12\n", "15\n"]);
    for (const [argv, message] of [
      [["none"], "no program is deployed as 'none'"],
      [["twice", "twice.py"], "--program and FILE exclude each other"],
      [["twice", "--strict"], "--strict is for files"],
      [["twice", "--include-root", "x"], "--include-root is for files"],
      [["twice", "--frame", "{}"], "n"],
    ] as const) {
      const { code, stderr, stdout } = await weft(cwd, [...submit, ...argv]);
      expect([code, stdout, stderr], argv.join(" ")).toEqual([2, "", expect.stringContaining(message)]);
    }
  });

  it("takes the files that a program includes along, and no modules of their own", async () => {
    const cwd = folderWith({
      "flows/sum.wf": "include modules/one.wf as one\nL1:\n  Call one/ENTRY ->x\n  J x\n",
      "flows/modules/one.wf": "LENTRY:\n  R core.ADD 1 1 ->n\n  Call LEXIT_OK ->r\n  J r\nLEXIT_OK:\n  J n\n",
    });
    const done = await weft(cwd, ["deploy", "flows/"]);
    expect([done.code, done.stdout]).toEqual([0, "deployed  sum 1\n"]);
    expect((await weft(cwd, ["run", "--program", "sum"])).stdout).toBe("2\n");
  });

  it("asks before it deploys what reaches something new, and needs --yes where no terminal can answer", async () => {
    const cwd = folderWith({ "fetch.wf": FETCH });
    const refused = await weft(cwd, ["deploy", "fetch.wf"]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("host api.example.com")]);
    expect(refused.stderr).toContain("--yes");
    const { Readable, Writable } = await import("node:stream");
    const answering = (text: string) => ({
      terminal: true,
      stdin: undefined as unknown as string,
      streams: { input: Readable.from([text]), output: new Writable({ write: (_c, _e, done) => done() }) },
    });
    expect((await weft(cwd, ["deploy", "fetch.wf", "--no-color"], answering("n\n"))).code).toBe(2);
    expect((await weft(cwd, ["deploy", "fetch.wf", "--no-color"], answering("y\n"))).stdout).toContain(
      "deployed  fetch 1",
    );
    const other = folderWith({ "other.wf": FETCH });
    expect((await weft(other, ["deploy", "other.wf", "--yes"])).code).toBe(0);
  });

  it("shows report and difference with --dry-run, and deploys nothing", async () => {
    const cwd = folderWith({ "plan.wf": DOUBLE });
    await weft(cwd, ["deploy", "plan.wf"]);
    const changed = folderWith({ "plan.wf": FETCH });
    const dry = await weft(changed, ["deploy", "plan.wf", "--dry-run"]);
    expect(dry.stdout.split("\n")[0]).toBe("would deploy  plan 2");
    expect(dry.stdout).toContain("newly reaches  host api.example.com");
    expect((await weft(cwd, ["programs", "versions", "plan", "--json"])).stdout).not.toContain('"version":2');
  });

  it.each([
    ["no file", ["deploy"], "missing FILE"],
    ["a program that does not compile", ["deploy", "bad.wf"], "line 2: WF4001"],
    ["a module", ["deploy", "mod.wf"], "modules are deployed with the programs"],
    ["an invalid name", ["deploy", "good.wf", "--name", "A B"], "/name"],
    ["two files under one name", ["deploy", "good.wf", "bad.wf", "--name", "x"], "--name is for one FILE"],
  ])("refuses %s", async (_what, argv, message) => {
    const cwd = folderWith({
      "good.wf": DOUBLE,
      "bad.wf": "L1:\n  J ghost\n",
      "mod.wf": "LENTRY:\n  J 1\nLEXIT_A:\n  J 1\n",
    });
    const { code, stderr } = await weft(cwd, argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("wf programs", () => {
  it("lists, shows, rolls back, disables and removes", async () => {
    const cwd = folderWith({ "life.wf": DOUBLE });
    await weft(cwd, ["deploy", "life.wf"]);
    await service.call("PUT", "/programs/life", { code: DOUBLE.replace("a 2", "a 3") });
    expect((await weft(cwd, ["programs"])).stdout).toMatch(/^program .*\n[\s\S]*life +2 +enabled +api/m);
    expect((await weft(cwd, ["programs", "versions", "life"])).stdout).toMatch(/2 +current/);
    expect(await weft(cwd, ["programs", "rollback", "life", "1"])).toMatchObject({
      code: 0,
      stdout: "life  version 1 is current\n",
    });
    expect((await weft(cwd, ["programs", "disable", "life"])).stdout).toBe("life  disabled\n");
    expect(JSON.parse((await weft(cwd, ["programs", "show", "life"])).stdout)).toMatchObject({
      version: 1,
      enabled: false,
    });
    expect((await weft(cwd, ["programs", "enable", "life"])).stdout).toBe("life  enabled\n");
    expect((await weft(cwd, ["programs", "remove", "life"])).stdout).toBe("removed  life\n");
    const gone = await weft(cwd, ["programs", "show", "life"]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("program_not_found")]);
  });

  it.each([
    [["programs", "show"], "missing NAME"],
    [["programs", "list", "x"], "too many operands"],
    [["programs", "rollback", "x"], "missing VERSION"],
    [["programs", "rollback", "x", "soon"], "VERSION must be a whole number"],
    [["programs", "shwo", "x"], "show"],
    [["run", "a.wf", "--program", "x"], "either FILE or --program"],
  ])("refuses %j", async (argv, message) => {
    const { code, stderr } = await weft(folderWith({}), argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
