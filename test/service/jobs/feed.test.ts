/** GET /jobs/events: changes of all jobs as they happen, and how many were left out. */
import { afterEach, describe, expect, it } from "vitest";
import { JobFeed } from "../../../service/jobs/answers/feed.ts";
import type { JobStatus } from "../../../service/jobs/job.ts";
import { JobSignals } from "../../../service/jobs/signals.ts";
import type { FoundJob } from "../../../service/state/store.ts";
import { opened } from "../serving.ts";
import { type JobServing, servingJobs } from "./serving-jobs.ts";

const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

/** A feed over jobs whose states the test sets, and a clock that it moves. */
function feedOf(fails: () => boolean | Promise<boolean> = () => false) {
  const timers: { at: number; then: () => void }[] = [];
  let now = 0;
  const states = new Map<string, JobStatus>();
  const signals = new JobSignals();
  const find = async (id: string): Promise<FoundJob | null> => {
    if (await fails()) throw new Error("away");
    const status = states.get(id);
    return status === undefined ? null : ({ id, status, about: { name: `name ${id}` } } as FoundJob);
  };
  const feed = new JobFeed(
    { find, signals, now: () => 0 },
    {
      wait(ms, then) {
        const timer = { at: now + ms, then };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
  );
  const told: unknown[] = [];
  const forget = feed.listen(
    (events) => told.push(...events.map((event) => ("skipped" in event ? event : `${event.job_id} ${event.status}`))),
    () => told.push("end"),
  );
  return {
    feed,
    signals,
    told,
    forget,
    set(id: string, status: JobStatus): void {
      states.set(id, status);
      signals.changed(id);
    },
    async pass(ms: number): Promise<void> {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.then();
      }
      await new Promise(setImmediate);
    },
  };
}

describe("the feed of all jobs", () => {
  it("tells each state once, however often a job changes", async () => {
    const { set, pass, told } = feedOf();
    set("a", "running");
    set("b", "queued");
    await pass(20);
    set("a", "running");
    await pass(20);
    set("a", "succeeded");
    await pass(20);
    expect(told).toEqual(["a running", "b queued", "a succeeded"]);
  });

  it("leaves out what is more than fifty in a second, and says how many", async () => {
    const { set, pass, told } = feedOf();
    for (let at = 0; at < 70; at++) set(`j${at}`, "queued");
    await pass(20);
    expect(told).toHaveLength(50);
    await pass(980);
    expect(told.slice(50)).toEqual([{ skipped: 20 }]);
    set("j60", "running");
    await pass(20);
    expect(told.at(-1)).toBe("j60 running");
  });

  it("counts as left out what it cannot read", async () => {
    let away = true;
    const { set, pass, told } = feedOf(() => away);
    set("a", "running");
    await pass(20);
    away = false;
    await pass(980);
    expect(told).toEqual([{ skipped: 1 }]);
  });

  it("says so when it could not be read only after its second", async () => {
    let fail = (): void => {};
    const { set, pass, told } = feedOf(() => new Promise((resolve) => (fail = () => resolve(true))));
    set("a", "running");
    await pass(20);
    await pass(980);
    fail();
    await pass(0);
    await pass(1000);
    expect(told).toEqual([{ skipped: 1 }]);
  });

  it("says that changes were missed when their signals were lost", async () => {
    const { signals, pass, told } = feedOf();
    signals.changedAll();
    await pass(1000);
    expect(told).toEqual([{ skipped: 1 }]);
  });

  it("ends for everybody when the service stops, and hears nothing after its last listener", async () => {
    const { feed, set, pass, told, forget } = feedOf();
    feed.stop();
    forget();
    set("a", "running");
    await pass(1000);
    expect(told).toEqual(["end"]);
  });
});

describe("GET /jobs/events", () => {
  it("streams jobs until the service stops", async () => {
    const service = await servingJobs();
    services.push(service);
    let read = "";
    const over = new Promise<void>((resolve, reject) => {
      const request = opened(service.port, "GET", "/jobs/events");
      request.once("error", reject);
      request.once("response", (response) => {
        expect(response.headers["content-type"]).toContain("text/event-stream");
        response.on("data", (chunk: Buffer) => {
          if (read === "") void service.queued({ code: "L1:\n  J 1\n", name: "first" });
          read += chunk.toString("utf8");
          if (read.includes('"status":"succeeded"')) void service.drain();
        });
        response.once("close", resolve);
      });
      request.end();
    });
    await over;
    expect(read).toMatch(/^: weft\n\n/);
    expect(read).toMatch(/event: job\ndata: \{"job_id":"[^"]+","status":"succeeded","name":"first","at":"[^"]+"\}\n\n/);
  });

  it("is not there where the list is not", async () => {
    const service = await servingJobs({ variables: { WF_JOBS_LIST: "0" } });
    services.push(service);
    expect((await service.call("GET", "/jobs/events")).status).toBe(404);
  });
});
