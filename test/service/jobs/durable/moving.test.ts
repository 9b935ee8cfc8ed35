/** V-4: a new job takes over records of a durable one, with the same program or another that makes the same calls until then. */
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { readonly path: string; remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function served(): Promise<JobServing> {
  const folder = await temporaryFolder();
  folders.push(folder);
  const service = await servingJobs({ stateDir: folder.path });
  services.push(service);
  return service;
}

const EXT = { adapters: { enable: ["ext"] } };
const FAILS = [
  "# frame: n: number",
  "L1:",
  '  R ext.Echo "a" ->a',
  "  R ext.Echo n ->b",
  "  R core.DIV b 0 ->c",
  "  J [a, b, c]",
  "",
].join("\n");
const FIXED = FAILS.replace("core.DIV b 0", "core.DIV b 2");

async function failed(service: JobServing, members: object = {}): Promise<string> {
  const id = await service.queued({ code: FAILS, frame: { n: 6 }, durable: true, ...EXT, ...members });
  expect((await service.over(id)).body.status).toBe("failed");
  service.made.length = 0;
  return id;
}
const retry = (service: JobServing, id: string, body: object) => service.call("POST", `/result/${id}/retry`, body);

describe("a job that takes over the records of another", { timeout: 60_000 }, () => {
  it("runs a fixed program without making the calls that were made", async () => {
    const service = await served();
    const id = await failed(service, { name: "report", tags: { team: "sales" } });
    const { status, body } = await retry(service, id, { from: "failure", code: FIXED });
    expect({ status, retry_of: body.retry_of }).toEqual({ status: 202, retry_of: id });
    const done = (await service.over(body.job_id)).body;
    expect(done).toMatchObject({ status: "succeeded", durable: true, resumes: 1, name: "report" });
    expect(done.result.out).toEqual(["a", 6, 3]);
    expect(service.made).toEqual([]);
    expect(done.result.usage.adapter_calls).toBe(3);
    const journal = (await service.call("GET", `/result/${body.job_id}/journal`)).body.records;
    expect(journal.map(({ kind }: { kind: string }) => kind)).toEqual(["start", "call", "call", "resume"]);
  });

  it("begins after the record that was asked for, and makes the rest", async () => {
    const service = await served();
    const id = await failed(service);
    for (const [seq, made] of [
      [0, 2],
      [1, 2],
      [2, 1],
      [3, 0],
    ] as const) {
      service.made.length = 0;
      const { body } = await retry(service, id, { from: { seq }, code: FIXED });
      expect((await service.over(body.job_id)).body.status).toBe("succeeded");
      expect(service.made, `from ${seq}`).toHaveLength(made);
    }
  });

  it("says where it would continue, and makes nothing", async () => {
    const service = await served();
    const id = await failed(service);
    const dry = (body: object) => retry(service, id, { dry_run: true, ...body });
    expect((await dry({ from: { seq: 2 }, code: FIXED })).body).toMatchObject({
      ok: true,
      dry_run: true,
      records: 2,
      next: { label: "L1", node: "n2", adapter: "ext", verb: "ECHO" },
    });
    expect((await dry({ from: "failure", code: FIXED })).body).toMatchObject({ records: 3, next: null });
    const before = (await service.call("GET", "/jobs")).body.jobs.length;
    expect(service.made).toEqual([]);
    expect(before).toBe(1);
  });

  it("is refused with the record that does not fit, before anything is queued", async () => {
    const service = await served();
    const id = await failed(service);
    const other = FAILS.replace("R ext.Echo n ->b", 'R ext.Echo "other" ->b');
    for (const members of [{}, { dry_run: true }]) {
      const { status, body } = await retry(service, id, { from: "failure", code: other, ...members });
      expect({ status, error: body.error, code: body.issues[0].code }).toEqual({
        status: 422,
        error: "job_not_retryable",
        code: "diverged",
      });
      expect(body.issues[0].message).toMatch(/L1 n2 \(record 3, \/args_hash\)/);
      expect(body.issues[0].message).not.toContain("other");
    }
    expect((await service.call("GET", "/jobs")).body.jobs).toHaveLength(1);
    // Fewer records do fit.
    expect((await retry(service, id, { from: { seq: 2 }, code: other })).status).toBe(202);
  });

  it("is refused where the new program waits for something else than what came", async () => {
    const service = await served();
    const code = 'L1:\n  R signal.wait "small" {"timeout": "1d"} ->news\n  R core.DIV news.data 0 ->c\n  J c\n';
    const id = await service.queued({ code, durable: true });
    await service.call("POST", `/result/${id}/signals/small`, { data: 4 });
    expect((await service.over(id)).body.status).toBe("failed");
    const fixed = code.replace("news.data 0", "news.data 2");
    const moved = (text: string) => retry(service, id, { from: "failure", dry_run: true, code: text });
    expect((await moved(fixed)).status).toBe(200);
    const { status, body } = await moved(fixed.replace('"small"', '"large"'));
    expect({ status, code: body.issues[0].code }).toEqual({ status: 422, code: "diverged" });
    expect(body.issues[0].message).toMatch(/L1 n1 \(record 2, \/args_hash\)/);
  });

  it("makes the failed call again, under its key, and needs no record for it", async () => {
    const service = await served();
    const code = 'L1:\n  R ext.Echo "a" ->a\n  R ext.Fail "down" ->b\n  J b\n';
    const id = await service.queued({ code, durable: true, ...EXT });
    await service.over(id);
    const { body } = await retry(service, id, { from: "failure" });
    await service.over(body.job_id);
    const [first, failed, again] = service.callIds;
    expect(service.callIds).toHaveLength(3);
    expect(failed).not.toBe(first);
    expect(again).toBe(failed);
  });

  it("waits again where the wait was not over", async () => {
    const service = await served();
    const code = 'L1:\n  R ext.Echo "a" ->a\n  R signal.wait "go" {"timeout": "1d"} ->s\n  J [a, s.data]\n';
    const id = await service.queued({ code, ...EXT });
    await service.until(id, "waiting");
    expect((await retry(service, id, { from: "failure" })).body.error).toBe("job_not_finished");
    await service.call("DELETE", `/result/${id}`);
    service.made.length = 0;
    const moved = code.replace("[a, s.data]", '{"a": a, "data": s.data}');
    const { body } = await retry(service, id, { from: "failure", code: moved });
    await service.until(body.job_id, "waiting");
    await service.call("POST", `/result/${body.job_id}/signals/go`, { data: 5 });
    expect((await service.over(body.job_id)).body.result.out).toEqual({ a: "a", data: 5 });
    expect(service.made).toEqual([]);
  });

  it.each([
    [{ from: { seq: 9 } }, 400, "invalid_request", "/from/seq"],
    [{ from: { seq: -1 } }, 400, "invalid_request", "/from/seq"],
    [{ code: FIXED }, 400, "invalid_request", "/from"],
    [{ dry_run: true }, 400, "invalid_request", "/from"],
    [{ from: "failure", code: FIXED, ir: {} }, 400, "invalid_request", ""],
    [{ from: "failure", code: "L1:\n  Nope\n" }, 422, "compile_error", undefined],
  ])("refuses %j", async (body, status, error, path) => {
    const service = await served();
    const reply = await retry(service, await failed(service), body);
    expect({ status: reply.status, error: reply.body.error, path: reply.body.issues?.[0].path }).toEqual({
      status,
      error,
      path,
    });
  });

  it("is refused for a job without a journal", async () => {
    const service = await served();
    const id = await failed(service, { durable: false });
    const { body } = await retry(service, id, { from: { seq: 1 } });
    expect({ error: body.error, code: body.issues[0].code }).toEqual({
      error: "job_not_retryable",
      code: "no_journal",
    });
  });

  it("shares large values with the other job", async () => {
    const service = await served();
    const large = FAILS.replace('  R ext.Echo "a" ->a', '  X s repeat "x" 70000\n  R ext.Echo s ->a');
    const id = await failed(service, { code: large });
    const { body } = await retry(service, id, { from: "failure", code: large.replace("b 0", "b 2") });
    expect((await service.over(body.job_id)).body.result.out[0]).toHaveLength(70_000);
    const db = new Database(`${folders[0]?.path}/weft.db`, { readonly: true });
    expect(db.prepare("SELECT uses FROM job_values").pluck().all()).toEqual([2]);
    db.close();
  });
});
