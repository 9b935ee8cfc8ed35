/**
 * One story across the console's pages: a program is deployed, its schedule fires, its job waits for a decision, gets it on the page, ends, and
 * is found again. Skipped, with the reason, without Chromium.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { realClock } from "../service/serving.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, openPage, show, startBrowser } from "./console-pages.ts";

const SECONDS = 1000;
const REPORT = `S report core /report
Cr L1 0 6 * * *
L1:
  R approval.ask "Send the report" {"details": "12 pages", "timeout": "3d"} ->a
  J a.decision
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-story.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let offset = 0;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await servingJobs({
      stateDir: folder.path,
      variables: { WF_UI: "act", WF_DEPLOY: "1" },
      app: { consoleFiles: files },
      clock: {
        ...realClock,
        wall: () => realClock.wall() + offset,
        // A schedule sees at once what the test does to the clock.
        wait: (ms, then) => realClock.wait(ms === 1000 ? 10 : ms, then),
      },
    });
    base = `http://127.0.0.1:${service.port}`;
    browser = await startBrowser();
  }, 60 * SECONDS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  it("follows a program from its deployment over its schedule and a decision to its end, and finds its jobs again", async () => {
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/programs");
    await page.getByText("Nothing is deployed.").waitFor();
    const adapters = { enable: ["approval"] };
    const deployed = await service.call("PUT", "/programs/report", { code: REPORT, adapters });
    expect(deployed.status).toBe(201);
    await page.getByRole("link", { name: "report" }).click();
    await page.getByRole("heading", { level: 1, name: "report@1" }).waitFor();
    expect(await page.title()).toBe("report – Programs – Weft");
    await page.getByText("no job yet").waitFor();

    // Six o'clock comes.
    const next = Date.parse(deployed.body.schedules[0].next[0]);
    offset += next - realClock.wall() + 1;
    await page.getByRole("link", { name: "report/L1" }).click();
    await page.getByRole("heading", { level: 1, name: "report/L1" }).waitFor();
    await page.getByText(/: fired/).waitFor();
    const row = page.getByRole("row", { name: /waiting .*report@1/ });
    await row.getByRole("link").first().click();
    await page.getByRole("heading", { level: 1, name: "report waiting" }).waitFor();
    await expect.poll(() => page.title()).toBe("report, waiting – Jobs – Weft");

    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "Send the report" }).click();
    await page.getByText("12 pages").waitFor();
    await expect.poll(() => page.title()).toBe("Send the report – Approvals – Weft");
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    await page.getByText(/approve, by somebody without a name/).waitFor();
    await page.getByRole("link", { name: "job", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "report succeeded" }).waitFor();
    await page.getByRole("region", { name: "Result" }).getByText('"approve"').waitFor();

    await show(page, base, "/jobs?schedule=report/L1");
    await page.getByRole("row", { name: /succeeded report@1/ }).waitFor();
    const tagged = await service.queued({ program: "report", name: "extra", tags: { team: "sales" } });
    await service.until(tagged, "waiting");
    await page.getByRole("button", { name: "Remove schedule:report/L1" }).click();
    await page.locator("#search").fill("tag:team:sales");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /extra team:sales waiting/ }).waitFor();
    await expect.poll(() => page.locator("tbody tr").allInnerTexts()).toEqual([expect.stringContaining("extra")]);
    await page.getByRole("link", { name: "extra" }).click();
    await page.getByRole("link", { name: "team:sales" }).click();
    await page.getByRole("row", { name: /extra team:sales waiting/ }).waitFor();

    await show(page, base, "/programs/report");
    await page.getByText("None of the last job that ended failed").or(page.getByText("of the last")).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
