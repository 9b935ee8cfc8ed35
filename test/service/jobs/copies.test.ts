/** Copies of the job store: whole while jobs run, never half of one, and in a restored store nothing continues by itself. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { restoreJobs } from "../../../service/jobs/run/restore-jobs.ts";
import { backupStore } from "../../../service/jobs/sqlite/copies/backup-store.ts";
import { openSqliteStore } from "../../../service/jobs/sqlite/store.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { startPostgres } from "../../support/postgres.ts";
import { realClock } from "../serving.ts";
import { isBuilt } from "./faults/serve-process.ts";
import { replicasOn } from "./places.ts";
import { servingJobs, temporaryFolder } from "./serving-jobs.ts";
import { alone, newJob } from "./store-cases.ts";
import { takeJobs } from "./taking.ts";

const BINARY = fileURLToPath(new URL("../../../dist/wf.mjs", import.meta.url));
const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await postgres?.stop();
  await folder.remove();
});
let places = 0;
const place = (): string => join(folder.path, `place-${++places}`);
const made = { now: 5_000, version: "1.0.0" };
const OPTIONS = { most: 100_000, key: null };
const open = (stateDir: string): Promise<JobStore> =>
  openSqliteStore({ stateDir, owner: `o${++places}`, now: () => Date.now(), clock: realClock });
const restored = (from: string, stateDir: string) =>
  restoreJobs({ from, stateDir, databaseUrl: null, clock: realClock, owner: `r${++places}`, dryRun: false });
const LARGE = `{"ok":true,"out":"${"x".repeat(1_200_000)}"}`;

describe("T.S-7, D2.Q-7: a copy", () => {
  it("has everything that was acknowledged before it, whatever is written meanwhile, and is a store again", async () => {
    const stateDir = place();
    const store = await open(stateDir);
    const taker = takeJobs(store, 1);
    const large = newJob(Date.now());
    await store.enqueue(alone(large), OPTIONS);
    const first = await taker.next();
    await store.settle(first.job, "succeeded", LARGE);
    first.end();
    const running = newJob(Date.now(), { deployment: "shop", version: 3 });
    await store.enqueue(alone(running), OPTIONS);
    await taker.next();
    const queued: string[] = [];
    for (let at = 0; at < 200; at++) {
      const job = newJob(Date.now());
      await store.enqueue(alone(job), OPTIONS);
      queued.push(job.id);
    }
    const before = [...queued];
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        const job = newJob(Date.now());
        await store.enqueue(alone(job), OPTIONS);
        queued.push(job.id);
      }
    })();
    const to = place();
    const manifest = await backupStore(stateDir, to, made);
    isOver = true;
    await writing;
    expect(manifest).toMatchObject({ format: 1, made_ms: 5000, weft: "1.0.0", files: 1 });
    expect(statSync(join(to, "weft.db")).mode & 0o777).toBe(0o600);
    expect(statSync(to).mode & 0o777).toBe(0o700);
    const copyDir = place();
    const { jobs, madeMs } = await restored(to, copyDir);
    expect(madeMs).toBe(5000);
    const open_ = new Map(jobs.map(({ id, ...rest }) => [id, rest]));
    expect(open_.get(running.id)).toMatchObject({ status: "running", deployment: "shop", version: 3 });
    for (const id of before) expect(open_.get(id)?.status).toBe("queued");
    // Of those that came meanwhile some may be there, and nothing else.
    for (const { id } of jobs) expect(id === running.id || queued.includes(id)).toBe(true);
    const copy = await open(copyDir);
    expect(await copy.result(large.id)).toBe(LARGE);
    expect(await copy.find(running.id)).toMatchObject({ status: "interrupted", error: "interrupted" });
    expect(await copy.result(running.id)).toContain('"reason":"restored"');
    expect((await copy.list({ statuses: ["queued", "running"], limit: 10, after: null })).length).toBe(0);
    await copy.close();
    await taker.stop();
    await store.close();
  });

  it("is refused over another one, and without a store", async () => {
    const stateDir = place();
    await (await open(stateDir)).close();
    const to = place();
    await backupStore(stateDir, to, made);
    await expect(backupStore(stateDir, to, made)).rejects.toMatchObject({ code: "backup_exists" });
    await expect(backupStore(place(), place(), made)).rejects.toThrow("has no job store");
    const target = place();
    await restored(to, target);
    await expect(restored(to, target)).rejects.toMatchObject({ code: "restore_not_empty" });
  });

  it.each<[string, (to: string) => void]>([
    ["changed in one byte", (to) => writeFileSync(join(to, "weft.db"), flipped(readFileSync(join(to, "weft.db"))))],
    ["without what it says of itself", (to) => rmSync(join(to, "backup.json"))],
    ["with half of that", (to) => writeFileSync(join(to, "backup.json"), '{"format":1')],
    ["of a newer version", (to) => replaced(join(to, "backup.json"), /"schema": \d+/, '"schema": 999')],
    ["without its large results", (to) => rmSync(join(to, "results"), { recursive: true })],
  ])("is not restored %s", async (_what, harm) => {
    const stateDir = place();
    const store = await open(stateDir);
    const taker = takeJobs(store, 1);
    await store.enqueue(alone(newJob(Date.now())), OPTIONS);
    const { job, end } = await taker.next();
    await store.settle(job, "succeeded", LARGE);
    end();
    await taker.stop();
    await store.close();
    const to = place();
    await backupStore(stateDir, to, made);
    harm(to);
    const target = place();
    await expect(restored(to, target)).rejects.toMatchObject({ code: "backup_damaged" });
    expect(existsSync(target)).toBe(false);
  });

  it.skipIf(!isBuilt)("leaves nothing when the disk is full, and says so", async () => {
    const stateDir = place();
    const store = await open(stateDir);
    const taker = takeJobs(store, 1);
    await store.enqueue(alone(newJob(Date.now())), OPTIONS);
    const { job, end } = await taker.next();
    await store.settle(job, "succeeded", LARGE);
    end();
    await taker.stop();
    const parent = place();
    mkdirSync(parent);
    const bounded = 'trap "" XFSZ; ulimit -f 200; exec "$@"';
    const argv = [
      "-c",
      bounded,
      "sh",
      process.execPath,
      BINARY,
      "backup",
      "--state-dir",
      stateDir,
      "--to",
      join(parent, "b"),
      "--json",
    ];
    const { status, stdout } = spawnSync("/bin/bash", argv, { encoding: "utf8" });
    expect([status, JSON.parse(stdout).error]).toEqual([1, "backup_no_space"]);
    expect(readdirSync(parent)).toEqual([]);
    // With room it works, next to the service that has the store open.
    const whole = spawnSync(process.execPath, [BINARY, "backup", "--state-dir", stateDir, "--to", join(parent, "b")], {
      encoding: "utf8",
    });
    expect([whole.status, readdirSync(join(parent, "b")).sort()]).toEqual([0, ["backup.json", "results", "weft.db"]]);
    await store.enqueue(alone(newJob(Date.now())), OPTIONS);
    await store.close();
  });
});

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

function replaced(path: string, from: RegExp, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

it("T.S-7, D2.Q-7: a restored service repeats nothing: waits, schedules and lines stand still until a person decides", async () => {
  const stateDir = place();
  const service = await servingJobs({ stateDir, variables: { WF_ENABLE_ADAPTERS: "core,timer,signal,ext" } });
  const code =
    'from weft import ext, signal\n\n@cron("* * * * *")\ndef tick():\n    return 1\n\ndef main():\n    x = ext.Echo("once")\n    signal.wait("go")\n    return x\n';
  expect((await service.call("PUT", "/programs/waits", { code, label: "main" })).status).toBe(201);
  const id = await service.queued({ program: "waits", durable: true });
  await service.until(id, "waiting");
  const to = place();
  await backupStore(stateDir, to, made);
  await service.stop();
  const copyDir = place();
  const { jobs, schedules } = await restored(to, copyDir);
  expect(jobs.map(({ id: of, status }) => [of, status])).toEqual([[id, "waiting"]]);
  expect(schedules.map(({ id: of }) => of)).toEqual(["waits/tick"]);
  const again = await servingJobs({ stateDir: copyDir, variables: { WF_ENABLE_ADAPTERS: "core,timer,signal,ext" } });
  try {
    expect((await again.call("GET", `/result/${id}`)).body).toMatchObject({
      status: "interrupted",
      result: { reason: "restored" },
    });
    expect((await again.call("GET", "/schedules/waits/tick")).body).toMatchObject({
      paused: true,
      paused_because: "restored",
    });
    expect((await again.call("POST", `/result/${id}/signals/go`, {})).status).toBe(409);
    // A person lets it continue: what it learned is not asked for again.
    const retried = await again.call("POST", `/result/${id}/retry`, { from: "failure" });
    expect(retried.status).toBe(202);
    const next = retried.body.job_id;
    await again.until(next, "waiting");
    await again.call("POST", `/result/${next}/signals/go`, {});
    expect((await again.over(next)).body.result.out).toBe("once");
    expect(again.made).toEqual([]);
  } finally {
    await again.stop();
  }
});

it.skipIf(postgres === null)(
  "T.S-7: a database that was restored by its own means is marked by the same rules",
  async () => {
    const world = await replicasOn(postgres);
    const store = await world.open("first");
    const job = newJob(world.now());
    await store.enqueue(alone(job), OPTIONS);
    expect(await store.restoring.pause()).toEqual([]);
    expect((await store.restoring.end(10)).map(({ id, status }) => [id, status])).toEqual([[job.id, "queued"]]);
    expect(await store.restoring.end(10)).toEqual([]);
    expect(await store.find(job.id)).toMatchObject({ status: "interrupted" });
    await world.closeAll();
  },
);
