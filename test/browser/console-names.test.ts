/**
 * Pages of programs, proposals and families whose functions, inputs, texts and settings have names of 200,000 characters: they stay usable, and nothing
 * but a table or a text scrolls sideways. Skipped, with the reason, without Chromium.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { openPage, type StartedConsole, show, startConsole } from "./console-pages.ts";

if (CHROMIUM === null) process.stderr.write("test/browser/console-names.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

const LONG = "w".repeat(200_000);
/** As long as the name of a function may be. */
const NAME = "w".repeat(200);
const code = (end: string) => `from weft import job


def ${NAME}(who):
    return who


def main(who: str = "a"):
    """${LONG}"""
    job.start("child", {})
    return ${NAME}(who)${end}
`;
const SETTINGS = {
  adapters: { enable: ["job", "http"], http: { timeout_s: 5, allow_hosts: [`${"w".repeat(60)}.example`] } },
};

describe.skipIf(CHROMIUM === null || files === null)("the console with long names", { timeout: 180_000 }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;
  let proposal: string;
  let parent: string;

  beforeAll(async () => {
    const variables = { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1", WF_MAX_BODY_BYTES: "8388608" };
    ({ service, browser, base, stop } = await startConsole(variables, files));
    const put = (path: string, body: object) => service.call("PUT", path, body);
    expect((await put("/programs/child", { code: "def main():\n    return 1\n" })).status).toBe(201);
    const programs = { job: { programs: ["child"] } };
    const settings = { adapters: { ...SETTINGS.adapters, ...programs } };
    const deployed = await put("/programs/long", { code: code(""), ...settings });
    expect(deployed.status, deployed.text.slice(0, 500)).toBe(201);
    const changed = { adapters: { ...settings.adapters, http: { timeout_s: 9 } } };
    const proposed = await put("/programs/long?propose=1", { code: code(" + who"), ...changed });
    expect(proposed.status, proposed.text.slice(0, 500)).toBe(202);
    proposal = proposed.body.id;
    parent = await service.queued({ program: "long", frame: { who: LONG }, durable: true });
    await service.over(parent);
  }, 120_000);
  afterAll(() => stop?.());

  it.each([1280, 400])(
    "keeps the pages of a program, a proposal and a family in a window of %s pixels",
    async (width) => {
      for (const [path, last] of [
        ["/programs", "long"],
        ["/programs/long", "Bounds of a run"],
        ["/proposals", "long"],
        [`/proposals/${proposal}`, "Report and bounds of a run"],
        [`/jobs/${parent}`, "child"],
      ] as const) {
        const { page, faults } = await openPage(browser, base, { width });
        page.setDefaultTimeout(30_000);
        await show(page, base, path);
        await page.locator("main").getByText(last).first().waitFor();
        await page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))");
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(width);
        expect(faults, path).toEqual([]);
        await page.context().close();
      }
    },
  );

  it("says the settings and the report of a proposal in words", async () => {
    const { page } = await openPage(browser, base);
    await show(page, base, `/proposals/${proposal}`);
    const settings = page.getByRole("region", { name: "Settings" });
    await settings.getByText("timeout 5 s").waitFor();
    await settings.getByText("timeout 9 s").waitFor();
    await page.getByText("Report and bounds of a run").click();
    await page.getByRole("cell", { name: "adapter calls", exact: true }).waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/\{"|"core"|privilege_tiers|node_id/);
    await page.context().close();
  });
});
