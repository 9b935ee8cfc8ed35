/** What a person sees of a page without scrolling, in windows of a desk and of a phone. Skipped, with the reason, without Chromium. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const FAILS = `def main(orders: list[dict], people: int):
    total = 0
    for order in orders:
        total += order["price"]
    return share(total, people)


def share(total: int, people: int):
    return total // people
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-layout.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120_000 }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole(
      { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1" },
      files,
    ));
    expect((await service.call("PUT", "/programs/shares", { code: FAILS })).status).toBe(201);
  }, 60_000);
  afterAll(() => stop?.());

  /** Where an element ends, in pixels from the top of the window. */
  const bottomOf = async (page: Page, name: string): Promise<number> => {
    const place = await page.getByRole("region", { name, exact: true }).boundingBox();
    return place === null ? Number.NaN : place.y + place.height;
  };

  it("shows the input and the failure of a job without scrolling at 1280 by 900, and does not scroll by itself", async () => {
    const orders = Array.from({ length: 40 }, (_, at) => ({ price: at, article: `article ${at}` }));
    const id = await service.queued({ program: "shares", frame: { orders, people: 0 }, durable: true });
    await service.over(id);
    const { page, faults } = await openPage(browser, base, { width: 1280 });
    await page.goto(`${base}/ui/jobs/${id}`, { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1, name: "shares failed" }).waitFor();
    await page.getByText("integer division or modulo by zero").waitFor();
    await page.locator(".picture .box.failed").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    expect(await bottomOf(page, "Input")).toBeLessThan(900);
    expect(await bottomOf(page, "Failure")).toBeLessThan(900);
    const [input, timeline] = await Promise.all(
      ["Input", "Timeline"].map((name) => page.getByRole("region", { name, exact: true }).boundingBox()),
    );
    expect(timeline?.x).toBeGreaterThan((input?.x ?? 0) + (input?.width ?? 0) - 1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("lists programs with their last job, failures and next fire in a desk's and a phone's window", async () => {
    const code = '@cron("0 7 * * *")\ndef main(by: int = 1):\n    return 1 // by\n';
    const deployed = { code, description: "Divides every morning" };
    expect((await service.call("PUT", "/programs/divides", deployed)).status).toBe(201);
    expect((await service.call("PUT", "/programs/unused", { code: "def main():\n    return 1\n" })).status).toBe(201);
    for (const by of [0, 0, 1]) await service.over(await service.queued({ program: "divides", frame: { by } }));
    const { programs } = (await service.call("GET", "/programs")).body;
    const { last_job: last } = programs.find(({ name }: { readonly name: string }) => name === "divides");
    for (const width of [1280, 400]) {
      const { page, faults } = await openPage(browser, base, { width });
      await show(page, base, "/programs");
      const row = page.getByRole("row", { name: /^divides Divides every morning enabled succeeded .* 2 failed in / });
      await row.waitFor();
      await page.getByRole("row", { name: /^unused enabled never 0 / }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      expect(await brokenRules(page)).toEqual([]);
      expect(await row.getByRole("link", { name: /ago|now/ }).getAttribute("href")).toBe(`/ui/jobs/${last.job_id}`);
      await row.getByRole("link", { name: "2 failed" }).click();
      await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
      await expect.poll(() => page.getByRole("row", { name: /failed/ }).count()).toBe(2);
      // In a phone's window each job is a card, and none of it is out of sight.
      const list = "document.querySelector('.stacked')";
      if (width === 400) expect(await page.evaluate(`${list}.scrollWidth - ${list}.clientWidth`)).toBe(0);
      expect(await brokenRules(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  it("names functions and shows source where a journal has ids of steps", async () => {
    const code =
      'def main():\n    return fetch("shop")\n\n\ndef fetch(name: str):\n    cache.set("k", name)\n    return cache.get("k")\n';
    const adapters = { enable: ["cache"] };
    expect((await service.call("PUT", "/programs/fetches", { code, adapters })).status).toBe(201);
    const id = await service.queued({ program: "fetches", durable: true });
    await service.over(id);
    const { page, faults } = await openPage(browser, base, { width: 1280 });
    await show(page, base, `/jobs/${id}`);
    await expect
      .poll(() => page.getByRole("region", { name: "Timeline" }).locator(".lane code").allTextContents())
      .toEqual(["fetch"]);
    await openTab(page, "Journal");
    await page.getByRole("row", { name: /cache\.set fetch, line 6 cache\.set\("k", name\)/ }).waitFor();
    expect(await page.getByRole("region", { name: "Journal" }).textContent()).not.toMatch(/Lfetch|\/n\d/);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
