/** A store in memory with one deployment, and two replicas that fire its schedules at the same time, by a clock that the test sets. */
import { randomBytes } from "node:crypto";
import { jobId } from "../../../service/jobs/job-id.ts";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import type { Schedule, ScheduleSpec } from "../../../service/schedules/schedule.ts";
import { Scheduler } from "../../../service/schedules/scheduler.ts";
import { ABOUT_NOTHING } from "../../../service/wire/about.ts";

export const SPEC: ScheduleSpec = {
  id: "p/L1",
  cron: "0 * * * *",
  tz: "UTC",
  label: "L1",
  frame: {},
  jitterS: 0,
  overlap: "skip",
  catchUp: "last",
  catchUpWindowS: 3600,
  from: null,
  until: null,
  paused: false,
};

export async function simulated(specs: readonly ScheduleSpec[], start: number) {
  let wall = start;
  const clock = { now: () => performance.now(), wall: () => wall, wait: () => () => {} };
  const store = await openSqliteStore({ stateDir: null, owner: "own", now: () => wall, clock });
  const deploy = (of: readonly ScheduleSpec[], base: number | null) =>
    store.programs.deploy({
      version: {
        name: "p",
        content: JSON.stringify(of),
        checksum: "sha256:0",
        compiler: "1",
        semantics: 1,
        sourceHash: null,
        attestation: null,
        createdMs: start,
        ir: "{}",
        source: "{}",
        settings: "{}",
        warnings: "[]",
        schedules: JSON.stringify(of),
      },
      base,
      source: "api",
      tags: undefined,
      description: undefined,
      maxDeployments: 10,
      versionsKept: 10,
      maxSchedules: 10_000,
    });
  await deploy(specs, null);
  const made: string[] = [];
  const submission = async (schedule: Schedule, dueMs: number) => {
    const id = randomBytes(16).toString("hex");
    const job = jobId(wall, id);
    made.push(job);
    return {
      label: schedule.spec.label,
      retry: false,
      queuedMs: wall,
      retryOf: null,
      deployment: "p",
      version: schedule.version,
      keepMs: 1000,
      traceId: id,
      warnings: [],
      bulk: false,
      about: { ...ABOUT_NOTHING, schedule: schedule.id, dueMs },
      request: '{"asked":{}}',
      program: "{}",
      checksum: "sha256:0",
      traceparent: null,
      tracestate: null,
      jobs: [{ id: job, traceId: id, frame: "{}" }],
    };
  };
  const services = {
    events: { note: () => {} },
    metrics: { schedules: { fired: () => {}, missed: () => {}, refused: () => {} } },
    readiness: { warn: () => {} },
    config: { jobs: { queueMax: 1_000_000 } },
  };
  let queued = 0;
  const jobs = {
    log: {
      queued: () => {
        queued += 1;
      },
    },
    store: { cancel: (id: string) => store.cancel(id) },
  };
  const replica = () => new Scheduler({ services: services as never, jobs, store: store.schedules, submission, clock });
  const replicas = [replica(), replica()];
  return {
    store,
    deploy,
    jobs: () => queued,
    close: () => store.close(),
    /** Every job that was queued is over. */
    async endJobs() {
      for (const id of made.splice(0)) await store.cancel(id);
    },
    async tick(at: number) {
      wall = at;
      await Promise.all(replicas.map((one) => one.tick()));
    },
    set(at: number) {
      wall = at;
    },
  };
}
