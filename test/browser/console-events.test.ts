/**
 * The page Events of the console: events that cause each other, functions that an event could not start, names that look like markup, and a narrow
 * window. Skipped, with the reason, without Chromium.
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, type StartedConsole, show, startConsole } from "./console-pages.ts";

const SECONDS = 1000;
const MARKUP = "<img src=x onerror=alert(1)><b>bold</b>";
/** Emits the next event of a chain, which it hears of as well. */
const CHAIN = `from weft import event as events


@on("chain/link")
def link(event):
    n = event["data"]["n"]
    if n < 3:
        events.emit("chain/link", {"n": n + 1})
    return n
`;
const PICKY = `@on("orders/created", when="data.total > 100")
def large(event):
    return event["data"]["total"]


@on("orders/created", key="data.customer")
def known(event):
    return event["key"]


@on("orders/created")
def all(event):
    return 1
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-events.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the page Events", { timeout: 120 * SECONDS }, () => {
  let started: StartedConsole;
  let service: JobServing;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    started = await startConsole({ WF_ENABLE_ADAPTERS: "core,event", WF_DEPLOY: "on", WF_UI_VALUES: "1" }, files);
    ({ service, browser, base } = started);
    const chain = { emit: ["chain/*"], accept: ["chain/*"] };
    await deployed("chain", CHAIN, chain);
    await deployed("picky", PICKY, { accept: ["orders/*"] });
  }, 90 * SECONDS);
  afterAll(() => started?.stop(), 60 * SECONDS);

  async function deployed(name: string, code: string, event: object): Promise<void> {
    const { status, text } = await service.call("PUT", `/programs/${name}`, { code, adapters: { event } });
    expect(status, text).toBe(201);
  }

  /** Emits an event, and gives its page's id when all have heard of it. */
  async function emitted(name: string, data: object): Promise<string> {
    const { status, body, text } = await service.call("POST", "/events", { name, data });
    expect(status, text).toBe(202);
    const state = async () => (await service.call("GET", `/events/${encodeURIComponent(body.id)}`)).body.state;
    await expect.poll(state, { timeout: 30 * SECONDS }).toBe("done");
    return body.id;
  }

  /** Nothing is wider than the window. */
  const fits = (page: Page) => page.evaluate("document.documentElement.scrollWidth <= innerWidth");

  it("shows by which job an event was emitted, and how many events caused it", async () => {
    await emitted("chain/link", { n: 0 });
    const chained = async () => {
      const { events } = (await service.call("GET", "/events")).body;
      return events.filter(({ hops }: { readonly hops: number }) => hops === 3);
    };
    await expect.poll(chained, { timeout: 30 * SECONDS }).toHaveLength(1);
    const [last] = await chained();
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/events");
    await page.getByRole("link", { name: "chain/link" }).nth(3).waitFor();
    await show(page, base, `/events/${encodeURIComponent(last.id)}`);
    await page.getByText(/emitted by a job, 3 events before it caused it/).waitFor();
    await page.getByRole("link", { name: "a job" }).click();
    await page.getByRole("heading", { level: 1, name: /succeeded/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says which functions an event could not start, and why", async () => {
    const id = await emitted("orders/created", { number: 7 });
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/events");
    const row = page.getByRole("row", { name: /orders\/created/ });
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toEqual([
      "orders/created",
      expect.any(String),
      "done",
      "1",
      "0",
      "2",
    ]);
    await show(page, base, `/events/${encodeURIComponent(id)}`);
    await page
      .getByText(/picky\/large: nothing started, because its condition \(when\) failed for this data: RUNTIME_/)
      .waitFor();
    await page.getByText(/picky\/known: nothing started, because its key failed for this data: RUNTIME_/).waitFor();
    await page.getByText(/picky\/all: started/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows names, reasons and data that look like markup as they are, and fits into 320 pixels", async () => {
    const { page, faults } = await openPage(browser, base, { width: 320 });
    const id = await emitted("orders/created", { note: MARKUP });
    const list = (await service.call("GET", "/events")).body;
    const one = (await service.call("GET", `/events/${encodeURIComponent(id)}`)).body;
    const start = { ...one.starts[0], program: MARKUP, label: MARKUP, outcome: "refused", error: MARKUP };
    const long = "a".repeat(128);
    await page.route(`${base}/events`, async (route) => {
      const events = [{ ...list.events[0], name: MARKUP, started: 1000, cut: true }];
      const subscribers = [
        { name: MARKUP, program: MARKUP },
        { name: long, program: long.slice(0, 63) },
      ];
      return route.fulfill({ json: { ...list, events, subscribers } });
    });
    await page.route(`${base}/events/*`, async (route) => {
      return route.fulfill({ json: { ...one, name: MARKUP, cut: true, hops: 16, starts: [start] } });
    });
    await show(page, base, "/events");
    await page.getByRole("link", { name: MARKUP }).first().waitFor();
    await page.getByRole("cell", { name: "1000+" }).waitFor();
    expect(await fits(page)).toBe(true);
    expect(await brokenRules(page)).toEqual([]);
    await show(page, base, `/events/${encodeURIComponent(id)}`);
    await page.getByRole("heading", { level: 1, name: MARKUP }).waitFor();
    await page.getByText(`${MARKUP}/${MARKUP}: no job could be queued: ${MARKUP}`).waitFor();
    await page.getByText("one event starts 1,000 jobs at most", { exact: false }).waitFor();
    expect(await page.locator("main img, main b").count()).toBe(0);
    expect(await fits(page)).toBe(true);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
