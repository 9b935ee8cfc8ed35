/**
 * What others may put on the console's pages: names, words and documents that pretend to be something else. Skipped, with the reason,
 * without Chromium.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN } from "../../compiler/hidden-characters.ts";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { openPage, show, startBrowser } from "./console-pages.ts";

const SECONDS = 1000;
/** Text turned around, a space without width, a soft hyphen, a tag, a filler: each hides what really stands there. */
const HIDING = "pay\u202eecila\u2066 now\u200b or\u00ad\u{e0041}\u3164";
const SHOWN = "pay\\u202eecila\\u2066 now\\u200b or\\xad\\u{e0041}\\u3164";

if (CHROMIUM === null)
  process.stderr.write("test/browser/console-attacks.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    service = await servingJobs({ variables: { WF_UI: "act", WF_DEPLOY: "1" }, app: { consoleFiles: files } });
    base = `http://127.0.0.1:${service.port}`;
    browser = await startBrowser();
  }, 60 * SECONDS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it("shows characters that hide something as escapes, in names, tags, descriptions, results and source", async () => {
    const { page, faults } = await openPage(browser, base);
    const code = `L1:\n  J ${JSON.stringify(HIDING)}\n`;
    await service.call("PUT", "/programs/hiding", { code, description: HIDING });
    const id = await service.queued({ program: "hiding", name: HIDING, tags: { team: HIDING } });
    await service.over(id);
    for (const path of ["/jobs", `/jobs/${id}`, "/programs", "/programs/hiding"]) {
      await show(page, base, path);
      await page.getByText(SHOWN).first().waitFor();
      const text = await page.locator("main").textContent();
      expect(HIDDEN.exec((text ?? "").replace(/[\n\t]/g, ""))?.[0], path).toBeUndefined();
    }
    await show(page, base, "/playground?program=hiding&version=1");
    await page.locator(".editor").getByText("\\u202e").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
