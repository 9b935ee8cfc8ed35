/** Durable jobs of the built service when it is killed while they wait, when a call's outcome is unknown, and when its disk takes nothing. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

describe.skipIf(!isBuilt)("a call whose process was killed, with on_unknown ask", () => {
  const ACTS = `L1:
  R http.Post url 1 ->r
  Err ->L_failed
  J r.body
L_failed:
  J _error_info.details.outcome
`;

  it.each([
    ["done", { result: { status: 200, ok: true, headers: {}, body: "by hand" } }, "by hand", 1],
    ["make", {}, "answered", 2],
    ["fail", {}, "unknown", 1],
  ])("waits for a person, who says %s", { timeout: 60_000 }, async (decision, members, out, requests) => {
    let asked = 0;
    let reached = (): void => {};
    const first = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const server = createServer((request, response) => {
      request.resume();
      asked += 1;
      // The first is never answered.
      if (asked > 1) response.setHeader("content-type", "text/plain").end("answered");
      reached();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port: to } = server.address() as AddressInfo;
    const variables = { WF_STATE_DIR: `${folder.path}/ask-${decision}`, WF_HTTP_ALLOW_PRIVATE: "1" };
    const one = await serveProcess(variables);
    const { body: queued } = await exchange(one.port, "POST", "/enqueue", {
      code: ACTS,
      strict: false,
      frame: { url: `http://127.0.0.1:${to}/x` },
      durable: true,
      on_unknown: "ask",
      adapters: { enable: ["http"], http: { allow_hosts: ["127.0.0.1"], allow_ports: [to] } },
    });
    await first;
    await one.end("SIGKILL");
    const two = await serveProcess(variables);
    const id = queued.job_id;
    const state = async () => (await exchange(two.port, "GET", `/result/${id}`)).body.status;
    await expect.poll(state, { timeout: 20_000, interval: 20 }).toBe("waiting");
    const { body: waits } = await exchange(two.port, "GET", `/result/${id}/waits`);
    const [wait] = waits.waits;
    expect(wait).toMatchObject({ kind: "outcome", ended_at: null });
    const decide = () => exchange(two.port, "POST", `/result/${id}/outcome`, { seq: wait.of, decision, ...members });
    expect((await decide()).status).toBe(200);
    expect((await decide()).body.error).toBe("outcome_not_asked");
    const { body } = await exchange(two.port, "GET", `/result/${id}?wait=30`);
    expect(body.result.out).toEqual(out);
    expect(asked).toBe(requests);
    await two.end("SIGTERM");
    server.closeAllConnections();
    server.close();
  });
});

/** A file system of 2 MiB; null where none can be mounted, and the reason is printed. */
function smallDisk(path: string): { remount(how: "ro" | "rw"): void; unmount(): void } | null {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path], { stdio: "pipe" });
    return {
      remount: (how) => void execFileSync("mount", ["-o", `remount,${how}`, path], { stdio: "pipe" }),
      unmount: () => void execFileSync("umount", [path]),
    };
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
  it.each(["full", "read-only"] as const)("makes no write, and continues when the %s disk is free", async (kind) => {
    const stateDir = `${folder.path}/${kind}`;
    await mkdir(stateDir);
    const disk = smallDisk(stateDir);
    if (disk === null) return;
    const filler = `${stateDir}/filler`;
    try {
      const service = await servingJobs({ stateDir, times: { probeMs: 20 } });
      const id = await service.queued({ code: HELD, durable: true, ...EXT });
      const held = await service.held();
      if (kind === "full") await writeFile(filler, Buffer.alloc(4 * 1024 * 1024)).catch(() => {});
      else disk.remount("ro");
      held.release("b".repeat(kind === "full" ? 100_000 : 1));
      await service.logged("store_unavailable");
      // What it learned is not on disk, so nothing may leave.
      expect(service.made).toEqual(["Hold"]);
      if (kind === "full") await rm(filler);
      else disk.remount("rw");
      await service.until(id, "waiting");
      expect(service.made).toEqual(["Hold", "Write"]);
      expect((await service.call("POST", `/result/${id}/signals/go`, { data: 7 })).status).toBe(202);
      expect((await service.over(id)).body.result.out[1]).toBe(7);
      await service.stop();
      const db = new Database(`${stateDir}/weft.db`, { readonly: true });
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      db.close();
    } finally {
      disk.unmount();
    }
  });
});
