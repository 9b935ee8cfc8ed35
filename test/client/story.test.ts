/** Both clients live through the same story with one real service, and come to the same. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { PYTHON, python } from "./python.ts";
import { story } from "./story.ts";

/** What a story comes to. */
const endOf = (name: string) => ({
  adapters: true,
  "bad input": "input_invalid",
  "bad program": "compile_error",
  batch: [1000, 0, "input_invalid", 1998],
  values: [1000, 1998, 500],
  lean: [{ index: 301, ok: true, out: 602 }, "input_invalid"],
  "odd values": [null, { summary: true, error: "no", message: "no" }, { ok: false, index: 7 }],
  stopped: 501,
  "by name": 42,
  "by name again": 16,
  asked: ["open", ["approve", "reject"]],
  cancelled: "cancelled",
  conflict: "version_conflict",
  decided: "reject",
  decision: ["reject", "late"],
  deployed: 1,
  disabled: false,
  "dry run": 1,
  events: "end",
  failed: "runtime_error",
  "failed value": "runtime_error",
  fixed: ["failed", 3],
  found: 1,
  frame: ["shapes", {}],
  gone: "program_not_found",
  journal: 1,
  job: ["succeeded", 8],
  "late signal": "signal_not_wanted",
  many: [2, 4, 6],
  next: 2,
  "no link": "links_not_configured",
  "no values": "values_hidden",
  "not asked": "outcome_not_asked",
  "not over": "wait_timeout",
  paid: 7,
  parked: "waiting",
  paused: true,
  programs: [name],
  removed: name,
  retry: "job_not_retryable",
  "rolled back": 1,
  staged: 1,
  share: 10,
  ended: null,
  promoted: 2,
  run: true,
  "same job": true,
  schedule: [`${name}/L1`, 3],
  scheduled: 42,
  signal: "now",
  "signal by key": 1,
  state: [null, "shapes", {}],
  signalled: { door: true },
  "too late": "approval_not_open",
  "unknown job": "job_not_found",
  value: 42,
  versions: [
    [2, false],
    [1, true],
  ],
  waits: [["signal", ["go", "stop"]]],
});

let service: JobServing;
let server: string;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await servingJobs({ stateDir: folder.path });
  server = `http://127.0.0.1:${service.port}`;
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

it("the TypeScript client runs, queues, deploys, schedules and cleans up", async () => {
  expect(await story(server, "story")).toEqual(endOf("story"));
}, 60_000);

it.skipIf(!PYTHON)(
  "the Python client does the same, with threads and with asyncio",
  async () => {
    expect(await python("story.py", server)).toEqual([endOf("threads"), endOf("tasks")]);
  },
  120_000,
);
