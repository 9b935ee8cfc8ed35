/** `wf propose` and `wf proposals` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const DOUBLE = '# with: {"a": 21}\n# result: 42\ndef main(a: int):\n    return a * 2\n';
const FETCH = 'def main(path: str):\n    return http.get("https://api.example.com/" + path)["status"]\n';
const CONFIG = JSON.stringify({ adapters: { enable: ["http"] } });

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const weft = (cwd: string, ...argv: readonly string[]) =>
  wf([...argv, "--no-color"], {
    cwd,
    environment: { WF_SERVER: `http://127.0.0.1:${service.port}` },
    clock: realClock,
    stdin: "",
  });
const idOf = async (name: string): Promise<string> =>
  (await service.call("GET", `/proposals?program=${name}`)).body.proposals[0].id;

describe("wf propose", () => {
  it.each(["proposals", "programs"])("says of an empty list of %s that it is empty", async (command) => {
    const listed = await weft(folderWith({}), command, "list");
    expect(listed).toMatchObject({ code: 0, stdout: "", stderr: `note no ${command}\n` });
  });

  it("proposes a file with its tests, and a person makes it current", async () => {
    const cwd = folderWith({ "double.wf": DOUBLE });
    const made = await weft(cwd, "propose", "double.wf", "--comment", "doubles");
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(made.stdout).toMatch(/^proposal {2}[0-9a-f]{32} {2}double {2}open\n {2}a first version, /);
    expect(made.stdout).toContain("tests  1 of 1 passed");
    const listed = await weft(cwd, "proposals");
    expect(listed.stdout).toContain("double");
    const id = await idOf("double");
    const unasked = await weft(cwd, "proposals", "accept", id.slice(0, 8), "--comment", "right");
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("add --yes")]);
    const done = await weft(cwd, "proposals", "accept", id.slice(0, 8), "--comment", "right", "--yes");
    expect([done.code, done.stdout]).toEqual([0, "double  accepted  version 1 is current\n"]);
    expect((await weft(cwd, "run", "--program", "double", "--frame-set", "a=4")).stdout).toBe("8\n");
  });

  it("sends tests of the file next to it, and shows what a later version newly reaches", async () => {
    const get = { "http.Get": { result: { status: 204, body: "" } } };
    const cases = [
      { name: "answers", frame: { path: "x" }, mocks: get, expect: { result: 204 } },
      { name: "wrong", frame: { path: "x" }, mocks: get, expect: { result: 500 } },
      { name: "counts", frame: { path: "x" }, mocks: get, expect: { result: 204, usage: { steps: 1 } } },
    ];
    await weft(folderWith({ "double.wf": DOUBLE }), "deploy", "double.wf", "--name", "reader", "--yes");
    const cwd = folderWith({
      "reader.wf": FETCH,
      "reader.expected.json": JSON.stringify(cases),
      "wf.config.json": CONFIG,
    });
    const made = await weft(cwd, "propose", "reader.wf");
    expect(made.stderr).toContain("1 tests are left out");
    for (const line of [
      "newly reaches  privilege network",
      'setting  adapters: null → {"enable":["http"]}',
      "-    return a * 2",
      "tests  1 of 2 passed",
      "wrong: result: expected 500, and it was 204",
    ])
      expect(made.stdout).toContain(line);
    const shown = await weft(cwd, "proposals", "show", await idOf("reader"), "--json");
    expect(documentOf(shown)).toMatchObject({ name: "reader", base: 1, state: "open" });
    const no = await weft(cwd, "proposals", "decline", await idOf("reader"), "--comment", "reads too much");
    expect([no.code, no.stdout]).toEqual([0, "reader  declined\n"]);
  });

  it("says that a proposal is stale, and accepts nothing then", async () => {
    const cwd = folderWith({ "old.wf": DOUBLE });
    await weft(cwd, "propose", "old.wf");
    await weft(folderWith({ "old.wf": DOUBLE.replace("* 2", "* 3") }), "deploy", "old.wf", "--yes");
    const id = await idOf("old");
    expect((await weft(cwd, "proposals", "show", id)).stdout).toContain("stale  version 1 is current now");
    const late = await weft(cwd, "proposals", "accept", id, "--comment", "x", "--yes");
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("propose it again")]);
  });

  it.each([
    ["no file", ["propose"], "missing FILE"],
    ["a program that does not compile", ["propose", "bad.wf"], "compile_error"],
    ["a comment that cannot be read as a test", ["propose", "odd.wf"], "is not JSON"],
    ["a decision without a word", ["proposals", "accept", "abcd"], "--comment TEXT"],
    ["a proposal without an id", ["proposals", "show"], "missing ID"],
    ["an unknown action", ["proposals", "agree"], "agree"],
    ["an id that is not known", ["proposals", "decline", "0".repeat(32), "--comment", "x"], "no proposal of this id"],
  ])("refuses %s", async (_what, argv, message) => {
    const cwd = folderWith({ "bad.wf": "def main(:\n", "odd.wf": `# expect: {oops\n${DOUBLE}` });
    const { code, stderr, stdout } = await weft(cwd, ...argv, "--json");
    expect(code).toBe(2);
    expect(stderr + stdout).toContain(message);
  });
});
