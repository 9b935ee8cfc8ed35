/** T.S-1: what a job begins with can be read, under the rule of values, in every store. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const CODE = "def main(customer: str, order: dict, n: int = 1):\n    return n\n";
const FRAME = { customer: "alice@example.com", order: { id: 7, lines: [1, 2] } };
const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  memory: async () => ({}),
  durable: async () => ({ stateDir: folder.path }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

describe.each(KINDS)("T.S-1: the input of a job in a %s store", (kind) => {
  let service: JobServing;
  beforeAll(async () => {
    service = await servingJobs({ variables: { WF_JOURNAL_VALUES: "1" }, ...(await PLACES[kind]?.()) });
  });
  afterAll(() => service.stop());

  const frame = (id: string, query = "") => service.call("GET", `/result/${id}/frame${query}`);

  it("is shown as shapes, and with values where they are asked for", async () => {
    const id = await service.queued({ code: CODE, frame: FRAME });
    const { status, body, text } = await frame(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      job_id: id,
      bytes: JSON.stringify(FRAME).length,
      shown: "shapes",
      frame: { customer: "text, 17", order: "{2 members}" },
    });
    expect(text).not.toContain("alice");
    await service.over(id);
    expect((await frame(id, "?values=1")).body).toMatchObject({ shown: "values", frame: FRAME });
  });

  it("is that of each of many jobs, and empty for a job without one", async () => {
    const { body } = await service.call("POST", "/enqueue", { code: CODE, frames: [FRAME, { ...FRAME, n: 9 }] });
    expect((await frame(body.job_ids[1], "?values=1")).body.frame).toEqual({ ...FRAME, n: 9 });
    const bare = await service.queued({ code: "L1:\n  J 1\n" });
    expect((await frame(bare, "?values=1")).body).toMatchObject({ bytes: 2, frame: {} });
  });

  it("keeps every digit of a number", async () => {
    const code = JSON.stringify("def main(n):\n    return 1\n");
    const sent = `{"code": ${code}, "frame": {"n":12345678901234567890,"x":2.0}}`;
    const queued = await service.call("POST", "/enqueue", sent, { "content-type": "application/json" });
    const { text } = await frame(queued.body.job_id, "?values=1");
    expect(text).toContain('"frame":{"n":12345678901234567890,"x":2.0}');
  });

  it("is never shown with values above 64 KiB", async () => {
    const id = await service.queued({ code: CODE, frame: { ...FRAME, customer: "é".repeat(40_000) } });
    const { body } = await frame(id, "?values=1");
    expect(body).toMatchObject({ shown: "shapes", frame: { customer: "text, 40000" } });
    expect(body.bytes).toBeGreaterThan(64 * 1024);
  });

  it("is refused with a code for an unknown id and a wrong query", async () => {
    expect((await frame("none")).body.error).toBe("job_not_found");
    const id = await service.queued({ code: CODE, frame: FRAME });
    expect((await frame(id, "?values=2")).body.error).toBe("invalid_request");
    expect((await frame(id, "?value=1")).body.error).toBe("invalid_request");
  });
});

describe("T.S-1: values of inputs", () => {
  it("are logged when somebody looks at them, once, and hidden unless the operator shows them", async () => {
    const service = await servingJobs({ variables: { WF_JOURNAL_VALUES: "1" } });
    const id = await service.queued({ code: CODE, frame: FRAME });
    await service.call("GET", `/result/${id}/frame`);
    for (let views = 0; views < 3; views++) await service.call("GET", `/result/${id}/frame?values=1`);
    const viewed = service.lines.filter((line) => line.includes('"values_viewed"'));
    expect(viewed.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "info", job_id: id, by: "127.0.0.1" }),
    ]);
    expect(service.lines.some((line) => line.includes("alice"))).toBe(false);
    await service.stop();
    const closed = await servingJobs({});
    const other = await closed.queued({ code: CODE, frame: FRAME });
    const { status, body } = await closed.call("GET", `/result/${other}/frame?values=1`);
    expect([status, body.error]).toEqual([403, "values_hidden"]);
    await closed.stop();
  });
});
