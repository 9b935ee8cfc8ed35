/** POST /results: the results of many jobs, in the order that the caller wants them in, as far as they are there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const CODE = "def main(n: int):\n    return 84 // n\n";
const HOLD = { code: 'L1:\n  R ext.Hold "one" ->x\n  J x\n' };
const UNKNOWN = "01980c1e-7a3b-7c4d-8e5f-0123456789ab";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  memory: async () => ({}),
  durable: async () => ({ stateDir: `${folder.path}/results` }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

describe.each(KINDS)("results of many jobs in a %s queue", (kind) => {
  let service: JobServing;
  beforeAll(async () => {
    service = await servingJobs({ ...(await PLACES[kind]?.()) });
  });
  afterAll(() => service.stop());

  const results = (job_ids: readonly string[], wait_s?: number) =>
    service.call("POST", "/results", { job_ids, ...(wait_s === undefined ? {} : { wait_s }) });
  const queued = async (body: object): Promise<string[]> => (await service.call("POST", "/enqueue", body)).body.job_ids;

  test("come in the order of the ids, those that failed among them, and say what one request says of one job", async () => {
    const ids = await queued({ code: CODE, frames: [{ n: 2 }, { n: 0 }, { n: 84 }, ...Array(40).fill({ n: 42 })] });
    const { status, body, headers } = await results([...ids].reverse(), 20);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const given = body.results as { job_id: string; status: string; result: { ok: boolean; out?: number } }[];
    expect(given.map(({ job_id }) => job_id)).toEqual([...ids].reverse());
    expect(given.slice(-3).map(({ status: state, result }) => [state, result.out])).toEqual([
      ["succeeded", 1],
      ["failed", undefined],
      ["succeeded", 42],
    ]);
    for (const one of given.slice(-3)) {
      const alone = (await service.over(one.job_id)).body;
      expect(one).toEqual({
        job_id: alone.job_id,
        status: alone.status,
        duration_ms: alone.duration_ms,
        result: alone.result,
      });
    }
  });

  test("end before the first job that is not over, and come when it is", async () => {
    const held = service.held();
    const first = await queued({ code: CODE, frames: [{ n: 1 }] });
    await service.over(first[0] ?? "");
    const holding = await service.queued(HOLD);
    const { release } = await held;
    const ids = [...first, holding, ...(await queued({ code: CODE, frames: [{ n: 7 }] }))];
    await service.over(ids[2] ?? "");
    expect((await results(ids)).body.results.map((one: { job_id: string }) => one.job_id)).toEqual(first);
    const waiting = results(ids.slice(1), 20);
    release(null);
    expect((await waiting).body.results.map((one: { job_id: string }) => one.job_id)).toEqual(ids.slice(1));
  });

  test("name a job that is gone in its place, and continue after it", async () => {
    const [id = ""] = await queued({ code: CODE, frames: [{ n: 2 }] });
    const { body } = await results([UNKNOWN, id, "../metrics"], 20);
    expect(body.results).toEqual([
      { job_id: UNKNOWN, error: "job_not_found", message: "no job has this id" },
      expect.objectContaining({ job_id: id, status: "succeeded" }),
      { job_id: "../metrics", error: "job_not_found", message: "no job has this id" },
    ]);
  });

  test("are as exact as a single one, and end after 8 MiB", async () => {
    const [exact = ""] = await queued({ code: "def main():\n    return [10 ** 40, 2.0]\n", frames: [{}] });
    expect((await results([exact], 20)).text).toContain(`"out":[1${"0".repeat(40)},2.0]`);
    const large = await queued({
      code: "def main(n: int):\n    return 'a' * 5000000\n",
      frames: Array(3).fill({ n: 1 }),
    });
    const first = (await results(large, 20)).body.results;
    expect(first.map((one: { job_id: string }) => one.job_id)).toEqual(large.slice(0, 2));
    expect((await results(large.slice(2), 20)).body.results[0].result.out).toHaveLength(5_000_000);
  });

  test.each([
    ["no ids", {}, "/job_ids"],
    ["an empty list", { job_ids: [] }, "/job_ids"],
    ["more than 1,000 ids", { job_ids: Array(1001).fill(UNKNOWN) }, "/job_ids"],
    ["an id that is a number", { job_ids: [7] }, "/job_ids/0"],
    ["more than a minute of waiting", { job_ids: [UNKNOWN], wait_s: 61 }, "/wait_s"],
    ["an unknown member", { job_ids: [UNKNOWN], further: 1 }, "/further"],
  ])("refuse %s", async (_what, request, path) => {
    const { status, body } = await service.call("POST", "/results", request);
    expect([status, body.error, body.issues[0].path]).toEqual([400, "invalid_request", path]);
  });
});
