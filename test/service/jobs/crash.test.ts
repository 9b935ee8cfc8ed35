/** The service killed at random moments: what was acknowledged is there afterwards, and ends exactly once. */
import { afterAll, describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { exchange, type Reply } from "../serving.ts";
import { isBuilt, type ServeProcess, serveProcess } from "./serve-process.ts";
import { temporaryFolder } from "./serving-jobs.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

const ROUNDS = 8;
const JOBS_A_ROUND = 40;

type Wanted = { readonly n: number; readonly retry: boolean };

/** Sleeps a little, so that some run at any moment, and answers with its number. */
function bodyOf({ n, retry }: Wanted): object {
  return { code: "L1:\n  R core.SLEEP ms ->z\n  J n\n", frame: { n, ms: n % 7 }, retry };
}

/** Null: the process was gone before it answered. */
function enqueue(port: number, wanted: Wanted): Promise<Reply | null> {
  const key = { "idempotency-key": `job-${wanted.n}` };
  return exchange(port, "POST", "/enqueue", bodyOf(wanted), key).catch(() => null);
}

describe.skipIf(!isBuilt)("a service that is killed", () => {
  it("keeps every acknowledged job, and ends each exactly once", { timeout: 120_000 }, async () => {
    verifies("jobs.survive-restart");
    const variables = { WF_STATE_DIR: `${folder.path}/killed`, WF_QUEUE_WORKERS: "4", WF_LOG_LEVEL: "info" };
    const wanted: Wanted[] = [];
    const acknowledged = new Map<number, string>();
    const noted = async (port: number, want: Wanted): Promise<void> => {
      const reply = await enqueue(port, want);
      if (reply?.status !== 202) return;
      const known = acknowledged.get(want.n);
      expect(known === undefined || known === reply.body.job_id, `job ${want.n} was queued twice`).toBe(true);
      acknowledged.set(want.n, reply.body.job_id);
    };

    let service: ServeProcess;
    for (let round = 0; round < ROUNDS; round++) {
      service = await serveProcess(variables);
      const { port } = service;
      const unanswered = wanted.filter(({ n }) => !acknowledged.has(n));
      const fresh = Array.from({ length: JOBS_A_ROUND }, (_, at) => ({ n: wanted.length + at, retry: at % 2 === 0 }));
      wanted.push(...fresh);
      const sent = Promise.all([...unanswered, ...fresh].map((want) => noted(port, want)));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await service.end("SIGKILL");
      await sent;
    }

    service = await serveProcess(variables);
    const { port } = service;
    await Promise.all(wanted.filter(({ n }) => !acknowledged.has(n)).map((want) => noted(port, want)));
    expect(acknowledged.size).toBe(wanted.length);
    const ends = await Promise.all(
      wanted.map(async ({ n, retry }) => {
        const { body } = await exchange(port, "GET", `/result/${acknowledged.get(n)}?wait=60`);
        const out = body.status === "succeeded" ? body.result.out : body.result.error;
        return { n, retry, status: body.status, attempt: body.attempt, out };
      }),
    );
    for (const { n, retry, status, attempt, out } of ends) {
      expect(["succeeded", "interrupted"], `job ${n}`).toContain(status);
      expect(out).toBe(status === "succeeded" ? n : "interrupted");
      expect(attempt).toBeLessThanOrEqual(retry ? 3 : 1);
    }
    const { body } = await exchange(port, "GET", "/jobs?limit=200");
    const older = await exchange(port, "GET", `/jobs?limit=200&cursor=${body.next_cursor}`);
    const ids = [...body.jobs, ...older.body.jobs].map((job: { job_id: string }) => job.job_id);
    // Nothing was queued twice either: a request without an answer was repeated under its key.
    expect(ids.sort()).toEqual([...acknowledged.values()].sort());
    const again = await exchange(port, "GET", `/result/${acknowledged.get(0)}`);
    expect(again.body.status).toBe(ends[0]?.status);
    expect(await service.end("SIGTERM")).toBe(0);
  });

  it("refuses a state directory that another process has, or that is damaged", { timeout: 60_000 }, async () => {
    const variables = { WF_STATE_DIR: `${folder.path}/shared` };
    const first = await serveProcess(variables);
    const second = await serveProcess(variables);
    expect(second.port).toBe(0);
    expect(await second.end("SIGTERM")).toBe(2);
    expect(second.stderr()).toMatch(/in use by another process/);
    expect(await first.end("SIGKILL")).toBeNull();
    // The lock went with the process.
    const third = await serveProcess(variables);
    expect(third.port).toBeGreaterThan(0);
    expect(await third.end("SIGTERM")).toBe(0);
  });
});
