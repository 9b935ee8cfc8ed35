/** `wf trace`: the tree of a run and of a saved trace, what it leaves out, and the events of a job. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { traceTree, visitTime } from "../../../cli/trace/tree.ts";
import { documentOf, tickingClock, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const RETRYING = [
  "L1:",
  "  R core.ADD 2 3 ->x",
  "  If x > 3 ->L2 ->L3",
  "L2:",
  "  R core.DIV x 0 ->y",
  "  Retry 1 0",
  "  Err ->L_failed",
  "  J y",
  "L_failed:",
  '  X text concat "failed: " _error',
  "  J text",
  "L3:",
  "  Loop [1, 2] it ->L_one ->L_end",
  "L_one:",
  "  R core.MUL it 2 ->z",
  "  J z",
  "L_end:",
  "  J 0",
  "",
].join("\n");

const tree = (stdout: string): string[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\s+\d+\.\d{3} ms(\s*[#█]+)?(\s+|$)/, "  ").trimEnd());

describe("wf trace", () => {
  it("shows a run as a tree: labels, steps, branches, retries and handlers", async () => {
    const cwd = folderWith({ "a.wf": RETRYING });
    const result = await wf(["trace", "a.wf"], { cwd, columns: 140, clock: tickingClock(0.5) });
    expect(result).toMatchObject({ code: 0, stderr: "note 7 events  steps 6  calls 3\n" });
    expect(tree(result.stdout)).toEqual([
      "L1",
      "|- n1  R core.ADD 2 3 ->x  5",
      "`- n2  If x > 3  then → L2",
      "   `- L2",
      "      |- n1  R core.DIV x 0 ->y  RUNTIME_OP_ERROR  division by zero  retry 1 of 1 after 0.000 ms",
      "      `- n1  R core.DIV x 0 ->y  RUNTIME_OP_ERROR  division by zero  handled by L_failed",
      "         `- L_failed  (handler)",
      '            |- n1  X text concat "failed: " _error  "failed: division by zero"',
      '            `- n2  J text  "failed: division by zero"',
    ]);
    const utf8 = await wf(["trace", "a.wf", "--entry", "L3"], { cwd, columns: 140, environment: { LANG: "C.UTF-8" } });
    expect(tree(utf8.stdout)).toEqual([
      "L3",
      "└─ n1  Loop [1, 2] it  2 iterations",
      "   ├─ L_one",
      "   │  ├─ n1  R core.MUL it 2 ->z  2",
      "   │  └─ n2  J z  2",
      "   ├─ L_one",
      "   │  ├─ n1  R core.MUL it 2 ->z  4",
      "   │  └─ n2  J z  4",
      "   └─ L_end",
      "      └─ n1  J 0  0",
    ]);
  });

  const EACH = "L1:\n  Each xs [7, 8] x ->L_in\n  J xs\nL_in:\n  R core.ADD x 1 ->y\n  J y\n";

  it("names the branch of each visit", async () => {
    const cwd = folderWith({ "a.wf": EACH });
    const result = await wf(["trace", "a.wf"], { cwd, columns: 140 });
    expect(tree(result.stdout)).toEqual([
      "L1",
      "|- n1  Each xs [7, 8] x limit=8  [8,9]",
      "|  |- L_in #0",
      "|  |  |- n1  R core.ADD x 1 ->y  8",
      "|  |  `- n2  J y  8",
      "|  `- L_in #1",
      "|     |- n1  R core.ADD x 1 ->y  9",
      "|     `- n2  J y  9",
      "`- n2  J xs  [8,9]",
    ]);
    const rows = (await wf(["run", "a.wf", "--trace"], { cwd, columns: 140 })).stderr;
    expect(rows).toMatch(/step +L_in #1 +n2 +J/);
  });

  it.each([80, 97])("keeps to %d columns", async (columns) => {
    const long = `"${"x".repeat(200)}"`;
    const cwd = folderWith({ "a.wf": `L1:\n  Set text ${long}\n  J text\n` });
    const { stdout } = await wf(["trace", "a.wf"], { cwd, columns });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBe(columns);
  });

  it.each([
    ["wf trace", ["trace", "a.wf"]],
    ["wf run --trace", ["run", "a.wf", "--trace"]],
  ])("keeps every cell whole in a file or pipe: %s", async (_, argv) => {
    const long = "x".repeat(700);
    const cwd = folderWith({ "a.wf": `L1:\n  Set text "${long}"\n  J text\n` });
    const { stdout, stderr } = await wf(argv, { cwd });
    const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("Set"));
    expect(lines.some((line) => line.trimEnd().endsWith(long) || line.includes(`${long}"`))).toBe(true);
    expect(`${stdout}${stderr}`).not.toContain("…");
  });

  it("has the same tree when time stands still", async () => {
    const cwd = folderWith({ "a.wf": RETRYING });
    const moving = await wf(["trace", "a.wf"], { cwd, columns: 140, clock: tickingClock(0.5) });
    const still = await wf(["trace", "a.wf"], { cwd, columns: 140 });
    expect(tree(still.stdout)).toEqual(tree(moving.stdout));
  });

  it("shows a run that failed, and only what led there", async () => {
    const program = "L1:\n  Set a 1\n  Call ->L2 ->r\n  J r\nL2:\n  Set b 2\n  R core.DIV 1 0 ->x\n  J x\n";
    const cwd = folderWith({ "a.wf": program });
    const result = await wf(["trace", "a.wf", "--errors"], { cwd, columns: 120 });
    expect(result.code).toBe(1);
    expect(tree(result.stdout)).toEqual([
      "L1",
      "`- n2  Call ->r  RUNTIME_OP_ERROR  division by zero",
      "   `- L2",
      "      `- n2  R core.DIV 1 0 ->x  RUNTIME_OP_ERROR  division by zero",
    ]);
  });

  it.each(["--trace-out", "--trace-jsonl"])("reads what %s wrote", async (flag) => {
    const cwd = folderWith({ "a.wf": RETRYING });
    await wf(["run", "a.wf", flag, "a.json"], { cwd });
    const result = await wf(["trace", "a.json", "--label", "L_failed"], { cwd });
    expect(result.code).toBe(0);
    expect(tree(result.stdout).map((line) => line.slice(0, 8))).toEqual(["L_failed", "|- n1  X", "`- n2  J"]);
  });

  it.each(["--trace-out", "--trace-jsonl"])("shows the tree, and writes %s besides", async (flag) => {
    const cwd = folderWith({ "a.wf": RETRYING });
    const live = await wf(["trace", "a.wf", flag, "a.json"], { cwd });
    expect(live.code).toBe(0);
    expect(tree((await wf(["trace", "a.json"], { cwd })).stdout)).toHaveLength(tree(live.stdout).length);
  });

  it("lists no flag in help that it refuses", async () => {
    const { stdout } = await wf(["help", "trace"]);
    expect(stdout).toContain("--trace-out FILE");
    expect(stdout).not.toMatch(/ --(raw|out|trace) /);
  });

  it("answers JSON, and names the slowest steps", async () => {
    const cwd = folderWith({ "a.wf": RETRYING });
    const document = documentOf(await wf(["trace", "a.wf", "--entry", "L3", "--json"], { cwd }));
    expect(document).toMatchObject({
      ok: true,
      label: "L3",
      events: 6,
      dropped: 0,
      usage: { steps: 6, adapter_calls: 2 },
      tree: [
        { label: "L3", handler: false, steps: [{ node_id: "n1", op: "Loop", line: 13, iterations: 2, ok: true }] },
      ],
    });
    const slow = await wf(["trace", "a.wf", "--slowest", "2", "--json"], { cwd, clock: tickingClock(0.5) });
    expect(documentOf(slow)["slowest"]).toHaveLength(2);
    expect((await wf(["trace", "a.wf", "--slowest", "1"], { cwd })).stdout).toMatch(
      /own +whole +label +step +line\n.*L/,
    );
  });

  it.each([
    [["trace", "a.wf", "--slowest", "many"]],
    [["trace", "a.wf", "--out", "x"]],
    [["trace", "a.wf", "--raw"]],
    [["trace", "a.wf", "--trace-jsonl", "-"]],
    [["trace", "a.wf", "--trace-out", "a.wf"]],
    [["trace", "saved.json", "--trace-out", "x"]],
    [["trace", "a.wf", "--job", "1"]],
    [["trace", "--follow"]],
    [["trace", "a.wf", "--follow", "--job", "1"]],
    [["trace", "a.wf", "--label", "L9"]],
    [["trace", "nothing.json"]],
  ])("refuses %j", async (argv) => {
    const cwd = folderWith({ "a.wf": "L1:\n  J 1\n", "saved.json": '{"trace": []}' });
    expect((await wf(argv, { cwd })).code).toBe(2);
  });
});

describe("wf trace of a program in Python", () => {
  const code = [
    "def check(prices: list):",
    "    total = 0",
    "    for price in prices:",
    "        total += price",
    "    return [one for one in [total] if one > 1]",
    "",
    "",
    "def main(prices: list):",
    "    return check(prices)",
    "",
  ].join("\n");
  const rowsOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/ +[0-9.]+ ms.*$/, ""));

  it("is a tree of its functions and lines, and of the steps of the machine on request", async () => {
    const cwd = folderWith({ "a.wf": code });
    const argv = ["trace", "a.wf", "--frame", '{"prices": [1, 2]}'];
    const { stdout } = await wf(argv, { cwd });
    expect(rowsOf(stdout)).toEqual([
      "main",
      "`- line 9  return check(prices)",
      "   `- check",
      "      |- line 2  total = 0",
      "      |- line 3  for price in prices:",
      "      |- line 4  total += price",
      "      |- line 3  for price in prices:",
      "      |- line 4  total += price",
      "      |- line 3  for price in prices:",
      "      `- line 5  return [one for one in [total] if one > 1]",
    ]);
    expect(stdout).toMatch(/line 9 .* \[3\]$/m);
    expect((await wf([...argv, "--steps"], { cwd })).stdout).toMatch(/^Lmain .*\n.*n1 {2}Py /m);
    const slowest = await wf([...argv, "--slowest", "20"], { cwd });
    expect(slowest.stdout).toMatch(/own +whole +function +line/);
    expect(slowest.stdout).not.toMatch(/Lcheck|\bn\d/);
  });

  it("has functions and lines, and no ids of steps, in the table of wf run --trace", async () => {
    const cwd = folderWith({ "a.wf": code });
    const { stderr } = await wf(["run", "a.wf", "--frame", '{"prices": [1, 2]}', "--trace"], { cwd });
    expect(stderr).toMatch(/step +the file +Py/);
    expect(stderr).toMatch(/step +check +Py +[34]/);
    expect(stderr).not.toMatch(/Lcheck|L_file|\bn\d/);
  });

  it("has lines without their text where the trace was saved", async () => {
    const cwd = folderWith({ "a.wf": code });
    await wf(["run", "a.wf", "--frame", '{"prices": [1, 2]}', "--trace-out", "saved.json"], { cwd });
    const { stdout } = await wf(["trace", "saved.json"], { cwd });
    expect(rowsOf(stdout).slice(-3)).toEqual(["      |- line 4", "      |- line 3", "      `- line 5"]);
    expect(stdout).not.toMatch(/Lcheck|\bn\d/);
  });

  it("stands in reports by function and line, too", async () => {
    const cwd = folderWith({ "a.wf": code.replace("total += price", 'total += price + len(cache.get("k") or "")') });
    for (const argv of [
      ["security-report", "a.wf"],
      ["inspect", "a.wf"],
      ["check", "a.wf", "--forbid-adapter", "cache"],
    ]) {
      const { stdout, stderr } = await wf(argv, { cwd });
      expect(stdout + stderr, argv[0]).toMatch(/check (line|\(line) [34]|^check/m);
      expect(stdout + stderr, argv[0]).not.toMatch(/Lcheck|\bn[0-9]+\b/);
    }
  });
});

describe("wf trace --follow", () => {
  it("prints events as they come, reconnects after a break, and ends with the job", async () => {
    const seen: (string | undefined)[] = [];
    const url = await served((request, respond) => {
      seen.push(request.headers["last-event-id"]?.toString());
      const first = seen.length === 1;
      respond(
        first
          ? ': weft\n\nid: 1\nevent: status\ndata: {"status":"running","attempt":1}\n\nid: 2\nevent: adapter_call\ndata: {"adapter":"http","verb":"Get","label_id":"1","node_id":"n2","status":"ok","duration_ms":1.5}\n\nid: 2\nevent: adapter_call\ndata: {"adapter":"cache","verb":"get","label_id":"main","node_id":"n2","line":7,"status":"ok","duration_ms":2}\n\n'
          : 'id: 3\nevent: progress\ndata: {"usage":{"steps":1200,"adapter_calls":2}}\n\nid: 4\nevent: end\ndata: {"status":"failed","ok":false}\n\n',
      );
    });
    const result = await wf(["trace", "--follow", "--job", "j", "--server", url]);
    expect(result).toMatchObject({
      code: 1,
      stdout:
        "running  attempt 1\nL1 n2  http.Get  ok  1.500 ms\nmain line 7  cache.get  ok  2.000 ms\nsteps 1,200  calls 2\nover: failed\n",
    });
    expect(seen).toEqual([undefined, "2"]);
  });

  it("is one line of JSON for each event", async () => {
    const url = await served((_, respond) => respond('id: 1\nevent: end\ndata: {"status":"succeeded","ok":true}\n\n'));
    const result = await wf(["trace", "--follow", "--job", "j", "--server", url, "--json"]);
    expect(result).toMatchObject({ code: 0, stdout: '{"event":"end","data":{"status":"succeeded","ok":true}}\n' });
  });

  it("ends when the service says that nothing follows", async () => {
    let asked = 0;
    const url = await served((_, respond) => {
      asked += 1;
      // An end without its members cannot be shown.
      if (asked === 1) respond("id: 1\nevent: end\ndata: {}\n\n");
      else respond("", 204);
    });
    const result = await wf(["trace", "--follow", "--job", "j", "--server", url, "--json"]);
    expect(result).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\{"event":"end","data":\{\}\}\n/) });
    expect(result.stdout + result.stderr).toContain("closed the stream before the job had ended");
  });

  it("says when no service is there", async () => {
    const result = await wf(["trace", "--follow", "--job", "j", "--server", "http://127.0.0.1:1", "--json"]);
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ error: "server_unreachable" });
  });
});

describe("wf trace of a deep run", () => {
  const deep = "# frame: n\nL1:\n  If n ->L2 ->L3\nL2:\n  X n sub n 1\n  Call L1 ->r\n  J r\nL3:\n  J 0\n";

  it.each([
    [[]],
    [["--json"]],
    [["--errors"]],
    [["--label", "L3"]],
    [["--slowest", "1"]],
    [["--slowest", "1", "--json"]],
  ])("%j says how much of it is not shown", async (more) => {
    const cwd = folderWith({ "deep.wf": deep });
    const result = await wf(["trace", "deep.wf", "--frame", '{"n":1500}', "--max-depth", "4000", ...more], { cwd });
    expect(result.code).toBe(0);
    if (more.includes("--slowest")) expect(result.stderr + result.stdout).not.toContain("deeper");
    else if (more.includes("--json")) expect(documentOf(result)).toMatchObject({ events: 6002, deeper_steps: 5502 });
    else expect(result.stderr).toContain("steps deeper than 250 labels not shown");
  });

  it("reads a visit of more steps than a call has arguments", () => {
    const steps = Array.from({ length: 200_000 }, (_, at) => stepAt(at, "2", "Set", 2));
    const [outer] = traceTree({ events: [...steps, stepAt(200_000, "1", "Loop", 1)] });
    expect(outer?.steps[0]?.visits).toHaveLength(200_000);
    const [long] = traceTree({ events: steps.map((event, at) => ({ ...event, step: at })) });
    expect(long && visitTime(long)).toBe(200_000);
  });
});

function stepAt(seq: number, label: string, op: string, depth: number) {
  const facts = { label, op, depth, node_id: "n1", step: 1, out: null };
  return { kind: "step" as const, seq, start_ms: op === "Loop" ? 0 : seq, duration_ms: 1, ...facts };
}

type Serve = (
  request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
  respond: (text: string, status?: number) => void,
) => void;

async function served(serve: Serve): Promise<string> {
  const server = createServer((request, response) => {
    serve(request, (text, status = 200) => {
      response.writeHead(status, { "content-type": "text/event-stream" });
      response.end(text);
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
