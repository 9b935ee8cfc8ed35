/** The service as a process under load and out of disk. */
import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { verifies } from "../../../support/requirements.ts";
import { exchange, type Reply } from "../../serving.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { endServices, isBuilt, serveProcess, startProcess } from "./serve-process.ts";

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

/** Lets a process write files of any size again; false where that cannot be done. */
function unbound(pid: number): boolean {
  try {
    execFileSync("prlimit", ["--pid", String(pid), "--fsize=unlimited:unlimited"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!isBuilt)("wf serve", { timeout: 60_000 }, () => {
  it("answers probes while 200 runs sleep, and all of them succeed", async () => {
    const service = await serveProcess({});
    const { port } = service;
    const sleeping = { code: "L1:\n  R core.SLEEP 5000 ->z\n  J 1\n" };
    const runs = Array.from({ length: 200 }, () => exchange(port, "POST", "/run", sleeping));
    const asleep = async (): Promise<number> => (await exchange(port, "GET", "/metrics")).body.runs_in_flight;
    await expect.poll(asleep, { timeout: 10_000, interval: 10 }).toBeGreaterThan(150);
    let ended = 0;
    for (const run of runs) void run.then(() => ended++);
    expect((await exchange(port, "GET", "/health")).status).toBe(200);
    // They sleep: the probe did not wait for one of them.
    expect(ended).toBe(0);
    for (const { body } of await Promise.all(runs)) expect(body).toMatchObject({ ok: true, out: 1 });
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it("that can no longer write refuses jobs, continues runs, and takes jobs again later", async ({ skip }) => {
    verifies("jobs.survive-restart");
    // The soft bound of the size of files: what a full disk looks like from inside, and it can be lifted from outside.
    const started = startProcess({ WF_STATE_DIR: `${folder.path}/full` }, "-S -f 2048");
    const port = await started.served;
    const kept: string[] = [];
    const enqueue = (text: string): Promise<Reply> =>
      exchange(port, "POST", "/enqueue", { code: "L1:\n  J 1\n", frame: { text } });
    let refused: Reply | null = null;
    for (let at = 0; at < 100 && refused === null; at++) {
      const reply = await enqueue("x".repeat(100_000));
      if (reply.status === 202) kept.push(reply.body.job_id);
      else refused = reply;
    }
    expect(refused).toMatchObject({
      status: 503,
      body: { error: "store_unavailable" },
      headers: { "retry-after": "5" },
    });
    expect((await exchange(port, "POST", "/run", { code: "L1:\n  J 1\n" })).body.out).toBe(1);
    // Small writes, such as ends of jobs, may still find room and clear the mark: what room there is is filled.
    const readyWhenFull = async (): Promise<number> => {
      for (const units of [100_000, 10_000, 1000, 1]) {
        const { status, body } = await enqueue("x".repeat(units));
        if (status === 202) kept.push(body.job_id);
      }
      return (await exchange(port, "GET", "/ready")).status;
    };
    await expect.poll(readyWhenFull, { timeout: 5000 }).toBe(503);
    if (!unbound(started.pid)) {
      await started.end("SIGKILL");
      return skip();
    }
    await expect.poll(async () => (await exchange(port, "GET", "/ready")).status, { timeout: 10_000 }).toBe(200);
    kept.push((await enqueue("there is room")).body.job_id);
    for (const id of kept) {
      const { body } = await exchange(port, "GET", `/result/${id}?wait=20`);
      expect(body.status, JSON.stringify(body)).toBe("succeeded");
    }
    expect(await started.end("SIGTERM")).toBe(0);
  });
});
