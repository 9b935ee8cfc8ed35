/** `agent.result`: a job waits for an agent without polling, in this process or in the next one (docs/durable.md, waiting). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { readonly path: string; remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function inFolder(): Promise<string> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return folder.path;
}

async function served(stateDir: string, mailbox: string, adapters = "core,agent,signal"): Promise<JobServing> {
  const variables = { WF_ENABLE_ADAPTERS: adapters, WF_AGENT_ROOT: mailbox };
  const service = await servingJobs({ stateDir, variables, times: { agentMs: 5 } });
  services.push(service);
  return service;
}

const DRAFTS = [
  "# frame: task: text",
  "L1:",
  '  R signal.wait "agent.result" {"key": task, "timeout": "2d"} ->news',
  "  R agent.read_result news.data.task_id ->result",
  "  J [news.received, result.output]",
  "",
].join("\n");

/** As an agent does: under another name first. */
async function answer(mailbox: string, task: string, output: string): Promise<void> {
  const results = join(mailbox, "results");
  await mkdir(results, { recursive: true });
  await writeFile(join(results, `${task}.json`), JSON.stringify({ task_id: task, status: "completed", output }));
}

describe("agent.result", { timeout: 60_000 }, () => {
  it("wakes the jobs that wait for the task when its result is put into the mailbox, and no others", async () => {
    const mailbox = await inFolder();
    const service = await served(await inFolder(), mailbox);
    const queued = (task: string) => service.queued({ code: DRAFTS, frame: { task } });
    const [one, again, other] = [await queued("t-1"), await queued("t-1"), await queued("t-2")];
    for (const id of [one, again, other]) await service.until(id, "waiting");
    await answer(mailbox, "t-1", "a draft");
    for (const id of [one, again]) expect((await service.over(id)).body.result.out).toEqual([true, "a draft"]);
    expect((await service.call("GET", `/result/${other}`)).body.status).toBe("waiting");
  });

  it("finds a result that came while the service was down, or before the job was queued", async () => {
    const [mailbox, stateDir] = [await inFolder(), await inFolder()];
    const first = await served(stateDir, mailbox);
    const waiting = await first.queued({ code: DRAFTS, frame: { task: "t-1" } });
    await first.until(waiting, "waiting");
    await first.drain();
    await answer(mailbox, "t-1", "late");
    const second = await served(stateDir, mailbox);
    expect((await second.over(waiting)).body.result.out).toEqual([true, "late"]);
    const after = await second.queued({ code: DRAFTS, frame: { task: "t-1" } });
    expect((await second.over(after)).body.result.out).toEqual([true, "late"]);
  });

  it("is not taken from a client", async () => {
    const service = await served(await inFolder(), await inFolder());
    const id = await service.queued({ code: DRAFTS, frame: { task: "t-1" } });
    await service.until(id, "waiting");
    for (const [path, body] of [
      ["/signals/agent.result", { key: "t-1" }],
      [`/result/${id}/signals/agent.result`, {}],
      [`/result/${id}/signals/weft.any`, {}],
    ] as const) {
      const refused = await service.call("POST", path, body);
      expect({ status: refused.status, path: refused.body.issues?.[0].path }, path).toEqual({
        status: 400,
        path: "/name",
      });
    }
  });
});
