/** What the console takes of a page's thread: scrolling stays within a frame of a screen, and long lists need little work. Needs Chromium. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { CHROMIUM } from "../browser/chromium.ts";
import { openPage, openTab, type StartedConsole, show, startConsole } from "../browser/console-pages.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";

const SECONDS = 1000;
/** Of the processor: what a frame may take (docs/console.md), and how many times what its rows take alone, where the machine is slower. */
const FRAME_MS = 16;
const MOST_OF_REDRAWN = 2;
/** What scripts of a page may take until 500 rows are there. */
const PAINT_MS = 150;
const CALLS = 10_000;
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

const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 180 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole({ WF_UI: "act", WF_DEPLOY: "1" }, files));
  }, 60 * SECONDS);

  afterAll(() => stop?.());

  it("scrolls through 10,000 records within a frame of a screen", async () => {
    const ids = Array.from({ length: CALLS }, (_, n) => n);
    const limits = { max_adapter_calls: CALLS + 10, max_steps: 10 * CALLS + 100, max_loop_iters: CALLS + 10 };
    const id = await service.queued({ code: COUNTS, frame: { ids }, durable: true, limits, ...EXT });
    while ((await service.over(id)).body.status !== "failed");
    const { page } = await openPage(browser, base);
    await show(page, base, `/jobs/${id}`);
    await openTab(page, "Journal");
    await page.getByRole("button", { name: "Read 8,002 earlier records" }).click();
    const journal = page.getByRole("region", { name: "Journal" });
    await journal.getByText(/[0-9,]+ reads/).click();
    const list = journal.getByRole("region", { name: "Reads" });
    await list.getByRole("button", { name: "Open record 2", exact: true }).waitFor();
    const { scrolled, redrawn } = await framesOf(page, list);
    expect(scrolled).toBeLessThan(Math.max(FRAME_MS, MOST_OF_REDRAWN * redrawn));
    await page.context().close();
  });

  it("shows 500 rows with little work of the page", async () => {
    const { page, faults } = await openPage(browser, base);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const jobs = Array.from({ length: 500 }, (_, at) => ({
      ...{ job_id: `01980c1e-7a50-7c3e-9d7e-${String(at).padStart(12, "0")}`, status: "failed", name: `job ${at}` },
      ...{ program: "hello", version: 1, label: "L1", tags: { team: "sales" }, queued_at: "2030-01-01T00:00:00Z" },
      ...{ duration_ms: 12, error: "RUNTIME_OP_ERROR", trace_id: "t", attempt: 1, checksum: "sha256:0" },
    }));
    await page.route("**/jobs?*", (route) => route.fulfill({ json: { jobs, next_cursor: null } }));
    const used = async (): Promise<number> => {
      const { metrics } = await session.send("Performance.getMetrics");
      return 1000 * (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN);
    };
    const took: number[] = [];
    for (let load = 0; load < 5; load++) {
      await page.goto("about:blank");
      const before = await used();
      await page.goto(`${base}/ui/jobs`);
      // Looking for a role would be work of the page's thread, too.
      await page.locator("tbody tr:nth-child(500)").waitFor();
      took.push((await used()) - before);
    }
    // What other work of the machine adds is not the page's.
    expect(Math.min(...took), took.join(" ")).toBeLessThan(PAINT_MS);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

/** `redraw`: puts a copy of the list after it. */
type Probe = { readonly consoleProbe: Readonly<Record<"scroll" | "redraw", (box: unknown) => Promise<void>>> };

/**
 * What each of 60 frames in which a list is scrolled by more than it shows takes of the page's thread: scripts, layout and painting, in
 * milliseconds of the processor. `redrawn`: where the browser draws a copy of the rows, without the console.
 */
async function framesOf(page: Page, list: Locator): Promise<Readonly<Record<"scrolled" | "redrawn", number>>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const used = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const box = await list.elementHandle();
  const frame = async (what: "scroll" | "redraw"): Promise<number> => {
    const before = await used();
    await box?.evaluate((shown, name) => (globalThis as unknown as Probe).consoleProbe[name](shown), what);
    return (await used()) - before;
  };
  const scrolled: number[] = [];
  const redrawn: number[] = [];
  for (let count = 0; count < 60; count++) scrolled.push(await frame("scroll"));
  for (let count = 0; count < 30; count++) redrawn.push(await frame("redraw"));
  await page.evaluate("document.getElementById('redrawn').remove()");
  await session.detach();
  return { scrolled: median(scrolled), redrawn: median(redrawn) };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
