/** `wf approve` against a running service, and questions of `wf run` on a terminal. */
import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { asks, REFUND, shared } from "../../service/jobs/approvals/asking.ts";
import { realClock } from "../../service/serving.ts";
import { type ConsoleOptions, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const serving = shared({ variables: { WF_PUBLIC_URL: "https://weft.example.com" } });

async function approve(argv: readonly string[], options: ConsoleOptions = {}) {
  const { port } = serving();
  const environment = { WF_SERVER: `http://127.0.0.1:${port}` };
  return wf(["approve", ...argv], { environment, clock: realClock, ...options });
}

/** A terminal at which somebody writes these lines, whatever is asked. */
function writing(...lines: string[]): ConsoleOptions {
  const input = new PassThrough();
  for (const line of lines) input.write(`${line}\n`);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  return { terminal: true, columns: 200, streams: { input, output } };
}

describe("wf approve", () => {
  it("lists, shows and decides", async () => {
    const service = serving();
    const { job, approval } = await service.asked(asks({ to: ["user:ann"], details: { order: 7 } }));
    expect((await approve(["list", "--job", job])).stdout).toContain(approval);
    const shown = await approve(["show", approval]);
    expect(shown.stdout).toMatch(/^Refund of an order\n/);
    expect(shown.stdout).toContain('details: {"order":7}');
    expect(await approve([approval, "reject", "--comment", "no receipt"])).toMatchObject({
      code: 0,
      stdout: "reject\n",
    });
    expect((await service.over(job)).body.result.out).toMatchObject({ decision: "reject", comment: "no receipt" });
    expect((await approve(["show", approval])).stdout).toContain("answer: reject by somebody (cli): no receipt");
    const late = await approve([approval, "approve"]);
    expect({ code: late.code, told: late.stderr.includes("not open any more") }).toEqual({ code: 2, told: true });
    expect((await approve(["list", "--job", job])).stderr).toContain("no questions");
    expect(JSON.parse((await approve(["list", "--job", job, "--state", "all", "--json"])).stdout)).toMatchObject({
      approvals: [{ approval_id: approval, decision: "reject" }],
    });
  });

  it("asks on a terminal, and not without one", async () => {
    const service = serving();
    const { job, approval } = await service.asked(asks({ form: { amount: "number" } }));
    const refused = await approve([approval], { stdin: "approve\n" });
    expect({ code: refused.code, told: refused.stderr.includes("without a terminal") }).toEqual({
      code: 2,
      told: true,
    });
    const { code, stdout } = await approve([approval], writing("perhaps", "a", "many", "1", "12"));
    expect({ code, decision: stdout.trim() }).toEqual({ code: 0, decision: "approve" });
    expect((await service.over(job)).body.result.out.data).toEqual({ amount: 12 });
  });

  it("takes either end of an id, and shows the data of a decision", async () => {
    const service = serving();
    const { approval } = await service.asked(
      'L1:\n  R approval.ask "Pay?" {"form": {"eur": "number", "way": "text"}} ->a\n  J a.data\n',
    );
    expect((await approve(["show", approval.slice(0, 6)])).stdout).toContain("Pay?");
    const wrong = await approve([approval.slice(-6), "approve", "--data", '{"eur": "x"}']);
    expect(wrong.stderr).toContain("/data/eur: must be a number");
    expect(wrong.stderr).toContain("/data/way: is missing");
    expect(wrong.stderr).toMatch(/give the fields of the form with --data: wf approve [0-9a-f]{32} approve --data /);
    expect((await approve([approval.slice(-6), "approve", "--data", '{"eur": 3, "way": "card"}'])).code).toBe(0);
    expect((await approve(["show", approval.slice(-6)])).stdout).toContain('data: {"eur":3,"way":"card"}');
    const unknown = await approve(["show", "ffff0000"]);
    expect(unknown.stderr).toContain("approval_not_found");
  });

  it("makes a link", async () => {
    const service = serving();
    const { approval } = await service.asked(REFUND);
    const link = await approve(["link", approval, "--for", "user:ann", "--expires", "2d"]);
    expect(link.stdout).toMatch(/^https:\/\/weft\.example\.com\/a\/[A-Za-z0-9_-]{43}\n$/);
  });

  it("says what a job waits for", async () => {
    const service = serving();
    const { job, approval } = await service.asked(REFUND);
    const environment = { WF_SERVER: `http://127.0.0.1:${service.port}` };
    const why = await wf(["jobs", "why", job], { environment, clock: realClock });
    expect(why.stdout).toContain("waits for a decision");
    expect(why.stdout).toContain(`wf approve ${approval}`);
  });

  it.each([
    [["show"], "missing ID of a question"],
    [["list", "x"], "too many operands"],
    [["show", "x", "y"], "too many operands"],
    [["x", "approve", "y"], "too many operands"],
    [["link", "x"], "link needs --for user:NAME"],
    [["link", "x", "--for", "user:ann", "--expires", "soon"], "option --expires needs seconds"],
    [["x", "approve", "--data", "{"], "option --data needs JSON"],
  ])("%j is a usage error", async (argv, message) => {
    const { code, stderr } = await approve(argv);
    expect({ code, told: stderr.includes(message) }, stderr).toEqual({ code: 2, told: true });
  });
});

const TWO = `L1:
  R approval.ask "Pay?" {"details": {"order": 7}} ->a
  R signal.wait ["paid", "lost"] {"key": 4711, "timeout": "1d"} ->s
  J [a.decision, a.approved, s.name, s.data]
`;
const run = (argv: readonly string[], options: ConsoleOptions = {}, code = TWO) =>
  wf(["run", "p.wf", "--enable-adapter", "approval", "--cwd", folderWith({ "p.wf": code }), ...argv], options);

describe("wf run", () => {
  it("answers from its flags", async () => {
    const { code, stdout, stderr } = await run(["--decide", "reject", "--signal", 'paid@4711={"eur": 5}'], {
      stdin: "",
    });
    expect({ code, out: code === 0 ? JSON.parse(stdout) : stderr }).toEqual({
      code: 0,
      out: ["reject", false, "paid", { eur: 5 }],
    });
  });

  it("asks on a terminal", async () => {
    const { code, stdout, stderr } = await run([], writing("2", "what", "lost", "paid {", 'paid {"eur": 6}'));
    expect({ code, out: code === 0 ? JSON.parse(stdout) : stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout).slice(0, 3)).toEqual(["reject", false, "lost"]);
    expect(stderr).toContain('Pay?\n{"order":7}\n1 approve   2 reject ? ');
  });

  it.each([
    [[], "this run cannot wait"],
    [["--decide", "perhaps"], "--decide does not fit"],
    [["--decide", "approve", "--signal", "paid=1"], "this run cannot wait"],
    [["--decide", "approve", "--signal", "other@4711=1"], "this run cannot wait"],
  ])("fails without a fitting answer: %j", async (argv, message) => {
    const { code, stderr } = await run(argv, { stdin: "" });
    expect({ code, told: stderr.includes(message) }, stderr).toEqual({ code: 1, told: true });
  });

  it.each([
    [["--signal", "a b=1"], "option --signal takes NAME[@KEY]=JSON"],
    [["--signal", "paid={"], "option --signal needs JSON"],
    [["--decide", "a={"], "option --decide needs JSON"],
  ])("%j is a usage error", async (argv, message) => {
    const { code, stderr } = await run(argv, { stdin: "" });
    expect({ code, told: stderr.includes(message) }, stderr).toEqual({ code: 2, told: true });
  });

  it("fills a form, opens and takes back", async () => {
    const code = `L1:
  R approval.open "one" {"form": {"n": "number"}} ->a
  R approval.open "two" ->b
  R approval.cancel b ->c
  R approval.wait b ->two
  R approval.wait a ->one
  J [c.ok, two.decision, one.data]
`;
    const { stdout, stderr } = await run(["--decide", 'approve={"n": 3}'], { stdin: "" }, code);
    expect(stdout === "" ? stderr : JSON.parse(stdout)).toEqual([true, "cancelled", { n: 3 }]);
  });
});
