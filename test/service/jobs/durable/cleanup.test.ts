/** A durable job that is cancelled, or whose lifetime is over, cleans up: while it runs, while it waits, and after its process died (durable-2.md ). */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startPostgres } from "../../../support/postgres.ts";
import { realClock } from "../../serving.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const server = await startPostgres();
afterAll(() => server?.stop());
const folders: { remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

const EXT = { adapters: { enable: ["ext"] }, durable: true };
const program = (...lines: readonly string[]): string =>
  ["# surface: python", "def main():", ...lines.map((line) => `    ${line}`), ""].join("\n");
const held = program("try:", "    ext.Echo('book')", "    ext.Hold('x')", "finally:", "    ext.Echo('book')");
const waits = program(
  "try:",
  "    ext.Echo('book')",
  "    signal.wait('go', timeout='1h')",
  "except:",
  "    ext.Fail('never')",
  "finally:",
  "    ext.Echo('book')",
);

const places = server === null ? ["a folder"] : ["a folder", "PostgreSQL"];

describe.each(places)("a durable job in %s that cleans up", { timeout: 60_000 }, (place) => {
  let where: JobServingOptions = {};

  async function served(options: JobServingOptions = {}): Promise<JobServing> {
    if (place === "PostgreSQL") where = { databaseUrl: (await server?.createDatabase()) ?? null };
    else {
      const folder = await temporaryFolder();
      folders.push(folder);
      where = { stateDir: folder.path };
    }
    const service = await servingJobs({ ...where, ...options });
    services.push(service);
    return service;
  }

  it("does so while it runs, and is cancelled then", async () => {
    const service = await served();
    const id = await service.queued({ code: held, ...EXT });
    await service.held();
    const answer = await service.call("DELETE", `/result/${id}`);
    expect([answer.status, answer.body.status]).toEqual([202, "cancelling"]);
    const { body } = await service.over(id);
    expect(body.status).toBe("cancelled");
    expect(body.result.error_structured.data).toMatchObject({ cleanup: "done" });
    expect(service.made).toEqual(["Echo", "Hold", "Echo"]);
  });

  it("does so while it waits, and no handler sees it", async () => {
    const service = await served();
    const id = await service.queued({ code: waits, ...EXT });
    await service.until(id, "waiting");
    const answer = await service.call("DELETE", `/result/${id}`);
    expect([answer.status, answer.body.status]).toEqual([202, "cancelling"]);
    const { body } = await service.over(id);
    expect(body.status).toBe("cancelled");
    expect(body.result.error_structured.data).toMatchObject({ cleanup: "done", reason: "the job was cancelled" });
    expect(service.made).toEqual(["Echo", "Echo"]);
  });

  it("does so in branches that wait, and then around them", async () => {
    const service = await served();
    const code = [
      "# surface: python",
      "from weft import parallel",
      "def f(x):",
      "    try:",
      "        ext.Echo('book')",
      "        signal.wait('go', timeout='1h')",
      "    finally:",
      "        ext.Echo('undo')",
      "def main():",
      "    try:",
      "        parallel(f, [1, 2])",
      "    finally:",
      "        ext.Fail('parent')",
      "",
    ].join("\n");
    const id = await service.queued({ code, ...EXT });
    await service.until(id, "waiting");
    const answer = await service.call("DELETE", `/result/${id}`);
    expect([answer.status, answer.body.status]).toEqual([202, "cancelling"]);
    const { body } = await service.over(id);
    expect(body.status).toBe("cancelled");
    expect(body.result.error_structured.data).toMatchObject({ cleanup: "failed", reason: "the job was cancelled" });
    expect(service.made).toEqual(["Echo", "Echo", "Echo", "Echo", "Fail"]);
  });

  it("is over at once where nothing is to be cleaned up", async () => {
    const service = await served();
    const id = await service.queued({ code: program("signal.wait('go', timeout='1h')"), ...EXT });
    await service.until(id, "waiting");
    const answer = await service.call("DELETE", `/result/${id}`);
    expect([answer.status, answer.body.status]).toEqual([200, "cancelled"]);
  });

  it("does so when its lifetime is over while it waits, and within a second", async () => {
    let ahead = 0;
    const clock = { ...realClock, now: () => realClock.now() + ahead, wall: () => realClock.wall() + ahead };
    const service = await served({ clock });
    const id = await service.queued({ code: waits, ...EXT, lifetime_s: 60 });
    await service.until(id, "waiting");
    ahead = 60_000;
    const { body } = await service.over(id);
    expect(body.status).toBe("timed_out");
    expect(service.made).toEqual(["Echo", "Echo"]);
  });

  it("continues in another process, and does not begin it anew", async () => {
    const service = await served();
    const code = program(
      "try:",
      "    ext.Hold('x')",
      "finally:",
      "    ext.Echo('one')",
      "    ext.Hold('y')",
      "    ext.Echo('two')",
    );
    const id = await service.queued({ code, ...EXT });
    await service.held();
    await service.call("DELETE", `/result/${id}`);
    await service.held();
    await service.stop();
    const next = await servingJobs(where);
    services.splice(services.indexOf(service), 1, next);
    (await next.held()).release("y");
    const { body } = await next.over(id);
    expect(body.status).toBe("cancelled");
    expect(body.result.error_structured.data).toMatchObject({ cleanup: "done", reason: "the job was cancelled" });
    expect([service.made, next.made]).toEqual([
      ["Hold", "Echo", "Hold"],
      ["Hold", "Echo"],
    ]);
  });

  it("ends at once when it is cancelled a second time", async () => {
    const service = await served();
    const code = program("try:", "    ext.Hold('x')", "finally:", "    ext.Hold('y')", "    ext.Echo('never')");
    const id = await service.queued({ code, ...EXT });
    await service.held();
    await service.call("DELETE", `/result/${id}`);
    await service.held();
    await service.call("DELETE", `/result/${id}`);
    const { body } = await service.over(id);
    expect(body.status).toBe("cancelled");
    expect(service.made).toEqual(["Hold", "Hold"]);
  });
});
