/**
 * The console while things happen: lists that follow the service without asking again and again, a service that restarts under the page,
 * keys alone, and a playground that stands alone. Skipped, with the reason, without Chromium.
 */
import { createServer } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";
import { handOn, listening } from "./front.ts";

const SECONDS = 1000;
const ACT = { WF_UI: "act", WF_DEPLOY: "1" };
const PROGRAM = "S daily core /daily\nCr L1 0 2 * * *\n# frame: a: number\nL1:\n  J a\n";
const ASKS = `L1:
  R approval.ask "Pay the bill" {"form": {"way": ["bank", "card"]}, "timeout": "3d"} ->a
  J a.data
`;
const WAITS = 'L1:\n  R signal.wait "go" ->s\n  J s.data\n';

if (CHROMIUM === null) process.stderr.write("test/browser/console-live.test.ts: skipped, no Chromium is installed\n");
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

  it("lists a job when it is queued, and asks for nothing while nothing happens", async () => {
    const { page, faults } = await openPage(browser, base);
    await page.clock.install();
    const asked: string[] = [];
    page.on("request", (sent) => asked.push(new URL(sent.url()).pathname));
    const streaming = page.waitForResponse(`${base}/jobs/events`);
    await show(page, base, "/jobs");
    await streaming;
    await page.clock.runFor(5 * SECONDS);
    await page.getByText("no job matches").waitFor();
    const before = asked.length;
    await page.clock.runFor(60 * SECONDS);
    expect(asked.length).toBe(before);
    const id = await service.queued({ code: "L1:\n  J 1\n", name: "new one" });
    await service.over(id);
    await expect
      .poll(async () => {
        await page.clock.runFor(SECONDS);
        return page.getByRole("row", { name: /new one succeeded/ }).count();
      })
      .toBe(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("follows jobs and their lists again after the service was restarted under the pages", async () => {
    const place = await temporaryFolder();
    const started = () => servingJobs({ stateDir: place.path, variables: ACT, app: { consoleFiles: files } });
    let served = await started();
    // The address stays the same while the service that answers is another process.
    const address = await listening(createServer((incoming, response) => handOn(incoming, response, served.port)));
    onTestFinished(async () => {
      await served.stop();
      await place.remove();
    });
    const id = await served.queued({ code: WAITS, durable: true, name: "survives" });
    await served.until(id, "waiting");
    const list = await openPage(browser, address);
    const one = await openPage(browser, address);
    await show(list.page, address, "/jobs");
    await list.page.getByRole("row", { name: /survives waiting/ }).waitFor();
    await show(one.page, address, `/jobs/${id}`);
    await one.page.getByText("Waits for the signal go").waitFor();
    await served.stop();
    for (const { page } of [list, one]) await page.getByRole("alert").first().waitFor();
    served = await started();
    for (const { page } of [list, one]) await page.getByRole("alert").first().waitFor({ state: "detached" });
    await served.call("POST", `/result/${id}/signals/go`, { data: 7 });
    await list.page.getByRole("row", { name: /survives succeeded/ }).waitFor();
    await openTab(one.page, "Journal");
    await one.page.getByRole("row", { name: /woken: signal/ }).waitFor();
    for (const { page } of [list, one]) await page.context().close();
  });

  it("reaches everything that can be used by Tab alone, with a mark that can be seen, and moves nothing where that is asked for", async () => {
    await service.call("PUT", "/programs/daily", { code: PROGRAM });
    const asking = await service.queued({ code: ASKS, adapters: { enable: ["approval"] } });
    const waiting = await service.queued({ code: WAITS });
    const failed = await service.queued({ code: "L1:\n  X b idiv 1 0\n  J b\n", durable: true });
    await service.until(asking, "waiting");
    await service.until(waiting, "waiting");
    await service.over(failed);
    const { body } = await service.call("GET", `/approvals?job=${asking}`);
    const { page, faults } = await openPage(browser, base);
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const path of [
      ...["", "/jobs", `/jobs/${asking}`, `/jobs/${waiting}`, `/jobs/${failed}`, "/runs", "/programs"],
      ...["/programs/daily", "/schedules", "/schedules/daily/L1", "/approvals"],
      ...[`/approvals/${body.approvals[0].approval_id}`, "/playground"],
    ]) {
      await page.goto(`${base}/ui${path}`, { waitUntil: "networkidle" });
      await page.locator("h1").waitFor();
      expect(await unreached(page), path).toEqual([]);
      expect(await page.evaluate("document.getAnimations().length"), path).toBe(0);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("lets a person find a question, answer it and see what came of it by keys alone", async () => {
    const asking = await service.queued({ code: ASKS, name: "bill", adapters: { enable: ["approval"] } });
    await service.until(asking, "waiting");
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/jobs?waits=approval");
    await page.getByRole("link", { name: "bill" }).waitFor();
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "bill waiting" }).waitFor();
    await page.getByRole("button", { name: "approve" }).waitFor();
    // The next Tab continues in the new page.
    await tabTo(page, "way: choose one");
    await page.keyboard.type("card");
    await tabTo(page, "approve");
    await page.keyboard.press("Enter");
    const question = page.getByRole("dialog", { name: "Confirm" });
    await question.waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    // Esc answers no, and the focus is back on what asked.
    await page.keyboard.press("Enter");
    await question.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "bill succeeded" }).waitFor();
    await page.locator("pre.value", { hasText: '"way": "card"' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("is a playground and nothing else where that is all there is", async () => {
    const alone = await servingJobs({ variables: { WF_UI: "playground" }, app: { consoleFiles: files } });
    onTestFinished(() => alone.stop());
    const own = `http://127.0.0.1:${alone.port}`;
    const { page, faults } = await openPage(browser, own);
    await show(page, own, "");
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    expect(await page.getByRole("navigation").getByRole("link").allTextContents()).toEqual(["Playground"]);
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator("pre.value").first().waitFor();
    await show(page, own, "/jobs");
    await page.getByRole("heading", { level: 1, name: "Not found" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** Presses Tab until the element with a name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press("Tab");
    if (
      (await page
        .locator(":focus")
        .and(page.getByLabel(name).or(page.getByRole("button", { name })))
        .count()) > 0
    )
      return;
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** What can be used and is not reached by Tab, or has no mark there that can be seen. */
async function unreached(page: Page): Promise<readonly string[]> {
  const marked = await page.evaluate<number>("consoleProbe.mark()");
  const unmarked: string[] = [];
  for (let presses = 0; presses < marked + 20; presses++) {
    // In the editor, Tab indents until then.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate<string | null>("consoleProbe.visit()");
    if (unseen !== null) unmarked.push(unseen);
  }
  return [...(await page.evaluate<readonly string[]>("consoleProbe.left()")), ...unmarked];
}
