/** T.S-6: how long jobs are kept, by program and by how they ended, and the archive that they are written to before they are removed. */
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readServiceStart } from "../../../service/config.ts";
import { TERMINAL_STATUSES } from "../../../service/jobs/job.ts";
import { JobArchive } from "../../../service/jobs/retention/archive.ts";
import { keptFor, keptTimes, readKeptRules } from "../../../service/jobs/retention/kept-times.ts";
import { type JobServing, servingJobs } from "./serving-jobs.ts";
import { newJob } from "./store-cases.ts";

const DAY = 86_400_000;
const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "weft-archive-"));
  closing.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe("WF_JOBS_KEPT_DAYS", () => {
  it.each([
    ["", null, undefined],
    ["7", null, 7],
    ["7, :failed=30", null, 30],
    ["7, payroll=90, :failed=30", "payroll", 90],
    ["payroll:failed=365.5,payroll=90", "payroll", 365.5],
    ["payroll=90", "other", undefined],
    ["pay-roll-2:failed=90", "pay-roll-2", 90],
  ])("%s: a job of %s that failed is kept %s days", (text, program, days) => {
    const times = keptTimes(readKeptRules(text) ?? [], program);
    expect(times?.failed).toBe(days === undefined ? undefined : days * DAY);
  });

  it.each([
    "x",
    "-1",
    "0",
    "7d",
    "payroll",
    "payroll=",
    "=7",
    ":=7",
    ":lost=7",
    ":queued=7",
    "7,8",
    "a=1,a=2",
    "4000",
    "1e3",
    "a b=1",
    "Payroll=1",
    "team/payroll=1",
    "__proto__:x=1",
  ])("refuses %s with the form that it must have", (text) => {
    expect(() => readServiceStart({ WF_JOBS_KEPT_DAYS: text })).toThrow(/WF_JOBS_KEPT_DAYS must be days such as 7/);
  });

  it("is bounded, and takes a program that is called like a member of every object", () => {
    expect(readKeptRules(Array.from({ length: 201 }, (_, at) => `p${at}=1`).join(","))).toBeNull();
    expect(keptTimes(readKeptRules("constructor=2") ?? [], "constructor")?.failed).toBe(2 * DAY);
    expect(keptTimes(readKeptRules("constructor=2") ?? [], "toString")).toBeNull();
  });

  it.each(TERMINAL_STATUSES)("takes every state that a job can end in: %s", (status) => {
    expect(keptTimes(readKeptRules(`3, :${status}=30`) ?? [], null)).toMatchObject({ [status]: 30 * DAY });
  });

  it("gives way to what the request or the deployment asks for", () => {
    const jobs = { kept: readKeptRules("7,:failed=30") ?? [], resultTtlS: 60 };
    expect(keptFor(jobs, null, 3600)).toEqual({ keepMs: 3_600_000, keeps: null });
    expect(keptFor(jobs, null, null)).toMatchObject({
      keepMs: 60_000,
      keeps: { failed: 30 * DAY, succeeded: 7 * DAY },
    });
  });
});

const CODE = "def main(n):\n    return 10 / n\n";

async function served(variables: Readonly<Record<string, string>>): Promise<JobServing> {
  const service = await servingJobs({ stateDir: await folder(), times: { sweepMs: 10 }, variables });
  closing.push(() => service.stop());
  return service;
}

async function linesIn(path: string): Promise<readonly Record<string, unknown>[]> {
  const files = (await readdir(path, { recursive: true })).filter((name) => name.endsWith(".ndjson"));
  const texts = await Promise.all(files.map((name) => readFile(join(path, name), "utf8")));
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line));
}

/** A job that is over. */
function found(id: string): object {
  const { traceId, label, queuedMs, about, deployment } = newJob(0);
  const times = { queuedMs, startedMs: null, finishedMs: null };
  return {
    id,
    status: "succeeded",
    traceId,
    label,
    about,
    deployment,
    ...times,
    index: null,
    error: null,
    durable: false,
  };
}

describe("an archive", () => {
  it("has each job with its input, its result and its journal before the job is removed, for its owner alone", async () => {
    const archive = await folder();
    const service = await served({ WF_RESULT_MAX: "1", WF_JOBS_ARCHIVE: archive });
    const ids: string[] = [];
    for (const n of [2, 0, 5])
      ids.push(await service.queued({ code: CODE, frame: { n }, durable: true, name: `job ${n}` }));
    await Promise.all(ids.map((id) => service.over(id)));
    await expect.poll(() => service.log.filter(({ event }) => event === "job_expired").length).toBe(2);
    const lines = await linesIn(archive);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    const failed = lines.find(({ job_id }) => job_id === ids[1]);
    expect(failed).toMatchObject({
      ...{ status: "failed", name: "job 0", frame: { n: 0 }, archived_at: expect.any(String) },
      result: { ok: false, error_structured: { exception: "ZeroDivisionError" } },
      journal: [expect.objectContaining({ kind: "start", seq: 1 })],
    });
    const [name = ""] = (await readdir(archive, { recursive: true })).filter((one) => one.endsWith(".ndjson"));
    expect(name).toMatch(/^\d{4}\/\d{2}\/jobs-\d{4}-\d{2}-\d{2}\.ndjson$/);
    expect((await stat(join(archive, name))).mode & 0o777).toBe(0o600);
  });

  it("that cannot be written keeps every job, says so, and continues when it can", async () => {
    const archive = await folder();
    const blocked = join(archive, "blocked");
    await writeFile(blocked, "");
    const service = await served({ WF_RESULT_MAX: "1", WF_JOBS_ARCHIVE: join(blocked, "jobs") });
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(await service.queued({ code: CODE, frame: { n } }));
    await Promise.all(ids.map((id) => service.over(id)));
    await service.logged("archive_failed");
    expect((await service.call("GET", "/ready")).body.warnings.join()).toMatch(
      /archive_failed: the archive cannot be written \(ENOTDIR\)/,
    );
    for (const id of ids) expect((await service.call("GET", `/result/${id}`)).body.status).toBe("succeeded");
    await rm(blocked);
    await service.logged("archive_recovered");
    expect((await service.call("GET", "/ready")).body.warnings ?? []).toEqual([]);
    expect((await linesIn(archive)).map(({ job_id }) => job_id).sort()).toEqual(ids.slice(0, 2).sort());
  });

  it("is refused where jobs are kept in memory", async () => {
    await expect(servingJobs({ variables: { WF_JOBS_ARCHIVE: "/nowhere" } })).rejects.toThrow(
      /WF_JOBS_ARCHIVE needs a store on disk/,
    );
  });

  it("drops a line that a process could not end, and writes each job on a line of its own", async () => {
    const path = await folder();
    const store = {
      find: async (id: string) => found(id),
      result: async () => "1.0",
      work: async () => null,
      durable: null,
    };
    const archive = new JobArchive({ folder: path, store: store as never, clock: { wall: () => 0 }, told: () => {} });
    expect(await archive.keep(["a"])).toEqual(["a"]);
    const file = join(path, "1970", "01", "jobs-1970-01-01.ndjson");
    await appendFile(file, `{"job_id":"torn","result":"${"x".repeat(200_000)}`);
    expect(await archive.keep(["b", "c"])).toEqual(["b", "c"]);
    expect((await linesIn(path)).map(({ job_id }) => job_id)).toEqual(["a", "b", "c"]);
    expect(await readFile(file, "utf8")).toContain('"result":1.0');
  });

  it("writes the other jobs when one cannot be read, says which, and leaves no part of a line", async () => {
    const path = await folder();
    const page = async (id: string) => {
      if (id === "b") throw new Error("damaged");
      return [];
    };
    const find = async (id: string) => ({ ...found(id), durable: true });
    const store = { find, result: async () => "{}", work: async () => null, durable: { page } };
    const faults: (string | null)[] = [];
    const told = (fault: string | null) => void faults.push(fault);
    const archive = new JobArchive({ folder: path, store: store as never, clock: { wall: () => 0 }, told });
    expect(await archive.keep(["a", "b", "c"])).toEqual(["a", "c"]);
    expect(faults).toEqual(["job b cannot be read"]);
    expect((await linesIn(path)).map(({ job_id, journal }) => [job_id, journal])).toEqual([
      ["a", []],
      ["c", []],
    ]);
  });
});
