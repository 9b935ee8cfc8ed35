/** The playground as a person writes in it: colours, indentation, completion, problems with their fixes. Skipped, with the reason, without Chromium. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { CHROMIUM } from "./chromium.ts";
import { brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const SECONDS = 1000;

if (CHROMIUM === null) process.stderr.write("test/browser/playground.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the playground", { timeout: 120 * SECONDS }, () => {
  let browser: Browser;
  let base: string;
  let stop: StartedConsole["stop"] | undefined;

  beforeAll(async () => {
    ({ browser, base, stop } = await startConsole({ WF_UI: "act" }, files));
  }, 60 * SECONDS);

  afterAll(() => stop?.());

  const editorOf = (page: Page) => page.getByRole("textbox", { name: "Program" });
  /** What the editor shows, by lines. */
  const linesOf = (page: Page) => page.locator(".cm-line").allTextContents();

  async function opened(options: Parameters<typeof openPage>[2] = {}) {
    const opened = await openPage(browser, base, options);
    await show(opened.page, base, "/playground");
    await opened.page.getByText("No findings: the program can run.").waitFor();
    return opened;
  }

  /** Replaces the program, as if it were pasted. */
  async function write(page: Page, text: string) {
    await editorOf(page).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(text);
  }

  it("colours a program, indents it while it is typed, and keeps every key for it", async () => {
    const { page, faults } = await opened();
    await write(page, "");
    const keys = page.keyboard;
    await keys.type('@api("/total")\ndef main(orders: list[dict]):\n');
    await keys.type("for order in orders:\nif order:\ncontinue\nelse:\nprint(1 / 2)\n");
    await keys.press("Backspace");
    await keys.press("Backspace");
    await keys.type("return None  # ?");
    const written = [
      ...['@api("/total")', "def main(orders: list[dict]):", "    for order in orders:", "        if order:"],
      ...["            continue", "        else:", "            print(1 / 2)", "    return None  # ?"],
    ];
    expect(await linesOf(page)).toEqual(written);
    const colored = (kind: string) => page.locator(`.cm-line .wf-${kind}`).allTextContents();
    expect(await colored("keyword")).toEqual(["def", "for", "in", "if", "continue", "else", "return"]);
    expect(await colored("definition")).toEqual(["api", "main"]);
    expect(await colored("library")).toEqual(["list", "dict", "print"]);
    expect(await colored("comment")).toEqual(["# ?"]);
    expect(await colored("text")).toEqual(['"/total"']);
    await page.getByText("No findings: the program can run.").waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await editorOf(page).focus();
    await keys.press("Tab");
    expect((await linesOf(page)).at(-1)).toBe("        return None  # ?");
    await keys.press("Shift+Tab");
    expect(await linesOf(page)).toEqual(written);
    await keys.press("Control+z");
    await keys.press("Control+z");
    await keys.press("Control+z");
    expect((await linesOf(page)).length).toBeLessThan(written.length);
    expect(new URL(page.url()).pathname).toBe("/ui/playground");
    await keys.press("Escape");
    await keys.press("Tab");
    expect(await page.locator(".cm-content:focus").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("marks a problem in the margin, says it below the editor, and fixes it by a key", async () => {
    const { page, faults } = await opened();
    await write(page, "def main(a: bool, b: bool):\n    return a && b\n");
    await page.locator(".cm-gutter-lint .cm-lint-marker-error").waitFor();
    await page.keyboard.press("F8");
    const said = page.locator(".line-problem");
    await said.getByText("Python has no operator '&&'").waitFor();
    await said.getByRole("button", { name: "write and" }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await editorOf(page).focus();
    await page.keyboard.press("Control+.");
    await page.getByText("No findings: the program can run.").waitFor();
    expect((await linesOf(page))[1]).toBe("    return a and b");
    expect(await said.textContent()).toBe("");
    await page.keyboard.press("Control+.");
    expect((await linesOf(page))[1]).toBe("    return a and b");
    await page.keyboard.press("Control+z");
    expect((await linesOf(page))[1]).toBe("    return a && b");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("completes the verbs of adapters, the library and the program's own names", async () => {
    const { page, faults } = await opened();
    await write(page, "def main(customers: list):\n    return ");
    const options = page.locator(".cm-tooltip-autocomplete li .cm-completionLabel");
    await page.keyboard.type("http.");
    await expect.poll(() => options.allTextContents()).toContain("Get");
    await page.keyboard.type("Ge");
    await expect.poll(() => options.allTextContents()).toEqual(["Get"]);
    // What was offered a moment ago is not taken by a key that was meant for something else.
    await expect
      .poll(async () => {
        await page.keyboard.press("Enter");
        return (await linesOf(page))[1];
      })
      .toBe("    return http.Get");
    await page.keyboard.type("(cus");
    await expect.poll(() => options.allTextContents()).toContain("customers");
    expect((await options.allTextContents()).filter((one) => /^\W/.test(one))).toEqual([]);
    await page.keyboard.press("Escape");
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows what turns text around as it is, and a program of a megabyte without colours", async () => {
    const { page, faults } = await opened();
    await write(page, 'def main():\n    return "\u202eabc"\n');
    await page.locator(".cm-specialChar", { hasText: "\\u202e" }).waitFor();
    await write(page, `x = 1\n${`# ${"a".repeat(1000)}\n`.repeat(1000)}`);
    await expect.poll(() => page.locator(".wf-comment").count()).toBe(0);
    expect(await page.locator(".cm-line").count()).toBeLessThan(500);
    await write(page, `x = "${"a".repeat(100_000)}"\n`);
    await page.locator(".wf-text").first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("puts a program into a link, opens it elsewhere, and runs nothing of it", async () => {
    const { page, faults } = await opened();
    const code = "def main():\n    return '\u202e <b>😀</b>'\n";
    await write(page, code);
    await page.getByRole("button", { name: "Copy a link" }).click();
    await page.getByRole("status").getByText("without the variables").waitFor();
    const link = page.url();
    expect(link).toMatch(/\/ui\/playground#program=[\w-]+$/);
    const other = await openPage(browser, base);
    const sent: string[] = [];
    other.page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
      expect(request.url() + (request.headers()["referer"] ?? "")).not.toContain("program=");
    });
    await other.page.goto(link);
    await other.page.getByText("This program came with the link.").waitFor();
    await expect.poll(() => linesOf(other.page)).toEqual(["def main():", "    return '\\u202e <b>😀</b>'", ""]);
    expect(sent).toEqual([]);
    expect([...faults, ...other.faults]).toEqual([]);
    await other.page.context().close();
    await page.context().close();
  });

  it("says why a link cannot be read, and loses nothing of what was written", async () => {
    const { page, faults } = await opened();
    await write(page, "x = 1\n");
    for (const [fragment, why] of [
      ["#program=a%20b", "characters that such a link does not have"],
      ["#program=_w", "not whole"],
      [`#program=${"A".repeat(1_000_000)}`, "1,000,009 characters"],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await page.getByRole("alert").getByText(why).waitFor();
      expect((await linesOf(page))[0]).toBe("x = 1");
    }
    await page.evaluate('location.hash = "#program=eSA9IDIK"');
    await expect.poll(async () => (await linesOf(page))[0]).toBe("y = 2");
    await editorOf(page).focus();
    await page.keyboard.press("Control+z");
    expect((await linesOf(page))[0]).toBe("x = 1");
    await write(page, `x = "${"a".repeat(50_000)}"\n`);
    await page.getByRole("button", { name: "Copy a link" }).click();
    await page.getByRole("alert").getByText("too long for a link").waitFor();
    await page.goto(`${base}/ui/playground#program=_w`);
    await page.reload();
    await page.getByRole("alert").getByText("not whole").waitFor();
    await page.getByText("No findings: the program can run.").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("draws the graph by the lines of the source while it is written, and keeps the old one until there is another", async () => {
    const { page, faults } = await opened();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(new URL(request.url()).pathname);
    });
    await write(page, "def main(a: int):\n    if not a:\n        return 1\n    return 2\n");
    await page.getByText("No findings: the program can run.").waitFor();
    expect(sent).toEqual([]);
    await openTab(page, "Graph");
    const boxes = () => page.locator(".picture .box title").allTextContents();
    await expect.poll(boxes).toEqual(["if not a:", "return 1", "return 2", "start"]);
    expect(await page.locator(".picture .port").allTextContents()).toEqual(["true", "false"]);
    await editorOf(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x = (", { delay: 20 });
    await page.getByText("This is the last text that could be read.").waitFor();
    expect(await boxes()).toEqual(["if not a:", "return 1", "return 2", "start"]);
    await page.keyboard.type("1)", { delay: 20 });
    await expect.poll(boxes).toContain("x = (1)");
    expect(new Set(sent)).toEqual(new Set(["/ui/layout"]));
    await page.getByLabel("Steps of the machine").check();
    await expect.poll(async () => (await boxes()).some((one) => one.startsWith("Py "))).toBe(true);
    await page.getByLabel("Functions only").check();
    await expect.poll(boxes).toEqual(expect.arrayContaining([expect.stringMatching(/^main/)]));
    expect(await brokenRules(page)).toEqual([]);
    const asked = sent.length;
    await openTab(page, "Findings");
    await editorOf(page).focus();
    await page.keyboard.type("\ny = 2");
    await page.getByText("No findings: the program can run.").waitFor();
    expect(sent.length).toBe(asked);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("steps through a run by lines, with a table of variables that marks the changed ones", async () => {
    const { page, faults } = await opened();
    await write(
      page,
      "def add(a, b):\n    return a + b\n\n\ndef main():\n    n = 1\n    seen = [n]\n    seen.append(add(n, 2))\n    return seen\n",
    );
    await page.getByText("No findings: the program can run.").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator("pre.value", { hasText: "3" }).waitFor();
    await openTab(page, "Steps");
    await page.getByText("Step 1 of 5").waitFor();
    const panel = page.getByRole("tabpanel");
    const rows = () => panel.locator("tbody tr").allTextContents();
    const forward = page.getByRole("button", { name: "Forward" });
    await expect.poll(rows).toEqual(["n changed1"]);
    await forward.click();
    await expect.poll(rows).toEqual(["n 1", "seen changed[1]"]);
    await forward.click();
    await panel.getByText("returns 3").waitFor();
    await expect.poll(rows).toEqual(["a changed1", "b changed2"]);
    await forward.click();
    await panel.locator(".stepped", { hasText: "seen.append(add(n, 2))" }).waitFor();
    await expect.poll(rows).toEqual(["n 1", "seen changed[1,3]"]);
    await page.locator(".picture .box.present title", { hasText: "seen.append" }).waitFor({ state: "attached" });
    await page.getByRole("slider").press("End");
    await panel.getByText("returns [1,3]").waitFor();
    expect(await panel.textContent()).not.toMatch(/\$|_file|\bPy\b/);
    expect(await brokenRules(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("starts from each of its examples", async () => {
    const { page, faults } = await opened();
    const choice = page.getByLabel("Start from");
    const titles = await choice.locator("option").allTextContents();
    expect(titles.length).toBeGreaterThanOrEqual(12);
    for (const title of titles) {
      await choice.selectOption({ label: title });
      await page.getByText("No findings: the program can run.").waitFor();
    }
    await choice.selectOption({ label: "A retry" });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.locator("pre.value", { hasText: "rejected" }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([320, 400])("keeps its tabs on one line at %d pixels, with the chosen one in sight", async (width) => {
    const { page, faults } = await opened({ width });
    const tabs = page.getByRole("tablist");
    const single = (await page.getByRole("tab").first().boundingBox())?.height ?? 0;
    expect((await tabs.boundingBox())?.height).toBeLessThan(single * 1.5);
    for (const name of ["Steps", "Findings"]) {
      await openTab(page, name);
      const [bar, tab] = [await tabs.boundingBox(), await page.getByRole("tab", { name }).boundingBox()];
      if (bar === null || tab === null) throw new Error("the tabs are not shown");
      expect(tab.x).toBeGreaterThanOrEqual(bar.x - 1);
      expect(tab.x + tab.width).toBeLessThanOrEqual(bar.x + bar.width + 1);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await brokenRules(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
