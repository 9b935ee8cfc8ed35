/** Transactions in durable jobs: nothing waits within one (T-3), and one whose process ended is gone through again (T-1). */
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services = new Set<JobServing>();
afterEach(async () => {
  for (const service of services) await service.stop();
  services.clear();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

async function world() {
  const [stateDir, data] = [await inFolder(), await inFolder()];
  const path = `${data}/a.db`;
  const db = new Database(path);
  db.exec("CREATE TABLE t (n INTEGER)");
  const variables = {
    WF_ENABLE_ADAPTERS: "core,ext,signal,timer,approval,sqlite,txn",
    WF_DRAIN_MS: "50",
    WF_DATA_ROOT: data,
  };
  const adapters = { enable: ["ext", "sqlite", "txn"], sqlite: { db_path: path, allow_write: true } };
  return {
    adapters,
    add: (n: number) => db.prepare("INSERT INTO t VALUES (?)").run(n),
    rows: () => db.prepare("SELECT n FROM t ORDER BY n").pluck().all(),
    async served(): Promise<JobServing> {
      const service = await servingJobs({ stateDir, variables });
      services.add(service);
      return service;
    },
    async leave(service: JobServing): Promise<void> {
      services.delete(service);
      await service.drain();
    },
  };
}

/** The step stands in a label of its own, where the compiler does not see the transaction. */
const within = (step: string): string =>
  [
    "Txn pay sqlite",
    "L1:",
    "  Tx begin pay",
    '  R sqlite.execute "INSERT INTO t VALUES (1)" ->a',
    "  Call L_step ->x",
    "  Err ->L_failed",
    "  Tx commit pay",
    "  J x",
    "L_step:",
    `  ${step} ->s`,
    "  J s",
    "L_failed:",
    "  Tx rollback pay",
    "  J [_error_info.adapter_code, _error_info.retryable]",
    "",
  ].join("\n");

describe("a durable job in a transaction", { timeout: 60_000 }, () => {
  it.each([
    ["a span", 'R timer.sleep "1d"'],
    ["a time", `R timer.until ${Date.now() + 86_400_000}`],
    ["a signal", 'R signal.wait "go" {"timeout": "1d"}'],
    ["people", 'R approval.ask "May I?" {"timeout": "1d"}'],
  ])("does not wait for %s, and opens no question", async (_what, step) => {
    const { served, adapters, rows } = await world();
    const service = await served();
    const id = await service.queued({ code: within(step), durable: true, strict: false, adapters });
    const { body } = await service.over(id);
    expect(body.result.out).toEqual(["ADAPTER_CONFLICT", false]);
    expect((await service.call("GET", `/approvals?state=all&job=${id}`)).body.approvals).toEqual([]);
    expect((await service.call("GET", `/result/${id}/waits`)).body.waits).toEqual([]);
    expect(rows()).toEqual([]);
  });

  it.each(["R timer.sleep 0.01", 'R signal.wait "go" {"timeout": 0}', 'R approval.ask "May I?" {"timeout": 0}'])(
    "looks without waiting: %s",
    async (step) => {
      const { served, adapters, rows } = await world();
      const service = await served();
      const id = await service.queued({ code: within(step), durable: true, strict: false, adapters });
      expect((await service.over(id)).body.status).toBe("succeeded");
      expect(rows()).toEqual([1]);
    },
  );

  it("waits when it is committed", async () => {
    const { served, adapters, rows } = await world();
    const service = await served();
    const code = [
      "Txn pay sqlite",
      "L1:",
      "  Tx begin pay",
      '  R sqlite.execute "INSERT INTO t VALUES (1)" ->a',
      "  Tx commit pay",
      '  R signal.wait "go" ->s',
      "  Tx begin pay",
      '  R sqlite.execute "INSERT INTO t VALUES (2)" ->a',
      "  Tx commit pay",
      "  J s.data",
      "",
    ].join("\n");
    const id = await service.queued({ code, adapters });
    await service.until(id, "waiting");
    await service.call("POST", `/result/${id}/signals/go`, { data: 7 });
    expect((await service.over(id)).body.result.out).toBe(7);
    expect(rows()).toEqual([1, 2]);
  });

  it.each([
    ["a call that was under way", 0],
    ["calls that were made", 2],
  ])("whose process ends goes through it again: %s", async (_what, made) => {
    const { served, leave, adapters, rows } = await world();
    const first = await served();
    const holds = Array.from({ length: made + 1 }, (_, at) => `  R ext.Hold "call ${at}" ->h\n`).join("");
    const step = 'R sqlite.query "SELECT count(*) AS n FROM t"';
    const code = within(step).replace(`  ${step}`, `${holds}  ${step}`);
    const id = await first.queued({ code, durable: true, strict: false, adapters });
    for (let at = 0; at < made; at++) (await first.held()).release(at);
    await first.held();
    expect(rows()).toEqual([]);
    await leave(first);
    const second = await served();
    const again = await second.held();
    expect(again.name).toBe(`call ${made}`);
    again.release("a");
    const { body } = await second.over(id);
    expect(body.result.out.rows ?? body.result.out).toMatchObject([{ n: 1 }]);
    expect(rows()).toEqual([1]);
    expect((body.result.warnings ?? []).join()).not.toContain("transaction_rolled_back");
  });

  it("that finds something else in the database this time is interrupted, and says why", async () => {
    const { served, leave, adapters, rows, add } = await world();
    const first = await served();
    const code = [
      "Txn pay sqlite",
      "L1:",
      "  Tx begin pay",
      '  R sqlite.query "SELECT n FROM t" ->found',
      "  R ext.Hold (stringify found) ->p",
      '  R sqlite.execute "INSERT INTO t VALUES (1)" ->a',
      '  R ext.Hold "in it" ->h',
      "  Tx commit pay",
      "  J p",
      "",
    ].join("\n");
    const id = await first.queued({ code, durable: true, strict: false, adapters });
    (await first.held()).release("sent");
    await first.held();
    await leave(first);
    add(7);
    const second = await served();
    const { body } = await second.over(id);
    expect(body).toMatchObject({ status: "interrupted", result: { reason: "diverged_in_transaction" } });
    expect(rows()).toEqual([7]);
  });
});
