/**
 * The console in Chromium, on a service with real data: every page is accessible in both colour schemes and at 320 pixels, loads nothing
 * from elsewhere, says nothing on the browser's console, and shows hostile names as text. Skipped, with the reason, without Chromium.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, type Opened, openPage, openTab, startBrowser } from "./console-pages.ts";

const SECONDS = 1000;
const HOSTILE = `<img src=x onerror="document.title='owned'"> \u202e${"W".repeat(60)}`;
const PROGRAM = `S hello core /x
E /double P ->L1 ->b
Cr L1 0 2 * * *
# frame: a: number
L1:
  R core.MUL a 2 ->b
  J b
`;

const WAITS = `L1:
  R ext.Echo "one" ->a
  R ext.Echo "two" ->b
  Call L_try ->tried
  R signal.wait ["delivered", "lost"] {"timeout": "3d"} ->news
  J {"door": news.data.door, "tried": tried}
L_try:
  R ext.Fail "no" ->r
  Err ->L_failed
  J "fine"
L_failed:
  J "failed"
`;
const WAITS_BY_KEY = 'L1:\n  R signal.wait "paid" {"key": "4711"} ->news\n  J news.data\n';
const ASKS = `L1:
  R approval.ask "Pay <b>\u202e" {"details": {"order": "${"W".repeat(80)}"}, "form": {"eur": "number", "way": ["bank", "card"]}, "timeout": "3d"} ->a
  J [a.decision, a.data, a.comment]
`;
const SLEEPS = 'L1:\n  R timer.sleep "1d" ->t\n  J t\n';

if (CHROMIUM === null) process.stderr.write("test/browser/console.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let failed: string;
  let waiting: string;
  let asking: string;
  let question: string;
  let proposal: string;
  let unknown: string;
  let base: string;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const variables = { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1", WF_HTTP_ALLOW_PRIVATE: "1" };
    unknown = await unknownOutcome({ ...variables, WF_DRAIN_MS: "0" });
    service = await servingJobs({ stateDir: folder.path, variables, app: { consoleFiles: files } });
    base = `http://127.0.0.1:${service.port}`;
    expect((await service.call("PUT", "/programs/hello", { code: PROGRAM })).status).toBe(201);
    for (let a = 0; a < 30; a++)
      await service.queued({
        program: "hello",
        frame: { a },
        name: `job ${a}`,
        tags: { team: a % 2 ? "sales" : "ops" },
      });
    failed = await service.queued({ code: "L1:\n  X b idiv a 0\n  J b\n", frame: { a: 1 }, name: HOSTILE });
    await service.over(failed);
    waiting = await service.queued({ code: WAITS, adapters: { enable: ["ext"] }, name: "waits" });
    await service.until(waiting, "waiting");
    asking = await service.queued({ code: ASKS, adapters: { enable: ["approval"] }, name: "asks" });
    await service.until(asking, "waiting");
    question = (await service.call("GET", `/approvals?job=${asking}`)).body.approvals[0].approval_id;
    const changed = { code: PROGRAM, limits: { max_steps: 100 } };
    proposal = (await service.call("PUT", "/programs/hello?propose=1", changed)).body.id;
    browser = await startBrowser();
  }, 60 * SECONDS);

  /** A job that asks about a call: its first process ended while the other side had the request and had not answered. */
  async function unknownOutcome(variables: Readonly<Record<string, string>>): Promise<string> {
    const other = createServer();
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const first = await servingJobs({ stateDir: folder.path, variables });
    const reached = once(other, "request");
    const id = await first.queued({
      code: `L1:\n  R http.Post "http://127.0.0.1:${port}/pay" 1 ->r\n  J r.body.receipt\n`,
      durable: true,
      on_unknown: "ask",
      name: "pays",
      adapters: { enable: ["http"], http: { allow_hosts: ["127.0.0.1"], allow_ports: [port] } },
    });
    await reached;
    await first.drain();
    other.closeAllConnections();
    other.close();
    return id;
  }

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  const opened = (scheme: "light" | "dark", width: number): Promise<Opened> =>
    openPage(browser, base, { scheme, width });

  const shown = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${base}/ui${path}`, { waitUntil: "networkidle" });
    await page.locator("h1").waitFor();
  };

  it.each([1200, 320])("is accessible, silent and its own in light and dark at %i pixels", async (width) => {
    const { page, faults } = await opened("light", width);
    const paths = [
      "",
      "/jobs",
      `/jobs/${failed}`,
      `/jobs/${waiting}`,
      `/jobs/${unknown}`,
      "/runs",
      "/programs",
      "/programs/hello",
      "/schedules",
      "/schedules/hello/L1",
      "/approvals",
      `/approvals/${question}`,
      "/proposals",
      `/proposals/${proposal}`,
      `/jobs/${asking}`,
      "/playground",
      "/nothing/here",
    ];
    for (const path of paths) {
      await shown(page, path);
      expect(await brokenRules(page), path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
      expect(await page.title(), path).toMatch(/ – Weft$/);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("finds jobs by what the address says, and goes from one to the other by keys", async () => {
    const { page, faults } = await opened("light", 1200);
    await shown(page, "/jobs?tag=team:ops&status=succeeded");
    await page.getByRole("link", { name: "job 0" }).waitFor();
    expect(await page.getByRole("link", { name: "job 1", exact: true }).count()).toBe(0);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /job 28/ }).waitFor();
    expect(page.url()).toContain("/ui/jobs/");
    await page.goBack();
    expect(new URL(page.url()).search).toBe("?tag=team:ops&status=succeeded");
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.keyboard.press("/");
    await page.locator("#search:focus").waitFor();
    // What was counted belongs to the filters that it was counted for.
    await page.getByRole("button", { name: "Retry all of these …" }).click();
    await page.getByText("No job to retry.").waitFor();
    await page.locator("#search").fill("job");
    await page.locator("#search").press("Enter");
    await page.getByRole("button", { name: "Retry all of these …" }).waitFor();
    expect(await page.getByText("No job to retry.").count()).toBe(0);
    // From the page of one job as well.
    await shown(page, `/jobs/${failed}`);
    await page.keyboard.press("/");
    await page.locator("#search:focus").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows why a job failed, and its hostile name as text", async () => {
    const { page } = await opened("light", 1200);
    await shown(page, `/jobs/${failed}`);
    await page.getByText("division by zero at L1, line 2").waitFor();
    expect(await page.locator("h1").textContent()).toContain("<img src=x");
    expect(await page.locator("main img").count()).toBe(0);
    await page.context().close();
  });

  it("shows what a job waits for and learned, sends it a signal, and watches it end", async () => {
    const { page, faults } = await opened("light", 1200);
    await shown(page, "/jobs?status=waiting");
    await page.getByRole("link", { name: "waits" }).click();
    await page.getByRole("heading", { level: 1, name: "waits waiting" }).waitFor();
    await page.getByText(/Waits for the signal delivered or lost, until/).waitFor();
    await openTab(page, "Journal");
    const journal = page.getByRole("region", { name: "Journal" });
    await journal.getByRole("row", { name: /ext\.Fail.*failed ADAPTER_UNAVAILABLE/ }).waitFor();
    await journal.getByRole("row", { name: /waits: signal\.wait.*L1/ }).waitFor();
    expect(await journal.getByText("ext.Echo").first().isVisible()).toBe(false);
    await journal.getByText("2 reads").click();
    await expect.poll(() => journal.getByRole("row", { name: /ext\.Echo/ }).count()).toBe(2);
    // Beyond what it was asked with, a call does not say its value.
    const answered = journal.getByRole("row", { name: /ext\.Echo\("one"\).*"one"/ });
    expect(await answered.count()).toBe(0);
    await journal.getByLabel("Show values").check();
    await answered.waitFor();

    const form = page.getByRole("region", { name: "Send a signal" });
    expect(await form.getByLabel("Signal").inputValue()).toBe("delivered");
    await form.getByLabel("Value, as JSON").fill('{"door": tru');
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByRole("alert").getByText("the value is not valid JSON").waitFor();
    await form.getByLabel("Value, as JSON").fill('{"door": 12}');
    await form.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { level: 1, name: "waits succeeded" }).waitFor();
    await page.locator("pre.value", { hasText: '"door": 12' }).first().waitFor();
    await journal.getByRole("row", { name: /woken: signal/ }).waitFor();
    expect(await page.getByRole("region", { name: "Send a signal" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("decides what a job asks", async () => {
    const { page, faults } = await opened("light", 1200);
    await shown(page, "");
    await page
      .getByRole("region", { name: "Needs a person" })
      .getByRole("link", { name: /^Pay <b>/ })
      .waitFor();
    await shown(page, `/jobs/${asking}`);
    // The decision is what the job waits for; a signal can be sent, too, but is not offered first.
    await page.getByRole("region", { name: "Question" }).getByRole("button", { name: "approve" }).waitFor();
    expect(await page.getByRole("button", { name: "Send", exact: true }).isVisible()).toBe(false);
    await page.getByText("Send a signal").click();
    await page.getByRole("button", { name: "Send", exact: true }).waitFor();
    await page
      .getByRole("region", { name: "Question" })
      .getByRole("link", { name: /^Pay <b>/ })
      .click();
    await page.getByRole("heading", { level: 1, name: /^Pay <b>/ }).waitFor();
    await page.getByLabel("eur: number").fill("12");
    await page.getByLabel("way: choose one").selectOption("card");
    expect(await page.getByLabel("Fields, as JSON").inputValue()).toBe('{"eur":12,"way":"card"}');
    await page.getByLabel("Comment").fill("receipt seen");
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    await page.getByText(/approve, by somebody without a name \(api\).*: receipt seen/).waitFor();
    expect(await page.getByRole("button", { name: "approve" }).count()).toBe(0);
    expect((await service.over(asking)).body.result.out).toEqual(["approve", { eur: 12, way: "card" }, "receipt seen"]);
    await shown(page, "/approvals");
    await page.getByText("No question is open.").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("sends a signal under its key, and says until when a job sleeps", async () => {
    const { page, faults } = await opened("light", 1200);
    const id = await service.queued({ code: WAITS_BY_KEY });
    await service.until(id, "waiting");
    await shown(page, `/jobs/${id}`);
    await page.getByText("Waits for the signal paid under its key").waitFor();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("only under its key").waitFor();
    await page.getByLabel("Key", { exact: true }).fill("4711");
    await page.getByLabel("Value, as JSON").fill("7");
    await page.getByRole("button", { name: "Send" }).click();
    expect((await service.over(id)).body.result.out).toBe(7);
    const sleeper = await service.queued({ code: SLEEPS, name: "sleeps" });
    await service.until(sleeper, "sleeping");
    await shown(page, "/jobs?status=waiting,sleeping");
    await page.getByRole("link", { name: "sleeps" }).click();
    await page.getByText(/Waits for a time, until .* UTC \((in 24 hours|tomorrow)\)/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await answer(page, true);
    await page.getByRole("heading", { level: 1, name: "sleeps cancelled" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("offers neither signals nor values where it only reads shapes", async () => {
    const { page } = await opened("light", 1200);
    const own = await temporaryFolder();
    const reading = await servingJobs({
      stateDir: own.path,
      variables: { WF_UI: "read", WF_UI_VALUES: "0", WF_JOURNAL_VALUES: "1" },
      app: { consoleFiles: files },
    });
    const id = await reading.queued({ code: WAITS, adapters: { enable: ["ext"] } });
    await reading.until(id, "waiting");
    await page.goto(`http://127.0.0.1:${reading.port}/ui/jobs/${id}`);
    await page.getByText(/Waits for the signal delivered or lost/).waitFor();
    await openTab(page, "Journal");
    await page.getByRole("row", { name: /ext\.Fail/i }).waitFor();
    for (const name of ["Send a signal", "Show values"]) expect(await page.getByText(name).count(), name).toBe(0);
    await page.context().close();
    await reading.stop();
    await own.remove();
  });

  it("asks a person about a call of unknown outcome, and continues with the answer", async () => {
    const { page, faults } = await opened("light", 1200);
    await service.until(unknown, "waiting");
    await shown(page, `/jobs/${unknown}`);
    await page.getByText(/Waits for a person, who says whether the call of record \d+ happened/).waitFor();
    await page.getByText(/http\.Post at L1\/\S+, was under way/).waitFor();
    await page.getByLabel("What it answered, as JSON").fill('{"body": {"receipt": "r-1"}}');
    await page.getByRole("button", { name: "It happened" }).click();
    await answer(page, true);
    await page.locator("pre.value", { hasText: "r-1" }).waitFor();
    await openTab(page, "Journal");
    await page.getByRole("row", { name: /a person said of record \d+: done/ }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("queues a job of a program, watches it end, and finds the next one by its schedule", async () => {
    const { page, faults } = await opened("light", 1200);
    await shown(page, "/programs/hello");
    await page.getByLabel("a: number").waitFor();
    await page.getByText("Variables, as JSON").click();
    await page.getByLabel("Variables, as JSON").fill('{"a": 21}');
    await page.getByRole("button", { name: "Queue a job" }).click();
    await page.getByText("succeeded").first().waitFor();
    await page.getByRole("region", { name: "Result" }).getByText("42").waitFor();
    await shown(page, "/schedules/hello/L1");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await shown(page, "");
    await page.getByRole("link", { name: "hello/L1" }).waitFor();
    await shown(page, "/schedules/hello/L1");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows what was wrong with a form, and loses nothing that was typed", async () => {
    const { page } = await opened("light", 1200);
    await shown(page, "/programs/hello");
    await page.getByLabel("a: number").waitFor();
    await page.getByText("Variables, as JSON").click();
    await page.getByLabel("Variables, as JSON").fill('{"a": 21');
    await page.getByRole("button", { name: "Queue a job" }).click();
    await page.getByRole("alert").getByText("not valid JSON").waitFor();
    expect(await page.getByLabel("Variables, as JSON").inputValue()).toBe('{"a": 21');
    await page.context().close();
  });

  it("goes back to a version, once it has been asked", async () => {
    const { page } = await opened("light", 1200);
    await service.call("PUT", "/programs/hello", { code: PROGRAM.replace("a 2", "a 3") });
    await shown(page, "/programs/hello?version=1");
    await page.getByRole("button", { name: "Make version 1 current" }).click();
    await answer(page, false);
    expect((await service.call("GET", "/programs/hello")).body.version).toBe(2);
    await page.getByRole("button", { name: "Make version 1 current" }).click();
    await answer(page, true);
    await page.getByRole("heading", { level: 1, name: "hello@1" }).waitFor();
    await page.context().close();
  });

  it("says when the service cannot be reached, and continues when it can", async () => {
    const { page } = await opened("light", 1200);
    await shown(page, "/jobs");
    await page.context().setOffline(true);
    await page.getByRole("alert").getByText("the service cannot be reached").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("alert").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "job 29" }).waitFor();
    await page.context().close();
  });

  it("compiles in the page, offers edits, runs and steps through the trace", async () => {
    const { page, faults } = await opened("light", 1200);
    await shown(page, "/playground");
    await page.getByText("No findings: the program can run.").waitFor();
    const editor = page.getByRole("textbox", { name: "Program" });
    await editor.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("def main(orders):\n    return lenn(orders)\n");
    await page.locator(".findings li").first().waitFor();
    await page.getByLabel("Start from").selectOption({ label: "An invoice" });
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator("pre.value", { hasText: '"total": 32.59' }).waitFor();
    await page.getByRole("tab", { name: "Steps" }).click();
    await page.getByText(/Step 1 of \d+/).waitFor();
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByText(/Step 2 of \d+/).waitFor();
    for (const tab of ["Graph", "Report", "Bytecode"]) {
      await page.getByRole("tab", { name: tab }).click();
      // What the tab shows is loaded when it is first opened.
      const shownText = () => page.getByRole("tabpanel").textContent();
      await expect.poll(async () => (await shownText())?.length, { message: tab, timeout: 30_000 }).toBeGreaterThan(10);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("offers words while one types, and none for a word that is whole", async () => {
    const { page } = await opened("light", 1200);
    await shown(page, "/playground");
    await page.getByRole("textbox", { name: "Program" }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("def main():\n    total = 1\n    return ");
    await page.keyboard.type("tot");
    const words = page.locator(".cm-tooltip-autocomplete");
    await words.getByText("total").waitFor();
    await page.keyboard.type("al");
    await words.waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.keyboard.insertText("# the end");
    await page.locator(".cm-line", { hasText: /^\s*# the end$/ }).waitFor();
    await page.context().close();
  });
});
