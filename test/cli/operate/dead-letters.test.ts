/** `wf dead-letters` and `wf notices` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

const run = (...argv: readonly string[]) =>
  wf(argv, { environment: { WF_SERVER: `http://127.0.0.1:${service.port}` }, clock: realClock });
const CODE = "def main(key: str):\n    return {}[key]\n";

async function failed(program: string, count: number): Promise<readonly string[]> {
  await service.call("PUT", `/programs/${program}`, { code: CODE });
  const frames = Array.from({ length: count }, () => ({ key: "a" }));
  const { body } = await service.call("POST", "/enqueue", { program, frames });
  for (const id of body.job_ids) await service.over(id);
  return body.job_ids;
}

describe("T.F-9: wf dead-letters", () => {
  it("lists by program and reason, discards, and retries in bulk", async () => {
    expect((await run("dead-letters")).stderr).toContain("no dead letters");
    await failed("shop", 3);
    const other = await failed("mail", 1);
    const { stdout } = await run("dead-letters");
    expect(stdout).toMatch(/shop +runtime_error +3/);
    expect(stdout).toMatch(/mail +runtime_error +1/);
    const rehearsed = await run("dead-letters", "discard", "--program", "mail", "--dry-run");
    expect(rehearsed).toMatchObject({ code: 0, stdout: `${other[0]}\n` });
    expect(await run("dead-letters", "discard", "--program", "mail")).toMatchObject({
      code: 0,
      stdout: `${other[0]}\n`,
    });
    expect((await run("dead-letters", "--program", "mail")).stderr).toContain("no dead letters");
    const again = await run("dead-letters", "retry", "--error", "runtime_error", "--limit", "2", "--json");
    const done = JSON.parse(again.stdout);
    expect([done.count, done.new_job_ids.length, done.more]).toEqual([2, 2, true]);
    for (const id of done.new_job_ids) expect((await service.over(id)).body.status).toBe("failed");
    // One was left, and two failed again.
    const { body } = await service.call("GET", "/dead-letters");
    expect(body.groups.map(({ program, count }: { program: string; count: number }) => [program, count])).toEqual([
      ["shop", 3],
    ]);
    expect((await service.call("GET", "/metrics", undefined, { accept: "text/plain" })).text).toMatch(
      /wf_dead_letters \d/,
    );
  });

  it("finds those of no deployment alone", async () => {
    await failed("shop", 1);
    const id = await service.queued({ code: CODE, frame: { key: "a" } });
    await service.over(id);
    expect((await run("dead-letters", "--program", "-")).stdout).toMatch(/^- +runtime_error +1 .*$/m);
    expect((await run("jobs", "list", "--program", "-", "--status", "failed")).stdout).toContain(id);
    expect(await run("dead-letters", "discard", "--program", "-")).toMatchObject({ code: 0, stdout: `${id}\n` });
    expect((await run("dead-letters", "--program", "-")).stderr).toContain("no dead letters");
    expect((await run("dead-letters")).stdout).toMatch(/^shop /m);
  });

  it("refuses operands and limits that it does not know", async () => {
    expect((await run("dead-letters", "retry", "x")).code).toBe(2);
    expect((await run("dead-letters", "retry", "--limit", "many")).code).toBe(2);
    expect((await run("dead-letters", "drop")).code).toBe(2);
    expect((await run("dead-letters", "discard", "--error", "A b")).code).toBe(2);
  });
});

describe("wf notices", () => {
  it("shows no notices where no target is named", async () => {
    expect(await run("notices")).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse((await run("notices", "--json")).stdout)).toEqual({ notices: [] });
  });
});
