/** Each and Par over HTTP: in POST /run, in jobs, and in durable jobs, which continue in the middle of a branch. */
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services = new Set<JobServing>();
afterEach(async () => {
  for (const service of services) await service.stop();
  services.clear();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function served(stateDir: string | null): Promise<JobServing> {
  const service = await servingJobs({ stateDir, variables: { WF_DRAIN_MS: "50" } });
  services.add(service);
  return service;
}

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

const EXT = { adapters: { enable: ["ext"] } };
const EACH = [
  "# frame: xs: list",
  "L1:",
  "  Each ys xs x ->L_in limit=2",
  "  Par zs ->L_a ->L_b",
  "  J [ys, zs]",
  "L_in:",
  "  R ext.Echo x ->y",
  "  X n add y 1",
  "  J n",
  "L_a:",
  '  R ext.Echo "a" ->v',
  "  J v",
  "L_b:",
  '  J "b"',
  "",
].join("\n");
const FRAME = { xs: [5, 6, 7] };
const OUT = [
  [6, 7, 8],
  ["a", "b"],
];

describe("branches over HTTP", { timeout: 60_000 }, () => {
  it("give the same in /run, as a job and as a durable job, with the same usage", async () => {
    const service = await served(await inFolder());
    const body = { code: EACH, frame: FRAME, ...EXT };
    const { body: run } = await service.run(body);
    expect(run.out).toEqual(OUT);
    for (const durable of [false, true]) {
      const { result } = (await service.over(await service.queued({ ...body, durable }))).body;
      expect(result.out).toEqual(OUT);
      for (const meter of ["steps", "adapter_calls", "depth", "loop_iters"])
        expect(result.usage[meter], meter).toBe(run.usage[meter]);
    }
  });

  it("end at a limit of the whole run", async () => {
    const service = await served(null);
    const { body } = await service.run({ code: EACH, frame: FRAME, limits: { max_adapter_calls: 2 }, ...EXT });
    expect(body).toMatchObject({ ok: false, error: "max_adapter_calls_exceeded" });
    expect(body.error_structured).toMatchObject({ label: "1", node: "n1", op: "Each" });
  });

  it("name the branch in the events of the job", async () => {
    const service = await served(await inFolder());
    const id = await service.queued({ code: EACH, frame: { xs: [1] }, ...EXT });
    await service.over(id);
    const { text } = await service.call("GET", `/result/${id}/events`, undefined, { "last-event-id": "0" });
    const calls = text
      .split("\n")
      .filter((line) => line.startsWith("data: ") && line.includes('"adapter":"ext"'))
      .map((line) => JSON.parse(line.slice(6)).branch);
    expect(calls).toEqual(["1/n1/1#0", "1/n2/1#0"]);
  });

  it("are named by the records of their calls and waits in the journal of a durable job", async () => {
    const service = await served(await inFolder());
    const code = EACH.replace("  X n add y 1\n", '  R timer.sleep "1s" ->t\n  X n add y 1\n');
    const id = await service.queued({ code, frame: { xs: [1, 2] }, durable: true, ...EXT });
    await service.over(id);
    const { body } = await service.call("GET", `/result/${id}/journal`);
    const named = body.records
      .filter(({ kind }: { kind: string }) => kind === "call" || kind === "wait")
      .map(({ kind, branch = "" }: { kind: string; branch?: string }) => `${kind} ${branch}`);
    const [first, second, last] = ["1/n1/1#0", "1/n1/1#1", "1/n2/1#0"];
    const both = [first, second].flatMap((name) => [`call ${name}`, `wait ${name}`]);
    expect(named.sort()).toEqual([...both, `call ${last}`].sort());
  });

  it("continue in the branch where the process ended, and make no call again", async () => {
    const stateDir = await inFolder();
    const code = EACH.replace("  R ext.Echo x ->y\n", '  R ext.Echo x ->y\n  R ext.Hold "h" ->h\n');
    const first = await served(stateDir);
    const id = await first.queued({ code, frame: FRAME, durable: true, ...EXT });
    (await first.held()).release(null);
    // The second branch is under way.
    await first.held();
    await first.drain();
    services.delete(first);
    expect(first.made).toEqual(["Echo", "Hold", "Echo", "Hold"]);
    const second = await served(stateDir);
    (await second.held()).release(null);
    (await second.held()).release(null);
    expect((await second.over(id)).body.result.out).toEqual(OUT);
    expect(second.made).toEqual(["Hold", "Echo", "Hold", "Echo"]);
  });

  it("ask all at once, and continue with each decision, in any order and whatever process is killed", async () => {
    const stateDir = await inFolder();
    const code = [
      "# frame: xs: list",
      "L1:",
      "  Each ys xs x ->L_in limit=64",
      "  J ys",
      "L_in:",
      "  R ext.Echo x ->n",
      '  R approval.ask (join "" ["Pay ", n]) {"timeout": "3d"} ->answer',
      "  R ext.Echo answer.decision ->d",
      "  J [n, d]",
      "",
    ].join("\n");
    const xs = Array.from({ length: 20 }, (_, at) => at);
    const adapters = { enable: ["ext", "approval"] };
    let service = await served(stateDir);
    const made: string[] = [];
    const id = await service.queued({ code, frame: { xs }, adapters });
    await service.until(id, "waiting");
    type Wait = { readonly branch: string; readonly approval: string; readonly ended_at: string | null };
    const openWaits = async (): Promise<readonly Wait[]> =>
      (await service.call("GET", `/result/${id}/waits`)).body.waits.filter(({ ended_at }: Wait) => ended_at === null);
    expect(new Set((await openWaits()).map(({ branch }) => branch)).size).toBe(20);
    const inbox = (await service.call("GET", `/approvals?job=${id}&limit=50`)).body.approvals;
    expect(inbox).toHaveLength(20);
    for (let left = 20; left > 0; left--) {
      const open = await openWaits();
      expect(open).toHaveLength(left);
      const { approval } = open[(left * 7) % left] as Wait;
      // Now and then another process has the job.
      if (left % 6 === 0) {
        made.push(...service.made);
        await service.drain();
        services.delete(service);
        service = await served(stateDir);
      }
      const decision = left % 3 === 0 ? "reject" : "approve";
      const reply = await service.call("POST", `/approvals/${approval}`, { decision });
      expect(reply.status).toBe(200);
      if (left > 1) await expect.poll(async () => (await openWaits()).length).toBe(left - 1);
      if (left > 1) await service.until(id, "waiting");
    }
    const { body } = await service.over(id);
    expect(body.result.out.map(([n]: [number]) => n)).toEqual(xs);
    expect(body.result.out.filter(([, d]: [number, string]) => d === "reject")).toHaveLength(6);
    expect(body.result.usage).toMatchObject({ adapter_calls: 60 });
    expect([...made, ...service.made]).toHaveLength(40);
  });

  it("wait for signals, each for its own", async () => {
    const stateDir = await inFolder();
    const service = await served(stateDir);
    const code = [
      "# frame: xs: list",
      "L1:",
      "  Each ys xs x ->L_in",
      "  J ys",
      "L_in:",
      '  R signal.wait "go" {"key": x, "timeout": "1d"} ->s',
      "  J s.data",
      "",
    ].join("\n");
    const id = await service.queued({ code, frame: { xs: ["k1", "k2"] } });
    await service.until(id, "waiting");
    // Those that come before a branch waits for them are kept.
    for (const key of ["k2", "k1"])
      expect((await service.call("POST", "/signals/go", { key, data: `data of ${key}` })).status).toBe(202);
    expect((await service.over(id)).body.result.out).toEqual(["data of k1", "data of k2"]);
  });
});
