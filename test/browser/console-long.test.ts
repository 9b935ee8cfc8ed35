/**
 * Long journals, timelines and graphs in the console: only what can be seen is an element (`test/measured/console-work.test.ts` measures what frames take).
 * Skipped, with the reason, without Chromium.
 */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { Box, Layout } from "../../service/console/layout/shapes.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const SECONDS = 1000;
/** Records of a journal that no service would make. */
const MADE = 250_000;
/** Elements of a lane: no more than it has places, in each of three states. */
const MAX_MARKS = 3001;
const EXT = { adapters: { enable: ["ext"] } };
const COUNTS = `L1:
  Loop ids id ->L_one ->L_end
L_one:
  R ext.Echo id ->x
  J x
L_end:
  R ext.Fail "no" ->x
  J 1
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-long.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 180 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole(
      { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1" },
      files,
    ));
  }, 60 * SECONDS);

  afterAll(() => stop?.());

  /** A job that made N calls, and then failed. */
  const counted = async (calls: number): Promise<string> => {
    const ids = Array.from({ length: calls }, (_, n) => n);
    const limits = { max_adapter_calls: calls + 10, max_steps: 10 * calls + 100, max_loop_iters: calls + 10 };
    const id = await service.queued({ code: COUNTS, frame: { ids }, durable: true, limits, ...EXT });
    for (;;) {
      const { status } = (await service.over(id)).body;
      if (status === "failed") return id;
    }
  };

  const opened = async (calls: number) => {
    const id = await counted(calls);
    const { page, faults } = await openPage(browser, base);
    await show(page, base, `/jobs/${id}`);
    await openTab(page, "Journal");
    const journal = page.getByRole("region", { name: "Journal" });
    return { id, page, faults, journal };
  };

  it("shows a journal of 220 records: the reads folded, each record with its value", async () => {
    const { page, faults, journal } = await opened(220);
    await journal.getByText("222 records").waitFor();
    await journal.getByRole("row", { name: /ext\.Fail.*failed ADAPTER_UNAVAILABLE/ }).waitFor();
    await journal.getByText("220 reads", { exact: true }).click();
    await journal.getByRole("button", { name: "Open record 7", exact: true }).press("Enter");
    const record = page.getByRole("region", { name: "Record 7", exact: true });
    await record.getByRole("heading", { name: "Record 7: ext.Echo" }).and(page.locator(":focus")).waitFor();
    await record.getByRole("button", { name: "Show its value" }).click();
    await record.locator("pre.value", { hasText: /^5$/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await record.getByRole("button", { name: "Close the record" }).click();
    await record.waitFor({ state: "detached" });
    await journal.getByLabel("Show values").check();
    await journal.getByRole("row", { name: /^Open record 3 .* 1$/ }).waitFor();
    await journal.getByLabel("Search the journal").fill("unavailable");
    await expect.poll(() => journal.getByRole("row").count()).toBe(2);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("scrolls through 10,000 records, and keeps few of them in the page", async () => {
    const id = await counted(10_000);
    const { page, faults } = await openPage(browser, base);
    const read = new Set<string>();
    page.on("request", (asked) => {
      if (new URL(asked.url()).pathname.endsWith("/journal")) read.add(asked.url());
    });
    await show(page, base, `/jobs/${id}`);
    await openTab(page, "Journal");
    const journal = page.getByRole("region", { name: "Journal" });
    // The newest records first, in pages: who opens a long job does not read all of it.
    await journal.getByText("2,000 of 10,002 records").waitFor();
    await journal.getByRole("row", { name: /ext\.Fail.*failed ADAPTER_UNAVAILABLE/ }).waitFor();
    expect(read.size).toBe(3);
    await page.getByRole("button", { name: "Read 8,002 earlier records" }).click();
    await journal.getByText("10,002 records", { exact: true }).waitFor();
    expect(await page.getByText("This page shows the newest").count()).toBe(0);
    const timeline = page.getByRole("region", { name: "Timeline" });
    expect(await timeline.locator("rect").count()).toBeLessThan(MAX_MARKS);
    await scrollsThrough(page, 10_001, 2);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  // A service allows fewer calls to a job, so the journal is made by this test: pages as the service gives them.
  it("reads up to 100,000 records of a journal on request, and says that its export has the others", async () => {
    const id = await counted(1);
    const { page, faults } = await openPage(browser, base);
    await page.route("**/journal?*", (route) => {
      const query = new URL(route.request().url()).searchParams;
      const first = Number(query.get("after")) + 1;
      const count = Math.min(Number(query.get("limit")), MADE - first + 1);
      const records = Array.from({ length: Math.max(0, count) }, (_, at) => madeRecord(first + at));
      const last = records.at(-1)?.seq ?? 0;
      return route.fulfill({
        json: { job_id: id, records, next_after: last < MADE ? last : null, last_seq: MADE },
      });
    });
    await show(page, base, `/jobs/${id}`);
    for (const [records, earlier] of [
      ["2,000", "25,000"],
      ["27,000", "25,000"],
      ["52,000", "25,000"],
      ["77,000", "23,000"],
    ] as const) {
      await page.getByText(`the newest ${records} of 250,000 records.`, { exact: false }).waitFor();
      await page.getByRole("button", { name: `Read ${earlier} earlier records` }).click();
    }
    await page.getByText("the newest 100,000 of 250,000 records; the export of the journal has all of them").waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    expect(await timeline.locator("rect").count()).toBeLessThan(MAX_MARKS);
    await timeline.getByText("Calls in order").click();
    await timeline.getByRole("row", { name: /^150001 ext\.Echo/ }).waitFor();
    await openTab(page, "Journal");
    await scrollsThrough(page, 250_000, 150_001);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  /** `first` and `last`: numbers of the reads. */
  async function scrollsThrough(page: Page, last: number, first: number): Promise<void> {
    const journal = page.getByRole("region", { name: "Journal" });
    await journal.getByText(/[0-9,]+ reads/).click();
    const list = journal.getByRole("region", { name: "Reads" });
    const top = list.getByRole("button", { name: `Open record ${first}`, exact: true });
    await top.waitFor();
    expect(await list.getByRole("row").count()).toBeLessThan(100);
    expect(Number(await list.getByRole("table").getAttribute("aria-rowcount"))).toBeGreaterThan(last - first - 10);
    expect(await mostRows(list)).toBeLessThan(100);
    // To the end and back by keys, also while the focus is on a record that is scrolled away.
    await list.evaluate((box) => Object.assign(box, { scrollTop: 0 }));
    await top.focus();
    await list.evaluate((box) => Object.assign(box, { scrollTop: 1e9 }));
    await list.getByRole("button", { name: `Open record ${last}`, exact: true }).waitFor();
    await page.keyboard.press("Home");
    await top.waitFor();
  }

  it("retries a job from one of its records, once it has said what that means", async () => {
    const { id, page, faults, journal } = await opened(30);
    await journal.getByText("30 reads", { exact: true }).click();
    await journal.getByRole("button", { name: "Open record 11", exact: true }).click();
    const record = page.getByRole("region", { name: "Record 11" });
    await record.getByRole("button", { name: "Retry from this record …" }).click();
    await record.getByText(/A new job takes 11 records, then calls ext\.Echo at L_one\/n1\./).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await record.getByRole("button", { name: "Queue the job" }).click();
    await page.getByRole("link", { name: id.slice(-8) }).waitFor();
    await page.getByRole("heading", { level: 1, name: "Job failed" }).waitFor();
    await openTab(page, "Journal");
    await page
      .getByRole("region", { name: "Journal" })
      .getByText(/^3[0-9] records$/)
      .waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  // Graphviz takes longer for it than a busy machine has, so the places of its boxes are made by this test.
  it("draws of a graph with 5,000 boxes what can be seen, and goes to what is searched for", async () => {
    const { page, faults } = await openPage(browser, base);
    expect((await service.call("PUT", "/programs/steps", { code: "L1:\n  J 1\n" })).status).toBe(201);
    await page.route(/\/ui\/layout/, (route) => route.fulfill({ json: madeLayout(5000) }));
    await show(page, base, "/programs/steps");
    const picture = page.locator(".picture");
    await picture.locator(".box").first().waitFor();
    const drawn = () => picture.locator(".box").count();
    expect(await drawn()).toBeLessThan(200);
    expect(await picture.locator(".arrow").count()).toBeLessThan(200);
    await page.getByLabel("Search the graph").fill("step 4777");
    await picture.locator(".box.hit", { hasText: "step 4777" }).waitFor();
    await expect.poll(() => picture.locator(".box.hit").isVisible()).toBe(true);
    expect(await drawn()).toBeLessThan(200);
    expect(await page.evaluate("scrollY")).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** Steps below each other, each with an arrow to the next. */
function madeLayout(count: number): Layout {
  const ids = Array.from({ length: count }, (_, at) => `b${at}`);
  const boxOf = (id: string, at: number): Box => ({
    ...{ id, shape: "step", lines: [`step ${at}`], tier: "pure", marked: false, step: { label: "1", node: `n${at}` } },
  });
  const ways = ids.slice(1).map((to, at) => ({ from: ids[at] ?? "", to, text: "", failure: false, bold: false }));
  return {
    ...{ checksum: "sha256:made", isPython: false, labels: 1, boxes: count, more: false, why: null, arrows: ways },
    groups: [{ id: "", title: null, boxes: ids.map(boxOf) }],
    drawing: {
      ...{ width: 200, height: 60 * count },
      places: Object.fromEntries(ids.map((id, at) => [id, { x: 10, y: 60 * at, width: 150, height: 30 }])),
      arrows: ways.map((_, at) => ({ path: `M80,${60 * at + 30}L80,${60 * at + 55}`, head: "", text: null })),
    },
  };
}

/** A read of a step that many visits made. */
const madeRecord = (seq: number) => ({
  ...{ seq, kind: "call", at: "2030-01-01T00:00:00.000Z", active_ms: seq, ms: 0.5, ok: true },
  ...{ label: "L_one", node: "n1", visit: seq, attempt: 1, adapter: "ext", verb: "ECHO" },
});

type Probe = { readonly consoleProbe: { scroll(box: unknown): Promise<void> } };

/** The most rows that are elements of the page in 60 frames, in each of which a list is scrolled by more than it shows. */
async function mostRows(list: Locator): Promise<number> {
  const box = await list.elementHandle();
  let most = 0;
  for (let frame = 0; frame < 60; frame++) {
    await box?.evaluate((shown) => (globalThis as unknown as Probe).consoleProbe.scroll(shown));
    most = Math.max(most, await list.getByRole("row").count());
  }
  return most;
}
