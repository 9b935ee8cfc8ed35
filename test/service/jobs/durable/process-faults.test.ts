/** Durable jobs of a service that is killed while they park and wake, and of one whose disk takes nothing. */
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { exchange } from "../../serving.ts";
import { seededRandom } from "../faults/job-load.ts";
import { endServices, isBuilt, serveProcess } from "../faults/serve-process.ts";
import { servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folder = await temporaryFolder();
afterAll(() => {
  endServices();
  return folder.remove();
});

const ROUNDS = Number(process.env["WEFT_DURABLE_KILLS"] ?? 5);
const WAITS = `L1:
  R timer.sleep 0.1 ->t
  R signal.wait "go" {"timeout": "1d"} ->one
  R timer.sleep 0.1 ->u
  R signal.wait ["go", "stop"] {"timeout": "1d"} ->two
  J [one.data, two.data]
`;

describe.skipIf(!isBuilt)("a service that is killed while jobs park and wake", () => {
  it("loses no wake and no signal, and gives each once", { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
    const random = seededRandom("parking kills");
    const variables = {
      WF_STATE_DIR: `${folder.path}/parking`,
      WF_QUEUE_WORKERS: "4",
      WF_DURABLE_MOST_CRASHES: "1000",
    };
    const ids: string[] = [];
    const accepted = new Set<string>();
    // Told again until it was heard: the same id is one signal.
    const send = async (port: number, id: string, n: number): Promise<void> => {
      if (accepted.has(`${id} ${n}`)) return;
      const body = { data: n, id: `s${n}` };
      const reply = await exchange(port, "POST", `/result/${id}/signals/go`, body).catch(() => null);
      if (reply?.status === 202) accepted.add(`${id} ${n}`);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const service = await serveProcess(variables);
      const { port } = service;
      for (let job = 0; job < 3; job++) {
        const reply = await exchange(port, "POST", "/enqueue", { code: WAITS }).catch(() => null);
        if (reply?.status === 202) ids.push(reply.body.job_id);
      }
      const dies = new Promise((resolve) => setTimeout(resolve, 50 + random() * 400));
      const sent = ids.map((id) => send(port, id, accepted.has(`${id} 1`) ? 2 : 1));
      await dies;
      await service.end("SIGKILL");
      await Promise.all(sent);
    }
    const service = await serveProcess(variables);
    for (const id of ids) for (const n of [1, 2]) await send(service.port, id, n);
    for (const id of ids) {
      const { body } = await exchange(service.port, "GET", `/result/${id}?wait=30`);
      expect(body.status, JSON.stringify(body)).toBe("succeeded");
      expect(body.result.out).toEqual([1, 2]);
    }
    expect(await service.end("SIGTERM")).toBe(0);
    const db = new Database(`${folder.path}/parking/weft.db`, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.prepare("SELECT count(*) FROM waits WHERE ended_ms IS NULL").pluck().get()).toBe(0);
    db.close();
  });
});

/** A file system of 2 MiB; null where none can be mounted, and the reason is printed. */
function smallDisk(path: string): { unmount(): void } | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path], { stdio: "pipe" });
    return { unmount: () => void execFileSync("umount", [path]) };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.split("\n")[0] : "";
    console.warn(`skipped: no small disk can be mounted: ${why}`);
    return null;
  }
}

const EXT = { adapters: { enable: ["ext"] } };
const HELD =
  'L1:\n  R ext.Hold "a" ->x\n  R ext.Write x ->y\n  R signal.wait "go" {"timeout": "1d"} ->s\n  J [x, s.data]\n';

describe("a durable job whose disk takes nothing", { timeout: 60_000 }, () => {
  it("makes no write, and continues when the disk is free again", async ({ skip }) => {
    const stateDir = `${folder.path}/full`;
    await mkdir(stateDir);
    const disk = smallDisk(stateDir);
    if (disk === null) return skip();
    const service = await servingJobs({ stateDir, times: { probeMs: 20 } });
    try {
      const id = await service.queued({ code: HELD, durable: true, ...EXT });
      const held = await service.held();
      const filler = `${stateDir}/filler`;
      await writeFile(filler, Buffer.alloc(4 * 1024 * 1024)).catch(() => {});
      held.release("b".repeat(60_000));
      await service.logged("store_unavailable");
      // What it learned is not on disk, so nothing may leave.
      expect(service.made).toEqual(["Hold"]);
      await rm(filler);
      await service.until(id, "waiting");
      expect(service.made).toEqual(["Hold", "Write"]);
      expect((await service.call("POST", `/result/${id}/signals/go`, { data: 7 })).status).toBe(202);
      expect((await service.over(id)).body.result.out[1]).toBe(7);
    } finally {
      await service.stop();
      const db = new Database(`${stateDir}/weft.db`, { readonly: true });
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      db.close();
      disk.unmount();
    }
  });
});
