/**
 * Pages in a real browser: a server of this machine hands them out, Chromium shows them in frames, and a probe measures them. Every
 * name resolves to that server, so whatever a page would load is seen. Nothing here knows what the pages are.
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export type Page = { readonly name: string; readonly type: "text/html" | "image/svg+xml"; readonly text: string };
type Measured = {
  readonly page: string;
  readonly title: string;
  readonly language: string;
  readonly texts: number;
  readonly active: readonly string[];
  readonly outside: readonly string[];
  /** Titles of frames that an arrow crosses. */
  readonly crossed: readonly string[];
  readonly scrollsSideways: boolean;
  readonly unreachable: readonly string[];
  readonly faint: readonly string[];
  readonly owned: boolean;
};
export type Visit = {
  readonly measured: readonly Measured[];
  /** Requests apart from those for the pages: host and path. */
  readonly strayed: readonly string[];
};

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const MAX_MS = 100_000;
const PROBE = readFileSync(new URL("probe.js", import.meta.url), "utf8");

/** The browser asks for updates of itself and its parts, whatever its flags say. No page does. */
const UPDATES = /^(?:update\.googleapis\.com|clients2\.google\.com)(?::\d+)?\/(?:service\/update2|time\/)/;

/** The command that starts Chromium; null when it is not installed. */
export const CHROMIUM = NAMES.find((name) => spawnSync(name, ["--version"]).status === 0) ?? null;

export async function visit(command: string, pages: readonly Page[], scheme: "light" | "dark"): Promise<Visit> {
  const strayed: string[] = [];
  const frames = pages.map(
    ({ name }, at) => `<iframe name="${name}" src="/${at}" style="width:1000px;height:800px"></iframe>`,
  );
  const parts = new Map(pages.map(({ type, text }, at) => [`/${at}`, { type, text }]));
  parts.set("/", {
    type: "text/html",
    text: `<pre id="found"></pre>${frames.join("")}<script src="/probe.js"></script>`,
  });
  const server = createServer(({ url = "", headers }, response) => {
    const part = url === "/probe.js" ? { type: "text/javascript", text: PROBE } : parts.get(url);
    const own = UPDATES.test(`${headers.host}${url}`);
    if (part === undefined && url !== "/favicon.ico" && !own) strayed.push(`${headers.host}${url}`);
    response.writeHead(part === undefined ? 404 : 200, { "content-type": `${part?.type}; charset=utf-8` });
    response.end(part?.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "weft-chromium-"));
  try {
    const { port } = server.address() as AddressInfo;
    const document = await dumpOf(command, port, profile, scheme);
    const [, found = ""] = /<pre id="found">(.*?)<\/pre>/.exec(document) ?? [];
    return { measured: JSON.parse(decodeURIComponent(found)), strayed };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function dumpOf(command: string, port: number, profile: string, scheme: "light" | "dark"): Promise<string> {
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    // It would ask a server of its maker for the time.
    "--disable-features=NetworkTimeServiceQuerying",
    `--user-data-dir=${profile}`,
    `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
    `--blink-settings=preferredColorScheme=${scheme === "dark" ? 0 : 1}`,
    "--dump-dom",
    `http://127.0.0.1:${port}/`,
  ];
  const { stdout } = await promisify(execFile)(command, flags, { timeout: MAX_MS, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
