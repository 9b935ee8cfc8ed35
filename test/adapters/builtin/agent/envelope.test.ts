/** What makes a task request or result valid, member by member. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  taskRequestSchema,
  taskResultSchema,
  validateTaskRequest,
  validateTaskResult,
} from "../../../../adapters/builtin/agent/envelope.ts";
import { verifies } from "../../../support/requirements.ts";

const REQUEST = {
  schema_version: "1.0",
  task_id: "t-7",
  requester_id: "planner",
  target_agent: "writer",
  target_role: "executor",
  task_type: "draft",
  description: "Write the notes",
  input: { refs: [{ kind: "file", uri: "notes.md" }], payload: { version: "1.2" } },
  required_output_contract: { format: "json" },
  budget_limit: { tokens: 2000, usd_cents: 5 },
  allowed_tools: ["search"],
  approval_required: "none",
  deadline: "2030-01-01T00:00:00Z",
  metadata: { anything: [1] },
};
const RESULT = {
  schema_version: "1.0",
  task_id: "t-7",
  agent_id: "writer",
  status: "completed",
  output: { summary: "Notes drafted", actions: [{ kind: "write", description: "notes.md", status: "executed" }] },
  confidence: 0.9,
};

/** `error /path` of each issue. */
function found({ issues }: ReturnType<typeof validateTaskRequest>): string[] {
  return issues.map((issue) => `${issue.kind} ${issue.path}`);
}
/** A copy with the member at `path` set, or left out when the value is undefined. */
function changed(base: object, path: string, value: unknown): object {
  const copy = structuredClone(base) as Record<string, unknown>;
  const steps = path.split("/").slice(1);
  const last = steps.pop() ?? "";
  let target = copy;
  for (const step of steps) target = target[step] as Record<string, unknown>;
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

describe("task request", () => {
  it("passes with all members, and with the required ones", () => {
    verifies("envelope.task-request", "envelope.validation");
    expect(validateTaskRequest(REQUEST)).toEqual({ ok: true, issues: [] });
    const { refs: _, ...input } = REQUEST.input;
    const { schema_version, task_id, requester_id, target_agent, target_role, task_type, description } = REQUEST;
    const required = {
      schema_version,
      task_id,
      requester_id,
      target_agent,
      target_role,
      task_type,
      description,
      input,
    };
    expect(validateTaskRequest(required)).toEqual({ ok: true, issues: [] });
  });

  it.each([
    "schema_version",
    "task_id",
    "requester_id",
    "target_agent",
    "target_role",
    "task_type",
    "description",
    "input",
  ])("needs %s", (name) => {
    const missing = { ok: false, issues: [{ kind: "error", path: `/${name}`, message: "missing" }] };
    expect(validateTaskRequest(changed(REQUEST, `/${name}`, undefined))).toEqual(missing);
    for (const wrong of [7, null, ["x"], ""]) {
      expect(found(validateTaskRequest(changed(REQUEST, `/${name}`, wrong)))).toEqual([`error /${name}`]);
    }
  });

  it.each<readonly [path: string, value: unknown, issues: readonly string[]]>([
    ["/schema_version", "1.7", []],
    ["/schema_version", "2.0", ["warning /schema_version"]],
    ["/task_id", "a/b", ["error /task_id"]],
    ["/task_id", ".a", []],
    ["/task_id", "a..b", ["error /task_id"]],
    ["/task_id", "a".repeat(129), ["error /task_id"]],
    ["/input/payload", undefined, ["warning /input/payload"]],
    ["/input/payload", null, []],
    ["/input/refs", {}, ["error /input/refs"]],
    ["/input/refs", [{ kind: "file" }], ["error /input/refs/0/uri"]],
    ["/required_output_contract", "json", ["error /required_output_contract"]],
    ["/budget_limit", 5, ["warning /budget_limit"]],
    ["/budget_limit", { tokens: -1 }, ["warning /budget_limit/tokens"]],
    ["/allowed_tools", "search", ["warning /allowed_tools"]],
    ["/allowed_tools", [1], ["warning /allowed_tools/0"]],
    ["/approval_required", true, ["warning /approval_required"]],
    ["/approval_required", "whatever", []],
    ["/deadline", null, []],
    ["/deadline", "2030-01-01", []],
    ["/deadline", "2030-01-01T10:00:00+02:00", []],
    ["/deadline", "tomorrow", ["warning /deadline"]],
    ["/human_approver", 7, []],
  ])("%s = %j: %j", (path, value, issues) => {
    const verdict = validateTaskRequest(changed(REQUEST, path, value));
    expect(found(verdict)).toEqual(issues);
    expect(verdict.ok).toBe(issues.every((issue) => issue.startsWith("warning")));
  });

  it.each([null, undefined, 7, "text", []])("is not %j", (value) => {
    expect(validateTaskRequest(value).ok).toBe(false);
    expect(validateTaskResult(value).ok).toBe(false);
  });
});

describe("task result", () => {
  it("passes", () => {
    verifies("envelope.task-result");
    expect(validateTaskResult(RESULT)).toEqual({ ok: true, issues: [] });
  });

  it.each(["schema_version", "task_id", "agent_id", "status", "output"])("needs %s", (name) => {
    expect(found(validateTaskResult(changed(RESULT, `/${name}`, undefined)))).toEqual([`error /${name}`]);
  });

  it.each<readonly [path: string, value: unknown, issues: readonly string[]]>([
    ["/status", "needs_review", []],
    ["/status", "ok", ["warning /status"]],
    ["/output/summary", undefined, ["error /output/summary"]],
    ["/output/actions", undefined, []],
    ["/output/actions", {}, ["error /output/actions"]],
    ["/output/actions", [{ kind: "x", description: "y" }], ["error /output/actions/0/status"]],
    ["/confidence", null, []],
    ["/confidence", 1.1, ["warning /confidence"]],
    ["/confidence", "high", ["warning /confidence"]],
    ["/cost_used", "much", []],
  ])("%s = %j: %j", (path, value, issues) => {
    expect(found(validateTaskResult(changed(RESULT, path, value)))).toEqual(issues);
  });
});

it("messages hold no values", () => {
  const secret = "hunter2";
  const values = [secret, [secret], { [secret]: secret }];
  for (const name of Object.keys(REQUEST)) {
    for (const value of values) {
      expect(JSON.stringify(validateTaskRequest(changed(REQUEST, `/${name}`, value)))).not.toContain(secret);
    }
  }
});

it("has JSON Schemas", () => {
  expect(z.toJSONSchema(taskRequestSchema)).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["input"]),
  });
  expect(z.toJSONSchema(taskResultSchema)).toMatchObject({
    type: "object",
    required: expect.arrayContaining(["output"]),
  });
});
