/** Pages of a console in Chromium: each notes what it says on the browser's console and asks of other origins, which is nothing. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import type { ConsoleFiles } from "../../service/console/files.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PROBE = readFileSync(new URL("console-probe.js", import.meta.url), "utf8");
const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules of those standards that look at colours. */
const COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

const MAX_MS = 90_000;

export type Opened = { readonly page: Page; readonly faults: string[] };

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: `/usr/bin/${CHROMIUM}`,
    args: ["--no-sandbox", "--disable-background-networking"],
  });
}

export type StartedConsole = {
  readonly service: JobServing;
  readonly browser: Browser;
  readonly base: string;
  readonly folder: Awaited<ReturnType<typeof temporaryFolder>>;
  stop(): Promise<void>;
};

/** A service with a state directory and the console, and a browser for it. */
export async function startConsole(
  variables: Readonly<Record<string, string>>,
  files: ConsoleFiles | null,
): Promise<StartedConsole> {
  const folder = await temporaryFolder();
  const service = await servingJobs({ stateDir: folder.path, variables, app: { consoleFiles: files } });
  const browser = await startBrowser();
  return {
    service,
    browser,
    base: `http://127.0.0.1:${service.port}`,
    folder,
    async stop() {
      await browser.close();
      await service.stop();
      await folder.remove();
    },
  };
}

/** A page of its own, and what it did that it should not. `base`: the only origin that it may ask. */
export async function openPage(
  browser: Browser,
  base: string,
  { scheme = "light", width = 1200 }: { readonly scheme?: "light" | "dark"; readonly width?: number } = {},
): Promise<Opened> {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  // What a page shows comes late on a busy machine.
  page.setDefaultTimeout(MAX_MS);
  const faults: string[] = [];
  await page.exposeFunction("reportFault", (text: string) => faults.push(text));
  await page.addInitScript(PROBE);
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${base}/`)) faults.push(`request: ${request.url()}`);
  });
  return { page, faults };
}

/** `path`: below `/ui`. */
export async function show(page: Page, base: string, path: string): Promise<void> {
  await page.goto(`${base}/ui${path}`);
  await page.locator("h1").waitFor();
}

/** Opens one of the tabs of the page. */
export const openTab = (page: Page, name: string): Promise<void> => page.getByRole("tab", { name }).click();

/** Answers the page's own question before an action. */
export async function answer(page: Page, isYes: boolean): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Confirm" });
  await dialog
    .getByRole("button")
    .nth(isYes ? 1 : 0)
    .click();
  await dialog.waitFor({ state: "hidden" });
}

/** The rules of WCAG that the page breaks in light or in dark colours. The checker is put in past the page's security policy. */
export async function brokenRules(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await session.send("Runtime.evaluate", { expression: AXE });
  const broken: string[] = [];
  // Only the rules about colours can say something else in the other scheme.
  for (const [colorScheme, runOnly] of [
    ["dark", COLOURS],
    ["light", STANDARDS],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const { result } = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, {runOnly: ${JSON.stringify(runOnly)}}).then(({violations}) => violations.map(({id, nodes}) => id + " " + nodes[0].html))`,
      awaitPromise: true,
      returnByValue: true,
    });
    broken.push(...(result.value as readonly string[]).map((rule) => `${colorScheme}: ${rule}`));
  }
  await session.send("Page.setBypassCSP", { enabled: false });
  return broken;
}
