/**
 * What others may do to the console: names, words, graphs and documents that pretend to be something else or are too large; pages of other
 * origins; a proxy that strips headers. Skipped, with the reason, without Chromium.
 */
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { HIDDEN } from "../../compiler/hidden-characters.ts";
import { consoleFiles } from "../../service/console/files.ts";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";
import { answer, openPage, show, startBrowser } from "./console-pages.ts";
import { handOn, listening } from "./front.ts";

const SECONDS = 1000;
/** Text turned around, a space without width, a soft hyphen, a tag, a filler: each hides what really stands there. */
const HIDING = "pay\u202eecila\u2066 now\u200b or\u00ad\u{e0041}\u3164";
const SHOWN = "pay\\u202eecila\\u2066 now\\u200b or\\xad\\u{e0041}\\u3164";
const MARKUP = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const WAITS = 'L1:\n  R signal.wait "go" ->s\n  J s.data\n';

if (CHROMIUM === null)
  process.stderr.write("test/browser/console-attacks.test.ts: skipped, no Chromium is installed\n");
const files = consoleFiles();
const ACT = { WF_UI: "act", WF_DEPLOY: "1" };

describe.skipIf(CHROMIUM === null || files === null)("the console", { timeout: 120 * SECONDS }, () => {
  let service: JobServing;
  let browser: Browser;
  let base: string;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  const started = (options: JobServingOptions = {}): Promise<JobServing> =>
    servingJobs({ variables: ACT, app: { consoleFiles: files }, ...options });

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await started({ stateDir: folder.path });
    base = `http://127.0.0.1:${service.port}`;
    browser = await startBrowser();
  }, 60 * SECONDS);

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await folder?.remove();
  });

  it("shows characters that hide something as escapes, in names, tags, descriptions, results and source", async () => {
    const { page, faults } = await openPage(browser, base);
    const code = `L1:\n  J ${JSON.stringify(HIDING)}\n`;
    await service.call("PUT", "/programs/hiding", { code, description: HIDING });
    const id = await service.queued({ program: "hiding", name: HIDING, tags: { team: HIDING } });
    await service.over(id);
    for (const path of ["/jobs", `/jobs/${id}`, "/programs", "/programs/hiding"]) {
      await show(page, base, path);
      await page.getByText(SHOWN).first().waitFor();
      const text = await page.locator("main").textContent();
      expect(HIDDEN.exec((text ?? "").replace(/[\n\t]/g, ""))?.[0], path).toBeUndefined();
    }
    await show(page, base, "/playground?program=hiding&version=1");
    await page.locator(".editor").getByText("\\u202e").waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows markup as text wherever others may write: names, tags, labels, results, errors and graphs", async () => {
    const { page, faults } = await openPage(browser, base);
    const label = "L_<b>";
    const code = `L1:\n  Set a ${JSON.stringify(MARKUP)}\n  If a ->${label} ->${label}\n${label}:\n  J a\n`;
    const id = await service.queued({ code, name: MARKUP, tags: { team: MARKUP }, strict: false });
    await service.over(id);
    for (const path of ["/jobs", `/jobs/${id}`]) {
      await show(page, base, path);
      await page.getByText(MARKUP.slice(0, 40)).first().waitFor();
      expect(await page.locator("main img, main script").count(), path).toBe(0);
    }
    await page.locator(".picture .title", { hasText: "L_<b>" }).waitFor();
    expect(await page.title()).toMatch(/^<img src=x .* – Jobs – Weft$/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows markup as text in questions, in programs and in what they are tagged with", async () => {
    const { page, faults } = await openPage(browser, base);
    const ask = JSON.stringify(MARKUP);
    const code = `L1:\n  R approval.ask ${ask} {"details": ${ask}, "timeout": "1d"} ->a\n  J a\n`;
    const adapters = { enable: ["approval"] };
    expect((await service.call("PUT", "/programs/asks", { code, adapters, description: MARKUP })).status).toBe(201);
    const id = await service.queued({ program: "asks", tags: { team: MARKUP } });
    await service.until(id, "waiting");
    const { body } = await service.call("GET", `/approvals?job=${id}`);
    for (const path of [
      ...["", "/approvals", `/approvals/${body.approvals[0].approval_id}`, `/jobs/${id}`, "/jobs"],
      ...["/programs", "/programs/asks"],
    ]) {
      await show(page, base, path);
      await page.getByText("<img src=x").first().waitFor();
      expect(await page.locator("main img, main script").count(), path).toBe(0);
      expect(await page.title(), path).toMatch(/ – Weft$/);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("shows no value where values are hidden, on no page", async () => {
    const own = await temporaryFolder();
    const hiding = await started({
      stateDir: own.path,
      variables: { WF_UI: "act", WF_DEPLOY: "1", WF_UI_VALUES: "0" },
    });
    onTestFinished(async () => {
      await hiding.stop();
      await own.remove();
    });
    const code =
      '# frame: s: text\nL1:\n  R ext.Echo s ->x\n  R approval.ask "Title" {"details": x, "timeout": "1d"} ->a\n  J [x, a.comment]\n';
    const job = { code, frame: { s: "the secret" }, adapters: { enable: ["ext", "approval"] } };
    const [asking, done] = [await hiding.queued(job), await hiding.queued(job)];
    for (const id of [asking, done]) await hiding.until(id, "waiting");
    const questionOf = async (id: string) =>
      (await hiding.call("GET", `/approvals?job=${id}`)).body.approvals[0].approval_id;
    const [open, decided] = [await questionOf(asking), await questionOf(done)];
    await hiding.call("POST", `/approvals/${decided}`, { decision: "approve", comment: "the secret too" });
    await hiding.over(done);
    const origin = `http://127.0.0.1:${hiding.port}`;
    const { page } = await openPage(browser, origin);
    for (const path of [
      "/jobs",
      `/jobs/${asking}`,
      `/jobs/${done}`,
      "/approvals",
      `/approvals/${open}`,
      `/approvals/${decided}`,
    ]) {
      await page.goto(`${origin}/ui${path}`, { waitUntil: "networkidle" });
      await page.locator("h1").waitFor();
      expect(await page.locator("body").textContent(), path).not.toContain("the secret");
      for (const name of ["Show values", "Show values of variables", "Show its value"])
        expect(await page.getByText(name).count(), `${path} ${name}`).toBe(0);
    }
    await page.context().close();
  });

  it("shows arguments and variables of a durable job as text, also of a megabyte and with hidden characters", async () => {
    const own = await temporaryFolder();
    onTestFinished(() => own.remove());
    const apart = await started({ variables: { ...ACT, WF_JOURNAL_VALUES: "1" }, stateDir: own.path });
    onTestFinished(() => apart.stop());
    const code = `from weft import cache, parallel, signal


def look(word: str):
    return cache.get("k")


def main(words: list[str]):
    large = words[0] * 40000
    held = {words[0]: words, "__proto__": words}
    parallel(look, words)
    return signal.wait("go")
`;
    const words = [MARKUP, HIDING, "x".repeat(1_000_000)];
    const adapters = { enable: ["cache", "signal"] };
    const id = await apart.queued({ code, frame: { words }, name: MARKUP, durable: true, adapters });
    await apart.until(id, "waiting");
    const { page, faults } = await openPage(browser, `http://127.0.0.1:${apart.port}`, { width: 400 });
    await show(page, `http://127.0.0.1:${apart.port}`, `/jobs/${id}`);
    const lanes = page.getByRole("region", { name: "Timeline" }).locator(".lane code");
    await expect
      .poll(() => lanes.allTextContents())
      .toEqual([
        expect.stringMatching(/^look\("<img src=x/),
        expect.stringContaining("\\u202e"),
        "look(<string>)",
        "main",
      ]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
    await page.getByRole("tab", { name: "Variables" }).click();
    await page.getByLabel("Show values of variables").check();
    await page.getByRole("row", { name: /^held/ }).waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    const text = await page.locator("main").textContent();
    expect(HIDDEN.exec((text ?? "").replace(/[\n\t]/g, ""))?.[0]).toBeUndefined();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("stays usable with words of a megabyte", async () => {
    const { page, faults } = await openPage(browser, base);
    const word = "W".repeat(1_000_000);
    const id = await service.queued({ code: "# frame: word\nL1:\n  J word\n", frame: { word }, name: "large" });
    await service.over(id);
    await show(page, base, `/jobs/${id}`);
    await page.getByText("more characters").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    // The longest line that a program may have, many times.
    const code = `${`# ${word.slice(0, 60_000)}\n`.repeat(15)}L1:\n  J 1\n`;
    expect((await service.call("PUT", "/programs/large", { code })).status).toBe(201);
    await show(page, base, "/programs/large");
    await page.locator(".source code").first().waitFor();
    await page.getByRole("button", { name: "Queue a job" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("lists a graph of 20,000 labels in part, and does not draw it", async () => {
    const { page, faults } = await openPage(browser, base);
    const code = Array.from({ length: 20_000 }, (_, at) => `L${at}:\n  J ${at}\n`).join("");
    expect((await service.call("PUT", "/programs/labels", { code })).status).toBe(201);
    await show(page, base, "/programs/labels");
    await page.getByText("The graph has 20,001 boxes, too many to be drawn, of which the first are listed.").waitFor();
    await page.getByRole("button", { name: "1,900 more" }).waitFor();
    await page.getByRole("link", { name: "Jobs", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("steps through a record of 10,000 calls", async () => {
    const { page, faults } = await openPage(browser, base);
    const calls = Array.from({ length: 10_000 }, (_, seq) => ({
      seq,
      adapter: "ext",
      verb: "Echo",
      label_id: "1",
      node_id: "n1",
      attempt: 1,
      ok: true,
      result: seq,
    }));
    await show(page, base, "/playground");
    await page.getByLabel("Open a program, record or journal").setInputFiles({
      name: "record.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ format: "weft-record", version: 1, calls })),
    });
    await page.getByText("a record with 10,000 steps").waitFor();
    await page.getByRole("slider").press("End");
    await page.getByText("Step 10000 of 10000").waitFor();
    await page.locator("pre.value", { hasText: "9999" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("pages through thousands of jobs, fifty at a time", async () => {
    const { page, faults } = await openPage(browser, base);
    const many = await started({ variables: { ...ACT, WF_QUEUE_MAX: "20000", WF_QUEUE_WORKERS: "1" } });
    onTestFinished(() => many.stop());
    const frames = Array.from({ length: 10_000 }, (_, n) => ({ n }));
    expect((await many.call("POST", "/enqueue", { code: WAITS, frames, tags: { set: "many" } })).status).toBe(202);
    const origin = `http://127.0.0.1:${many.port}`;
    await page.goto(`${origin}/ui/jobs?tag=set:many`);
    await page.getByRole("link", { name: "older" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(50);
    await page.getByRole("link", { name: "older" }).click();
    await page.getByRole("link", { name: "newest" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(50);
    expect(faults.filter((fault) => !fault.startsWith("request"))).toEqual([]);
    await page.context().close();
  });

  it("cannot be acted through by a page of another origin, nor framed by it", async () => {
    const evil = await listening(
      createServer((_request, response) => {
        response.setHeader("content-type", "text/html").end(`<!doctype html><title>evil</title><iframe></iframe>`);
      }),
    );
    const { page } = await openPage(browser, base);
    await page.goto(`${evil}/`);
    const waiting = await service.queued({ code: WAITS });
    const acted = await page.evaluate(
      async ([target, id]) => {
        const answers: string[] = [];
        for (const [path, method, headers] of [
          ["/run", "POST", { "content-type": "application/json", "x-wf-ui": "1" }],
          ["/run", "POST", { "content-type": "text/plain" }],
          [`/result/${id}`, "DELETE", {}],
        ] as const) {
          const body = method === "POST" ? '{"code": "L1:\\n  J 1\\n"}' : undefined;
          const asked = { method, headers, ...(body === undefined ? {} : { body }) };
          answers.push(
            await fetch(`${target}${path}`, asked).then(
              ({ status }) => String(status),
              () => "blocked",
            ),
          );
        }
        return answers;
      },
      [base, waiting],
    );
    expect(acted).toEqual(["blocked", "blocked", "blocked"]);
    await page.evaluate(`document.querySelector("iframe").src = ${JSON.stringify(`${base}/ui`)}`);
    await expect.poll(() => page.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
    const { body } = await service.call("GET", `/result/${waiting}`);
    expect(body.status).not.toBe("cancelled");
    await page.context().close();
  });

  it("allows no worker, so the compiler works in slices", async () => {
    const { page } = await openPage(browser, base);
    await show(page, base, "");
    const refusal = page.evaluate('new Worker(document.querySelector("script").src).postMessage(1)');
    await expect(refusal).rejects.toThrow(/TrustedScriptURL/);
    await page.context().close();
  });

  it("offers no action where it only reads, and the service refuses one that is made all the same", async () => {
    const reading = await started({ variables: { WF_UI: "read", WF_DEPLOY: "1", WF_UI_VALUES: "0" } });
    onTestFinished(() => reading.stop());
    const origin = `http://127.0.0.1:${reading.port}`;
    const { page } = await openPage(browser, origin);
    await reading.call("PUT", "/programs/hello", { code: 'S hello core /h\nCr L1 0 2 * * *\nL1:\n  J "secret"\n' });
    const done = await reading.queued({ program: "hello" });
    await reading.over(done);
    const waiting = await reading.queued({ code: WAITS });
    for (const path of ["/jobs", `/jobs/${done}`, `/jobs/${waiting}`, "/programs/hello", "/schedules/hello/L1"]) {
      await page.goto(`${origin}/ui${path}`);
      await page.locator("h1").waitFor();
      await page.getByText("reads", { exact: true }).waitFor();
      for (const name of [
        /^cancel(?!led)/i,
        /^retry/i,
        "Queue a job",
        "Run now",
        "Pause",
        "Backfill",
        "Disable",
        "Send",
      ])
        expect(await page.getByRole("button", { name }).count(), `${path} ${name}`).toBe(0);
    }
    await page.goto(`${origin}/ui/jobs/${done}`);
    await page.getByText("text, 6").waitFor();
    expect(await page.locator("main section").filter({ hasText: "Result" }).first().textContent()).not.toContain(
      "secret",
    );
    const answer = await page.evaluate(async () => {
      const headers = { "x-wf-ui": "1", "content-type": "application/json" };
      const sent = await fetch("/run", { method: "POST", headers, body: '{"code": "L1:\\n  J 1\\n"}' });
      return ((await sent.json()) as { readonly error: string }).error;
    });
    expect(answer).toBe("ui_read_only");
    await page.context().close();
  });

  it("reads through a proxy that strips every other header, where a plain form still cannot act", async () => {
    const strips = await listening(
      createServer((incoming, response) => {
        const kept = Object.entries(incoming.headers).filter(([name]) => /^(accept|content-(type|length))$/.test(name));
        handOn(incoming, response, service.port, Object.fromEntries(kept), [
          "content-encoding",
          "etag",
          "cache-control",
        ]);
      }),
    );
    const { page } = await openPage(browser, strips);
    await page.goto(`${strips}/ui/jobs`);
    await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    const status = await page.evaluate(async () => {
      const plain = { method: "POST", headers: { "content-type": "text/plain" }, body: '{"code": "L1:\\n  J 1\\n"}' };
      return (await fetch("/run", plain)).status;
    });
    expect(status).toBe(415);
    await page.context().close();
  });

  it("opens through a proxy that changes the Host, and says what is refused when it acts", async () => {
    const proxied = await listening(
      createServer((incoming, response) => handOn(incoming, response, service.port, { ...incoming.headers })),
    );
    const { page } = await openPage(browser, proxied);
    await page.goto(`${proxied}/ui/playground`);
    await page.getByRole("heading", { level: 1, name: "Playground" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("requests of other origins are refused").first().waitFor();
    await page.context().close();
  });

  it("shows in one tab what was done in another", async () => {
    const context = await browser.newContext();
    const [one, two] = [await context.newPage(), await context.newPage()];
    const id = await service.queued({ code: WAITS, name: "shared" });
    for (const page of [one, two]) {
      await show(page, base, `/jobs/${id}`);
      await page.getByRole("button", { name: "Cancel" }).waitFor();
    }
    await one.getByRole("button", { name: "Cancel" }).click();
    await answer(one, true);
    await one.getByRole("heading", { level: 1, name: "shared cancelled" }).waitFor();
    await two.bringToFront();
    await two.getByRole("heading", { level: 1, name: "shared cancelled" }).waitFor();
    await context.close();
  });
});
