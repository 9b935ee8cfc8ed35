/** T.S-2: what a job shows of itself can be read while it runs and waits, in every store, and a replay comes to the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../support/postgres.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const WAITS = `from weft import progress, set_state, signal

def main(customer: str):
    set_state("customer", customer)
    set_state("tries", 0)
    progress(0.25, "asked")
    signal.wait("go")
    set_state("tries", 1)
    progress(1)
    signal.wait("end")
    return "done"
`;
const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  durable: async () => ({ stateDir: folder.path }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

describe.each(KINDS)("T.S-2: the state of a job in a %s store", (kind) => {
  let service: JobServing;
  beforeAll(async () => {
    service = await servingJobs({ variables: { WF_JOURNAL_VALUES: "1" }, ...(await PLACES[kind]?.()) });
  });
  afterAll(() => service.stop());

  const state = (id: string, query = "") => service.call("GET", `/jobs/${id}/state${query}`);
  const parked = (id: string) => service.call("GET", `/result/${id}?wait=30&until=parked`);
  const send = (id: string, name: string) => service.call("POST", `/result/${id}/signals/${name}`, { data: null });

  it("is there when the job waits, as shapes, and with values where they are asked for", async () => {
    const id = await service.queued({ code: WAITS, frame: { customer: "alice" }, durable: true });
    await parked(id);
    const { body, text } = await state(id);
    expect(body).toEqual({
      job_id: id,
      at: expect.any(String),
      shown: "shapes",
      progress: { value: "a number", text: "text, 5" },
      state: { customer: "text, 5", tries: "a number" },
    });
    expect(text).not.toContain("alice");
    const first = { progress: { value: 0.25, text: "asked" }, state: { customer: "alice", tries: 0 } };
    expect((await state(id, "?values=1")).body).toMatchObject({ shown: "values", ...first });
    await send(id, "go");
    await expect
      .poll(async () => (await state(id, "?values=1")).body.state.tries, { timeout: 20_000, interval: 50 })
      .toBe(1);
    await send(id, "end");
    await service.over(id);
    const last = { progress: { value: 1, text: null }, state: { customer: "alice", tries: 1 } };
    expect((await state(id, "?values=1")).body).toMatchObject(last);
  });

  it("is empty for a job that shows nothing, and keeps every digit of a number", async () => {
    const bare = await service.queued({ code: "def main():\n    return 1\n" });
    await service.over(bare);
    expect((await state(bare)).body).toMatchObject({ at: null, progress: null, state: {} });
    const id = await service.queued({
      code: "def main():\n    set_state('n', [12345678901234567890, 2.0])\n    return 1\n",
    });
    await service.over(id);
    expect((await state(id, "?values=1")).text).toContain('"state":{"n":[12345678901234567890,2.0]}');
  });

  it("is that of the branches in their order, whichever came last", async () => {
    const code = `from weft import parallel, progress, set_state, sleep

def one(n):
    sleep(40 - n * 10)
    set_state("last", n)
    set_state("of " + str(n), n)
    return n

def main():
    parallel(one, [0, 1, 2, 3])
    progress(0.5)
    return 1
`;
    const id = await service.queued({ code });
    await service.over(id);
    const { body } = await state(id, "?values=1");
    expect(body.state).toEqual({ last: 3, "of 0": 0, "of 1": 1, "of 2": 2, "of 3": 3 });
  });

  it("is refused with a code for an unknown id and a wrong query", async () => {
    expect((await state("none")).body.error).toBe("job_not_found");
    expect((await state("none", "?values=2")).body.error).toBe("invalid_request");
  });
});

describe("T.S-2: values of states", () => {
  it("are hidden unless the operator shows them, and in no line of the log", async () => {
    const service = await servingJobs({});
    const id = await service.queued({ code: "def main():\n    set_state('who', 'alice')\n    return 1\n" });
    await service.over(id);
    const { status, body } = await service.call("GET", `/jobs/${id}/state?values=1`);
    expect([status, body.error]).toEqual([403, "values_hidden"]);
    expect((await service.call("GET", `/jobs/${id}/state`)).body.state).toEqual({ who: "text, 5" });
    expect(service.lines.some((line) => line.includes("alice"))).toBe(false);
    await service.stop();
  });

  it("come from the thread of a run that is isolated, too", async () => {
    const service = await servingJobs({
      variables: { WF_ISOLATION: "worker", WF_WORKER_THREADS: "1", WF_JOURNAL_VALUES: "1" },
    });
    const id = await service.queued({ code: "def main():\n    set_state('n', 1)\n    return 1\n" });
    await service.over(id);
    expect((await service.call("GET", `/jobs/${id}/state?values=1`)).body.state).toEqual({ n: 1 });
    await service.stop();
  });
});
