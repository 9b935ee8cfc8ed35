/** What send_task and read_result do with a mailbox in a folder. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentAdapter } from "../../../../adapters/builtin/agent/definition.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import type { Clock } from "../../../../vm/run.ts";
import { type AdapterBench, NO_PLACES, openBench, realClock } from "../../../support/adapter-bench.ts";
import { verifies } from "../../../support/requirements.ts";
import { type Scratch, scratch } from "../fs/scratch.ts";

const VALID = {
  schema_version: "1.0",
  task_id: "t-7",
  requester_id: "planner",
  target_agent: "writer",
  target_role: "executor",
  task_type: "draft",
  description: "Write the notes",
  input: { refs: [], payload: { version: "1.2" } },
  approval_required: "none",
  budget_limit: { tokens: 2000, usd_cents: 5 },
};

let place: Scratch;
let agent: AdapterBench;
let events: { readonly event: string; readonly fields: unknown }[];

function mailbox(settings: JsonObject = {}, clock: Clock = realClock): Promise<AdapterBench> {
  return openBench(agentAdapter, {
    settings,
    clock,
    services: { places: { ...NO_PLACES, agentRoot: place.at("agents") } },
    log: (event, fields) => events.push({ event, fields }),
  });
}
const tasksFile = (): string => place.at("agents/tasks/agent_tasks.jsonl");
const text = (): string => (existsSync(tasksFile()) ? readFileSync(tasksFile(), "utf8") : "");
const lines = (): Json[] =>
  text()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

beforeEach(async () => {
  place = scratch();
  events = [];
  agent = await mailbox();
});
afterEach(async () => {
  await agent.end();
  place.remove();
});

describe("send_task", () => {
  it("appends a line of sorted ASCII JSON and answers the id", async () => {
    verifies("adapter.agent.send_task", "envelope.task-request", "service.no-coordination-routing");
    expect(await agent.call("send_task", { z: "é\u{1f600}\n", task_id: "t1", a: { d: 1, c: [null] } })).toBe("t1");
    expect(text()).toBe('{"a":{"c":[null],"d":1},"task_id":"t1","z":"\\u00e9\\ud83d\\ude00\\n"}\n');
    expect(statSync(tasksFile()).mode & 0o777).toBe(0o600);
    expect(statSync(place.at("agents")).mode & 0o777).toBe(0o700);
    expect(readdirSync(place.at("agents/tasks")).sort()).toEqual([".sent", "agent_tasks.jsonl"]);
  });

  it("passes envelopes on as they are", async () => {
    verifies("envelope.advisory");
    const envelope = JSON.parse(
      `{"task_id":7,"approval_required":"pre","budget_limit":{"usd_cents":0},"__proto__":{"x":1},"deadline":"2001-01-01"}`,
    );
    expect(await agent.call("send_task", envelope)).toBe("7");
    expect(lines()).toEqual([envelope]);
    expect(text()).toContain('"__proto__":{"x":1}');
  });

  it.each([{}, { task_id: null }])("gives %j an id", async (envelope) => {
    const id = await agent.call("send_task", { ...envelope, x: 1 });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(lines()).toEqual([{ task_id: id, x: 1 }]);
  });

  it("appends the same id again", async () => {
    for (let i = 0; i < 2; i++) expect(await agent.call("send_task", { task_id: "t1" })).toBe("t1");
    expect(lines()).toEqual([{ task_id: "t1" }, { task_id: "t1" }]);
  });

  it("sends once per key, in this run and in others", async () => {
    const key = { idempotency_key: "k" };
    expect(await agent.call("send_task", { task_id: "t1" }, key)).toBe("t1");
    expect(await agent.call("send_task", { task_id: "t2" }, key)).toBe("t1");
    const other = await mailbox();
    expect(await other.call("send_task", { task_id: "t3" }, key)).toBe("t1");
    expect(await other.call("send_task", { task_id: "t4" }, { idempotency_key: "l" })).toBe("t4");
    expect(lines()).toEqual([{ task_id: "t1" }, { task_id: "t4" }]);
    renameSync(tasksFile(), place.at("agents/tasks/rotated.jsonl"));
    expect(await other.call("send_task", { task_id: "t5" }, key)).toBe("t1");
    writeFileSync(tasksFile(), "");
    expect(await other.call("send_task", { task_id: "t6" }, key)).toBe("t1");
    await other.end();
  });

  it("forgets keys after a week", async () => {
    const key = { idempotency_key: "k" };
    await agent.call("send_task", { task_id: "t1" }, key);
    const later = (days: number): Clock => ({ ...realClock, wall: () => Date.now() + days * 86_400_000 });
    const soon = await mailbox({}, later(6));
    expect(await soon.call("send_task", { task_id: "t2" }, key)).toBe("t1");
    const late = await mailbox({}, later(8));
    expect(await late.call("send_task", { task_id: "t3" }, key)).toBe("t3");
  });

  it.each<readonly [string, readonly Json[], string]>([
    ["no envelope", [], "ADAPTER_BAD_ARGS"],
    ["text", ["t1"], "ADAPTER_BAD_ARGS"],
    ["a list", [[{ task_id: "t1" }]], "ADAPTER_BAD_ARGS"],
    ["null", [null], "ADAPTER_BAD_ARGS"],
    ["a second argument", [{ task_id: "t1" }, "tasks/other.jsonl"], "ADAPTER_BAD_ARGS"],
    ["an unknown option", [{ task_id: "t1" }, { file: "x" }], "ADAPTER_BAD_ARGS"],
    ["an empty key", [{ task_id: "t1" }, { idempotency_key: "" }], "ADAPTER_BAD_ARGS"],
    ["an id that is a path", [{ task_id: "../x" }], "ADAPTER_PATH_ESCAPE"],
    ["an id with a back-slash", [{ task_id: "a\\b" }], "ADAPTER_PATH_ESCAPE"],
    ["an id with two dots", [{ task_id: "a..b" }], "ADAPTER_BAD_ARGS"],
    ["an empty id", [{ task_id: "" }], "ADAPTER_BAD_ARGS"],
    ["a long id", [{ task_id: "a".repeat(129) }], "ADAPTER_BAD_ARGS"],
    ["an id with a line end", [{ task_id: "a\n" }], "ADAPTER_BAD_ARGS"],
    ["an id that is a fraction", [{ task_id: 1.5 }], "ADAPTER_BAD_ARGS"],
    ["an id that is a list", [{ task_id: ["a"] }], "ADAPTER_BAD_ARGS"],
    ["a large envelope", [{ task_id: "a", x: "é".repeat(11_000) }], "ADAPTER_TOO_LARGE"],
  ])("refuses %s", async (_, args, code) => {
    expect(await agent.code("send_task", ...args)).toBe(code);
    expect(text()).toBe("");
  });

  it("keeps to the size of a line", async () => {
    const small = await mailbox({ max_task_bytes: 17 });
    expect(await small.code("send_task", { task_id: "1" })).toBe("no error");
    expect(await small.code("send_task", { task_id: "12" })).toBe("no error");
    expect(text()).toHaveLength(16 + 17);
    expect(await small.code("send_task", { task_id: "123" })).toBe("ADAPTER_TOO_LARGE");
  });

  it("says what is missing in strict mode, and only counts it otherwise", async () => {
    verifies("envelope.validation");
    const strict = await mailbox({ strict_envelope: true });
    await expect(strict.call("send_task", { task_id: "secret" })).rejects.toMatchObject({
      code: "ADAPTER_BAD_ARGS",
      data: { issues: expect.arrayContaining([{ kind: "error", path: "/task_type", message: "missing" }]) },
    });
    expect(text()).toBe("");
    expect(await strict.call("send_task", { ...VALID, input: {} })).toBe("t-7");
    expect(await agent.call("send_task", { task_id: "secret" })).toBe("secret");
    expect(events).toEqual([
      { event: "agent_task_findings", fields: { errors: 0, warnings: 1 } },
      { event: "agent_task_findings", fields: { errors: 7, warnings: 0 } },
    ]);
  });
});

describe("the task file of others", () => {
  it.each([
    ["a whole line without an end", '{"task_id":"t0"}', ['{"task_id":"t0"}']],
    ["half a line", '{"task_id":"a"}\n{"task_id":"t', ['{"task_id":"a"}']],
    ["half a line only", '{"task_id":"t', []],
    ["a long half line", `{"x":"${"y".repeat(70_000)}`, []],
    ["foreign lines", "not json\n\n", ["not json", ""]],
  ])("is continued after %s", async (_, before, kept) => {
    mkdirSync(place.at("agents/tasks"), { recursive: true });
    writeFileSync(tasksFile(), before);
    await agent.call("send_task", { task_id: "t1" }, { idempotency_key: "k" });
    await agent.call("send_task", { task_id: "t2" }, { idempotency_key: "k" });
    expect(text()).toBe([...kept, '{"task_id":"t1"}', ""].join("\n"));
  });

  it("sends again what a killed process had only noted", async () => {
    await agent.call("send_task", { task_id: "t1" }, { idempotency_key: "k" });
    const [marker = ""] = readdirSync(place.at("agents/tasks/.sent")).filter((name) => name !== ".swept");
    // As if the process had died before its line, and another one had written there.
    writeFileSync(tasksFile(), '{"task_id":"x1"}\n');
    expect(await agent.call("send_task", { task_id: "t1" }, { idempotency_key: "k" })).toBe("t1");
    expect(lines()).toEqual([{ task_id: "x1" }, { task_id: "t1" }]);
    expect(await agent.call("send_task", { task_id: "t1" }, { idempotency_key: "k" })).toBe("t1");
    expect(lines()).toHaveLength(2);
    // As if it had died while noting.
    writeFileSync(place.at(`agents/tasks/.sent/${marker}`), '{"task_');
    await agent.call("send_task", { task_id: "t1" }, { idempotency_key: "k" });
    expect(lines()).toHaveLength(3);
  });

  it("takes an abandoned lock away, and waits for one that is held", async () => {
    const lock = place.at("agents/tasks/.lock");
    writeFileSync(lock, "{}");
    const waiting = agent.call("send_task", { task_id: "t1" });
    const controller = new AbortController();
    const given = agent.callUnder(controller.signal, "send_task", { task_id: "t2" });
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: "ADAPTER_CANCELLED" });
    expect(text()).toBe("");
    const old = Date.now() / 1000 - 11;
    utimesSync(lock, old, old);
    expect(await waiting).toBe("t1");
    expect(existsSync(lock)).toBe(false);
    expect(lines()).toEqual([{ task_id: "t1" }]);
  });
});

describe("read_result", () => {
  const put = (id: string, content: string | Uint8Array): string => place.put(`agents/results/${id}.json`, content);

  it("answers the object, unchanged", async () => {
    verifies("adapter.agent.read_result", "envelope.task-result");
    const result = JSON.parse('{"task_id":"t1","status":"ok","__proto__":{"x":1},"n":1.5}');
    put("t1", `\ufeff${JSON.stringify(result)}\n`);
    expect(await agent.call("read_result", "t1")).toEqual(result);
    // A dot at the start is allowed, and `.` is the shortest of such ids.
    for (const id of [".hidden", "."]) {
      put(id, JSON.stringify({ task_id: id }));
      expect(await agent.call("send_task", { task_id: id })).toBe(id);
      expect(await agent.call("read_result", id)).toEqual({ task_id: id });
    }
    put("7", '{"a":1}');
    expect(await agent.call("read_result", 7)).toEqual({ a: 1 });
  });

  it.each<readonly [string, string | Uint8Array | null, string, boolean]>([
    ["nothing yet", null, "ADAPTER_NOT_FOUND", true],
    ["half of it", '{"task_id":"t1","sta', "ADAPTER_BAD_DATA", true],
    ["an empty file", "", "ADAPTER_BAD_DATA", true],
    ["a list", "[1]", "ADAPTER_BAD_DATA", true],
    ["null", "null", "ADAPTER_BAD_DATA", true],
    ["text that is not UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "ADAPTER_BAD_DATA", true],
    ["a number without bounds", '{"n":1e999}', "ADAPTER_BAD_DATA", false],
    ["too deep", `{"x":${"[".repeat(5000)}${"]".repeat(5000)}}`, "ADAPTER_TOO_LARGE", false],
    ["too large", `{"x":"${"y".repeat(1_048_576)}"}`, "ADAPTER_TOO_LARGE", false],
  ])("%s", async (_, content, code, retryable) => {
    if (content !== null) put("t1", content);
    await expect(agent.call("read_result", "t1")).rejects.toMatchObject({ code, retryable });
  });

  it.each([
    ["a/b", "ADAPTER_PATH_ESCAPE"],
    ["../t1", "ADAPTER_PATH_ESCAPE"],
    ["a\\b", "ADAPTER_PATH_ESCAPE"],
    ["/etc/passwd", "ADAPTER_PATH_ESCAPE"],
    ["a..b", "ADAPTER_BAD_ARGS"],
    ["..", "ADAPTER_BAD_ARGS"],
    ["", "ADAPTER_BAD_ARGS"],
    ["a\0", "ADAPTER_BAD_ARGS"],
    ["é", "ADAPTER_BAD_ARGS"],
    ["a".repeat(129), "ADAPTER_BAD_ARGS"],
    [null, "ADAPTER_BAD_ARGS"],
    [true, "ADAPTER_BAD_ARGS"],
    [1.5, "ADAPTER_BAD_ARGS"],
    [{ task_id: "t1" }, "ADAPTER_BAD_ARGS"],
  ])("refuses the id %j", async (id, code) => {
    verifies("limit.agent-containment");
    expect(await agent.code("read_result", id)).toBe(code);
  });

  it("asks for whole results in strict mode only", async () => {
    put("t1", '{"task_id":"t1","secret":1}');
    expect(await agent.call("read_result", "t1")).toEqual({ task_id: "t1", secret: 1 });
    expect(events).toEqual([{ event: "agent_result_findings", fields: { errors: 4, warnings: 0 } }]);
    const strict = await mailbox({ strict_envelope: true });
    await expect(strict.call("read_result", "t1")).rejects.toMatchObject({ code: "ADAPTER_BAD_DATA", retryable: true });
  });

  it("reads results larger than usual when the operator says so", async () => {
    put("t1", `{"x":"${"y".repeat(2_000_000)}"}`);
    const large = await mailbox({ max_result_bytes: 3_000_000 });
    expect(await large.call("read_result", "t1")).toMatchObject({ x: expect.any(String) });
    const small = await mailbox({ max_result_bytes: 10 });
    expect(await small.code("read_result", "t1")).toBe("ADAPTER_TOO_LARGE");
  });
});

describe("the root", () => {
  it.each(["/", "//", "/tmp/..", "/root", "/home/someone"])("is not %s", async (root) => {
    verifies("limit.agent-root");
    const refused = await openBench(agentAdapter, { services: { places: { ...NO_PLACES, agentRoot: root } } });
    expect(await refused.code("read_result", "t1")).toBe("ADAPTER_BAD_SETTINGS");
    expect(await refused.code("send_task", { task_id: "t1" })).toBe("ADAPTER_BAD_SETTINGS");
  });

  it("must not be a link to /", async () => {
    symlinkSync("/", place.at("slash"));
    const refused = await mailbox({ root: place.at("slash") });
    expect(await refused.code("send_task", { task_id: "t1" })).toBe("ADAPTER_BAD_SETTINGS");
  });

  it("has to be configured", async () => {
    expect(await (await openBench(agentAdapter)).code("read_result", "t1")).toBe("ADAPTER_NOT_CONFIGURED");
    expect(await (await mailbox({ backend: "postgres" })).code("read_result", "t1")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("causes a warning when all users may write there", async () => {
    mkdirSync(place.at("agents"));
    chmodSync(place.at("agents"), 0o777);
    await agent.code("read_result", "t1");
    expect(events).toEqual([{ event: "agent_root_world_writable", fields: undefined }]);
  });

  it.each(["tasks", "results"])("is not left through a link %s", async (name) => {
    verifies("limit.agent-containment");
    place.put("outside/t1.json", '{"leak":1}');
    mkdirSync(place.at("agents"));
    symlinkSync(place.at("outside"), place.at(`agents/${name}`));
    const code = name === "tasks" ? agent.code("send_task", { task_id: "t" }) : agent.code("read_result", "t1");
    expect(await code).toBe("ADAPTER_PATH_ESCAPE");
    expect(readdirSync(place.at("outside"))).toEqual(["t1.json"]);
  });

  it.each(["tasks/agent_tasks.jsonl", "tasks/.sent", "results/t1.json"])(
    "is not left through a link %s",
    async (path) => {
      place.put("outside/t1.json", '{"leak":1}');
      symlinkSync(place.at(path.endsWith(".sent") ? "outside" : "outside/t1.json"), place.at(`agents/${path}`));
      const verb = path.startsWith("tasks") ? "send_task" : "read_result";
      expect(await agent.code(verb, verb === "send_task" ? { task_id: "t1" } : "t1")).toBe("ADAPTER_PATH_ESCAPE");
      expect(readFileSync(place.at("outside/t1.json"), "utf8")).toBe('{"leak":1}');
      expect(readdirSync(place.at("outside"))).toEqual(["t1.json"]);
    },
  );

  it("takes no FIFO for a file", async () => {
    mkdirSync(place.at("agents/tasks"), { recursive: true });
    mkdirSync(place.at("agents/results"), { recursive: true });
    execFileSync("mkfifo", [tasksFile(), place.at("agents/results/t1.json")]);
    expect(await agent.code("send_task", { task_id: "t1" })).toBe("ADAPTER_NOT_A_FILE");
    expect(await agent.code("read_result", "t1")).toBe("ADAPTER_NOT_A_FILE");
  });

  it("does not lose a line to a full disk", async ({ skip }) => {
    mkdirSync(place.at("agents"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "weft-test", place.at("agents")], {
        stdio: "ignore",
      });
    } catch {
      skip("skipped: no right to mount a small tmpfs");
    }
    try {
      const sent: string[] = [];
      let code = "no error";
      for (let i = 0; code === "no error" && i < 20; i++) {
        code = await agent.code("send_task", { task_id: `t${i}`, x: "y".repeat(9000) });
        if (code === "no error") sent.push(`t${i}`);
      }
      expect(code).toBe("ADAPTER_QUOTA");
      expect(lines().map((line) => (line as JsonObject)["task_id"])).toEqual(sent);
      appendFileSync(place.at("agents/tasks/agent_tasks.jsonl"), "");
    } finally {
      execFileSync("umount", [place.at("agents")]);
    }
  });
});
