/** `wf jobs` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { realClock } from "../service/serving.ts";
import { wf } from "./console.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const FAIL = { code: 'L1:\n  R ext.Fail "no luck" ->x\n  J x\n' };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const jobs = (...argv: string[]) =>
  wf(["jobs", ...argv], { environment: { WF_SERVER: `http://127.0.0.1:${service.port}` }, clock: realClock });

describe("wf jobs", () => {
  it("waits for a job and prints what wf run would have printed", async () => {
    const id = await service.queued(ADD);
    expect(await jobs("wait", id)).toMatchObject({ code: 0, stdout: "5\n" });
    const failed = await service.queued(FAIL);
    const result = await jobs("wait", failed);
    expect([result.code, result.stdout]).toEqual([1, ""]);
    expect(result.stderr).toContain("failed: no luck");
    const { stdout } = await jobs("wait", id, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ job_id: id, status: "succeeded", result: { ok: true, out: 5 } });
  });

  it("waits no longer than it is told to, and cancels", async () => {
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
  });

  it.each([
    [["list", "--server", "http://127.0.0.1:9"], "server_unreachable"],
    [["list", "--server", "nowhere"], "usage_error"],
    [["get", "00000000-0000-4000-8000-000000000000"], "job_not_found"],
    [["get"], "usage_error"],
    [["list", "one"], "usage_error"],
    [["stop", "one"], "usage_error"],
    [["wait", "one", "--timeout", "soon"], "usage_error"],
    [["list", "--limit", "0"], "invalid_request"],
  ])("%j ends with 2 and %s", async (argv, error) => {
    const { code, stdout } = await jobs(...argv, "--json");
    expect([code, JSON.parse(stdout).error]).toEqual([2, error]);
  });
});
