/**
 * Runs and programs as a person reads them: the graph of a job with what it did, its timeline and journal, differences of versions, forms,
 * and runs from files in the playground. Skipped, with the reason, without Chromium.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import type { JobServing } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const SECONDS = 1000;
const EXT = { adapters: { enable: ["ext"] } };
const FAILS = "L1:\n  R ext.Echo a ->x\n  X b idiv x 0\n  J b\n";
const WAITS =
  'L1:\n  R ext.Echo "one" ->a\n  Call L_two ->b\n  R signal.wait "go" ->s\n  J a\nL_two:\n  R ext.Echo "two" ->c\n  J c\n';
const GREETS = `def greet(name: str, times: int, loud: bool):
    return f"hello {name} {times} {loud}"
`;
const FETCHES = `def greet(name: str, times: int, loud: bool):
    return http.Get("https://greetings.example/hello").status
`;
const HTTP = { adapters: { enable: ["http"] } };
/** More steps than are compared without being asked. */
const largeProgram = (first: string): string =>
  `L1:\n  Set total 0\n${first}${"  X total add total 1\n".repeat(6000)}  J total\n`;
/** As JSON. */
const MARKUP = JSON.stringify("<img src=x onerror=\"document.title='owned'\">");
const NIGHTLY = "S nightly core /nightly\nCr L1 0 2 * * *\nL1:\n  J 1\n";

if (CHROMIUM === null) process.stderr.write("test/browser/console-runs.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let folder: StartedConsole["folder"];
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ service, browser, base, folder, stop } = await startConsole(
      { WF_UI: "act", WF_DEPLOY: "1", WF_JOURNAL_VALUES: "1" },
      files,
    ));
  }, 60 * SECONDS);

  afterAll(() => stop?.());

  /** Resolves when the page asks for what has this address, with what lets it have that. */
  const heldBack = (page: Page, address: string): Promise<() => void> =>
    new Promise((asked) => void page.route(address, (route) => asked(() => void route.continue())));

  /** Texts of the boxes that a class marks. */
  const marked = (page: Page, name: string) => page.locator(`.picture .box.${name} title`).allTextContents();

  it("draws the graph of a job: visits, the failure, labels alone, and what is searched for", async () => {
    const { page, faults } = await openPage(browser, base);
    const id = await service.queued({ code: FAILS, frame: { a: 1 }, ...EXT });
    await service.over(id);
    await show(page, base, `/jobs/${id}`);
    await page.locator(".picture .box.failed").waitFor();
    await expect.poll(() => marked(page, "failed")).toEqual(["X b idiv x 0, it failed"]);
    await page.locator(".picture title", { hasText: /R ext\.Echo a ->x, 1× / }).waitFor({ state: "attached" });
    await page.getByLabel("Search the graph").fill("j b");
    await expect.poll(() => marked(page, "hit")).toEqual(["J b"]);
    await page.getByLabel("Size").selectOption("2");
    expect(await page.locator(".picture svg").getAttribute("width")).not.toBeNull();
    await page.getByText("As a list").click();
    await page.locator("details code", { hasText: "X b idiv x 0" }).waitFor();
    await page.getByLabel("Labels only").check();
    await page.locator(".picture .box rect.label").waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("Calls in order").click();
    await page.getByRole("row", { name: /ext\.Echo L1\/n1/ }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("marks where a function failed whose name begins like a label", async () => {
    const { page, faults } = await openPage(browser, base);
    const id = await service.queued({ code: "def Load(n: int):\n    return 1 / n\n", frame: { n: 0 } });
    await service.over(id);
    await show(page, base, `/jobs/${id}`);
    await expect.poll(() => marked(page, "failed")).toEqual([expect.stringContaining("it failed")]);
    expect(await page.locator(".picture .title").allTextContents()).toContain("Load");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows where a job is while it waits, exports its journal, and steps through the file", async () => {
    const { page, faults } = await openPage(browser, base);
    const id = await service.queued({ code: WAITS, durable: true, ...EXT });
    await service.until(id, "waiting");
    await show(page, base, `/jobs/${id}`);
    await page.locator(".picture .box.present").waitFor();
    await expect.poll(() => marked(page, "present")).toEqual([expect.stringMatching(/signal\.wait.*the run is here/)]);
    await openTab(page, "Journal");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export the journal" }).click();
    const path = join(folder.path, "journal.json");
    await (await downloading).saveAs(path);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      format: "weft-journal",
      version: 1,
      job: { job_id: id, checksum: expect.stringMatching(/^sha256:/) },
      records: [{ kind: "start" }, { kind: "call" }, { kind: "call" }, { kind: "wait" }],
    });
    await service.call("POST", `/result/${id}/signals/go`, { data: 1 });
    await page.getByRole("heading", { level: 1, name: "Job succeeded" }).waitFor();
    await openTab(page, "Graph");
    await expect.poll(() => marked(page, "present")).toEqual([]);

    await show(page, base, "/playground");
    // What the page itself reads at its start may still be under way.
    const sent: string[] = [];
    page.on("request", (request) => {
      const isCount = new URL(request.url()).pathname === "/approvals";
      if (request.method() !== "GET" || (request.url().includes("?") && !isCount))
        sent.push(`${request.method()} ${request.url()}`);
    });
    await page.getByLabel("Open a program, record or journal").setInputFiles(path);
    await page.getByText("This is a journal with 4 steps; its program is not in it.").waitFor();
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByText("L1 n1: ext.ECHO").waitFor();
    expect(sent).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("draws a program in Python by its lines, and what the compiler made of them on request", async () => {
    const { page, faults } = await openPage(browser, base);
    const code = "def share(total: float, people: int):\n    each = total / people\n    return [each] * people\n";
    await service.call("PUT", "/programs/share", { code });
    const id = await service.queued({ program: "share", frame: { total: 9.5, people: 0 } });
    await service.over(id);
    await show(page, base, `/jobs/${id}`);
    await expect.poll(() => marked(page, "failed")).toEqual([expect.stringMatching(/each = total \/ people/)]);
    const texts = () => page.locator(".picture").textContent();
    expect(await texts()).not.toContain("py.");
    await page.getByLabel("Steps of the machine").check();
    await expect.poll(texts).toContain("py.div");
    await page.getByLabel("Functions only").check();
    await expect.poll(texts).toContain("share");
    await show(page, base, "/programs/share");
    await expect.poll(texts).toContain("each = total / people");
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("draws a program that came with its job by the numbers of its lines", async () => {
    const { page, faults } = await openPage(browser, base);
    const id = await service.queued({
      code: "def main(n: int):\n    part = 7 // n\n    return part\n",
      frame: { n: 0 },
    });
    await service.over(id);
    await show(page, base, `/jobs/${id}`);
    await expect.poll(() => marked(page, "failed")).toEqual([expect.stringMatching(/line 2/)]);
    const texts = () => page.locator(".picture").textContent();
    expect(await texts()).not.toContain("py.");
    await page.getByLabel("Steps of the machine").check();
    await expect.poll(texts).toContain("py.");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("discards dead letters of no deployment, and leads on from a job that is not there", async () => {
    const { page, faults } = await openPage(browser, base);
    await service.over(await service.queued({ code: "def main(n: int):\n    return 1 // n\n", frame: { n: 0 } }));
    await show(page, base, "/dead-letters");
    const row = page.getByRole("row", { name: /^without a deployment runtime error/ });
    await row.getByRole("button", { name: "Discard" }).click();
    const question = page.getByRole("dialog");
    await question.getByText(/without a deployment/).waitFor();
    await question.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => row.count()).toBe(0);
    await page.goto(`${base}/ui/jobs/job_that_is_not_there`);
    await page.getByRole("link", { name: "See all jobs" }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
    await page.context().close();
  });

  it("says what a version newly reaches and what it changed", async () => {
    const { page, faults } = await openPage(browser, base);
    await service.call("PUT", "/programs/greeting", { code: GREETS });
    await service.call("PUT", "/programs/greeting", { code: FETCHES, ...HTTP });
    await show(page, base, "/programs/greeting");
    const difference = page.getByRole("region", { name: "Difference" });
    await difference.getByText("host greetings.example").waitFor();
    await difference.locator(".added code", { hasText: "http.Get" }).waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await brokenRules(page)).toEqual([]);
    await show(page, base, "/programs/greeting?version=1");
    await page.getByRole("heading", { name: "What version 1 changed" }).waitFor();
    await page.getByRole("heading", { name: "No more reached" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows what a version in Python changed by its functions and lines", async () => {
    const { page, faults } = await openPage(browser, base);
    const code = "def main(n: int):\n    return half(n)\n\n\ndef half(n: int):\n    part = n // 2\n    return part\n";
    await service.call("PUT", "/programs/halves", { code });
    await service.call("PUT", "/programs/halves", { code: code.replace("n // 2", "n / 2") });
    await show(page, base, "/programs/halves");
    const difference = page.getByRole("region", { name: "Difference" });
    await difference.locator(".added code", { hasText: "part = n / 2" }).waitFor();
    const sides = difference.locator(".pair > div");
    const [left, right] = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()];
    expect(left?.y).toBe(right?.y);
    expect(left?.x ?? 0).toBeLessThan(right?.x ?? 0);
    expect(await difference.locator(".changes li > code").allTextContents()).toEqual(["half"]);
    expect(await difference.textContent()).not.toMatch(/Lhalf|py\./);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("compares large versions when asked: what one newly reaches, how the texts differ, and which could not be loaded", async () => {
    const { page, faults } = await openPage(browser, base);
    await service.call("PUT", "/programs/large", { code: largeProgram("") });
    const fetching = largeProgram('  R http.Get "https://large.example/rate" ->rate\n');
    expect((await service.call("PUT", "/programs/large", { code: fetching, ...HTTP })).status).toBe(200);
    const compilerAsked = heldBack(page, "**/compiler-*.js");
    await show(page, base, "/programs/large");
    const difference = page.getByRole("region", { name: "Difference" });
    const button = difference.getByRole("button", { name: "Compare 12,005 steps" });
    await button.waitFor();
    expect(await difference.getByRole("heading", { level: 3 }).count()).toBe(0);
    await button.press("Enter");
    // Nothing can be compared without the compiler, so what is said meanwhile is seen.
    await difference.getByRole("status").getByText("comparing …").waitFor();
    (await compilerAsked)();
    await difference.getByText("host large.example").waitFor();
    await difference.locator(".added code", { hasText: "https://large.example/rate" }).waitFor();
    expect(await difference.locator(".changes code").count()).toBe(1);
    expect(await difference.getByRole("status").count()).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);

    const message = "version 1 is not there";
    const answer = { status: 404, json: { error: "not_found", message } };
    await page.route("**/programs/large/versions/1", (route) => route.fulfill(answer));
    await page.reload();
    await difference.getByRole("alert").getByText(message).waitFor();
    expect(await difference.getByRole("button").count()).toBe(0);
    expect(await difference.getByRole("status").count()).toBe(0);
    await page.context().close();
  });

  it("makes a form from the inputs that a program declares", async () => {
    const { page, faults } = await openPage(browser, base);
    await service.call("PUT", "/programs/form", { code: GREETS });
    await show(page, base, "/programs/form");
    await page.getByLabel("name: str").fill("Ada");
    await page.getByLabel("times: int").fill("3");
    await page.getByLabel("loud: bool").selectOption("true");
    expect(JSON.parse(await page.getByLabel("Variables, as JSON").inputValue())).toEqual({
      name: "Ada",
      times: 3,
      loud: true,
    });
    await page.getByRole("button", { name: "Queue a job" }).click();
    await page.locator("pre.value", { hasText: "hello Ada 3 true" }).waitFor();
    // T.S-1: what it began with, and the playground with that.
    const input = page.getByRole("region", { name: "Input", exact: true });
    await input.getByText('"Ada"').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await input.getByRole("link", { name: "Open in the playground with this input" }).click();
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    const variables = page.getByLabel("Variables, as JSON");
    await expect.poll(async () => JSON.parse(await variables.inputValue())).toMatchObject({ name: "Ada", times: 3 });
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("backfills a schedule, once it has been asked", async () => {
    const { page, faults } = await openPage(browser, base);
    await service.call("PUT", "/programs/nightly", { code: NIGHTLY });
    await show(page, base, "/schedules/nightly/L1");
    const form = page.getByRole("region", { name: "Backfill" });
    await form.getByRole("button", { name: "Backfill" }).waitFor();
    await form.getByLabel("From").fill("2024-01-01T00:00");
    await form.getByLabel("To").fill("2024-01-03T00:00");
    await form.getByRole("button", { name: "Backfill" }).click();
    await answer(page, true);
    await form.getByText("2 queued, 0 had fired").waitFor();
    await form.getByRole("button", { name: "Backfill" }).click();
    await answer(page, true);
    await form.getByText("0 queued, 2 had fired").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows bounds and the graph of what is written, and runs it within limits", async () => {
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/playground");
    await page.getByText("No findings: the program can run.").waitFor();
    await page.getByRole("tab", { name: "Bounds" }).click();
    await page.getByRole("row", { name: /^steps/ }).waitFor();
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.locator(".picture .title", { hasText: "invoice" }).waitFor();
    await page.getByText("Limits of the run").click();
    await page.getByLabel("steps", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("max_steps").first().waitFor();
    await page.getByLabel("steps", { exact: true }).fill("");
    await page.getByRole("button", { name: "Run" }).click();
    await page.locator("pre.value", { hasText: '"total": 32.59' }).waitFor();
    await page.getByRole("tab", { name: "Steps" }).click();
    await page.getByRole("slider").press("End");
    await expect.poll(() => marked(page, "present")).toHaveLength(1);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["something else", '{"format": "weft-record"}', "the file is not a record, a journal or a trace"],
    ["not JSON", '{"format": ', "the file is not valid JSON"],
    ["a record without calls", '{"format": "weft-record", "calls": [1, null, [], "x"]}', "a record without a step"],
    ["deeply nested", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "the file is"],
  ])("refuses a file that is %s", async (_title, text, message) => {
    const { page } = await openPage(browser, base);
    const path = join(folder.path, "refused.json");
    writeFileSync(path, text);
    await show(page, base, "/playground");
    await page.getByLabel("Open a program, record or journal").setInputFiles(path);
    await page.getByRole("alert").getByText(message).waitFor();
    await page.context().close();
  });

  it("shows a hostile record as text, whatever types its members have", async () => {
    const { page, faults } = await openPage(browser, base);
    const path = join(folder.path, "hostile.json");
    const markup = "<img src=x onerror=\"document.title='owned'\">";
    const calls: readonly object[] = [
      {
        seq: "x",
        adapter: markup,
        verb: markup,
        label_id: markup,
        node_id: markup,
        ok: "no",
        result: { [markup]: markup },
      },
      {
        seq: 1e308,
        adapter: "a",
        verb: "b",
        label_id: {},
        node_id: [],
        ms: "soon",
        result: { constructor: 1, toString: 2 },
      },
      { adapter: 1, verb: 2 },
    ];
    writeFileSync(
      path,
      `{"format": "weft-record", "__proto__": {"owned": true}, "code": ${JSON.stringify(markup)}, "calls": ${JSON.stringify(calls)}}`,
    );
    await show(page, base, "/playground");
    await page.getByLabel("Open a program, record or journal").setInputFiles(path);
    await page.getByText("a record with 2 steps; 1 entry was left out").waitFor();
    await page.getByRole("tabpanel").getByText(`${markup}.${markup}`).waitFor();
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByText("Step 2 of 2").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).not.toContain("owned");
    expect(await page.evaluate("({}).owned")).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    [
      "journal",
      `{"format": "weft-journal", "job": {"checksum": ${MARKUP}, "__proto__": {"owned": true}}, "records": [
        {"seq": "x", "kind": "call", "adapter": ${MARKUP}, "verb": ${MARKUP}, "label": ${MARKUP}, "node": {}, "result": {"a": ${MARKUP}}},
        {"kind": ${MARKUP}, "label": "\u202e", "ms": "soon"}, {"kind": "intent"}, null, 7, {"kind": 1}]}`,
      "a journal with 2 steps; 4 entries were left out",
    ],
    [
      "trace",
      `[{"kind": "step", "label": ${MARKUP}, "op": ${MARKUP}, "node_id": [], "lineno": 1e308, "port_taken": ${MARKUP}, "out": ${MARKUP}},
        {"kind": "step", "lineno": -5.5, "duration_ms": "1", "error": {"toString": 1}}, [], "x", {"kind": "end"}]`,
      "a trace with 2 steps; 3 entries were left out",
    ],
  ])("shows a hostile %s as text, whatever types its members have", async (kind, text, note) => {
    const { page, faults } = await openPage(browser, base);
    const path = join(folder.path, `hostile-${kind}.json`);
    writeFileSync(path, text);
    await show(page, base, "/playground");
    await page.getByLabel("Open a program, record or journal").setInputFiles(path);
    await page.getByText(note).waitFor();
    await page.getByRole("tabpanel").getByText("<img src=x").first().waitFor();
    await page.getByRole("button", { name: "Forward" }).click();
    await page.getByText("Step 2 of 2").waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.title()).toBe("Playground – Weft");
    expect(await page.evaluate("({}).owned")).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
