/** Durable jobs whose database is cut off, slow, silent, or has lost its last commits, by a proxy between a service and a real server. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { seededRandom } from "../faults/job-load.ts";
import { type JobServing, type JobServingOptions, servingJobs } from "../serving-jobs.ts";

const postgres = await startPostgres();
const services: JobServing[] = [];
const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const close of closes.splice(0)) await close();
});
afterAll(() => postgres?.stop());

const SOCKET = ".s.PGSQL.5432";

/** A way to the server that can be cut, slowed down and stopped. */
async function proxied() {
  const url = (await postgres?.createDatabase()) ?? "";
  const folder = await mkdtemp(join(tmpdir(), "weft-proxy-"));
  const pairs = new Set<readonly [Socket, Socket]>();
  const held: (() => void)[] = [];
  let isHeld = false;
  let delayMs = 0;
  const forward = (from: Socket, to: Socket): void => {
    // One after the other, as they came.
    let last = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      const through = async (): Promise<void> => {
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
        if (!to.destroyed) to.write(chunk);
      };
      last = last.then(through);
    });
    from.on("error", () => {});
    from.on("close", () => to.destroy());
  };
  const proxy = createServer((client) => {
    const server = connect(join(postgres?.socketFolder ?? "", SOCKET));
    const pair = [client, server] as const;
    pairs.add(pair);
    client.on("close", () => pairs.delete(pair));
    forward(client, server);
    forward(server, client);
  });
  await new Promise<void>((resolve) => proxy.listen(join(folder, SOCKET), resolve));
  const cut = (): void => {
    for (const [client, server] of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  closes.push(async () => {
    cut();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    direct: url,
    url: url
      .replaceAll(encodeURIComponent(postgres?.socketFolder ?? ""), encodeURIComponent(folder))
      .replaceAll(postgres?.socketFolder ?? "-", folder),
    cut,
    slow(ms: number): void {
      delayMs = ms;
    },
    hold(): void {
      isHeld = true;
    },
    resume(): void {
      isHeld = false;
      for (const go of held.splice(0)) go();
    },
  };
}

async function served(databaseUrl: string, options: JobServingOptions = {}): Promise<JobServing> {
  const service = await servingJobs({ databaseUrl, times: { probeMs: 50 }, ...options });
  services.push(service);
  return service;
}

async function stop(service: JobServing): Promise<void> {
  services.splice(services.indexOf(service), 1);
  await service.stop();
}

const DAY_MS = 86_400_000;
const EXT = { adapters: { enable: ["ext"] } };
const HELD = 'L1:\n  R ext.Hold "a" ->x\n  R ext.Write x ->y\n  J x\n';
/** Reads, writes and waits, several times. */
const MIXED = [
  "L1:",
  ...Array.from({ length: 4 }, (_, n) => [
    `  R ext.Echo ${n} ->x${n}`,
    `  R ext.Write ${n} ->y${n}`,
    `  R timer.sleep 0.06 ->t${n}`,
  ]).flat(),
  "  J [x0, x1, x2, x3]",
  "",
].join("\n");

describe.skipIf(postgres === null)("durable jobs", { timeout: 120_000 }, () => {
  it("make each write once, and come to their end, while connections are cut again and again", async () => {
    const way = await proxied();
    const service = await served(way.url);
    const random = seededRandom("cut connections");
    const JOBS = 6;
    const ids = await Promise.all(Array.from({ length: JOBS }, () => service.queued({ code: MIXED, ...EXT })));
    let isOver = false;
    const cutting = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setTimeout(resolve, 10 + random() * 60));
        way.cut();
      }
    })();
    // For a while, and not for so long that the jobs cannot end.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    isOver = true;
    await cutting;
    for (const id of ids) {
      const { body } = await over(service, id);
      expect(body).toMatchObject({ status: "succeeded", attempt: 1, result: { out: [0, 1, 2, 3] } });
    }
    expect(service.made.filter((verb) => verb === "Write")).toHaveLength(4 * JOBS);
    const kept = await postgres?.query(way.direct, "SELECT count(*) AS n FROM weft.waits WHERE ended_ms IS NULL");
    expect(kept).toEqual([{ n: "0" }]);
  });

  it("write nothing while the database is silent, and continue when it answers", async () => {
    const way = await proxied();
    const service = await served(way.url);
    const id = await service.queued({ code: HELD, durable: true, ...EXT });
    const held = await service.held();
    way.hold();
    held.release("b");
    // The intent of the write is on its way, and is not known to be kept.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(service.made).toEqual(["Hold"]);
    way.resume();
    expect((await service.over(id)).body).toMatchObject({ status: "succeeded", result: { out: "b" } });
    expect(service.made).toEqual(["Hold", "Write"]);
  });

  it("do not hold up the end of their replica while the database is silent", { timeout: 10_000 }, async () => {
    const way = await proxied();
    let isEnding = false;
    // What the service itself waits for takes no time then; the driver waits eleven seconds for each answer.
    const clock = { ...realClock, wait: (ms: number, then: () => void) => realClock.wait(isEnding ? 0 : ms, then) };
    const service = await served(way.url, { clock });
    const id = await service.queued({ code: HELD, durable: true, ...EXT });
    await service.held();
    way.hold();
    isEnding = true;
    await stop(service);
    expect(service.made).toEqual(["Hold"]);
    expect(await postgres?.query(way.direct, "SELECT id, status FROM weft.jobs")).toEqual([{ id, status: "running" }]);
  });

  it("come to the same end on a slow database", async () => {
    const way = await proxied();
    const service = await served(way.url);
    way.slow(30);
    const ids = await Promise.all([1, 2, 3].map(() => service.queued({ code: MIXED, ...EXT })));
    for (const id of ids)
      expect((await service.over(id)).body).toMatchObject({ status: "succeeded", result: { out: [0, 1, 2, 3] } });
    expect(service.made.filter((verb) => verb === "Write")).toHaveLength(12);
  });

  it("continue after a failover that lost their last commits, and are interrupted where records are missing in between", async () => {
    const way = await proxied();
    const first = await served(way.url, { variables: { WF_DRAIN_MS: "50" } });
    const code = [
      "# frame: name: text",
      "L1:",
      "  R ext.Write name ->w",
      "  R ext.Hold name ->h",
      "  R ext.Write h ->x",
      "  R ext.Hold h ->i",
      "  J i",
      "",
    ].join("\n");
    const queued = (name: string) => first.queued({ code, frame: { name }, durable: true, ...EXT });
    const [lost, torn] = [await queued("lost"), await queued("torn")];
    const held = [await first.held(), await first.held()];
    const kinds = async (id: string): Promise<string[]> =>
      (await first.call("GET", `/result/${id}/journal`)).body.records.map((one: { readonly kind: string }) => one.kind);
    for (const id of [lost, torn]) await expect.poll(() => kinds(id)).toEqual(["start", "intent", "call"]);
    // The server that took over never had the last two records of either.
    await postgres?.query(way.direct, "DELETE FROM weft.job_journal WHERE seq > 1");
    way.cut();
    // The run of one of them writes on, after what is missing.
    held.find(({ name }) => name === "torn")?.release("more");
    await first.held();
    await stop(first);
    const second = await served(way.url);
    expect((await second.over(torn)).body).toMatchObject({
      status: "interrupted",
      result: { reason: "journal_unreadable" },
    });
    // What the journal does not have is made again.
    for (const name of ["lost", "end"]) {
      const again = await second.held();
      expect(again.name).toBe(name);
      again.release("end");
    }
    expect((await second.over(lost)).body).toMatchObject({ status: "succeeded", result: { out: "end" } });
    expect(second.made).toEqual(["Write", "Hold", "Write", "Hold"]);
  });

  it("are replayed from the entry when their snapshots cannot be read", async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const code =
      'L1:\n  Set n 0\n  Loop xs i ->L2 ->L3\nL2:\n  R ext.Echo i ->v\n  X n add n v\n  J null\nL3:\n  R ext.Hold "end" ->h\n  R signal.wait "go" ->s\n  J n\n';
    const first = await served(url);
    const xs = Array.from({ length: 600 }, (_, at) => at);
    const id = await first.queued({ code, frame: { xs }, ...EXT });
    const held = await first.held();
    // Of a job that waits none is kept any more.
    const rows = "SELECT count(*)::integer AS n FROM weft.job_snapshots";
    await expect.poll(() => postgres?.query(url, rows), { timeout: 10_000 }).not.toEqual([{ n: 0 }]);
    held.release(null);
    await first.until(id, "waiting");
    await postgres?.query(url, "UPDATE weft.job_snapshots SET data = '\\x0000ff'");
    const second = await served(url);
    await second.call("POST", `/result/${id}/signals/go`, {});
    expect((await second.over(id)).body.result.out).toBe(179_700);
    const unused = [...first.log, ...second.log].filter(({ event }) => event === "snapshot_unused");
    expect(unused).toMatchObject([{ job_id: id }]);
    expect([...first.made, ...second.made]).toHaveLength(601);
  });

  it("end as failed when the grant was tightened while they waited, and lose no call to an adapter that is gone", async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const code = 'L1:\n  R ext.Echo "a" ->x\n  R signal.wait "go" ->s\n  Call L_again ->y\n  Err ->L_gone\n  J y\n';
    const labels = 'L_again:\n  R ext.Echo "b" ->y\n  J y\nL_gone:\n  J [x, _error_info.adapter_code]\n';
    const first = await served(url);
    const tightened = await first.queued({ code: code + labels, ...EXT });
    await first.until(tightened, "waiting");
    await stop(first);
    const second = await served(url, { variables: { WF_HOST_ADAPTER_DENYLIST: "ext" } });
    await second.call("POST", `/result/${tightened}/signals/go`, {});
    expect((await second.over(tightened)).body).toMatchObject({
      status: "failed",
      error: "policy_violation",
      result: { ran: true },
    });
    await stop(second);
    const third = await served(url);
    const gone = await third.queued({ code: code + labels });
    await third.until(gone, "waiting");
    await stop(third);
    const fourth = await served(url, { isExtGone: true });
    await fourth.call("POST", `/result/${gone}/signals/go`, {});
    expect((await fourth.over(gone)).body.result.out).toEqual(["a", "ADAPTER_NOT_CONFIGURED"]);
  });

  it.each([DAY_MS, -DAY_MS])(
    "end no span early or late when the clock of their replica is set by %i ms",
    async (ms) => {
      const url = (await postgres?.createDatabase()) ?? "";
      let ahead = 0;
      const service = await served(url, { clock: { ...realClock, wall: () => realClock.wall() + ahead } });
      const codes = [
        "L1:\n  R timer.sleep 0.5 ->t\n  J 1\n",
        'L1:\n  R signal.wait "x" {"timeout": 0.5} ->s\n  J s.received\n',
      ];
      const before = await Promise.all(codes.map((code) => service.queued({ code })));
      for (const id of before) await service.logged("job_parked", ({ job_id }) => job_id === id);
      ahead = ms;
      const after = await Promise.all(codes.map((code) => service.queued({ code })));
      for (const id of [...before, ...after]) expect((await service.over(id)).body.status).toBe("succeeded");
    },
  );

  it("end their spans when the clock of the database lags by two days at the next start (D2.Q-5)", async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const first = await served(url);
    const codes = [
      "L1:\n  R timer.sleep 1 ->t\n  J 1\n",
      'L1:\n  R signal.wait "x" {"timeout": 1} ->s\n  J s.received\n',
    ];
    const ids = await Promise.all(codes.map((code) => first.queued({ code })));
    for (const id of ids) await first.logged("job_parked", ({ job_id }) => job_id === id);
    await stop(first);
    // As if all of it had been written by a clock that was two days ahead of today's.
    await postgres?.query(
      url,
      `UPDATE weft.jobs SET queued_ms = queued_ms + ${2 * DAY_MS}, started_ms = started_ms + ${2 * DAY_MS},
         ends_ms = ends_ms + ${2 * DAY_MS}, parked_at = parked_at + ${2 * DAY_MS};
       UPDATE weft.waits SET began_ms = began_ms + ${2 * DAY_MS}, until_ms = until_ms + ${2 * DAY_MS}`,
    );
    const second = await served(url);
    const { warnings } = (await second.call("GET", "/ready")).body;
    expect(JSON.stringify(warnings)).toContain("clock_behind_store");
    const late = await second.queued({ code: codes[0] });
    for (const id of [...ids, late]) expect((await second.over(id)).body.status).toBe("succeeded");
  });

  it.each([
    ["all of its journal", "DELETE FROM weft.job_journal"],
    ["all but the first record", "DELETE FROM weft.job_journal WHERE seq > 1"],
    ["the last record", "DELETE FROM weft.job_journal WHERE seq = 3"],
    ["what a record says", "UPDATE weft.job_journal SET data = '\\x09' WHERE seq = 2"],
  ])("are interrupted where one lost %s while it waited, and make nothing again", async (_what, damage) => {
    const url = (await postgres?.createDatabase()) ?? "";
    const service = await served(url);
    const code = 'L1:\n  R ext.Echo "a" ->x\n  R signal.wait "go" ->s\n  J x\n';
    const id = await service.queued({ code, ...EXT });
    await service.until(id, "waiting");
    await postgres?.query(url, damage);
    await service.call("POST", `/result/${id}/signals/go`, {});
    expect((await service.over(id)).body).toMatchObject({
      status: "interrupted",
      result: { reason: "journal_unreadable" },
    });
    expect(service.made).toEqual(["Echo"]);
  });
});

/** Asked for again while the service has no connection. */
async function over(service: JobServing, id: string) {
  for (;;) {
    const reply = await service.over(id);
    if (reply.status === 200) return reply;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
