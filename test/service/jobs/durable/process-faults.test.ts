/** Durable jobs of a service that is killed while they park and wake, and of one whose disk takes nothing. */
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
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

const ROUNDS = Number(process.env["WEFT_DURABLE_KILLS"] ?? 3);
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

/** A disk in a file, with a file system that only reads from its first error on; null where none can be mounted, and the reason is printed. */
async function brittleDisk(path: string) {
  const image = `${path}.img`;
  const run = (program: string, ...args: string[]): string => execFileSync(program, args, { stdio: "pipe" }).toString();
  const mount = (): void => void run("mount", "-o", "loop,errors=remount-ro", image, path);
  try {
    run("truncate", "-s", "16M", image);
    run("mkfs.ext4", "-q", "-F", image);
    await mkdir(path);
    mount();
  } catch (thrown) {
    console.warn(`skipped: no disk can be mounted: ${thrown instanceof Error ? thrown.message.split("\n")[0] : ""}`);
    return null;
  }
  const device = run("findmnt", "-no", "SOURCE", path).trim();
  return {
    fail: () => writeFile(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, "1"),
    unmount: () => void run("umount", "-l", path),
    repair(): void {
      try {
        run("e2fsck", "-fy", image);
      } catch {
        // Its exit code says that there was something to repair.
      }
      mount();
    },
  };
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

  it("makes no write on a disk that can only be read, and continues when it was repaired", async ({ skip }) => {
    const stateDir = `${folder.path}/read-only`;
    const disk = await brittleDisk(stateDir);
    if (disk === null) return skip();
    const first = await servingJobs({ stateDir, times: { probeMs: 20 }, variables: { WF_DRAIN_MS: "100" } });
    try {
      const id = await first.queued({ code: HELD, durable: true, ...EXT });
      const waiting = await first.queued({ code: 'L1:\n  R signal.wait "go" ->s\n  J s.data\n' });
      const held = await first.held();
      await first.until(waiting, "waiting");
      await disk.fail();
      held.release("lost");
      await first.logged("store_unavailable");
      expect(first.made).toEqual(["Hold"]);
      for (const [path, body] of [
        ["/enqueue", { code: HELD, durable: true, ...EXT }],
        [`/result/${waiting}/signals/go`, { data: 1 }],
      ] as const) {
        const refused = await first.call("POST", path, body);
        expect([refused.status, refused.body.error], path).toEqual([503, "store_unavailable"]);
      }
      expect((await first.call("POST", "/run", { code: "L1:\n  J 1\n" })).body.out).toBe(1);
      await first.stop();
      disk.unmount();
      disk.repair();
      const second = await servingJobs({ stateDir });
      // What it had learned was not on disk, so that is asked again; the write is made once.
      (await second.held()).release("b");
      await second.until(id, "waiting");
      expect([first.made, second.made]).toEqual([["Hold"], ["Hold", "Write"]]);
      for (const job of [id, waiting]) await second.call("POST", `/result/${job}/signals/go`, { data: 7 });
      expect((await second.over(id)).body.result.out).toEqual(["b", 7]);
      expect((await second.over(waiting)).body.result.out).toBe(7);
      await second.stop();
    } finally {
      disk.unmount();
    }
  });
});
