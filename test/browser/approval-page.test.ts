/**
 * The page of a link in Chromium: it is accessible, runs nothing, loads nothing from elsewhere, and its form decides. Skipped, with the
 * reason, without Chromium.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";

const SECONDS = 1000;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const ASKS = `L1:
  R approval.ask "Pay <script>document.title='owned'</script>\u202e" {"details": {"order": "${"W".repeat(200)}"}, "form": {"eur": "number", "way": ["bank", "card"]}, "timeout": "3d"} ->a
  J [a.decision, a.by, a.data, a.comment]
`;

if (CHROMIUM === null) process.stderr.write("test/browser/approval-page.test.ts: skipped, no Chromium is installed\n");

describe.skipIf(CHROMIUM === null)("the page of a link", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await servingJobs({
      stateDir: folder.path,
      variables: { WF_PUBLIC_URL: "https://weft.example.com", WF_ENABLE_ADAPTERS: "core,approval" },
    });
    browser = await chromium.launch({
      executablePath: `/usr/bin/${CHROMIUM}`,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
  }, 60 * SECONDS);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  it("decides by its form, and by nothing else", async () => {
    const job = await service.queued({ code: ASKS });
    await service.until(job, "waiting");
    const [{ approval_id: id }] = (await service.call("GET", "/approvals")).body.approvals;
    const { body } = await service.call("POST", `/approvals/${id}/links`, { for: "user:ann" });
    const base = `http://127.0.0.1:${service.port}`;
    const context = await browser.newContext({ viewport: { width: 320, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${base}/`)) faults.push(request.url());
    });
    await page.goto(body.url.replace("https://weft.example.com", base), { waitUntil: "networkidle" });
    expect(await page.title()).toMatch(/^Pay <script>/);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    const session = await context.newCDPSession(page);
    await session.send("Page.setBypassCSP", { enabled: true });
    await session.send("Runtime.evaluate", { expression: AXE });
    const { result } = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, {runOnly: ${JSON.stringify(STANDARDS)}}).then(({violations}) => violations.map(({id, nodes}) => id + " " + nodes[0].html))`,
      awaitPromise: true,
      returnByValue: true,
    });
    expect(result.value).toEqual([]);
    await session.send("Page.setBypassCSP", { enabled: false });
    await page.reload({ waitUntil: "networkidle" });
    // Nothing is chosen, so the browser does not send the form.
    await page.getByRole("button", { name: "Decide" }).click();
    expect((await service.call("GET", `/approvals/${id}`)).body.state).toBe("open");
    await page.getByLabel("approve").check();
    await page.getByLabel("eur").fill("12.5");
    await page.getByLabel("Comment").fill("receipt seen");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("alert").getByText("way is missing.").waitFor();
    await page.getByLabel("approve").check();
    await page.getByLabel("eur").fill("12.5");
    await page.getByLabel("way").selectOption("card");
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByText("It is decided.").waitFor();
    expect(await page.locator("dl").innerText()).toMatch(/eur\s+12\.5\s+way\s+card/);
    expect((await service.over(job)).body.result.out).toEqual([
      "approve",
      "ann",
      { eur: 12.5, way: "card" },
      "receipt seen",
    ]);
    // A page that reports what is wrong with an answer has a status that says so.
    expect(faults.filter((fault) => !fault.includes("422"))).toEqual([]);
    await context.close();
  });
});
