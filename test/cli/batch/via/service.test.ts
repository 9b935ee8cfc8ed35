/** `wf batch --via URL`: the rows of a batch as jobs of a service, gathered in order; cut and resumed; refused and waited for. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Int64 } from "apache-arrow";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type JobServing,
  type JobServingOptions,
  servingJobs,
  temporaryFolder,
} from "../../../service/jobs/serving-jobs.ts";
import { realClock } from "../../../service/serving.ts";
import { startPostgres } from "../../../support/postgres.ts";
import { type ConsoleOptions, type ConsoleResult, wf } from "../../console.ts";
import { folderWith } from "../../folders.ts";
import { column, streamWith } from "../arrow/streams.ts";
import { type Front, frontOf } from "./front.ts";

const DIVIDE = "def main(n: int):\n    return 840 // n\n";
const BINARY = fileURLToPath(new URL("../../../../dist/wf.mjs", import.meta.url));

const folder = await temporaryFolder();
const postgres = await startPostgres();
afterAll(async () => {
  await folder.remove();
  await postgres?.stop();
});

const PLACES: Readonly<Record<string, () => Promise<JobServingOptions>>> = {
  durable: async () => ({ stateDir: `${folder.path}/via` }),
  shared: async () => ({ databaseUrl: (await postgres?.createDatabase()) ?? null }),
};
const KINDS = Object.keys(PLACES).filter((kind) => kind !== "shared" || postgres !== null);

const frames = (count: number): string => Array.from({ length: count }, (_, at) => `{"n":${at % 7}}\n`).join("");
const expected = (count: number): unknown[] =>
  Array.from({ length: count }, (_, at) => (at % 7 === 0 ? "runtime_error" : Math.floor(840 / (at % 7))));

// biome-ignore lint/suspicious/noExplicitAny: rows have many forms
const rowsIn = (text: string): any[] => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
const brief = (text: string): unknown[] => rowsIn(text).map((row) => (row.ok ? row.out : row.error));

describe.each(KINDS)("wf batch --via with a %s queue", (kind) => {
  let service: JobServing;
  let front: Front;
  beforeAll(async () => {
    const variables = { WF_QUEUE_MAX: "2000", WF_MAX_BODY_BYTES: "3000000" };
    service = await servingJobs({ ...(await PLACES[kind]?.()), variables });
    front = await frontOf(service.port);
  });
  beforeEach(() => front.decide(() => "pass"));
  afterAll(async () => {
    front.stop();
    await service.stop();
  });

  const batch = (cwd: string, words: string, options: ConsoleOptions = {}): Promise<ConsoleResult> =>
    wf(["batch", ...words.split(" "), "--via", front.url], { cwd, clock: realClock, uuid: randomUUID, ...options });
  /** Jobs of the batch that left its record in this folder. */
  const jobsOf = async (id: string): Promise<number> => {
    const found = (await service.call("GET", `/jobs?tag=batch:${id}&limit=200`)).body;
    return found.jobs.length;
  };
  const recordIn = (cwd: string) => JSON.parse(readFileSync(join(cwd, "out.ndjson.resume"), "utf8"));

  it("gives the rows of wf batch, in the order of the input, those that failed among them", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(100) });
    const { code, stdout, stderr } = await batch(cwd, "p.py --in in.ndjson --block 30");
    expect(brief(stdout)).toEqual(expected(100));
    expect(stderr).toMatch(/^failed {2}index 0 {2}runtime_error {2}.*\n/);
    expect(stderr).toMatch(/100 frames {2}15 failed {2}/);
    expect(code).toBe(1);
    const local = await wf(["batch", "p.py", "--in", "in.ndjson"], { cwd, clock: realClock });
    const succeeded = (text: string) => text.split("\n").filter((line) => line.startsWith('{"ok":true'));
    expect(succeeded(stdout)).toEqual(succeeded(local.stdout));
    expect(front.seen.filter((path) => path === "/enqueue")).toHaveLength(4);
  });

  it("writes each form of rows, and every digit", async () => {
    const code = "def main(n: int):\n    return {'big': n * 10 ** 30, 'float': 2.0, 'text': '\u2028'}\n";
    const cwd = folderWith({ "p.py": code, "in.ndjson": '{"n":3}\n{"n":"x"}\n{"n":12345678901234567890}\n' });
    const out = (big: string) => `{"big":${big}${"0".repeat(30)},"float":2.0,"text":"\\u2028"}`;
    const lean = (await batch(cwd, "p.py --in in.ndjson")).stdout.split("\n");
    expect([lean[0], lean[2]]).toEqual([
      `{"ok":true,"out":${out("3")}}`,
      `{"ok":true,"out":${out("12345678901234567890")}}`,
    ]);
    expect((await batch(cwd, "p.py --in in.ndjson --rows out")).stdout.split("\n")[2]).toBe(
      out("12345678901234567890"),
    );
    const full = rowsIn((await batch(cwd, "p.py --in in.ndjson --rows full")).stdout);
    expect(full[0]).toMatchObject({
      index: 0,
      ok: true,
      usage: { steps: expect.any(Number) },
      duration_ms: expect.any(Number),
    });
    const local = rowsIn((await wf(["batch", "p.py", "--in", "in.ndjson", "--rows", "full"], { cwd })).stdout);
    expect(full[1]).toEqual(local[1]);
    expect(Object.keys(full[0])).toEqual(Object.keys(local[0]));
  });

  it("says of a failed row which job it was, and what of it a local row says", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": '{"n":0}\n' });
    const [row] = rowsIn((await batch(cwd, "p.py --in in.ndjson --rows full")).stdout);
    const [local] = rowsIn((await wf(["batch", "p.py", "--in", "in.ndjson", "--rows", "full"], { cwd })).stdout);
    expect(Object.keys(row).toSorted()).toEqual([...Object.keys(local), "job_id"].toSorted());
    const { job_id, usage: _usage, duration_ms: _duration, error_structured, ...rest } = row;
    expect((await service.call("GET", `/result/${job_id}`)).body.status).toBe("failed");
    expect(error_structured.code).toBe(local.error_structured.code);
    expect(local).toMatchObject(rest);
  });

  it("makes rows of lines that are not frames, whatever they are, and queues the others", async () => {
    const long = `{"n":1,"t":"${"x".repeat(17_000_000)}"}`;
    const lines = [
      '{"n":1}',
      "oops",
      "",
      '{"n":"\\ud800"}',
      '{"n":1,"t":"\\u0000\\ud800"}',
      long,
      '{"n":\u0000}',
      "[1]",
      '{"n":2}',
    ];
    const raw = Buffer.concat([
      Buffer.from(`${lines.join("\n")}\n`),
      Buffer.from([0xff, 0xfe, 10]),
      Buffer.from('{"n":4}'),
    ]);
    const cwd = folderWith({ "p.py": "def main(n: int, t: str = ''):\n    return [840 // n, len(t)]\n" });
    writeFileSync(join(cwd, "in.ndjson"), raw);
    const { code, stdout } = await batch(cwd, "p.py --in in.ndjson");
    const local = await wf(["batch", "p.py", "--in", "in.ndjson"], { cwd });
    expect(rowsIn(stdout)).toEqual(rowsIn(local.stdout));
    expect(brief(stdout)).toHaveLength(10);
    expect(code).toBe(1);
  });

  it("reads CSV by what the program declares", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.csv": "n\n2\nx\n4\n" });
    expect(brief((await batch(cwd, "p.py --frames-csv in.csv")).stdout)).toEqual([420, "input_invalid", 210]);
  });

  it("reads the columns of Arrow", async () => {
    const cwd = folderWith({ "p.py": DIVIDE });
    writeFileSync(join(cwd, "in.arrow"), streamWith({ n: column([2n, null, 4n], new Int64()) }));
    expect(brief((await batch(cwd, "p.py --frames-arrow in.arrow")).stdout)).toEqual([420, "input_invalid", 210]);
  });

  it("makes a row of a frame that the service alone refuses, and queues the rest of its block", async () => {
    const cwd = folderWith({
      "p.wf": "# frame: n: number\nL1:\n  X r div 12 n\n  J r\n",
      "in.ndjson": '{"n":3}\n{}\n{"n":4}\n{}\n',
    });
    const { stdout } = await batch(cwd, "p.wf --in in.ndjson");
    expect(brief(stdout)).toEqual([4, "input_invalid", 3, "input_invalid"]);
    expect(rowsIn(stdout)[1]).toMatchObject({ index: 1, ok: false, message: expect.stringContaining("input /n: ") });
  });

  it("makes a row of a frame that is too large for the service", async () => {
    const large = `{"n":1,"t":"${"x".repeat(3_500_000)}"}`;
    const cwd = folderWith({
      "p.py": "def main(n: int, t: str = ''):\n    return n\n",
      "in.ndjson": `{"n":1}\n${large}\n{"n":2}\n`,
    });
    expect(brief((await batch(cwd, "p.py --in in.ndjson")).stdout)).toEqual([1, "payload_too_large", 2]);
  });

  it.each([
    ["a request is lost", "lose"],
    ["an answer is lost", "cut"],
    ["a proxy does not reach the service", { status: 502, body: "<html>Bad Gateway</html>" }],
    ["the service is busy", { status: 503, body: '{"error":"server_busy","message":"busy"}' }],
  ] as const)("waits when %s, and queues no row twice", async (_what, fate) => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(60) });
    // The first of each kind of request, and every third one.
    front.decide((_path, count) => (count === 1 || count % 3 === 2 ? fate : "pass"));
    const { stdout, stderr } = await batch(cwd, "p.py --in in.ndjson --out out.ndjson --block 20 --max-frames 60");
    expect(stdout).toBe("");
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual(expected(60));
    expect(stderr).toContain("waiting for it for up to 600.0 s");
    expect(await jobsOf(recordIn(cwd).via.batch)).toBe(60);
  });

  it.each([
    ["credentials are asked for", { status: 401, body: "<html>" }, "it asks for credentials"],
    ["the path is another", { status: 404, body: "<html>" }, "it answers 404"],
    ["requests are too large", { status: 413, body: "<html>" }, "--block N"],
    [
      "the program is refused",
      { status: 403, body: '{"error":"policy_violation","message":"not admitted"}' },
      "not admitted",
    ],
    [
      "the queue could never take them",
      {
        status: 503,
        body: '{"error":"queue_full","message":"too many","issues":[{"path":"/frames","message":"at most 1 job"}]}',
      },
      "--block N",
    ],
  ] as const)("ends when %s, says how to continue, and continues", async (_what, fate, said) => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(60) });
    front.decide((path, count) => (path === "/enqueue" && count >= 1 ? fate : "pass"));
    const { code, stderr } = await batch(cwd, "p.py --in in.ndjson --out out.ndjson --block 20");
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(said);
    expect(stderr).toContain("--resume continues from here");
    // What was queued before is gathered.
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual(expected(20));
    const { via } = recordIn(cwd);
    front.decide(() => "pass");
    expect((await batch(cwd, "p.py --in in.ndjson --out out.ndjson --block 20 --resume")).stderr).toContain(
      "60 frames",
    );
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual(expected(60));
    expect(await jobsOf(via.batch)).toBe(60);
    expect(existsSync(join(cwd, "out.ndjson.resume"))).toBe(false);
  });

  it("queues nothing with a service that cannot give results in this way", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(3) });
    front.decide((path) =>
      path === "/results" ? { status: 404, body: '{"error":"not_found","message":"nothing is at this path"}' } : "pass",
    );
    expect((await batch(cwd, "p.py --in in.ndjson")).stderr).toContain("nothing is at this path");
    expect(front.seen).toEqual(["/results"]);
  });

  it("ends at Ctrl-C, says where the rows are, and continues with them, also when the input has grown", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(50) });
    let send: (signal: "SIGINT") => void = () => {};
    front.decide((path, count) => {
      if (path === "/enqueue" && count === 2) send("SIGINT");
      return path === "/results" && count > 0 ? "lose" : "pass";
    });
    const words = "p.py --in in.ndjson --out out.ndjson --block 20";
    const cut = await batch(cwd, words, { onListen: (given) => { send = given; } }); // biome-ignore format: one line
    expect(cut.code).toBe(130);
    const { via } = recordIn(cwd);
    expect(cut.stderr).toContain(`wf jobs list --server ${front.url} --tag batch:${via.batch}`);
    expect(cut.stderr).toContain("interrupted; --resume continues from here");
    expect(via.blocks.length).toBeGreaterThan(0);
    writeFileSync(join(cwd, "in.ndjson"), frames(57));
    front.decide(() => "pass");
    const { code, stderr } = await batch(cwd, `${words} --resume`);
    expect(code).toBe(1);
    expect(stderr).toContain("57 frames");
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual(expected(57));
    expect(await jobsOf(via.batch)).toBe(57);
  });

  it.skipIf(!existsSync(BINARY))("continues after the command was killed", async () => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(190) });
    const argv = [
      BINARY,
      "batch",
      "p.py",
      "--in",
      "in.ndjson",
      "--out",
      "out.ndjson",
      "--block",
      "10",
      "--via",
      front.url,
    ];
    const child = spawn(process.execPath, argv, { cwd, stdio: "ignore" });
    const watcher = watch(cwd, () => {
      if (existsSync(join(cwd, "out.ndjson")) && readFileSync(join(cwd, "out.ndjson")).length > 0)
        child.kill("SIGKILL");
    });
    const [, signal] = await once(child, "exit");
    watcher.close();
    expect(signal).toBe("SIGKILL");
    const { via } = recordIn(cwd);
    const done = brief(readFileSync(join(cwd, "out.ndjson"), "utf8"));
    expect(done.length).toBeLessThan(190);
    const resumed = await batch(cwd, "p.py --in in.ndjson --out out.ndjson --block 10 --resume");
    expect(resumed.stderr).toContain("190 frames");
    expect(brief(readFileSync(join(cwd, "out.ndjson"), "utf8"))).toEqual(expected(190));
    expect(await jobsOf(via.batch)).toBe(190);
  });

  it.each([
    ["another service", "--via http://127.0.0.1:1", /was started with --via http/],
    ["other rows", "--rows full", /was started with --rows lean/],
    ["another program", "", /was started with another program/],
  ])("does not continue with %s", async (what, words, said) => {
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(9) });
    front.decide((path, count) => (path === "/results" && count > 0 ? { status: 401, body: "" } : "pass"));
    await batch(cwd, "p.py --in in.ndjson --out out.ndjson");
    front.decide(() => "pass");
    if (what === "another program") writeFileSync(join(cwd, "p.py"), "def main(n: int):\n    return n\n");
    const argv = `batch p.py --in in.ndjson --out out.ndjson --resume ${words || "--rows lean"}`.split(" ");
    const { code, stderr } = await wf(words.includes("--via") ? argv : [...argv, "--via", front.url], {
      cwd,
      clock: realClock,
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
    expect(front.seen).toEqual([]);
  });
});

describe.skipIf(postgres === null)("wf batch --via with replicas at one address", () => {
  const HOLD = 'L1:\n  R ext.Hold "one" ->x\n  J x\n';

  it("gathers rows from whichever replica answers, those that another one ran, too", async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    const replicas = [await servingJobs({ databaseUrl }), await servingJobs({ databaseUrl })];
    const front = await frontOf(...replicas.map(({ port }) => port));
    const cwd = folderWith({ "p.py": DIVIDE, "in.ndjson": frames(300) });
    const argv = ["batch", "p.py", "--in", "in.ndjson", "--block", "40", "--via", front.url];
    const { stdout } = await wf(argv, { cwd, clock: realClock, uuid: randomUUID });
    expect(brief(stdout)).toEqual(expected(300));
    const ran = replicas.map(({ log }) => log.filter(({ event }) => event === "job_started").length);
    expect(ran[0]).toBeGreaterThan(0);
    expect(ran[1]).toBeGreaterThan(0);
    expect((ran[0] ?? 0) + (ran[1] ?? 0)).toBe(300);
    front.stop();
    for (const replica of replicas) await replica.stop();
  });

  it("gathers rows with --restart when a replica stops in the middle of them", async () => {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    const stopping = await servingJobs({ databaseUrl, variables: { WF_DRAIN_MS: "1" } });
    const staying = await servingJobs({ databaseUrl });
    const front = await frontOf(staying.port);
    const cwd = folderWith({ "p.wf": HOLD, "in.ndjson": "{}\n".repeat(4) });
    const argv = ["batch", "p.wf", "--in", "in.ndjson", "--restart", "--via", front.url];
    const done = wf(argv, { cwd, clock: realClock, uuid: randomUUID });
    // Two rows begin on each; those of the one that stops are taken over.
    await stopping.held();
    await stopping.stop();
    for (let row = 0; row < 4; row += 1) (await staying.held()).release(row);
    const { stdout, code } = await done;
    expect(brief(stdout).toSorted()).toEqual([0, 1, 2, 3]);
    expect(code).toBe(0);
    front.stop();
    await staying.stop();
  });
});

describe("wf batch --via", () => {
  it.each([
    ["--dry-run", "--dry-run is of runs on this machine"],
    ["--jobs 3", "--jobs is of runs on this machine"],
    ["--on-error stop", "--on-error stop is of runs on this machine"],
    ["--profile local_minimal", "--profile is of runs on this machine"],
    ["--policy p.json", "--policy is of runs on this machine"],
    ["--forbid-destructive", "--forbid-destructive is of runs on this machine"],
    ["--allow-adapter core", "--allow-adapter is of runs on this machine"],
    ["--http-allow-host x.example", "--http-allow-host is of runs on this machine"],
    ["--set http.timeout_s=1", "--set is of runs on this machine"],
    ["--block 0", "option --block needs a number from 1"],
    ["--block 10001", "option --block needs a number up to 10000"],
    ["--resume", "--resume needs --out FILE"],
  ])("refuses %s before anything is queued", async (words, said) => {
    const cwd = folderWith({ "p.py": DIVIDE });
    const argv = ["batch", "p.py", "--in", "-", "--via", "http://127.0.0.1:1", ...words.split(" ")];
    expect(await wf(argv, { cwd, stdin: "" })).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
  });

  it("refuses WF_DRY_RUN, which the service would not know", async () => {
    const argv = ["batch", "p.py", "--in", "-", "--via", "http://127.0.0.1:1"];
    const { stderr } = await wf(argv, { cwd: folderWith({ "p.py": DIVIDE }), environment: { WF_DRY_RUN: "1" } });
    expect(stderr).toContain("WF_DRY_RUN is of runs on this machine");
  });

  it.each(["--block 5", "--keep-s 60", "--restart"])("refuses %s without it", async (words) => {
    const argv = ["batch", "p.py", "--in", "-", ...words.split(" ")];
    expect((await wf(argv, { cwd: folderWith({ "p.py": DIVIDE }) })).stderr).toContain("needs --via URL");
  });
});
