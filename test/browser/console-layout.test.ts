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

/** As long as they may be. */
const NAMES = {
  WF_SERVICE_NAME: "Orders and deliveries of Europe1",
  WF_ENVIRONMENT: "staging of everything in the EU1",
};

if (CHROMIUM === null) process.stderr.write("test/browser/console-layout.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120_000 }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole(
      { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1", ...NAMES },
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

  it.each([320, 400, 1280])("keeps names of 32 characters in its head at %s pixels", async (width) => {
    const { page, faults } = await openPage(browser, base, { width });
    await show(page, base, "/jobs");
    expect(await page.title()).toBe(`Jobs – ${NAMES.WF_SERVICE_NAME}`);
    const head = page.locator("header.head");
    for (const text of [NAMES.WF_SERVICE_NAME, NAMES.WF_ENVIRONMENT, "acts"]) {
      const place = await head.getByText(text, { exact: true }).boundingBox();
      expect((place?.x ?? width) + (place?.width ?? 0), text).toBeLessThanOrEqual(width);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

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

  it("keeps hours, jobs without a deployment and proposals readable in a phone's window", async () => {
    await service.over(await service.queued({ code: "L_entry:\n  J 1\n", name: "brought along" }));
    const code = FAILS.replace("total // people", "total / people");
    expect((await service.call("PUT", "/programs/shares?propose=1", { code })).status).toBe(202);
    const { page, faults } = await openPage(browser, base, { width: 320 });
    await show(page, base, "");
    // The first and the last one: letters of a drawing would shrink with it.
    for (const hour of [page.locator(".hours span").first(), page.locator(".hours span").last()]) {
      const place = await hour.boundingBox();
      expect(place?.height).toBeGreaterThan(11);
      expect((place?.x ?? 320) + (place?.width ?? 0)).toBeLessThanOrEqual(320);
    }
    expect(await brokenRules(page)).toEqual([]);
    await show(page, base, "/jobs");
    await page.getByRole("row", { name: /brought along succeeded without a deployment / }).waitFor();
    await show(page, base, "/proposals");
    const table = page.getByRole("region", { name: "Proposals" });
    await table.getByText("version 1").waitFor();
    expect(await table.evaluate((wide) => wide.scrollWidth - wide.clientWidth)).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
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
      const row = page.getByRole("row", {
        name: /^divides Divides every morning enabled (last job )?succeeded .* 2 failed (next fire )?in /,
      });
      await row.waitFor();
      await page.getByRole("row", { name: /^unused enabled (last job )?never (failed in 24 h )?0 / }).waitFor();
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

  it.each([1280, 320])("breaks the axis of a timeline where a job waited for days, at %s pixels", async (width) => {
    const id = await service.queued({ code: "def main():\n    return 1\n", durable: true });
    await service.over(id);
    const began = Date.parse((await service.call("GET", `/result/${id}`)).body.started_at);
    const at = (ms: number): string => new Date(began + ms).toISOString();
    const step = { label: "main", node: "n1", visit: 0, attempt: 1, active_ms: 60 };
    const calls = { ...step, kind: "call", adapter: "ext", verb: "ECHO", ok: true, ms: 20 };
    const waited = 76 * 3_600_000;
    const records = [
      { seq: 1, kind: "start", at: at(0), active_ms: 30 },
      { ...calls, seq: 2, at: at(30) },
      { ...step, seq: 3, kind: "wait", wait: "w-3", at: at(30), adapter: "signal", verb: "WAIT" },
      { seq: 4, kind: "woken", wait: "w-3", why: "signal", at: at(waited), active_ms: 60 },
      { seq: 5, kind: "resume", why: "wake", at: at(waited), active_ms: 60 },
      { ...calls, seq: 6, at: at(waited + 20), active_ms: 80 },
    ];
    const { page, faults } = await openPage(browser, base, { width });
    await page.route("**/journal?*", (route) =>
      route.fulfill({ json: { job_id: id, records, next_after: null, last_seq: records.length } }),
    );
    await show(page, base, `/jobs/${id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("3 calls in 3 d 4 h").waitFor();
    await timeline.getByRole("img", { name: "nothing was called: 3 d 4 h after 30 ms" }).waitFor();
    expect(await timeline.locator(".axis tspan").allTextContents()).toEqual(["3 d", "4 h"]);
    // Calls of 20 milliseconds can be seen next to three days, and the text stays in its break.
    for (const call of await timeline.locator(".bar.c0").all())
      expect((await call.boundingBox())?.width).toBeGreaterThan(20);
    const [text, gap] = [
      await timeline.locator(".axis text").boundingBox(),
      await timeline.locator(".break").boundingBox(),
    ];
    expect(text?.x).toBeGreaterThan(gap?.x ?? Number.NaN);
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThan((gap?.x ?? 0) + (gap?.width ?? 0));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await timeline.getByText("Calls in order").click();
    await timeline.getByRole("row", { name: /^3 signal.* waited .*3 d 4 h$/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("names lanes and calls with the arguments that they were given", async () => {
    const code =
      'from weft import cache, parallel\n\n\ndef probe(shop: str):\n    return cache.get(shop)\n\n\ndef main(shops):\n    cache.set("<b>x", 1)\n    return parallel(probe, shops)\n';
    const frame = { shops: ["north", "<i>\u202esouth"] };
    const id = await service.queued({ code, frame, durable: true, adapters: { enable: ["cache"] } });
    await service.over(id);
    const { page, faults } = await openPage(browser, base, { width: 400 });
    await show(page, base, `/jobs/${id}`);
    await expect
      .poll(() => page.getByRole("region", { name: "Timeline" }).locator(".lane code").allTextContents())
      .toEqual(["main", 'probe("north")', String.raw`probe("<i>\u202esouth")`]);
    await openTab(page, "Journal");
    await page.getByRole("cell", { name: /^cache\.set\("<b>/ }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("names what each of three branches waits for, and with which arguments", async () => {
    const code =
      "from weft import parallel, signal\n\n\ndef ask(name: str):\n    return signal.wait(name)\n\n\ndef main(names):\n    return parallel(ask, names)\n";
    const id = await service.queued({
      code,
      frame: { names: ["a", "b", "c"] },
      durable: true,
      adapters: { enable: ["signal"] },
    });
    await service.until(id, "waiting");
    const { page, faults } = await openPage(browser, base, { width: 400 });
    await show(page, base, `/jobs/${id}`);
    await expect
      .poll(() => page.getByRole("region", { name: "Timeline" }).locator(".lane code").allTextContents())
      .toEqual(['ask("a")', 'ask("b")', 'ask("c")']);
    await openTab(page, "Journal");
    for (const name of ["a", "b", "c"]) await page.getByRole("cell", { name: `signal.wait("${name}")` }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    expect(faults).toEqual([]);
    await page.context().close();
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
    await page.getByRole("row", { name: /cache\.set\("k", "shop"\) fetch, line 6 cache\.set\("k", name\)/ }).waitFor();
    expect(await page.getByRole("region", { name: "Journal" }).textContent()).not.toMatch(/Lfetch|\/n\d/);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
