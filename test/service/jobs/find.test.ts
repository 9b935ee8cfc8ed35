/** Jobs are found by what they are about: names, tags, filters, bulk actions, and the ring of recent runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../../../service/wire/about.ts";
import { exchange } from "../serving.ts";
import { type JobServing, servingJobs, temporaryFolder } from "./serving-jobs.ts";

const OK = "# frame: n: number\nL1:\n  J n\n";
const FAILS = "L1:\n  R core.DIV 1 0 ->x\n  J x\n";
const SLOW = "L1:\n  R core.SLEEP 60000 ->x\n  J x\n";

let service: JobServing;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await servingJobs();
  ids["sales"] = await service.queued({
    code: OK,
    frame: { n: 1 },
    name: "report sales",
    tags: { team: "sales", kind: "x" },
  });
  ids["ops"] = await service.queued({ code: OK, frame: { n: 2 }, name: "report ops", tags: { team: "ops" } });
  ids["failed"] = await service.queued({ code: FAILS, name: "broken" });
  for (const id of Object.values(ids)) await service.over(id);
});
afterAll(() => service.stop());

const found = async (query: string): Promise<readonly string[]> => {
  const { status, body } = await service.call("GET", `/jobs?${query}`);
  if (status !== 200) return [`${status} ${body.issues[0].path}`];
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  return body.jobs.map(({ job_id }: { job_id: string }) => names.get(job_id) ?? "other");
};

describe("GET /jobs", () => {
  it.each<[string, readonly string[]]>([
    ["name=broken", ["failed"]],
    ["tag=team:sales", ["sales"]],
    ["tag=team:none", []],
    ["tag=kind:x&status=succeeded", ["sales"]],
    ["status=failed", ["failed"]],
    ["label=L1&order=oldest", ["sales", "ops", "failed"]],
    ["q=report", ["ops", "sales"]],
    ["q=report%20s", ["sales"]],
    ["q=%25", []],
    ["program=digest", []],
    ["schedule=digest/L1", []],
    ["queued_after=2020-01-01T00:00:00Z&queued_before=2999-01-01", ["failed", "ops", "sales"]],
    ["queued_before=2020-01-01", []],
    ["ended_after=2999-01-01", []],
    ["checksum=sha256:none", []],
    ["waits=signal,outcome", []],
    ["waits=people", ["400 /waits"]],
    ["tag=team", ["400 /tag"]],
    ["program=Digest", ["400 /program"]],
    ["queued_after=yesterday", ["400 /queued_after"]],
    ["order=random", ["400 /order"]],
  ])("%s", async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  it("finds a job by either end of its id, and by nothing in between", async () => {
    const id = ids["ops"] ?? "";
    expect(await found(`q=${id}`)).toEqual(["ops"]);
    expect(await found(`q=${id.slice(-8)}`)).toEqual(["ops"]);
    expect(await found(`q=${id.slice(0, 8)}`)).toContain("ops");
    expect(await found(`q=${id.slice(20, -2)}`)).toEqual([]);
    expect(await found(`q=${"x".repeat(40)}`)).toEqual([]);
  });

  it("T.S-3: finds jobs by inputs that their deployment names, and by what they failed with", async () => {
    const code = '@api("/o", mode="job")\ndef main(customer="", order=None):\n    raise ValueError("no " + customer)\n';
    const put = (search: unknown) => service.call("PUT", "/programs/searched", { code, search });
    expect((await put(["customer", "order.id"])).status).toBe(201);
    const queued = async (frame: object): Promise<string> => {
      const { body } = await service.call("POST", "/enqueue", { program: "searched", frame });
      await service.over(body.job_id);
      return body.job_id;
    };
    const one = await queued({ customer: "c-17", order: { id: 17 } });
    const two = await queued({ customer: "c-18", order: [] });
    const byEndpoint = (await exchange(service.port, "POST", "/app/searched/o", { customer: "c-19" })).body.job_id;
    await service.over(byEndpoint);
    const ids = async (query: string) => {
      const { body } = await service.call("GET", `/jobs?${query}`);
      return body.jobs?.map(({ job_id }: { job_id: string }) => job_id) ?? body.issues[0].path;
    };
    expect(await ids("search=customer:c-17")).toEqual([one]);
    expect(await ids("search=customer:c-19")).toEqual([byEndpoint]);
    expect(await ids("search=order.id:17")).toEqual([one]);
    expect(await ids("search=customer:c-1")).toEqual([]);
    expect(await ids("message=no%20c-18")).toEqual([two]);
    expect(await ids("message=no%20c-18&program=searched&status=succeeded")).toEqual([]);
    expect(await ids("search=customer")).toBe("/search");
    for (const search of [["a b"], Array(9).fill("a"), ["a", "a"], ["a..b"]])
      expect((await put(search)).status).toBe(400);
  });

  it("T.S-3: does not search messages where values are not shown", async () => {
    const hiding = await servingJobs({ variables: { WF_UI_VALUES: "0" } });
    try {
      const asked = await hiding.call("GET", "/jobs?message=a");
      expect([asked.status, asked.body.error]).toEqual([403, "values_hidden"]);
      const bulk = await hiding.call("POST", "/jobs/cancel", { message: "a" });
      expect([bulk.status, bulk.body.error]).toEqual([403, "values_hidden"]);
    } finally {
      await hiding.stop();
    }
  });

  it("lists what a job failed with and what it waits for, messages only where values are shown", async () => {
    const waits = 'L1:\n  R signal.wait ["paid", "late"] ->s\n  J s.data\n';
    const fails = 'def main():\n    raise ValueError("no\\nway " + "é" * 300)\n';
    for (const shows of ["1", "0"]) {
      const folder = await temporaryFolder();
      const asked = await servingJobs({ stateDir: folder.path, variables: { WF_UI_VALUES: shows } });
      try {
        const [failed, waiting] = [await asked.queued({ code: fails }), await asked.queued({ code: waits })];
        await asked.over(failed);
        await asked.until(waiting, "waiting");
        const { jobs } = (await asked.call("GET", "/jobs")).body;
        const of = (id: string) => jobs.find(({ job_id }: { job_id: string }) => job_id === id);
        expect(of(waiting)).toMatchObject({ waits_for: { kind: "signal", names: ["paid", "late"] } });
        expect(of(failed).message).toBe(shows === "1" ? "ValueError: no" : undefined);
        expect(of(failed).waits_for).toBe(undefined);
      } finally {
        await asked.stop();
        await folder.remove();
      }
    }
  });

  it("T.S-6: keeps results as long as their deployment says, where the request does not, also of a retry", async () => {
    const code = "def main(a):\n    return 1 // a\n";
    expect((await service.call("PUT", "/programs/kept", { code, keep_s: 120 })).status).toBe(201);
    const keptOf = async (id: string): Promise<number> => {
      const { finished_at, expires_at } = (await service.over(id)).body;
      return (Date.parse(expires_at) - Date.parse(finished_at)) / 1000;
    };
    const id = await service.queued({ program: "kept", frame: { a: 0 } });
    expect(await keptOf(id)).toBe(120);
    expect(await keptOf(await service.queued({ program: "kept", frame: { a: 1 }, keep_s: 600 }))).toBe(600);
    const again = (await service.call("POST", `/result/${id}/retry`, {})).body.job_id;
    expect(await keptOf(again)).toBe(120);
    expect((await service.call("PUT", "/programs/kept", { code, keep_s: 1 })).status).toBe(400);
  });

  it("T.S-4: counts jobs by hour, program and state", async () => {
    const { status, body } = await service.call("GET", "/jobs/stats?hours=2");
    expect(status).toBe(200);
    const failed = body.counts.filter(
      (one: { status: string; program: null }) => one.status === "failed" && one.program === null,
    );
    expect(failed.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(1);
    expect(body.counts[0].hour).toMatch(/:00:00\.000Z$/);
    expect((await service.call("GET", "/jobs/stats?program=none")).body.counts).toEqual([]);
    for (const query of ["hours=0", "hours=169", "hours=a", "program=A", "x=1"])
      expect((await service.call("GET", `/jobs/stats?${query}`)).status).toBe(400);
  });

  it("shows name, tags, duration and error of a job", async () => {
    const { body } = await service.call("GET", "/jobs?name=broken");
    expect(body.jobs[0]).toMatchObject({ name: "broken", error: "runtime_error", duration_ms: expect.any(Number) });
    const sales = (await service.call("GET", `/result/${ids["sales"]}`)).body;
    expect(sales).toMatchObject({ name: "report sales", tags: { team: "sales", kind: "x" } });
    expect(sales).not.toHaveProperty("error");
  });

  it("pages through a filter in either order", async () => {
    for (const order of ["newest", "oldest"]) {
      const first = (await service.call("GET", `/jobs?q=report&limit=1&order=${order}`)).body;
      const second = (await service.call("GET", `/jobs?q=report&limit=1&order=${order}&cursor=${first.next_cursor}`))
        .body;
      const both = [...first.jobs, ...second.jobs].map(({ job_id }) => job_id);
      expect([second.next_cursor, both]).toEqual([
        null,
        order === "newest" ? [ids["ops"], ids["sales"]] : [ids["sales"], ids["ops"]],
      ]);
    }
  });

  it("shows the place of a frame among those of one request", async () => {
    const { body } = await service.call("POST", "/enqueue", { code: OK, frames: [{ n: 1 }, { n: 2 }], name: "bulk" });
    for (const id of body.job_ids) await service.over(id);
    const { jobs } = (await service.call("GET", "/jobs?name=bulk&order=oldest")).body;
    expect(jobs.map(({ index }: { index: number }) => index)).toEqual([0, 1]);
  });
});

it.each<[object, string]>([
  [{ name: "" }, "/name"],
  [{ name: "x".repeat(129) }, "/name"],
  [{ tags: { Team: "a" } }, "/tags/Team"],
  [{ tags: { [`k${"x".repeat(32)}`]: "a" } }, `/tags/k${"x".repeat(32)}`],
  [{ tags: { a: "x".repeat(129) } }, "/tags/a"],
  [{ tags: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, "v"])) }, "/tags"],
  [{ tags: ["a"] }, "/tags"],
])("names and tags out of bounds are refused: %j", async (members, path) => {
  for (const route of ["/run", "/enqueue"]) {
    const { status, body } = await service.call("POST", route, { code: OK, ...members });
    expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
  }
});

describe("bulk actions", () => {
  it("cancel what a filter finds, up to a limit, and say what they would do", async () => {
    const slow: string[] = [];
    for (let at = 0; at < 3; at++) slow.push(await service.queued({ code: SLOW, tags: { bulk: "cancel" } }));
    const dry = await service.call("POST", "/jobs/cancel", { tag: "bulk:cancel", limit: 2, dry_run: true });
    expect(dry.body).toMatchObject({ ok: true, count: 2, job_ids: slow.slice(0, 2), more: true, dry_run: true });
    expect((await service.call("GET", `/result/${slow[0]}`)).body.status).not.toBe("cancelled");
    const done = await service.call("POST", "/jobs/cancel", { tag: "bulk:cancel" });
    expect(done.body).toMatchObject({ count: 3, more: false, left: [] });
    for (const id of slow) expect((await service.over(id)).body.status).toBe("cancelled");
    expect((await service.call("POST", "/jobs/cancel", { tag: "bulk:cancel" })).body.count).toBe(0);
  });

  it("queue jobs again that did not succeed, with their names and tags", async () => {
    const { body } = await service.call("POST", "/jobs/retry", { name: "broken" });
    expect(body).toMatchObject({ count: 1, job_ids: [ids["failed"]], left: [] });
    const again = (await service.over(body.new_job_ids[0])).body;
    expect(again).toMatchObject({ status: "failed", retry_of: ids["failed"], name: "broken" });
    expect((await service.call("POST", "/jobs/retry", { status: "succeeded" })).body.count).toBe(0);
    expect((await service.call("POST", "/jobs/retry", { limit: 0 })).status).toBe(400);
  });
});

it("GET /runs shows the last runs without values", async () => {
  await service.run({ code: FAILS, name: "secret-free", tags: { a: "b" } });
  await service.run({ code: OK, frame: { n: 5 } });
  const { body } = await service.call("GET", "/runs?limit=2");
  expect(body.runs).toMatchObject([
    { ok: true, label: "L1", usage: { steps: 1 } },
    { ok: false, error: "runtime_error", name: "secret-free", tags: { a: "b" } },
  ]);
  expect((await service.call("GET", "/runs?status=failed&name=secret-free")).body.runs).toHaveLength(1);
  expect(JSON.stringify(body)).not.toContain('"out"');
});

it("the ring keeps as many runs as WF_RECENT_RUNS says", async () => {
  const small = await servingJobs({ variables: { WF_RECENT_RUNS: "2" } });
  for (const name of ["a", "b", "c"]) await small.run({ code: OK, frame: { n: 1 }, name });
  const { runs } = (await small.call("GET", "/runs")).body;
  expect(runs.map(({ name }: { name: string }) => name)).toEqual(["c", "b"]);
  await small.stop();
});

it.each<[string | null, string | null]>([
  ['{"ok":false,"trace_id":"a","error":"runtime_error","message":""}', "runtime_error"],
  ['{"ok":true,"trace_id":"a","out":{"error":"x"}}', null],
  [null, null],
])("the error of a result is read from its beginning: %s", (result, error) => {
  expect(errorOf(result)).toBe(error);
});
