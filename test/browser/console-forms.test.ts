/** What the console's forms say of a refused request, and what its pages show of a decision and of a failure. Skipped without Chromium. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleFiles } from "../../service/console/files.ts";
import { attestationOf, newSigner } from "../service/signing/signers.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, brokenRules, openPage, openTab, type StartedConsole, show, startConsole } from "./console-pages.ts";

const ASKS = `from weft import approval


def main(n: int = 1):
    return approval.ask("Pay the bill", form={"eur": "number", "way": ["bank", "card"], "why": "text"})["data"]
`;

/** By how many pixels the marked line stands below the end of its box. */
const BELOW_THE_BOX =
  "document.querySelector('.source .marked').getBoundingClientRect().bottom - document.querySelector('.source').getBoundingClientRect().bottom";

if (CHROMIUM === null) process.stderr.write("test/browser/console-forms.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120_000 }, () => {
  let started: StartedConsole;
  beforeAll(async () => {
    started = await startConsole({ WF_UI: "act", WF_DEPLOY: "1" }, files);
  }, 60_000);
  afterAll(() => started?.stop());

  it("says what is wrong with a decision at the fields of its form, and shows the data of one that was made", async () => {
    const { service, browser, base } = started;
    const job = await service.queued({ code: ASKS, adapters: { enable: ["approval"] }, durable: true });
    await service.until(job, "waiting");
    const [{ approval_id: id }] = (await service.call("GET", `/approvals?job=${job}`)).body.approvals;
    const { page, faults } = await openPage(browser, base);
    await show(page, base, `/approvals/${id}`);
    const eur = page.getByLabel("eur: number");
    await page.getByLabel("way: choose one").selectOption("card");
    await page.getByLabel("Comment").fill("x".repeat(2001));
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    const comment = page.getByLabel("Comment");
    await expect.poll(() => comment.getAttribute("aria-invalid")).toBe("true");
    await comment.fill("fine");
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    await expect.poll(() => eur.getAttribute("aria-invalid")).toBe("true");
    const described = await eur.getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).innerText()).toBe("is missing");
    expect(await page.getByLabel("way: choose one").getAttribute("aria-invalid")).toBe(null);
    expect(await comment.getAttribute("aria-invalid")).toBe(null);
    expect(await brokenRules(page)).toEqual([]);
    await eur.fill("12.5");
    await page.getByLabel("why: text").fill("a <b>reason</b>");
    await page.getByRole("button", { name: "approve" }).click();
    await answer(page, true);
    const answers = page.getByRole("list", { name: "Answers" });
    await answers.waitFor();
    for (const text of ["12.5", "card", "a <b>reason</b>"]) await answers.getByText(text).waitFor();
    // The browser reports each refused request by itself.
    expect(faults.filter((fault) => !/\b(400|422)\b/.test(fault))).toEqual([]);
    await page.context().close();
  });

  it("shows what a proposal changes, wants a word, and makes the version current", async () => {
    const { service, browser, base } = started;
    const code = '# with: {"n": 2}\n# result: 4\ndef main(n: int):\n    return n * 2\n';
    expect((await service.call("PUT", "/programs/twice", { code })).status).toBe(201);
    const next = { code: code.replace("n * 2", "n * 3"), limits: { max_steps: 99 }, comment: "<b>faster</b>" };
    const { id } = (await service.call("PUT", "/programs/twice?propose=1", next)).body;
    const { page } = await openPage(browser, base);
    await show(page, base, "/proposals");
    await page.getByRole("cell", { name: "<b>faster</b>" }).waitFor();
    await page.getByRole("link", { name: "twice" }).click();
    for (const text of ["+    return n * 3", "-    return n * 2", "max steps 99", "0 of 1 passed"])
      await page.getByText(text, { exact: false }).first().waitFor();
    await page.getByText("comments: result: expected 4, and it was 6").waitFor();
    const word = page.getByLabel("Your word on it");
    await page.getByRole("button", { name: "Accept" }).click();
    await answer(page, true);
    await expect.poll(() => word.getAttribute("aria-invalid")).toBe("true");
    expect(await brokenRules(page)).toEqual([]);
    await word.fill("three is right");
    await page.getByRole("button", { name: "Accept" }).click();
    await answer(page, true);
    await page.getByText(/accepted, by somebody without a name .*three is right/).waitFor();
    expect((await service.call("GET", "/programs/twice")).body).toMatchObject({
      version: 2,
      accepted: { proposal: id },
    });
    await page.context().close();
  });

  it("shows who signed a version and which one is next, and promotes and ends it", async () => {
    const { service, browser, base } = started;
    const code = (n: number) => `def main(a: int):\n    return a * ${n}\n`;
    expect((await service.call("PUT", "/programs/tried", { code: code(2) })).status).toBe(201);
    const attestation = await attestationOf(service, "tried", { code: code(3) }, newSigner("<b>ann</b>"));
    await service.call("PUT", "/programs/tried?next=1", { code: code(3), attestation });
    const next = { version: 2, weight: 10, abort: { failures_percent: 5, of: 50 } };
    const set = async () => expect((await service.call("PUT", "/programs/tried/next", next)).status).toBe(200);
    await set();
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/programs");
    await page.getByText("2 (10 %)").waitFor();
    await page.getByRole("link", { name: "tried" }).click();
    const section = page.getByRole("region", { name: "Next version" });
    await section.getByText("when more than 5 % of its last 50 runs fail", { exact: false }).waitFor();
    await page.getByText("signed by <b>ann</b>", { exact: false }).waitFor();
    await page.getByText("not verified").waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole("button", { name: "End version 2" }).click();
    await expect.poll(() => section.count()).toBe(0);
    await set();
    await show(page, base, "/programs/tried");
    await page.getByRole("button", { name: "Promote version 2" }).click();
    await answer(page, true);
    await page.getByRole("heading", { level: 1, name: "tried@2" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("runs the function that is chosen, with its inputs and no others", async () => {
    const { service, browser, base } = started;
    const code =
      'from weft import api\n\n\ndef check(part: str):\n    return part\n\n\n@api("/twice")\ndef twice(count: int):\n    return count * 2\n';
    expect((await service.call("PUT", "/programs/parts", { code })).status).toBe(201);
    const { page, faults } = await openPage(browser, base);
    await show(page, base, "/programs/parts");
    await page.getByLabel(/^part: str, required/).waitFor();
    expect(await page.getByLabel(/^count: /).count()).toBe(0);
    await page.getByLabel("Function", { exact: true }).selectOption("twice");
    await page.getByLabel(/^count: int, required/).fill("21");
    expect(await page.getByLabel(/^part: /).count()).toBe(0);
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole("button", { name: "Queue a job" }).click();
    await page.getByRole("region", { name: "Result" }).getByText("42").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("says what is wrong with the inputs of a run at their fields", async () => {
    const { service, browser, base } = started;
    const code = "def main(count: int, names: list[str]):\n    return count\n";
    expect((await service.call("PUT", "/programs/counts", { code })).status).toBe(201);
    const { page } = await openPage(browser, base);
    await show(page, base, "/programs/counts");
    const count = page.getByLabel(/^count: /);
    await count.fill("1.5");
    await page.getByLabel("Variables, as JSON").fill('{"count": 1.5, "names": ["a", 2]}');
    await page.getByRole("button", { name: "Queue a job" }).click();
    await expect.poll(() => count.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("/1: expected text").waitFor();
    await page.context().close();
  });

  it("stays at the head of the page of a failed job, and shows the line that failed in the box of its program", async () => {
    const { service, browser, base } = started;
    const filler = Array.from({ length: 300 }, (_, at) => `    x = ${at}\n`).join("");
    const code = `def main(n: int = 0):\n${filler}    return 1 // n\n`;
    expect((await service.call("PUT", "/programs/long", { code })).status).toBe(201);
    const job = await service.queued({ program: "long", durable: true });
    await service.over(job);
    const { page } = await openPage(browser, base);
    await show(page, base, `/jobs/${job}`);
    await openTab(page, "Source");
    const marked = page.locator(".source .marked");
    await marked.waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('.source').scrollTop")).toBeGreaterThan(0);
    expect(await page.evaluate("scrollY")).toBe(0);
    expect(await page.evaluate(BELOW_THE_BOX)).toBeLessThanOrEqual(1);
    await page.context().close();
  });
});
