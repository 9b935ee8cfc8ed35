/**
 * The documentation as a site: it is built, which finds links that lead nowhere, and clicked through in Chromium. Skipped, with the reason,
 * without Chromium or what the site is built with.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES } from "../docs/pages.ts";
import { CHROMIUM } from "./chromium.ts";
import { startBrowser } from "./console-pages.ts";

const DOCS = join(import.meta.dirname, "../../docs");
const VITEPRESS = join(DOCS, "node_modules/vitepress/bin/vitepress.js");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

const missing =
  CHROMIUM === null
    ? "no Chromium is installed"
    : existsSync(VITEPRESS)
      ? null
      : "VitePress is missing (npm ci --prefix docs)";
if (missing !== null) process.stderr.write(`test/browser/docs-site.test.ts: skipped, ${missing}\n`);

/** Files of a folder, and pages without their ending, as any host of static files serves them. */
function served(folder: string): Server {
  return createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/");
    const file = path.endsWith("/") ? `${path}index.html` : extname(path) === "" ? `${path}.html` : path;
    const content = await readFile(join(folder, file)).catch(() => null);
    response.writeHead(content === null ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    response.end(content);
  });
}

describe.skipIf(missing !== null)("the documentation as a site", { timeout: 120_000 }, () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "weft-site-"));
    // A link that leads nowhere ends it.
    await promisify(execFile)(process.execPath, [VITEPRESS, "build", DOCS], {
      env: { ...process.env, WEFT_SITE: folder },
    });
    server = served(folder);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function opened(width: number): Promise<{ readonly page: Page; readonly faults: string[] }> {
    const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
    const faults: string[] = [];
    page.on("console", (message) => faults.push(message.text()));
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith(base) && !request.url().startsWith("data:")) faults.push(request.url());
    });
    return { page, faults };
  }

  it("has every page, and its own style", () => {
    const wanted = PAGES.map((page) => page.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
    expect(wanted.filter((page) => !existsSync(join(folder, page)))).toEqual([]);
  });

  it("leads from its index to a page, finds another by a word, and asks nothing of other hosts", async () => {
    const { page, faults } = await opened(1280);
    await page.goto(`${base}/`);
    await page.getByRole("link", { name: "Programs are Python" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Programs are Python" }).waitFor();
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("dead letter");
    await page.locator("#localsearch-list a").first().click();
    await page.waitForURL((url) => url.pathname !== "/python");
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Braces, angle brackets and entities are the text of the page.
    await page.goto(`${base}/functions`);
    await page.getByText("{{").first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it("can be read on a narrow screen, and in the dark", async () => {
    const { page, faults } = await opened(360);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${base}/jobs`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await page.evaluate("document.documentElement.classList.contains('dark')")).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
