/** Retries with the version that is current now: after a correction, of one job and of all dead letters of a program. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EMPTY_GRANT } from "../../../vm/grant/grant.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../jobs/serving-jobs.ts";

const BROKEN = "def share(total: float, people: int):\n    return total / people\n";
const FIXED = "def share(total: float, people: int):\n    return total / people if people else 0\n";

describe("a retry with the current version", () => {
  let service: JobServing;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    const adapters = "core,job,ext";
    folder = await temporaryFolder();
    const variables = { WF_DEPLOY: "on", WF_ENABLE_ADAPTERS: adapters };
    service = await servingJobs({ stateDir: folder.path, variables, floor: EMPTY_GRANT });
  });
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  async function deploy(name: string, code: string, more: object = {}): Promise<void> {
    const { status, text } = await service.call("PUT", `/programs/${name}`, { code, ...more });
    expect(status, text).toBeLessThan(300);
  }
  async function failed(body: object): Promise<string> {
    const id = await service.queued(body);
    expect((await service.over(id)).body.status).toBe("failed");
    return id;
  }
  const retried = (id: string, body: object) => service.call("POST", `/result/${id}/retry`, body);

  it("runs the corrected version with the inputs, name and tags of the old job; without it the version stays", async () => {
    await deploy("share", BROKEN);
    const asked = { program: "share", frame: { total: 12, people: 0 }, name: "table 4", tags: { team: "ops" } };
    const id = await failed(asked);
    await deploy("share", FIXED);
    const old = await retried(id, {});
    expect((await service.over(old.body.job_id)).body).toMatchObject({ status: "failed", version: 1 });
    const { status, body } = await retried(id, { current: true });
    expect([status, body.retry_of]).toEqual([202, id]);
    const over = (await service.over(body.job_id)).body;
    expect(over).toMatchObject({ status: "succeeded", program: "share", version: 2, retry_of: id, name: "table 4" });
    expect([over.tags, over.result.out]).toEqual([{ team: "ops" }, 0]);
  });

  it("takes the version that was made current again, for all dead letters of a program", async () => {
    await deploy("bill", FIXED);
    await deploy("bill", BROKEN);
    const ids = [await failed({ program: "bill", frame: { total: 1, people: 0 } })];
    ids.push(await failed({ program: "bill", frame: { total: 2, people: 0 } }));
    expect((await service.call("POST", "/programs/bill/rollback", { version: 1 })).status).toBe(200);
    const { status, body } = await service.call("POST", "/jobs/retry", { dead: "1", program: "bill", current: true });
    expect([status, body.job_ids, body.new_job_ids.length]).toEqual([200, ids, 2]);
    for (const id of body.new_job_ids)
      expect((await service.over(id)).body).toMatchObject({ status: "succeeded", version: 1 });
    const { groups } = (await service.call("GET", "/dead-letters")).body;
    expect(groups.filter(({ program }: { program: string }) => program === "bill")).toEqual([]);
    for (const path of ["/jobs/cancel", "/jobs/discard"])
      expect((await service.call("POST", path, { program: "bill", current: true })).status, path).toBe(400);
  });

  it("keeps the limits that the caller asked for", async () => {
    await deploy("long", BROKEN);
    const id = await failed({ program: "long", frame: { total: 1, people: 0 }, limits: { max_steps: 400 } });
    await deploy(
      "long",
      "def share(total: float, people: int):\n    for n in range(1000):\n        total += n\n    return total\n",
    );
    const { body } = await retried(id, { current: true });
    expect((await service.over(body.job_id)).body).toMatchObject({ status: "failed", error: "max_steps_exceeded" });
  });

  it("keeps the bounds of the jobs above it", async () => {
    const calls = "from weft import ext\n\n\ndef child(n: int):\n    return ext.Echo(n)\n";
    const parent =
      'from weft import job\n\n\ndef parent():\n    try:\n        return job.run("child", {"n": 1})\n    except RuntimeError as failure:\n        return failure.code\n';
    await deploy("child", "def child(n: int):\n    return n / 0\n");
    const within = { policy: { forbidden_adapters: ["ext"] } };
    await deploy("parent", parent, { adapters: { enable: ["job"], job: { programs: ["child"] } }, ...within });
    await service.over(await service.queued({ program: "parent", durable: true }));
    const { jobs } = (await service.call("GET", "/jobs?program=child")).body;
    const [{ job_id: id }] = jobs;
    await deploy("child", calls);
    const again = await retried(id, { current: true });
    expect([again.status, again.body.error]).toEqual([403, "policy_violation"]);
    expect((await service.over(await service.queued({ program: "child", frame: { n: 1 } }))).body.status).toBe(
      "succeeded",
    );
  });

  it("is refused for a program that was not deployed, one that is gone, inputs that it does not take, and another beginning", async () => {
    const loose = await failed({ code: BROKEN, frame: { total: 1, people: 0 } });
    const other = await retried(loose, { current: true });
    expect([other.status, other.body.issues[0].code]).toEqual([422, "not_deployed"]);
    await deploy("gone", BROKEN);
    const id = await failed({ program: "gone", frame: { total: 1, people: 0 } });
    for (const more of [{ from: "failure" }, { code: FIXED }, { dry_run: true }]) {
      const refused = await retried(id, { current: true, ...more });
      expect([refused.status, refused.body.issues[0].path], JSON.stringify(more)).toEqual([400, "/current"]);
    }
    await deploy("gone", "def share(total: float, guests: int):\n    return total / guests\n");
    const changed = await retried(id, { current: true });
    expect([changed.status, changed.body.error]).toEqual([422, "input_invalid"]);
    expect((await service.call("DELETE", "/programs/gone")).status).toBe(200);
    expect((await retried(id, { current: true })).body.error).toBe("program_not_found");
  });
});
