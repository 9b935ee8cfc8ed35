/** K-1 to K-7 and K-9 through the service, with a clock that the test moves. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";

const HOUR = 3_600_000;
let offset = 0;
/** Waits are short, so that a schedule sees at once what the test did to the clock. */
const clock = {
  ...realClock,
  wall: () => realClock.wall() + offset,
  wait: (ms: number, then: () => void) => realClock.wait(ms === 1000 ? 10 : ms, then),
};

let service: JobServing;
beforeAll(async () => {
  offset = 0;
  service = await servingJobs({ clock });
});
afterAll(() => service.stop());

const put = (name: string, body: object) => service.call("PUT", `/programs/${name}`, body);
const schedule = async (id: string) => (await service.call("GET", `/schedules/${id}`)).body;

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not happen");
}

/** Moves the clock to just after the next time of the schedule; resolves with what came of it. */
async function toNext(id: string, more = 0) {
  const before = await until(async () => {
    const found = await schedule(id);
    return found.next_at === null ? null : found;
  });
  offset += Date.parse(before.next_at) - clock.wall() + 1 + more;
  return until(async () => {
    const { fires } = await schedule(id);
    return fires.length > before.fires.length ? fires : null;
  });
}

const HOURLY =
  "# frame: _due_at: text, _schedule: text, n: number\nCr L1 0 * * * *\nL1:\n  J [_due_at, _schedule, n]\n";

it("K-2, K-4: a schedule fires at its time, once, with the times that the program declares", async () => {
  const deployed = await put("hourly", { code: HOURLY, schedules: [{ label: "L1", frame: { n: 5 } }] });
  expect(deployed.status).toBe(201);
  expect(deployed.body.schedules).toMatchObject([
    { id: "hourly/L1", cron: "0 * * * *", tz: "UTC", next: [{}, {}, {}].map(() => expect.any(String)) },
  ]);
  const [fire] = await toNext("hourly/L1");
  expect(fire).toMatchObject({ outcome: "fired" });
  const job = (await service.over(fire.job_id)).body;
  expect(job).toMatchObject({
    status: "succeeded",
    schedule: "hourly/L1",
    due_at: fire.due_at,
    program: "hourly",
    version: 1,
  });
  expect(job.result.out).toEqual([fire.due_at, "hourly/L1", 5]);
  const { jobs } = (await service.call("GET", "/jobs?schedule=hourly/L1")).body;
  expect(jobs).toHaveLength(1);
  // A clock that is set back fires nothing again.
  offset -= HOUR / 2;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await schedule("hourly/L1")).fires).toHaveLength(1);
  offset += HOUR / 2;
});

it("K-4: a program that does not declare them has neither time nor id", async () => {
  await put("plain", { code: 'Cr L1 0 * * * *\nL1:\n  J "done"\n' });
  const [fire] = await toNext("plain/L1");
  expect((await service.over(fire.job_id)).body.result).toMatchObject({ out: "done", warnings: [] });
});

it("K-3: what is late beyond catch-up is missed, with a row, an event and a figure", async () => {
  await put("strictly", { code: HOURLY, schedules: [{ label: "L1", catch_up: "none" }] });
  await toNext("strictly/L1", 10 * 60_000);
  const { fires } = await schedule("strictly/L1");
  expect(fires[0]).toMatchObject({ outcome: "missed" });
  const metrics = (await service.call("GET", "/metrics", undefined, { accept: "text/plain" })).text;
  expect(metrics).toMatch(/wf_schedule_missed_total [1-9]/);
  expect(metrics).toContain("wf_schedule_lag_seconds_bucket");
});

it("K-3: a paused schedule keeps rows of the times that passed", async () => {
  await put("resting", { code: HOURLY, schedules: [{ label: "L1", frame: { n: 5 } }] });
  const paused = await service.call("PATCH", "/schedules/resting/L1", { paused: true });
  expect(paused.body).toMatchObject({ id: "resting/L1", paused: true });
  const [fire] = await toNext("resting/L1");
  expect(fire).toMatchObject({ outcome: "paused" });
  await service.call("PATCH", "/schedules/resting/L1", { paused: false });
  expect((await toNext("resting/L1"))[0]).toMatchObject({ outcome: "fired" });
});

describe("overlap", () => {
  const SLOW = "Cr L1 0 * * * *\nL1:\n  R core.SLEEP 600000 ->x\n  J x\n";
  it.each<[string, string]>([
    ["skip", "skipped_overlap"],
    ["queue", "waiting"],
    ["replace", "fired"],
    ["allow", "fired"],
  ])("%s: the next time is %s while a job has not ended", async (overlap, outcome) => {
    const name = `slow-${overlap}`;
    await put(name, { code: SLOW, schedules: [{ label: "L1", overlap }] });
    const [first] = await toNext(`${name}/L1`);
    const [second] = await toNext(`${name}/L1`);
    expect(second.outcome).toBe(outcome);
    if (overlap === "replace") expect((await service.over(first.job_id)).body.status).toBe("cancelled");
    if (overlap === "queue") {
      expect((await toNext(`${name}/L1`))[0].outcome).toBe("skipped_overlap");
      await service.call("DELETE", `/result/${first.job_id}`);
      const later = await until(async () => {
        const { fires } = await schedule(`${name}/L1`);
        return fires.find(({ due_at }: { due_at: string }) => due_at === second.due_at)?.outcome === "fired"
          ? fires
          : null;
      });
      expect(later).not.toBeNull();
    }
    await service.call("DELETE", `/programs/${name}`);
    await service.call("POST", "/jobs/cancel", { schedule: `${name}/L1` });
  });
});

it("K-5: a schedule that is refused five times in a row pauses itself and says so", async () => {
  const refusedSchedules = async () => (await service.call("GET", "/metrics")).body.schedules_refused_total;
  const before = await refusedSchedules();
  await put("refused", { code: "# frame: n!: number\nCr L1 0 * * * *\nL1:\n  J n\n" });
  for (let at = 0; at < 5; at++)
    expect((await toNext("refused/L1"))[0]).toMatchObject({ outcome: "refused", error: "input_invalid" });
  const refused = await refusedSchedules();
  expect(refused - before).toBe(5);
  const text = (await service.call("GET", "/metrics", undefined, { accept: "text/plain" })).text;
  expect(text).toContain(`wf_schedule_refused_total ${refused}`);
  expect((await toNext("refused/L1"))[0]).toMatchObject({ outcome: "paused" });
  expect(await schedule("refused/L1")).toMatchObject({ paused: true, paused_because: expect.any(String) });
  const ready = await until(async () => {
    const { body } = await service.call("GET", "/ready");
    return body.warnings?.some((warning: string) => warning.includes("refused/L1")) ? body : null;
  });
  expect(ready.status).toBe("ready");
  const resumed = await service.call("PATCH", "/schedules/refused/L1", { paused: false });
  expect(resumed.body).not.toHaveProperty("paused_because");
  await service.call("DELETE", "/programs/refused");
});

describe("K-7: what can never fire is refused when it is deployed", () => {
  const code = "Cr L1 0 2 * * *\nL1:\n  J 1\n";
  it.each<[object, string]>([
    [{ schedules: [{ label: "L1", cron: "0 0 31 2 *" }] }, "/schedules/0/cron"],
    [{ schedules: [{ label: "L1", cron: "* * * * * *" }] }, "/schedules/0/cron"],
    [{ schedules: [{ label: "L1", cron: "@reboot" }] }, "/schedules/0/cron"],
    [{ schedules: [{ label: "L1", tz: "Mars/Base" }] }, "/schedules/0/tz"],
    [{ tz: "Mars/Base" }, "/tz"],
    [{ schedules: [{ label: "L1", from: "2031-01-02", until: "2031-01-01" }] }, "/schedules/0/until"],
    [{ schedules: [{ label: "L1", from: "2031-02-30" }] }, "/schedules/0/from"],
    [{ schedules: [{ label: "L1", from: "2031-02-03T07:00:00" }] }, "/schedules/0/from"],
    [{ schedules: [{ label: "L1", tz: "+01:00" }] }, "/schedules/0/tz"],
    [{ schedules: [{ label: "L1", until: "2020-01-01" }] }, "/schedules/0/cron"],
    [{ schedules: [{ label: "L1", cron: "*/10 * * * *", jitter_s: 301 }] }, "/schedules/0/jitter_s"],
    [{ schedules: [{ label: "L9", cron: "@daily" }] }, "/schedules/0/label"],
    [{ schedules: [{ label: "L1", overlap: "maybe" }] }, "/schedules/0/overlap"],
    [{ schedules: [{ label: "L1", jitter: 3 }] }, "/schedules/0/jitter"],
    [{ schedules: [{ label: "L1", jitter_s: 4000 }] }, "/schedules/0/jitter_s"],
  ])("%j", async (body, path) => {
    const { status, body: answer } = await put("bad", { code, ...body });
    expect([status, answer.error, answer.issues[0].path]).toEqual([422, "schedule_invalid", path]);
    expect((await service.call("GET", "/programs/bad")).status).toBe(404);
  });
});

it("K-9: a version that becomes current carries its schedules over", async () => {
  const of = (cron: string, value: number) => `Cr L1 ${cron}\nL1:\n  J ${value}\n`;
  await put("moving", { code: of("0 * * * *", 1) });
  await toNext("moving/L1");
  await service.call("PATCH", "/schedules/moving/L1", { paused: true });
  await put("moving", { code: of("0 * * * *", 2) });
  expect(await schedule("moving/L1")).toMatchObject({ version: 2, paused: true, fires: [{ outcome: "fired" }] });
  await service.call("PATCH", "/schedules/moving/L1", { paused: false });
  const [fire] = await toNext("moving/L1");
  expect((await service.over(fire.job_id)).body.result.out).toBe(2);
  await service.call("POST", "/programs/moving/rollback", { version: 1 });
  expect(await schedule("moving/L1")).toMatchObject({ version: 1 });
  // Gone with the version that had it.
  await put("moving", { code: "L1:\n  J 3\n" });
  expect((await service.call("GET", "/schedules/moving/L1")).status).toBe(404);
});

it("a second schedule of a label has a number, and a disabled deployment fires none", async () => {
  await put("two", { code: "Cr L1 0 * * * *\nCr L1 30 * * * *\nL1:\n  J 1\n" });
  const { schedules } = (await service.call("GET", "/schedules?program=two")).body;
  expect(schedules.map(({ id, cron }: { id: string; cron: string }) => [id, cron])).toEqual([
    ["two/L1", "0 * * * *"],
    ["two/L1/2", "30 * * * *"],
  ]);
  await service.call("PATCH", "/programs/two", { enabled: false });
  expect((await toNext("two/L1/2"))[0].outcome).toBe("paused");
});

it("next, run and backfill", async () => {
  await put("past", {
    code: 'S past cron "0 3 * * *"\n# frame: _due_at: text\nL1:\n  J _due_at\n',
    tz: "Europe/Berlin",
  });
  const next = (await service.call("GET", "/schedules/past/L1/next?count=2")).body.next;
  expect(next).toHaveLength(2);
  const run = await service.call("POST", "/schedules/past/L1/run");
  expect(run.status).toBe(202);
  expect((await service.over(run.body.job_id)).body).toMatchObject({ status: "succeeded", schedule: "past/L1" });
  const days = { from: "2026-03-28", to: "2026-03-31" };
  const filled = await service.call("POST", "/schedules/past/L1/backfill", days);
  expect(filled.body).toMatchObject({ count: 3, already_fired: 0, more_from: null });
  const outs: string[] = [];
  for (const id of filled.body.job_ids) outs.push((await service.over(id)).body.result.out);
  // Summer time begins on the 29th.
  expect(outs).toEqual(["2026-03-28T02:00:00.000Z", "2026-03-29T01:00:00.000Z", "2026-03-30T01:00:00.000Z"]);
  const again = await service.call("POST", "/schedules/past/L1/backfill", days);
  expect(again.body).toMatchObject({ count: 0, already_fired: 3 });
  expect(
    (await service.call("POST", "/schedules/past/L1/backfill", { from: "2026-02-02", to: "2026-02-01" })).status,
  ).toBe(400);
});
