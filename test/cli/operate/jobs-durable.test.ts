/** `wf jobs why`, `journal`, `signal` and the flags of durable jobs, against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../../service/jobs/serving-jobs.ts";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const folder = await temporaryFolder();
let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({ stateDir: folder.path });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const jobs = (...argv: string[]) =>
  wf(["jobs", ...argv], { environment: { WF_SERVER: `http://127.0.0.1:${service.port}` }, clock: realClock });

const WAITS = 'L1:\n  R signal.wait ["go", "stop"] {"timeout": "1d"} ->n\n  J n.data\n';

describe("wf jobs of a durable job", () => {
  it("says what it waits for, and sends it", async () => {
    const cwd = folderWith({ "p.wf": WAITS });
    const submitted = await jobs(
      "submit",
      "p.wf",
      "--cwd",
      cwd,
      "--durable",
      "--lifetime",
      "2d",
      "--on-unknown",
      "ask",
    );
    expect(submitted.code, submitted.stderr).toBe(0);
    const id = submitted.stdout.trim();
    expect(await jobs("wait", id, "--until", "parked")).toMatchObject({ code: 0, stdout: "waiting\n" });
    const why = await jobs("why", id);
    expect(why.stdout).toContain(`${id}  waiting\n  waits for signal go or stop, for `);
    expect(why.stdout).toContain(`wf jobs signal ${id} go\n`);
    expect(await jobs("signal", id, "go", "--data", '{"door": true}')).toMatchObject({ code: 0, stdout: "now\n" });
    expect(JSON.parse((await jobs("wait", id)).stdout)).toEqual({ door: true });
    expect((await jobs("wait", id, "--until", "parked")).stdout).toContain('"door": true');
    const journal = await jobs("journal", id);
    for (const kind of ["start", "wait", "woken", "resume"]) expect(journal.stdout).toContain(kind);
    expect((await jobs("why", id)).stdout).toContain("it came to its end: wf jobs get shows the result");
    // T.S-5: how long it ran and how long it waited.
    expect((await jobs("list")).stdout).toMatch(/ ran +waited /);
    expect((await jobs("signal", id, "go")).stderr).toContain("the job is over");
    expect((await jobs("journal", id, "--values")).code).toBe(2);
  });

  it("shows the progress of a job (T.S-2)", async () => {
    const code = "def main():\n    progress(0.42, 'half')\n    set_state('who', 'ann')\n    return 1\n";
    const id = await service.queued({ code });
    await service.over(id);
    const shown = await jobs("state", id);
    expect(shown.stdout).toMatch(/^a number {2}text, 4\n(?:.*\n)*who +text, 3\n/);
    expect(shown.stderr).toContain("as of 20");
    expect(JSON.parse((await jobs("state", id, "--json")).stdout)).toMatchObject({ job_id: id, shown: "shapes" });
    expect((await jobs("state", id, "--values")).stderr).toContain("values_hidden");
    const bare = await service.queued({ code: "L1:\n  J 1\n" });
    expect((await jobs("state", bare)).stderr).toContain("the job has shown nothing");
    await service.over(bare);
    const journal = await jobs("journal", bare);
    expect({ stdout: journal.stdout, told: journal.stderr.includes("note no records") }).toEqual({
      stdout: "",
      told: true,
    });
  });

  it("shows what a job began with (T.S-1)", async () => {
    const code = "def main(who: str, n: int = 1):\n    return n\n";
    const id = await service.queued({ code, frame: { who: "ann" } });
    expect((await jobs("frame", id)).stdout).toMatch(/who +text, 3\n/);
    expect(JSON.parse((await jobs("frame", id, "--json")).stdout)).toMatchObject({ job_id: id, shown: "shapes" });
    const refused = await jobs("frame", id, "--values");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("values_hidden")]);
    const bare = await service.queued({ code: "L1:\n  J 1\n" });
    expect((await jobs("frame", bare)).stderr).toContain("the job begins without variables");
    expect((await jobs("frame")).stderr).toContain("missing ID of a job");
    const shows = await servingJobs({ variables: { WF_JOURNAL_VALUES: "1" } });
    const environment = { WF_SERVER: `http://127.0.0.1:${shows.port}` };
    const other = await shows.queued({ code, frame: { who: "ann" } });
    const shown = await wf(["jobs", "frame", other, "--values"], { environment, clock: realClock });
    expect(JSON.parse(shown.stdout)).toEqual({ who: "ann" });
    const large = await shows.queued({ code, frame: { who: "x".repeat(70_000) } });
    const hidden = await wf(["jobs", "frame", large, "--values"], { environment, clock: realClock });
    expect(hidden.stderr).toContain("values are shown up to 64 KiB, and these have 70010 bytes");
    await shows.stop();
  });

  it("moves a job to another program, and says before where it would continue", async () => {
    const code = 'L1:\n  R signal.wait "go" {"timeout": "1d"} ->n\n  R core.DIV 1 0 ->x\n  J x\n';
    const id = await service.queued({ code });
    await service.until(id, "waiting");
    await jobs("signal", id, "go", "--data", "7");
    await service.over(id);
    const cwd = folderWith({ "p.wf": code.replace("core.DIV 1 0", "core.DIV n.data 7") });
    const other = folderWith({ "p.wf": code.replace("signal.wait", "core.NOW ->m\n  R signal.wait") });
    const migrate = (at: string, ...flags: string[]) => jobs("migrate", id, "p.wf", "--cwd", at, ...flags);
    expect((await migrate(cwd, "--dry-run")).stdout).toBe("takes 4 records, and ends without a further call\n");
    expect((await migrate(cwd, "--dry-run", "--from", "1")).stdout).toBe(
      "takes 1 record, then calls signal.wait at L1 n1\n",
    );
    const moved = await migrate(cwd);
    expect(moved.code, moved.stderr).toBe(0);
    expect((await service.over(moved.stdout.trim())).body.result.out).toBe(1);
    expect(await jobs("migrate", id)).toMatchObject({ code: 2 });
    expect(await migrate(cwd, "--from", "x")).toMatchObject({ code: 2 });
    const refused = await migrate(other);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("job_not_retryable")]);
  });

  it.each([
    ["durable", true],
    ["plain", false],
  ])("says why a %s job failed, and what runs it again", async (_, durable) => {
    const code = "def main(n: int):\n    return half(n)\n\n\ndef half(n):\n    return n // 0\n";
    const id = await service.queued({ code, durable, frame: { n: 4 } });
    await service.over(id);
    const { code: exit, stdout } = await jobs("why", id);
    expect(exit).toBe(0);
    expect(stdout).toContain(`${id}  failed\n  error RUNTIME_ZERO_DIVISION_ERROR  `);
    expect(stdout).toContain("line 6");
    expect(stdout).toContain("call stack: main > half");
    expect(stdout).toContain(`\n    wf jobs retry ${id}\n`);
    expect(stdout).not.toContain("waits for nothing");
    const { result } = JSON.parse((await jobs("why", id, "--json")).stdout);
    expect(result.error_structured).toMatchObject({ code: "RUNTIME_ZERO_DIVISION_ERROR", line: 6 });
  });

  it("offers to keep the answers of the calls before a failure where the journal has them", async () => {
    const code = "from weft import timer\n\n\ndef main(n: int):\n    timer.sleep(0.05)\n    return 1 // n\n";
    const id = await service.queued({ code, frame: { n: 0 }, durable: true });
    await service.over(id);
    expect((await jobs("why", id)).stdout).toContain(`\n    wf jobs retry ${id} --from failure    keeps the answers`);
    const again = await jobs("retry", id, "--from", "failure");
    expect(again.code, again.stderr).toBe(0);
    const bare = await service.queued({ code: "def main():\n    return 1 // 0\n", durable: true });
    await service.over(bare);
    expect((await jobs("why", bare)).stdout).not.toContain("--from failure");
  });

  it("runs a failed job again with the version that is current now, which its reason says, and names the step of a move", async () => {
    const code = "def main(n: int):\n    return n // 0\n";
    expect((await service.call("PUT", "/programs/quarters", { code })).status).toBe(201);
    const id = await service.queued({ program: "quarters", frame: { n: 4 }, durable: true });
    await service.over(id);
    const fixed = "from weft import timer\n\n\ndef main(n: int):\n    timer.sleep(1)\n    return n // 2\n";
    const cwd = folderWith({ "p.wf": fixed });
    const moved = await jobs("migrate", id, "p.wf", "--cwd", cwd, "--dry-run");
    expect(moved.stdout, moved.stderr).toBe("takes 1 record, then calls timer.sleep at main line 5\n");
    expect((await service.call("PUT", "/programs/quarters", { code: code.replace("0", "2") })).status).toBe(200);
    const { stdout } = await jobs("why", id);
    expect(stdout).toContain(
      `\n    wf jobs retry ${id} --current    with the version of quarters that is current now\n`,
    );
    expect(stdout).not.toContain("since");
    expect(await jobs("retry", id, "--current", "--from", "failure")).toMatchObject({ code: 2 });
    const again = await jobs("retry", id, "--current");
    expect(again.code, again.stderr).toBe(0);
    expect((await service.over(again.stdout.trim())).body).toMatchObject({ version: 2, result: { out: 2 } });
    expect((await jobs("why", id)).stdout).toContain(
      "\n  it was retried or discarded since; once more:\n    wf jobs retry",
    );
  });

  it("names functions and lines of a deployed program, and shows the line that failed", async () => {
    const code =
      "import time\n\n\ndef main():\n    time.sleep(0.01)\n    cache.set('n', 4)\n    return half(4)\n\n\ndef half(n):\n    return n // 0\n";
    expect((await service.call("PUT", "/programs/halves", { code })).status).toBe(201);
    const id = await service.queued({ program: "halves", durable: true });
    await service.over(id);
    const journal = (await jobs("journal", id)).stdout;
    expect(journal).toMatch(/^2 +call .* {2}main line 5 +sleep +ok$/m);
    expect(journal).toMatch(/^3 +call .* {2}main line 6 +cache\.set +ok$/m);
    const { stdout } = await jobs("why", id);
    expect(stdout).toContain("--> halves@1:11:5  half\n");
    expect(stdout).toContain("11 |     return n // 0\n");
  });

  it("says why a job was cancelled before it ran out its waits", async () => {
    const id = await service.queued({ code: WAITS });
    await service.until(id, "waiting");
    await jobs("cancel", id);
    expect((await jobs("why", id)).stdout).toMatch(/ {2}cancelled\n {2}error cancelled {2}/);
  });

  it("takes either end of an id, and refuses what fits several", async () => {
    const id = await service.queued({ code: WAITS });
    await service.until(id, "waiting");
    for (const part of [id.slice(-8), id.slice(-8).toUpperCase(), id.slice(-20)])
      expect((await jobs("why", part)).stdout).toContain(`${id}  waiting`);
    expect((await jobs("signal", id.slice(-12), "go")).stdout).toBe("now\n");
    expect((await jobs("wait", id.slice(-12))).code).toBe(0);
    const several = await jobs("cancel", id.slice(0, 6));
    expect([several.code, several.stderr]).toEqual([
      2,
      expect.stringContaining("begins or ends the ids of several jobs"),
    ]);
    for (const none of ["0000ffff", "x", id.slice(-3)])
      expect((await jobs("why", none)).stderr, none).toContain("job_not_found");
  });

  it("sends under a key", async () => {
    const code = 'L1:\n  R signal.wait "paid" {"key": "k-1"} ->n\n  J n.data\n';
    const id = await service.queued({ code });
    await service.until(id, "waiting");
    expect((await jobs("signal", "paid", "--key", "k-1", "--data", "7")).stdout).toBe("now\n");
    expect((await service.over(id)).body.result.out).toBe(7);
  });

  it.each([
    [["why"], "missing ID of a job"],
    [["signal", "x"], "missing NAME of a signal"],
    [["signal", "a", "b", "c"], "too many operands"],
    [["outcome", "x", "1"], "missing SEQ and done, make or fail"],
    [["outcome", "x", "1", "perhaps"], "a decision is done, make or fail"],
    [["signal", "x", "y", "--data", "{"], "option --data needs JSON"],
    [["wait", "x", "--until", "done"], "option --until needs over or parked, found 'done'"],
  ])("%j is a usage error", async (argv, message) => {
    const { code, stderr } = await jobs(...argv);
    expect({ code, told: stderr.includes(message) }, stderr).toEqual({ code: 2, told: true });
  });
});
