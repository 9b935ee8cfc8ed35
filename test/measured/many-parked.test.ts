/** Many parked jobs: they are rows and nothing else. `--probe parked` has the figures of a hundred thousand. */
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, it } from "vitest";
import { makeDue, multiplyParked, sleeping } from "../../benchmarks/service/parked-jobs.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";

const PARKED = 20_000;
const DUE = 500;
const SLEEPS = 'L1:\n  R timer.sleep "1d" ->t\n  J 1\n';
const DAY_MS = 86_400_000;

const services: JobServing[] = [];
const folders: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
}, 60_000);

v8.setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
function heapMiB(): number {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
}

it("parked jobs cost neither memory nor a start, and those that are due wake", { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  folders.push(folder);
  const first = await servingJobs({ stateDir: folder.path });
  const id = await first.queued({ code: SLEEPS });
  await first.until(id, "sleeping");
  await first.drain();
  multiplyParked(folder.path, PARKED, Date.now() + DAY_MS);
  expect(sleeping(folder.path)).toBe(PARKED);
  makeDue(folder.path, DUE, Date.now() - 1000);
  const before = heapMiB();
  const began = process.cpuUsage();
  const service = await servingJobs({ stateDir: folder.path });
  services.push(service);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1e6).toBeLessThan(5);
  await expect.poll(() => sleeping(folder.path), { timeout: 60_000 }).toBe(PARKED - DUE);
  await expect
    .poll(async () => (await service.call("GET", "/jobs?status=queued,running&limit=1")).body.jobs, { timeout: 60_000 })
    .toEqual([]);
  expect((await service.call("GET", "/jobs?status=succeeded&limit=200")).body.jobs).toHaveLength(200);
  expect(heapMiB() - before).toBeLessThan(10);
  expect((await service.call("GET", `/jobs?waits=timer&limit=1`)).body.jobs).toHaveLength(1);
});
