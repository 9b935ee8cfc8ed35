/**
 * Pages of the console with 10,000 rows, and with texts of a megabyte in what people type: programs, proposals and families. Skipped, with the reason,
 * without Chromium.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { openPage, show, startBrowser } from "./console-pages.ts";

const SECONDS = 1000;
const MANY = 10_000;
const VARIABLES = { WF_UI: "act", WF_DEPLOY: "1", WF_PROGRAMS_MAX: "20000", WF_PROPOSALS_MAX: "10000" };
const CODE = "def main():\n    return 1\n";

if (CHROMIUM === null) process.stderr.write("test/browser/console-many.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

/** Copies the only row of a table: `changed` has an expression of `n` for each column that differs. */
function multiply(db: Database.Database, table: string, changed: Readonly<Record<string, string>>): void {
  const columns = db.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
  const values = columns.map(({ name }) => changed[name] ?? `t.${name}`);
  db.exec(`WITH RECURSIVE ns(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM ns WHERE n < ${MANY - 1})
    INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) SELECT ${values.join(", ")} FROM ns, (SELECT * FROM ${table} LIMIT 1) t`);
}

describe.skipIf(CHROMIUM === null || files === null)("the console with 10,000 rows", { timeout: 180 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const options = { stateDir: folder.path, variables: VARIABLES, app: { consoleFiles: files } };
    const before = await servingJobs(options);
    expect((await before.call("PUT", "/programs/p00000", { code: CODE })).status).toBe(201);
    const proposed = await before.call("PUT", "/programs/p00000?propose=1", { code: `${CODE}# 2\n` });
    expect(proposed.status).toBe(202);
    await before.stop();
    const db = new Database(join(folder.path, "weft.db"));
    const name = "printf('p%05d', n)";
    multiply(db, "deployments", { name });
    multiply(db, "deployment_versions", { name });
    multiply(db, "proposals", { id: "printf('%032x', n)", name });
    db.close();
    service = await servingJobs(options);
    base = `http://127.0.0.1:${service.port}`;
    browser = await startBrowser();
  }, 120 * SECONDS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  it.each([
    ["/programs", 100, "p00000", "p00100"],
    ["/proposals", 50, null, null],
  ] as const)("pages through those of %s, %s at a time", async (path, size, first, next) => {
    const { page, faults } = await openPage(browser, base);
    await show(page, base, path);
    await page.locator("tbody tr").first().waitFor();
    expect(await page.locator("tbody tr").count()).toBe(size);
    if (first !== null) await page.getByRole("link", { name: first, exact: true }).waitFor();
    const seen = await page.locator("tbody tr").first().textContent();
    await page.getByRole("link", { name: /^(next|older)$/ }).click();
    await expect.poll(() => page.locator("tbody tr").first().textContent()).not.toBe(seen);
    expect(await page.locator("tbody tr").count()).toBe(size);
    if (next !== null) await page.getByRole("link", { name: next, exact: true }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("opens a program and a proposal among them", async () => {
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/programs/p09999");
    await page.getByRole("heading", { level: 1, name: "p09999@1" }).waitFor();
    await show(page, base, `/proposals/${(9999).toString(16).padStart(32, "0")}`);
    await page.getByRole("heading", { level: 1, name: "p09999, proposed" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows a family of 10,000 jobs in part, and the others when they are asked for", async () => {
    const id = await service.queued({ program: "p00001", durable: true });
    await service.over(id);
    const { page, faults } = await openPage(browser, base);
    const child = (n: number) => ({
      ...{
        job_id: n === 0 ? id : `01980c1e-7a50-7c3e-9d7e-${n.toString(16).padStart(12, "0")}`,
        depth: n === 0 ? 0 : 1,
      },
      ...{
        parent: n === 0 ? null : id,
        program: "p00001",
        version: 1,
        status: "succeeded",
        detached: false,
        error: null,
      },
    });
    const jobs = Array.from({ length: MANY }, (_, n) => child(n));
    await page.route("**/family", (route) => route.fulfill({ json: { root: id, jobs, truncated: false } }));
    await show(page, base, `/jobs/${id}`);
    const family = page.getByRole("region", { name: "Family" });
    await family.getByText("this job").waitFor();
    expect(await family.getByRole("listitem").count()).toBe(100);
    await family.getByRole("button", { name: "9,900 more jobs" }).click();
    await expect.poll(() => family.getByRole("listitem").count()).toBe(200);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("takes a search of 10,000 characters, and says that it is too long", async () => {
    const { page } = await openPage(browser, base);
    await show(page, base, "/jobs");
    const search = page.getByRole("combobox").or(page.getByRole("searchbox")).first();
    await search.fill("x".repeat(MANY));
    await search.press("Enter");
    await page.getByRole("alert").or(page.locator(".notice")).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.context().close();
  });

  it("opens the playground with a fragment of a megabyte that is not a program", async () => {
    const { page } = await openPage(browser, base);
    await page.goto(`${base}/ui/playground#${"A".repeat(1_000_000)}`);
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).waitFor();
    await page.context().close();
  });
});
