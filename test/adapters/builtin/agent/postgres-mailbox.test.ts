/** What send_task and read_result do with a mailbox in the database that replicas share. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentAdapter } from "../../../../adapters/builtin/agent/definition.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { startPostgres, type TestPostgres } from "../../../support/postgres.ts";
import { verifies } from "../../../support/requirements.ts";
import { type Replica, replica } from "../../store/postgres/bench.ts";
import { scratch } from "../fs/scratch.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

describe.skipIf(server === null)("a mailbox in PostgreSQL", () => {
  const { createDatabase, query } = server as TestPostgres;
  let url: string;
  let replicas: readonly Replica[];
  beforeAll(async () => {
    url = await createDatabase();
    replicas = [replica(url), replica(url)];
  });
  afterAll(() => Promise.all(replicas.map((each) => each.close())));

  function mailbox(settings: JsonObject = {}, at = 0): Promise<AdapterBench> {
    const sharedDatabase = replicas[at]?.database;
    if (sharedDatabase === undefined) throw new Error("no such replica");
    return openBench(agentAdapter, { settings, services: { places: NO_PLACES, sharedDatabase } });
  }
  const tasks = async () => query(url, "SELECT task_id, envelope::text AS line FROM weft.agent_tasks ORDER BY id");
  const putResult = (id: string, body: string) =>
    query(url, `INSERT INTO weft.agent_results(task_id, body) VALUES ('${id}', '${body}')`);

  it("keeps tasks in order, as they were sent", async () => {
    verifies("adapter.agent.send_task", "envelope.advisory");
    const agent = await mailbox();
    expect(await agent.call("send_task", { z: "é\0\ud800", task_id: "t1", a: { d: 1, c: [null] } })).toBe("t1");
    const id = await agent.call("send_task", { x: 1 });
    expect(await agent.call("send_task", { task_id: "t1" })).toBe("t1");
    expect(await tasks()).toEqual([
      { task_id: "t1", line: '{"a":{"c":[null],"d":1},"task_id":"t1","z":"\\u00e9\\u0000\\ud800"}' },
      { task_id: id, line: `{"task_id":"${id}","x":1}` },
      { task_id: "t1", line: '{"task_id":"t1"}' },
    ]);
  });

  it("sends once per key, through any replica, even when the task was taken away", async () => {
    await query(url, "DELETE FROM weft.agent_tasks");
    const key = { idempotency_key: "a key \0" };
    const agents = await Promise.all([mailbox({}, 0), mailbox({}, 1), mailbox({}, 0), mailbox({}, 1)]);
    const ids = await Promise.all(agents.map((agent, at) => agent.call("send_task", { task_id: `k${at}` }, key)));
    expect(new Set(ids).size).toBe(1);
    expect(await tasks()).toEqual([{ task_id: ids[0], line: `{"task_id":"${ids[0]}"}` }]);
    await query(url, "DELETE FROM weft.agent_tasks");
    expect(await agents[1]?.call("send_task", { task_id: "later" }, key)).toBe(ids[0]);
    expect(await tasks()).toEqual([]);
    expect(await agents[1]?.call("send_task", { task_id: "later" }, { idempotency_key: "b" })).toBe("later");
  });

  it("is worked on with the statements of its page", async () => {
    const page = readFileSync(new URL("../../../../docs/adapters/agent.md", import.meta.url), "utf8");
    const [, statements = ""] = /^```sql\n(.*?)^```$/ms.exec(page) ?? [];
    const [take = "", put = ""] = statements.split(/;\n/);
    const agent = await mailbox();
    await query(url, "DELETE FROM weft.agent_tasks");
    for (const id of ["t-7", "t-8"]) await agent.call("send_task", { task_id: id }, { idempotency_key: id });
    expect(await query(url, take)).toMatchObject([{ task_id: "t-7", envelope: { task_id: "t-7" } }]);
    expect(await tasks()).toHaveLength(1);
    for (let times = 0; times < 2; times += 1) await query(url, put);
    expect(await agent.call("read_result", "t-7")).toEqual({ task_id: "t-7", status: "completed" });
  });

  it("refuses what a folder refuses", async () => {
    const agent = await mailbox({ max_task_bytes: 17 });
    expect(await agent.code("send_task", { task_id: "12" })).toBe("no error");
    expect(await agent.code("send_task", { task_id: "123" })).toBe("ADAPTER_TOO_LARGE");
    expect(await agent.code("send_task", { task_id: "../x" })).toBe("ADAPTER_PATH_ESCAPE");
    expect(await agent.code("read_result", "a..b")).toBe("ADAPTER_BAD_ARGS");
  });

  it("answers results unchanged", async () => {
    verifies("adapter.agent.read_result");
    const body = '{"task_id":"r1","status":"ok","__proto__":{"x":1},"n":1.50,"t":"\\u0000\\ud800"}';
    await putResult("r1", body);
    expect(await (await mailbox({}, 1)).call("read_result", "r1")).toEqual(JSON.parse(body));
  });

  it.each([
    ["nothing yet", null, "ADAPTER_NOT_FOUND", true],
    ["half of it", '{"a":', "ADAPTER_BAD_DATA", true],
    ["a list", "[1]", "ADAPTER_BAD_DATA", true],
    ["too large", `{"x":"${"é".repeat(600)}"}`, "ADAPTER_TOO_LARGE", false],
  ])("%s", async (what, body, code, retryable) => {
    const id = what.replaceAll(" ", "-");
    if (body !== null) await putResult(id, body);
    const agent = await mailbox({ max_result_bytes: 1_000 });
    await expect(agent.call("read_result", id)).rejects.toMatchObject({ code, retryable });
  });

  it("leaves the database alone when the operator says files", async () => {
    const place = scratch();
    const before = await tasks();
    const agent = await mailbox({ backend: "files", root: place.at("agents") });
    await agent.call("send_task", { task_id: "in-files" });
    expect(await tasks()).toEqual(before);
    place.remove();
  });
});
