/** The programs that docs/durable.md, docs/approvals.md, the how-tos and the templates of wf init show wait as jobs of a service, exactly as they stand there (B-9). */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATES } from "../../cli/init/new-project.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";

let service: JobServing;
let mailbox: string;
const folders: { readonly path: string; remove(): Promise<void> }[] = [];

beforeAll(async () => {
  const [state, agents] = [await temporaryFolder(), await temporaryFolder()];
  folders.push(state, agents);
  mailbox = agents.path;
  const variables = { WF_ENABLE_ADAPTERS: "core,http,agent,signal,approval,timer", WF_AGENT_ROOT: mailbox };
  service = await servingJobs({ stateDir: state.path, variables, times: { agentMs: 20 } });
});
afterAll(async () => {
  await service.stop();
  for (const folder of folders) await folder.remove();
});

/** The program of a page that has these words. */
async function program(page: string, words: string): Promise<string> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, source = ""]) => source);
  const found = blocks.filter((source) => source.includes(words));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

async function waiting(code: string, frame: object): Promise<string> {
  const { status, body } = await service.call("POST", "/enqueue", { code, frame });
  expect([status, body.warnings]).toEqual([202, []]);
  await service.until(body.job_id, "waiting");
  return body.job_id;
}

async function decide(job: string, decision: string): Promise<void> {
  const { body } = await service.call("GET", `/approvals?job=${job}`);
  for (const { id } of body.approvals)
    expect((await service.call("POST", `/approvals/${id}`, { decision })).status).toBe(200);
}

const outOf = async (job: string): Promise<unknown> => (await service.over(job)).body.result.out;

describe("programs of docs/durable.md", () => {
  it("order waits for its signal", async () => {
    const job = await waiting(await program("durable.md", "def order(id"), { id: "7" });
    await service.call("POST", `/result/${job}/signals/delivered`, {});
    expect(await outOf(job)).toEqual({ id: "7", news: "delivered" });
  });

  it("payments asks about all orders at once", async () => {
    const job = await waiting(await program("durable.md", "def payments("), { orders: [{ id: 1 }, { id: 2 }] });
    await decide(job, "approve");
    expect(await outOf(job)).toEqual([
      { order: 1, paid: true },
      { order: 2, paid: true },
    ]);
  });

  it("draft waits for an agent", async () => {
    const job = await waiting(await program("durable.md", "def draft("), { ticket: { id: 9 } });
    const { task_id: task } = JSON.parse(await readFile(join(mailbox, "tasks", "agent_tasks.jsonl"), "utf8"));
    const results = join(mailbox, "results");
    await mkdir(results, { recursive: true });
    const result = { task_id: task, status: "completed", output: { summary: "Dear Ann" } };
    await writeFile(join(results, `${task}.json`), JSON.stringify(result));
    expect(await outOf(job)).toMatchObject({ status: "completed", output: { summary: "Dear Ann" } });
  });

  it("the one with a cleanup runs it when its job is cancelled", async () => {
    const job = await waiting(await program("durable.md", "does not see the cancellation"), { order: { items: [] } });
    await service.call("DELETE", `/result/${job}`);
    const { body } = await service.over(job);
    expect(body).toMatchObject({ status: "cancelled", result: { error_structured: { data: { cleanup: "done" } } } });
  });
});

describe("programs of docs/approvals.md and the how-tos", () => {
  it.each([
    ["approvals.md", "approve", "refunded"],
    ["approvals.md", "reject", "reject"],
    ["how-to/ask-a-person.md", "approve", { state: "refunded" }],
    ["how-to/ask-a-person.md", "reject", { state: "reject", by: null }],
  ])("%s, %s", async (page, decision, out) => {
    const job = await waiting(await program(page, "def refund("), { order: { id: 7, total: 40 } });
    await decide(job, decision);
    expect(await outOf(job)).toEqual(out);
  });

  it("how-to/run-nightly.md runs at the next time of its line, and now", async () => {
    const code = await program("how-to/run-nightly.md", "def nightly(");
    const { body } = await service.call("PUT", "/programs/nightly", { code });
    expect(body.schedules).toMatchObject([{ id: "nightly/nightly", cron: "0 2 * * *", tz: "Europe/Vienna" }]);
    const { body: queued } = await service.call("POST", "/schedules/nightly/nightly/run");
    expect(await outOf(queued.job_id)).toEqual({ state: "done" });
  });
});

describe("the template agent-handoff", () => {
  it("puts an answer before a person of which the agent was not sure", async () => {
    const { files } = TEMPLATES.find(({ name }) => name === "agent-handoff") ?? { files: {} };
    const code: string = files["agent-handoff.wf" as keyof typeof files] ?? "";
    const job = await waiting(code, { question: "What is a weft?" });
    const tasks = (await readFile(join(mailbox, "tasks", "agent_tasks.jsonl"), "utf8")).trim().split("\n");
    const { task_id: task } = JSON.parse(tasks.at(-1) ?? "");
    await mkdir(join(mailbox, "results"), { recursive: true });
    const result = { task_id: task, status: "completed", confidence: 0.4, output: { summary: "A boat?" } };
    await writeFile(join(mailbox, "results", `${task}.json`), JSON.stringify(result));
    await expect.poll(async () => (await service.call("GET", `/approvals?job=${job}`)).body.approvals.length).toBe(1);
    await service.until(job, "waiting");
    await decide(job, "approve");
    expect(await outOf(job)).toMatchObject({ state: "answered", answer: "A boat?" });
  });
});
