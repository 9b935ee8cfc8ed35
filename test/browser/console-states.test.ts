/**
 * States that a service comes into, as the console shows them: programs that the grant refuses, schedules that are paused, lists that are switched
 * off, failures with their place, branches, and long lists. Skipped, with the reason, without Chromium.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { EMPTY_GRANT } from "../../vm/grant/grant.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const SECONDS = 1000;
const ACT = { WF_UI: "act", WF_DEPLOY: "1" };
const EXT = { adapters: { enable: ["ext"] } };
const HOURLY = "S hourly core /hourly\nCr L1 0 * * * *\nL1:\n  J 1\n";
const EACH = `# frame: xs: list
L1:
  Each ys xs x ->L_in
  R cache.set "k" ys ->p
  J ys
L_in:
  R ext.Echo x ->y
  J y
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-states.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole(ACT, files));
  }, 60 * SECONDS);

  afterAll(() => stop?.());

  const other = async (options: JobServingOptions): Promise<{ readonly service: JobServing; readonly own: string }> => {
    const started = await servingJobs({ variables: ACT, app: { consoleFiles: files }, ...options });
    onTestFinished(() => started.stop());
    return { service: started, own: `http://127.0.0.1:${started.port}` };
  };

  it("says which programs today's grant refuses, on the overview, in the list and on their pages", async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const before = await servingJobs({ stateDir: folder.path });
    await before.call("PUT", "/programs/echo", { code: 'L1:\n  R ext.Echo "a" ->x\n  J x\n', ...EXT });
    await before.stop();
    const { service: after, own } = await other({
      stateDir: folder.path,
      floor: { ...EMPTY_GRANT, forbidden_adapters: ["ext"] },
    });
    await after.logged("program_refused", (one) => one["program"] === "echo");
    const { page, faults } = await openPage(browser, own);
    await show(page, own, "");
    const needs = page.getByRole("region", { name: "Needs a person" });
    await needs.getByText(/^program echo cannot run: .*ext/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await needs.getByRole("link", { name: "echo" }).click();
    await page.locator("p.notice").getByText(/ext/).waitFor();
    await show(page, own, "/programs");
    await page.getByRole("row", { name: /echo cannot run here/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says which programs need what is not here, and how to give it, without the words of the machine", async () => {
    const { service: after, own } = await other({});
    const code = 'from weft import email\n\n\ndef main():\n    email.send("a@b.example", "c", "d")\n';
    expect((await after.call("PUT", "/programs/mails", { code })).status).toBe(201);
    const { page, faults } = await openPage(browser, own);
    await show(page, own, "");
    const needs = page.getByRole("region", { name: "Needs a person" });
    const why = "the program uses adapter 'email', which is not enabled or not provided; --enable-adapter email";
    await needs.getByText(`program mails needs what is not here: ${why}`).waitFor();
    await needs.getByRole("link", { name: "mails" }).click();
    await page.locator("p.notice").getByText(why).waitFor();
    await show(page, own, "/programs");
    const row = page.getByRole("row", { name: /mails incomplete here/ });
    await row.getByText(why).waitFor();
    for (const path of ["", "/programs", "/programs/mails"]) {
      await show(page, own, path);
      await page.getByText(why).first().waitFor();
      expect(await page.locator("main").innerText(), path).not.toMatch(/[a-z]_[a-z]/);
    }
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows how late jobs are woken and how long commits take, once there are some", async () => {
    const { own } = await other({});
    const { page, faults } = await openPage(browser, own);
    await show(page, own, "");
    await openTab(page, "Service");
    const card = (title: string) => page.locator(".cards li", { hasText: title });
    await card("95 % of commits within").getByText("–").waitFor();
    await card("95 % of wakes within").getByText("–").waitFor();
    const code = 'L1:\n  R cache.set "k" 1 ->x\n  R signal.wait "go" ->s\n  J s.data\n';
    const id = await service.queued({ code, durable: true, adapters: { enable: ["cache", "signal"] } });
    await service.until(id, "waiting");
    await service.call("POST", `/result/${id}/signals/go`, { data: 1 });
    await service.over(id);
    await show(page, base, "");
    await openTab(page, "Service");
    await card("95 % of commits within")
      .getByText(/^[\d.]+ m?s$/)
      .waitFor();
    await card("95 % of wakes within")
      .getByText(/^[\d.]+ m?s$/)
      .waitFor();
    expect(faults.filter((fault) => !fault.startsWith("request"))).toEqual([]);
    await page.context().close();
  });

  it("says why it is not ready while it is not", async () => {
    const { page } = await openPage(browser, base);
    await page.route("**/ready", (route) =>
      route.fulfill({ status: 503, json: { status: "degraded", reason: "the store cannot be reached" } }),
    );
    await show(page, base, "");
    await page.getByRole("alert").getByText("The service is degraded: the store cannot be reached").waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.context().close();
  });

  it("lists the questions for the reader first where a proxy names people", async () => {
    const variables = { ...ACT, WF_TRUST_PROXY: "1", WF_USER_HEADER: "X-User" };
    const folder = await temporaryFolder();
    onTestFinished(() => folder.remove());
    const { service: asked, own } = await other({ stateDir: folder.path, variables });
    for (const name of ["ann", "bob"]) {
      const code = `L1:\n  R approval.ask "For ${name}" {"to": ["user:${name}"]} ->a\n  J a\n`;
      await asked.until(await asked.queued({ code, adapters: { enable: ["approval"] } }), "waiting");
    }
    const { page, faults } = await openPage(browser, own);
    await page.context().setExtraHTTPHeaders({ "X-User": "ann" });
    await show(page, own, "/approvals");
    await page.getByRole("link", { name: "For ann" }).waitFor();
    expect(await page.getByRole("link", { name: "For bob" }).count()).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole("combobox", { name: /^For/ }).selectOption("everybody");
    await page.getByRole("link", { name: "For bob" }).waitFor();
    await page.context().setExtraHTTPHeaders({ "X-User": "eve" });
    await show(page, own, "/approvals");
    await page.getByText("No question for you is open.").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("does not say when a paused schedule is next", async () => {
    await service.call("PUT", "/programs/hourly", { code: HOURLY });
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/programs/hourly");
    const schedule = page.getByRole("listitem").filter({ hasText: "hourly/L1" });
    await schedule.getByText(/, next in/).waitFor();
    await service.call("PATCH", "/schedules/hourly/L1", { paused: true });
    await schedule.getByText(/\(UTC\), paused$/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await show(page, base, "/schedules/hourly/L1");
    await page.getByText("While it is paused, nothing runs at these times.").waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await service.call("PATCH", "/schedules/hourly/L1", { paused: false });
    await page.getByText("While it is paused").waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says that lists are switched off, and asks for none", async () => {
    const { service: unlisted, own } = await other({ variables: { ...ACT, WF_JOBS_LIST: "0" } });
    const id = await unlisted.queued({ code: "L1:\n  J 1\n" });
    await unlisted.over(id);
    const { page, faults } = await openPage(browser, own);
    const asked: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) asked.push(answer.url());
    });
    for (const path of ["/jobs", "/runs", "/approvals", ""]) {
      await show(page, own, path);
      await page.getByText("does not let it list jobs (WF_JOBS_LIST=0)").waitFor();
      expect(await brokenRules(page), path).toEqual([]);
    }
    await show(page, own, `/jobs/${id}`);
    await page.getByRole("heading", { level: 1, name: "Job succeeded" }).waitFor();
    expect(asked).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows the line that failed with carets below it, and how many jobs of a program failed", async () => {
    const code = "def main(n):\n    share = helper(n)\n    return share\n\ndef helper(n):\n    return 12 // n\n";
    expect((await service.call("PUT", "/programs/shares", { code })).status).toBe(201);
    for (const n of [1, 2, 0]) await service.over(await service.queued({ program: "shares", frame: { n } }));
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/jobs?program=shares&status=failed");
    await page.locator("a.row").click();
    const picture = page.getByLabel("Line 6 of the program");
    await picture.waitFor();
    expect(await picture.textContent()).toBe("5 | def helper(n):\n6 |     return 12 // n\n  |     ^^^^^^^^^^^^^^");
    expect(await brokenRules(page)).toEqual([]);
    await show(page, base, "/programs/shares");
    await page.getByText("1 of the last 3 jobs that ended failed (33 %).").waitFor();
    await page.getByRole("region", { name: "Report" }).getByText("Adapters").waitFor();
    await page.getByRole("region", { name: "Report" }).getByText("Bounds of a run").click();
    await page.getByRole("row", { name: /^steps/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([true, false])(
    "draws a lane for each branch, in the colours of the adapters (durable: %s)",
    async (durable) => {
      const adapters = { enable: ["ext", "cache"] };
      const id = await service.queued({ code: EACH, frame: { xs: [1, 2] }, durable, adapters });
      await service.over(id);
      const { page, faults } = await openPage(browser, base);
      await show(page, base, `/jobs/${id}`);
      const timeline = page.getByRole("region", { name: "Timeline" });
      await expect.poll(() => timeline.locator(".lane code").allTextContents()).toEqual(["L_in #1", "L_in #2", "L1"]);
      await timeline.getByText("3 calls in").waitFor();
      expect(await timeline.locator(".legend li").allTextContents()).toEqual([" ext", " cache"]);
      expect(await brokenRules(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it("goes through the tabs of the playground by arrow keys", async () => {
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/playground");
    await page.getByText("No findings: the program can run.").waitFor();
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]:focus').textContent();
    await page.getByRole("tab", { name: "Findings" }).focus();
    for (const [key, name] of [
      ["ArrowRight", "Graph"],
      ["ArrowLeft", "Findings"],
      ["ArrowLeft", "Steps"],
      ["ArrowRight", "Findings"],
      ["End", "Steps"],
      ["Home", "Findings"],
    ] as const) {
      await page.keyboard.press(key);
      expect(await chosen(), key).toBe(name);
    }
    await page.keyboard.press("Tab");
    await page.locator('[role="tabpanel"]:focus').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("pages through hundreds of schedules and programs", async () => {
    const { service: many, own } = await other({ variables: { ...ACT, WF_SCHEDULES_MAX: "1000" } });
    const names = Array.from({ length: 105 }, (_, at) => `p${String(at).padStart(3, "0")}`);
    for (const name of names) await many.call("PUT", `/programs/${name}`, { code: HOURLY });
    const { page, faults } = await openPage(browser, own);
    for (const path of ["/programs", "/schedules"]) {
      await show(page, own, path);
      await page.getByRole("link", { name: /^p000/ }).waitFor();
      expect(await page.locator("tbody tr").count(), path).toBe(100);
      await page.getByRole("link", { name: "next", exact: true }).click();
      await page.getByRole("link", { name: /^p104/ }).waitFor();
      expect(await page.locator("tbody tr").count(), path).toBe(5);
      await page.getByRole("link", { name: "first", exact: true }).click();
      await page.getByRole("link", { name: /^p000/ }).waitFor();
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows 500 rows", async () => {
    const { page, faults } = await openPage(browser, base);
    const jobs = Array.from({ length: 500 }, (_, at) => ({
      ...{ job_id: `01980c1e-7a50-7c3e-9d7e-${String(at).padStart(12, "0")}`, status: "failed", name: `job ${at}` },
      ...{ program: "hello", version: 1, label: "L1", tags: { team: "sales" }, queued_at: "2030-01-01T00:00:00Z" },
      ...{ duration_ms: 12, error: "RUNTIME_OP_ERROR", trace_id: "t", attempt: 1, checksum: "sha256:0" },
    }));
    await page.route("**/jobs?*", (route) => route.fulfill({ json: { jobs, next_cursor: null } }));
    await page.goto(`${base}/ui/jobs`);
    await page.locator("tbody tr:nth-child(500)").waitFor();
    expect(await page.locator("tbody tr").count()).toBe(500);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
