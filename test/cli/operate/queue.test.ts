/** `wf queue`: looking claims nothing, draining and putting back lose nothing, wherever they end. */
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProcessSignal } from "../../../cli/session/io.ts";
import { realClock } from "../../support/adapter-bench.ts";
import { startPostgres } from "../../support/postgres.ts";
import { verifies } from "../../support/requirements.ts";
import { type ConsoleOptions, documentOf, wf as wfWith } from "../console.ts";
import { folderWith } from "../folders.ts";

const START = Date.UTC(2030, 0, 1);
const clock = { ...realClock, wall: () => START };
const FILL = `L1:
  R queue.Put "jobs" {"id": 1} ->none
  R queue.Put "jobs" "now" {"priority": 5} ->none
  R queue.Put "jobs" "later" {"delay_s": 60} ->none
  R queue.Put "jobs.dead" "poison" ->none
  R queue.Put "jobs.dead" "venom" ->none
  J "filled"
`;
const many = (count: number) =>
  `L1:\n${Array.from({ length: count }, (_, n) => `  R queue.Put "jobs" ${n} ->none\n`).join("")}  J "filled"\n`;

type Operator = (argv: string, options?: ConsoleOptions) => ReturnType<typeof wfWith>;

/** Commands over a state folder of their own, in which a program has run. */
async function over(program: string): Promise<{ wf: Operator; cwd: string }> {
  const cwd = folderWith({ "fill.wf": program });
  const environment = { WF_STATE_DIR: join(cwd, "state") };
  const wf: Operator = (argv, options) => wfWith(argv.split(" "), { cwd, environment, clock, ...options });
  expect(await wf("run fill.wf")).toMatchObject({ stdout: "filled\n" });
  return { wf, cwd };
}

/** The payloads of lines of JSON. */
function payloadsOf(lines: string): unknown[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { payload: unknown }).payload);
}

describe("wf queue", { timeout: 60_000 }, () => {
  it("lists queues and shows their messages without taking any", async () => {
    const { wf } = await over(FILL);
    const listing = {
      code: 0,
      stderr: "",
      stdout: `queue      ready  delayed  leased  dead
jobs       2      1        0       2
jobs.dead  2      0        0       2
`,
    };
    expect(await wf("queue ls")).toMatchObject(listing);
    const shown = await wf("queue peek jobs");
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout.replace(/^[-0-9a-f]{36}/gm, "<id>".padEnd(36))).toBe(
      `message                               state    priority  attempts  created                   payload
<id>                                  ready    5         0         2030-01-01T00:00:00.000Z  "now"
<id>                                  ready    0         0         2030-01-01T00:00:00.000Z  {"id":1}
<id>                                  delayed  0         0         2030-01-01T00:00:00.000Z  "later"
`,
    );
    expect(await wf("queue ls")).toMatchObject(listing);
    expect(documentOf(await wf("queue ls --json"))).toEqual({
      ok: true,
      queues: [
        { queue: "jobs", ready: 2, delayed: 1, leased: 0, dead: 2 },
        { queue: "jobs.dead", ready: 2, delayed: 0, leased: 0, dead: 2 },
      ],
    });
  });

  it("shows messages in pages, and cuts payloads on a terminal only", async () => {
    const { wf } = await over(FILL);
    const page = await wf("queue peek jobs --limit 2");
    const cursor = /^note more: --cursor (\S+)\n$/.exec(page.stderr)?.[1] ?? "";
    const rest = documentOf(await wf(`queue peek jobs --limit 2 --json --cursor ${cursor}`));
    expect(rest).toMatchObject({
      ok: true,
      queue: "jobs",
      messages: [
        {
          state: "delayed",
          priority: 0,
          attempts: 0,
          created_at: "2030-01-01T00:00:00.000Z",
          visible_at: "2030-01-01T00:01:00.000Z",
          expires_at: null,
          payload: "later",
        },
      ],
      next_cursor: null,
    });
    const { wf: wide } = await over(`L1:\n  R queue.Put "jobs" "${"x".repeat(300)}" ->none\n  J "filled"\n`);
    const narrow = await wide("queue peek jobs", { terminal: true, columns: 120 });
    expect(Math.max(...narrow.stdout.split("\n").map((line) => line.length))).toBe(120);
    expect((await wide("queue peek jobs")).stdout).toContain("x".repeat(300));
  });

  it("puts dead letters back, all or those that are named", async () => {
    const { wf } = await over(FILL);
    const { messages } = documentOf(await wf("queue peek jobs.dead --json"));
    const [poison] = messages as readonly { message_id: string; payload: string }[];
    expect(poison?.payload).toBe("poison");
    const some = await wf(`queue requeue jobs --id ${poison?.message_id},unknown`);
    expect(some).toMatchObject({
      code: 1,
      stdout: "",
      stderr:
        "warning 1 message given by --id is not a free dead letter\nnote 1 message put back into jobs; 1 dead letter left\n",
    });
    expect(documentOf(await wf("queue requeue jobs --json"))).toEqual({
      ok: true,
      queue: "jobs",
      requeued: 1,
      dead: 0,
    });
    expect(await wf("queue requeue jobs")).toMatchObject({
      code: 0,
      stderr: "note 0 messages put back into jobs; 0 dead letters left\n",
    });
    expect((await wf("queue ls")).stdout).toContain("jobs   4      1        0       0\n");
  });

  it("drains ready messages into lines when --yes confirms it", async () => {
    const { wf } = await over(FILL);
    expect(await wf("queue drain jobs")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "draining cannot be undone; add --yes to confirm\n",
    });
    const one = await wf("queue drain jobs --yes --limit 1 --json");
    const [line, summary] = one.stdout.trim().split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({ queue: "jobs", attempts: 1, payload: "now" });
    expect(JSON.parse(summary ?? "")).toEqual({
      ok: true,
      queue: "jobs",
      drained: 1,
      left: { ready: 1, delayed: 1, leased: 0, dead: 2 },
    });
    const rest = await wf("queue drain jobs --yes");
    expect([rest.code, payloadsOf(rest.stdout), rest.stderr]).toEqual([
      0,
      [{ id: 1 }],
      "note 1 message drained; left: 0 ready, 1 delayed, 0 leased\n",
    ]);
    expect(await wf("queue drain jobs.dead --yes -q")).toMatchObject({ code: 0, stderr: "" });
    expect(await wf("queue drain jobs.dead --yes")).toMatchObject({ stdout: "", stderr: "note 0 messages drained\n" });
  });

  it("appends to the lines of a file, the last of which may be torn", async () => {
    const { wf, cwd } = await over(FILL);
    const file = join(cwd, "drained.ndjson");
    expect(await wf("queue drain jobs --yes --limit 1 --out drained.ndjson")).toMatchObject({ code: 0, stdout: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    appendFileSync(file, '{"queue":"jo');
    const last = await wf("queue drain jobs --yes --out drained.ndjson --json");
    expect(documentOf(last)).toMatchObject({ ok: true, path: "drained.ndjson", drained: 1 });
    const [first, torn, second] = readFileSync(file, "utf8").split("\n");
    expect([payloadsOf(first ?? ""), torn, payloadsOf(second ?? "")]).toEqual([["now"], '{"queue":"jo', [{ id: 1 }]]);
  });

  it.skipIf(!existsSync("/dev/full"))("keeps every message when the disk is full", async () => {
    const { wf } = await over(FILL);
    expect(await wf("queue drain jobs --yes --out /dev/full")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "error output_error  /dev/full cannot be written (ENOSPC): no space is left\n",
    });
    await expectAllReady(wf);
  });

  it("keeps every message when the reader of its output is gone", async () => {
    const { wf } = await over(FILL);
    expect(
      await wf("queue drain jobs --yes", { streams: { input: process.stdin, output: brokenPipe() } }),
    ).toMatchObject({
      code: 2,
      stderr: "error output_error  stdout cannot be written (EPIPE): its reader is gone\n",
    });
    await expectAllReady(wf);
  });

  it("stops requeueing when it is interrupted", async () => {
    const { wf } = await over(FILL);
    const stopped = await wf("queue requeue jobs", { onListen: (send) => send("SIGINT") });
    expect(stopped).toMatchObject({
      code: 130,
      stdout: "",
      stderr: "note 0 messages put back into jobs; 2 dead letters left\n",
    });
  });

  it("ends after the last complete message when it is interrupted", async () => {
    const { wf } = await over(many(150));
    let send: ((signal: ProcessSignal) => void) | undefined;
    const stopped = await wf("queue drain jobs --yes", {
      onListen: (to) => {
        send = to;
      },
      streams: {
        input: process.stdin,
        output: writing(() => send?.("SIGINT")),
      },
    });
    expect(stopped).toMatchObject({
      code: 130,
      stderr: "note 100 messages drained; left: 50 ready, 0 delayed, 0 leased\n",
    });
    const rest = await wf("queue drain jobs --yes");
    expect([rest.code, payloadsOf(rest.stdout)]).toEqual([0, Array.from({ length: 50 }, (_, n) => 100 + n)]);
  });

  it.each([
    ["queue", 2, "missing ACTION; use one of ls, peek, drain, requeue"],
    ["queue push", 2, "ACTION needs one of ls, peek, drain, requeue, found 'push'"],
    ["queue ls jobs", 2, "too many operands"],
    ["queue peek", 2, "missing QUEUE; run `wf queue ls` to list the queues"],
    ["queue peek a/b", 2, "a QUEUE has 1 to 64 letters"],
    ["queue peek jobs --limit 1001", 2, "option --limit needs a whole number from 1 to 1,000"],
    ["queue peek jobs --limit 0", 2, "option --limit needs a whole number from 1"],
    ["queue peek jobs --cursor x", 2, "option --cursor needs the cursor of a previous page"],
    ["queue requeue jobs.dead", 2, "jobs.dead holds dead letters; name the queue to put them back into"],
    ["queue ls --forbid-adapter queue", 3, "POLICY_ADAPTER_FORBIDDEN"],
    ["queue ls", 0, "note no messages"],
    ["queue peek jobs", 0, "note no messages"],
  ])("%s ends with %i", async (argv, code, message) => {
    const cwd = folderWith({});
    const result = await wfWith(argv.split(" "), { cwd, environment: { WF_STATE_DIR: join(cwd, "state") }, clock });
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(message);
  });

  it("uses the store of programs, and reports when messages are not persistent", async () => {
    const cwd = folderWith({ "fill.wf": FILL });
    const wf = (argv: string) => wfWith(argv.split(" "), { cwd, clock });
    const path = `--set queue.path="${join(cwd, "own.db")}"`;
    expect(await wf(`run fill.wf ${path}`)).toMatchObject({ stdout: "filled\n" });
    expect((await wf(`queue ls ${path}`)).stdout).toContain("jobs       2      1        0       2\n");
    const nowhere = await wf("queue ls --json");
    expect([nowhere.code, documentOf(nowhere)]).toMatchObject([
      2,
      { ok: false, error: "queue_error", message: expect.stringContaining("set WF_STATE_DIR") },
    ]);
  });
});

/** What FILL made ready was delivered once and given back. */
async function expectAllReady(wf: Operator): Promise<void> {
  const { messages } = documentOf(await wf("queue peek jobs --json"));
  expect((messages as readonly object[]).slice(0, 2)).toMatchObject([
    { payload: "now", state: "ready", attempts: 1 },
    { payload: { id: 1 }, state: "ready", attempts: 1 },
  ]);
}

/** Reports every string that is written. */
function writing(told: () => void): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      told();
      done();
    },
  });
}

function brokenPipe(): Writable {
  const fault = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const pipe = new Writable({ write: (_chunk, _encoding, done) => done(fault) });
  return pipe.on("error", () => {});
}

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(postgres === null)("wf queue on PostgreSQL", { timeout: 60_000 }, () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    environment = { WF_DATABASE_URL: (await postgres?.createDatabase()) ?? "" };
  });

  it("does the same with the messages that replicas share", async () => {
    verifies("env.WF_DATABASE_URL");
    const cwd = folderWith({ "fill.wf": FILL });
    const wf: Operator = (argv, options) => wfWith(argv.split(" "), { cwd, environment, clock, ...options });
    expect(await wf("queue ls")).toMatchObject({ code: 0, stdout: "", stderr: "note no messages\n" });
    expect(await wf("run fill.wf")).toMatchObject({ stdout: "filled\n" });
    expect((await wf("queue ls")).stdout).toContain("jobs       2      1        0       2\n");
    const { messages, next_cursor } = documentOf(await wf("queue peek jobs --limit 1 --json"));
    expect(messages).toMatchObject([{ payload: "now", priority: 5, state: "ready" }]);
    expect((await wf(`queue peek jobs --cursor ${String(next_cursor)}`)).stdout).toContain('  {"id":1}\n');
    expect(documentOf(await wf("queue requeue jobs --json"))).toMatchObject({ requeued: 2, dead: 0 });
    const streams = { input: process.stdin, output: brokenPipe() };
    expect((await wf("queue drain jobs --yes", { streams })).code).toBe(2);
    const drained = await wf("queue drain jobs --yes");
    expect(payloadsOf(drained.stdout)).toEqual(["now", { id: 1 }, "poison", "venom"]);
    expect(drained.stderr).toBe("note 4 messages drained; left: 0 ready, 1 delayed, 0 leased\n");
  });

  it("says when the database cannot be reached", async () => {
    const nowhere = { WF_DATABASE_URL: "postgres://someone@127.0.0.1:9/none" };
    const lost = await wfWith(["queue", "ls", "--json"], { environment: nowhere, clock });
    expect([lost.code, documentOf(lost)]).toMatchObject([
      1,
      { ok: false, error: "adapter_error", adapter_code: "ADAPTER_TRANSPORT" },
    ]);
  });
});
