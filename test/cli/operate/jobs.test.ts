/** `wf jobs` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const FAIL = { code: 'L1:\n  R ext.Fail "no luck" ->x\n  J x\n' };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const jobs = (...argv: string[]) => jobsWith("", ...argv);
const jobsWith = (stdin: string, ...argv: string[]) =>
  wf(["jobs", ...argv], { stdin, environment: { WF_SERVER: `http://127.0.0.1:${service.port}` }, clock: realClock });

describe("wf jobs", () => {
  it("waits for a job and prints what wf run would have printed", async () => {
    const id = await service.queued(ADD);
    expect(await jobs("wait", id)).toMatchObject({ code: 0, stdout: "5\n" });
    const failed = await service.queued(FAIL);
    const result = await jobs("wait", failed);
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr.replace(/, [\d.]+ m?s\n/, ", 1 ms\n").split("\n")).toEqual([
      "error RUNTIME_ADAPTER_ERROR  no luck",
      "  --> line 2  L1 n1",
      "   = code: ADAPTER_UNAVAILABLE of ext.Fail",
      "   = label stack: L1",
      "   = used: steps 1/500,000, calls 1/50,000, 1 ms",
      "   = help: wf explain ADAPTER_UNAVAILABLE",
      "",
    ]);
    const { stdout } = await jobs("wait", id, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ job_id: id, status: "succeeded", result: { ok: true, out: 5 } });
  });

  it("shows the failing line of a program that it has submitted itself", async () => {
    const cwd = folderWith({ "p.wf": "Lbad:\n  Set n 0\n  X q div 1 n\n  J q\n" });
    const { code, stderr } = await jobs("submit", "p.wf", "--cwd", cwd, "--wait");
    expect(code).toBe(1);
    expect(stderr).toContain("error RUNTIME_OP_ERROR  division by zero\n  --> p.wf:3:3  Lbad n2\n");
    expect(stderr).toContain("3 |   X q div 1 n\n");
  });

  it("waits at most as long as --timeout, and cancels", async () => {
    const id = await service.queued(HOLD);
    await service.held();
    expect(await jobs("wait", id, "--timeout", "0.02")).toMatchObject({ code: 1 });
    expect(await jobs("cancel", id)).toMatchObject({ code: 0, stdout: `${id}  cancelling\n` });
    expect((await jobs("wait", id)).stderr).toContain("cancelled");
  });

  it("lists, shows and retries", async () => {
    const id = await service.queued(FAIL);
    await service.over(id);
    const { stdout } = await jobs("list", "--status", "failed", "--limit", "1");
    expect(stdout.split("\n")[1]).toMatch(new RegExp(`^${id} +failed +L1 +1 `));
    expect(JSON.parse((await jobs("get", id)).stdout)).toMatchObject({ job_id: id, status: "failed" });
    const { stdout: retried } = await jobs("retry", id, "--json");
    expect(JSON.parse(retried)).toMatchObject({ ok: true, retry_of: id });
    expect((await jobs("retry", id)).stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  it("says what is wrong with a request, and cuts a table on a terminal only", async () => {
    const refused = await jobs("list", "--status", "foo");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error invalid_request .*\n.*status.*\n/),
    });
    const id = await service.queued(ADD);
    expect((await jobs("wait", id)).code).toBe(0);
    expect(await jobs("retry", id)).toMatchObject({ code: 2, stderr: "error job_not_retryable  the job succeeded\n" });
    expect((await jobs("list")).stdout).toMatch(/T[0-9:.]+Z +[0-9.]+ m?s *\n$/);
  });

  it("submits a program with its includes, and waits for it", async () => {
    const cwd = folderWith({
      "use.wf":
        'include "one.wf" as one\n# frame: n: number\nL1:\n  J 1\nL2:\n  Call one/ENTRY ->x\n  R core.ADD x n ->y\n  J y\n',
      "one.wf": "LENTRY:\n  J 40\nLEXIT_end:\n  J 2\n",
    });
    const submit = ["submit", "use.wf", "--cwd", cwd, "--loose", "--label", "L2", "--frame", '{"n": 2}'];
    expect(await jobs(...submit, "--wait")).toMatchObject({ code: 0, stdout: "42\n" });
    const { stdout: id } = await jobs(...submit);
    expect(await jobs("wait", id.trimEnd())).toMatchObject({ code: 0, stdout: "42\n" });
    const { stdout } = await jobs(...submit, "--json", "--restart", "--keep-s", "60");
    const queued = JSON.parse(stdout) as { job_id: string };
    expect(queued).toMatchObject({ ok: true, status: "queued" });
    expect(await jobs("wait", queued.job_id)).toMatchObject({ code: 0, stdout: "42\n" });
  });

  it("submits a job for each line of a file or of standard input, in their order", async () => {
    const cwd = folderWith({
      "p.wf": "# frame: n: number\n# frame: m: number\nL1:\n  X r mul n 7\n  J r\n",
      "in.ndjson": '\uFEFF{"n":1}\r\n\n{"n":2,"m":0}\n{"n":3}',
    });
    const submitted = await jobs("submit", "p.wf", "--cwd", cwd, "--in", "in.ndjson");
    expect(submitted).toMatchObject({ code: 0, stderr: "" });
    expect(submitted.stdout).toMatch(/^([0-9a-f-]{36}\n){3}$/);
    const results = [];
    for (const id of submitted.stdout.trim().split("\n")) results.push((await jobs("wait", id)).stdout);
    expect(results).toEqual(["7\n", "14\n", "21\n"]);
    const piped = await jobsWith('{"n":4}\n', "submit", "p.wf", "--cwd", cwd, "--frames", "-", "--json");
    const { job_ids, ...answer } = JSON.parse(piped.stdout);
    expect(answer).toMatchObject({ ok: true, count: 1, status: "queued" });
    expect(await jobs("wait", job_ids[0])).toMatchObject({ code: 0, stdout: "28\n" });
  });

  it.each([
    ["a line that is not a frame", '{"n":1}\n[2]\n', ["--in", "-"], "<stdin>: line 2 is not a JSON object"],
    ["no line", "\n", ["--in", "-"], "<stdin> contains no frames"],
    ["no file", "", ["--in", "none.ndjson"], "none.ndjson does not exist"],
    ["a frame besides", "{}", ["--in", "-", "--frame-set", "n=1"], "--in and --frame exclude each other"],
    ["a wait for many", "{}", ["--in", "-", "--wait"], "--wait is for one job"],
    ["too many for the queue", "{}\n".repeat(2000), ["--in", "-"], "queue"],
  ])("queues none of many jobs: %s", async (_title, stdin, flags, message) => {
    const cwd = folderWith({ "p.wf": "L1:\n  J 1\n" });
    const before = (await jobs("list", "--limit", "200")).stdout;
    const { code, stdout, stderr } = await jobsWith(stdin, "submit", "p.wf", "--cwd", cwd, ...flags);
    expect([code, stdout]).toEqual([message === "queue" ? 1 : 2, ""]);
    expect(stderr).toContain(message);
    expect((await jobs("list", "--limit", "200")).stdout).toBe(before);
  });

  it("shows the state of a job on a terminal while it waits, and takes it away", async () => {
    const id = await service.queued(HOLD);
    await service.held();
    const environment = { WF_SERVER: `http://127.0.0.1:${service.port}`, NO_COLOR: "1" };
    const options = { environment, clock: realClock, terminal: true };
    const { stderr } = await wf(["jobs", "wait", id, "--timeout", "1.5"], options);
    const drawn = stderr.replaceAll("\u001b[K", "<clear>");
    expect(drawn).toMatch(/\r[|/\\-] running {2}attempt 1 {2}[\d.]+ m?s<clear>/);
    expect(drawn).toMatch(/\r<clear>warning the job is still running\n$/);
    await jobs("cancel", id);
    await service.over(id);
  });

  it.each([
    [["list", "--server", "http://127.0.0.1:9"], "server_unreachable"],
    [["list", "--server", "nowhere"], "usage_error"],
    [["get", "00000000-0000-4000-8000-000000000000"], "job_not_found"],
    [["get"], "usage_error"],
    [["submit"], "usage_error"],
    [["submit", "none.wf"], "input_error"],
    [["list", "one"], "usage_error"],
    [["stop", "one"], "usage_error"],
    [["wait", "one", "--timeout", "soon"], "usage_error"],
    [["list", "--limit", "0"], "invalid_request"],
    [["list", "--waits-for", "people"], "invalid_request"],
  ])("%j ends with 2 and %s", async (argv, error) => {
    const { code, stdout } = await jobs(...argv, "--json");
    expect([code, JSON.parse(stdout).error]).toEqual([2, error]);
  });
});
