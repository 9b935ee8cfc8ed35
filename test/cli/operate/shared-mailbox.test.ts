/** `wf mailbox` where the mailbox lies in the database that replicas share. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TaskRow } from "../../../cli/mailbox/mailbox.ts";
import { realClock } from "../../mcp/opened.ts";
import { startPostgres } from "../../support/postgres.ts";
import { verifies } from "../../support/requirements.ts";
import { documentOf, wf } from "../console.ts";

const postgres = await startPostgres();
const cwd = mkdtempSync(join(tmpdir(), "weft-shared-mailbox-"));
afterAll(async () => {
  rmSync(cwd, { recursive: true, force: true });
  await postgres?.stop();
});

describe.skipIf(postgres === null)("wf mailbox on PostgreSQL", () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    environment = { WF_DATABASE_URL: (await postgres?.createDatabase()) ?? "" };
  });
  const at = (...argv: string[]) => wf([...argv], { cwd, environment, clock: realClock });
  const put = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  const result = (summary: string): string =>
    JSON.stringify({
      schema_version: "1.0",
      task_id: "t-7",
      agent_id: "writer",
      status: "ok",
      output: { summary },
      created_at: "2030-01-01T00:00:00Z",
    });

  it("lists tasks and puts down results that workflows read", async () => {
    verifies("envelope.task-request", "envelope.task-result");
    expect(documentOf(await at("mailbox", "tasks", "--json"))).toEqual({ ok: true, tasks: [] });
    put(
      "send.wf",
      'L1:\n  R agent.send_task {"task_id": "t-7", "task_type": "draft", "note": "\\u0000"} ->id\n  J id\n',
    );
    put("read.wf", 'L1:\n  R agent.read_result "t-7" ->r\n  J r.output.summary\n');
    expect((await at("run", "send.wf")).stdout).toBe("t-7\n");
    const task = { line: 1, task_id: "t-7", task_type: "draft", target_agent: null };
    expect(documentOf(await at("mailbox", "tasks", "--json")).tasks).toEqual([{ ...task, has_result: false }]);
    for (const summary of ["First", "Second"]) {
      put("result.json", result(summary));
      expect(documentOf(await at("mailbox", "put-result", "result.json", "--json"))).toMatchObject({ task_id: "t-7" });
      expect((await at("run", "read.wf")).stdout).toBe(`${summary}\n`);
    }
    expect(documentOf(await at("mailbox", "tasks", "--json")).tasks).toEqual([{ ...task, has_result: true }]);
  });

  it("lists more tasks than one page has", async () => {
    const url = (await postgres?.createDatabase()) ?? "";
    const elsewhere = { cwd, environment: { WF_DATABASE_URL: url }, clock: realClock };
    await wf(["mailbox", "tasks"], elsewhere);
    await postgres?.query(
      url,
      `INSERT INTO weft.agent_tasks(task_id, envelope) SELECT n::text, json_build_object('task_id', n::text) FROM generate_series(1, 1001) AS n`,
    );
    const { tasks } = documentOf(await wf(["mailbox", "tasks", "--json"], elsewhere));
    expect((tasks as readonly TaskRow[]).map(({ line, task_id }) => `${line} ${task_id}`)).toEqual(
      Array.from({ length: 1001 }, (_, n) => `${n + 1} ${n + 1}`),
    );
  });

  it("has no file to rotate, and reports a missing database", async () => {
    const rotated = await at("mailbox", "rotate", "--json");
    expect([rotated.code, documentOf(rotated).error]).toEqual([2, "mailbox_error"]);
    const nowhere = { cwd, environment: { WF_DATABASE_URL: "postgres://someone@127.0.0.1:9/none" }, clock: realClock };
    const lost = await wf(["mailbox", "tasks", "--json"], nowhere);
    expect([lost.code, documentOf(lost).error]).toEqual([2, "mailbox_error"]);
  });
});
