/** The list of jobs and the list of questions: searched, chosen from and decided, by keys and on a phone. Skipped without Chromium. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, openPage, type StartedConsole, show, startConsole } from "./console-pages.ts";

const WAITS = 'L1:\n  R signal.wait "go" ->s\n  J s.data\n';
const FAILS = "L1:\n  X b idiv 1 0\n  J b\n";
const ASKS = `from weft import approval


def main(title: str):
    return approval.ask(title, details={"customer": "Ada", "eur": 12}, form={"eur": "number"})["data"]
`;

if (CHROMIUM === null) process.stderr.write("test/browser/console-jobs.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120_000 }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, stop } = await startConsole({ WF_UI: "act", WF_DEPLOY: "1" }, files));
  }, 60_000);
  afterAll(() => stop?.());

  it("finds jobs by typed words, shows each as a chip, and takes chips away again", async () => {
    for (const name of ["one", "two"])
      await service.over(await service.queued({ code: FAILS, name, tags: { team: name } }));
    await service.over(await service.queued({ code: "L1:\n  J 1\n", name: "three" }));
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/jobs");
    const search = page.locator("#search");
    await search.fill("state:failed tag:team:one since:2h");
    await search.press("Enter");
    await page.getByRole("row", { name: /one .*failed/ }).waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("since")).toBe("2h");
    expect(await page.getByRole("button", { name: /^failed/ }).getAttribute("aria-pressed")).toBe("true");
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove tag:team:one" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(2);
    // Backspace in the empty field takes the last word.
    await search.press("Backspace");
    await search.press("Backspace");
    await page.getByRole("link", { name: "three" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    // A word of a megabyte is shown in part, and refused by the service.
    await search.fill(`<b>${"W".repeat(5000)}`);
    await search.press("Enter");
    await page.getByRole("button", { name: /^Remove <b>W+$/ }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(faults.filter((fault) => !/\b4\d\d\b/.test(fault))).toEqual([]);
    await page.context().close();
  });

  it("T.J-3: the page of a job does not say in which round it is, or when those before were", async () => {
    const code = "def main(n: int):\n    if n < 3:\n        job.again({'n': n + 1})\n    return n\n";
    const id = await service.queued({ code, frame: { n: 1 }, durable: true, adapters: { enable: ["job"] } });
    await service.over(id);
    const { page, faults } = await openPage(browser, base);
    await show(page, base, `/jobs/${id}`);
    await page.getByText("round 3", { exact: true }).waitFor();
    await page.getByText("Id, times and trace").click();
    await expect.poll(() => page.getByRole("region", { name: "Rounds" }).getByRole("listitem").count()).toBe(2);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("retries with the current version where another one failed, and does not offer it before", async () => {
    const deploy = (divisor: string) =>
      service.call("PUT", "/programs/share", { code: `def main(n: int):\n    return 6 / ${divisor}\n` });
    await deploy("n");
    const id = await service.queued({ program: "share", frame: { n: 0 } });
    await service.over(id);
    const { page, faults } = await openPage(browser, base);
    const current = page.getByRole("button", { name: "Retry with the current version" });
    await show(page, base, `/jobs/${id}`);
    await page.getByRole("button", { name: "Retry from the start" }).waitFor();
    await page.getByText("share@1").first().waitFor();
    expect(await current.count()).toBe(0);
    await deploy("(n + 3)");
    await show(page, base, `/jobs/${id}`);
    await current.click();
    await page.getByRole("heading", { level: 1, name: /succeeded/ }).waitFor();
    await page.getByText("share@2").first().waitFor();
    await page.getByRole("link", { name: id.slice(-8) }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("acts on the jobs that are chosen, by keys alone", async () => {
    const ids = await Promise.all(["a", "b", "c"].map((name) => service.queued({ code: WAITS, name: `wait ${name}` })));
    for (const id of ids) await service.until(id, "waiting");
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/jobs?status=waiting,sleeping");
    for (const name of ["wait a", "wait b"]) {
      await page.getByRole("checkbox", { name: `Choose ${name}` }).focus();
      await page.keyboard.press("Space");
    }
    const bar = page.getByRole("region", { name: "Chosen jobs" });
    await bar.getByText("2 chosen").waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await bar.getByRole("button", { name: "Cancel 2 jobs" }).focus();
    await page.keyboard.press("Enter");
    await answer(page, true);
    await page.getByRole("status").getByText("2 of 2 jobs cancelled.").waitFor();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect((await service.call("GET", `/result/${ids[2]}`)).body.status).toBe("waiting");
    await page.getByRole("checkbox", { name: "Choose all jobs of this page" }).check();
    await bar.getByText("1 chosen").waitFor();
    await bar.getByRole("button", { name: "Choose none" }).click();
    await bar.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(["light", "dark"] as const)(
    "decides a question in the list on a phone, and shows the record (%s)",
    async (scheme) => {
      const adapters = { enable: ["approval"] };
      for (const at of [1, 2]) {
        const frame = { title: `${scheme} ${at}: pay <b>Ada</b>` };
        await service.until(await service.queued({ code: ASKS, frame, adapters }), "waiting");
      }
      const { page, faults } = await openPage(browser, base, { width: 400, scheme });
      await show(page, base, "/approvals");
      const card = page.getByRole("article").filter({ hasText: `${scheme} 2` });
      await card.getByText("Ada", { exact: true }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      expect(await brokenRules(page)).toEqual([]);
      const approve = card.getByRole("button", { name: "approve" });
      const place = await approve.boundingBox();
      expect(place?.height).toBeGreaterThanOrEqual(44);
      expect(place?.width).toBeGreaterThan(300);
      await approve.click();
      await answer(page, true);
      const eur = card.getByLabel("eur: number");
      await expect.poll(() => eur.getAttribute("aria-invalid")).toBe("true");
      await eur.fill("12");
      await approve.click();
      await answer(page, true);
      const record = page.getByRole("article").filter({ hasText: `${scheme} 2` });
      await record.getByText(/approve, by somebody without a name \(api\)/).waitFor();
      await record.getByRole("list", { name: "Answers" }).getByText("12").first().waitFor();
      // The next question has opened.
      await page
        .getByRole("article")
        .filter({ hasText: `${scheme} 1` })
        .getByRole("button", { name: "reject" })
        .click();
      await answer(page, true);
      await page.getByText(/reject, by somebody/).waitFor();
      expect(faults.filter((fault) => !/\b4\d\d\b/.test(fault))).toEqual([]);
      await page.context().close();
    },
  );
});
