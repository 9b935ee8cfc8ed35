/** The job routes over HTTP, in memory and on disk: what they answer, and what happens to the jobs. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const ADD = { code: "L1:\n  R core.ADD 2 3 ->x\n  J x\n" };
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const FAIL = { code: 'L1:\n  R ext.Fail "no" ->x\n  J x\n' };
const SPIN = { code: "L1:\n  Set n 0\n  While true limit=1000000000 ->L2\nL2:\n  R core.ADD n 1 ->n\n" };

describe.each(["memory", "durable"] as const)("jobs kept in %s", (kind) => {
  let service: JobServing;
  const folder = kind === "durable" ? temporaryFolder() : null;
  beforeAll(async () => {
    service = await servingJobs({ stateDir: (await folder)?.path ?? null });
  });
  afterAll(async () => {
    await service.stop();
    await (await folder)?.remove();
  });

  test("a job runs and its result is the answer of a run", async () => {
    const accepted = await service.call("POST", "/enqueue", ADD);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ ok: true, status: "queued", position: 0, warnings: [] });
    expect(accepted.headers["location"]).toBe(`/result/${accepted.body.job_id}`);
    expect(accepted.body.id).toBe(accepted.body.job_id);
    const over = await service.over(accepted.body.job_id);
    expect(over.body).toMatchObject({ status: "succeeded", attempt: 1, label: "L1", result: { ok: true, out: 5 } });
    expect(over.body.result.trace_id).toBe(accepted.body.trace_id);
    expect(over.headers["etag"]).toBe('"succeeded-1"');
  });
});
