/**
 * The TypeScript client in Chromium, behind a proxy that serves the page and hands requests on, as a real page would use it. Skipped, with
 * the reason, without Chromium.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { servingJobs } from "../service/jobs/serving-jobs.ts";
import { CHROMIUM } from "./chromium.ts";

if (CHROMIUM === null) console.warn("test/browser/client.test.ts: skipped, no Chromium is installed");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const SCRIPT = `
import { WeftClient, WeftError } from "./client.ts";
const weft = new WeftClient({ server: location.origin });
const code = "# frame: n: number\\nL1:\\n  X m mul n 2\\n  J m\\n";
const found: unknown[] = [];
try {
  found.push(await weft.value({ code, frame: { n: 21 } }));
  const outs: unknown[] = [];
  for await (const line of weft.batch({ code, order: "input" }, [{ n: 1 }, { n: 2 }, { n: 3 }], { chunk: 2 })) outs.push(line.out);
  found.push(outs);
  const { job_id } = await weft.enqueue({ code, frame: { n: 4 } });
  const kinds: string[] = [];
  for await (const { event } of weft.events(job_id)) kinds.push(event);
  found.push(kinds.at(-1), (await weft.wait(job_id)).status);
  found.push(await weft.run({ code: "?" }).catch((error: unknown) => (error instanceof WeftError ? error.code : String(error))));
} catch (error) {
  found.push(String(error));
}
await fetch("/found", { method: "POST", body: JSON.stringify(found) });
`;

it.skipIf(CHROMIUM === null)("a page runs, streams, queues and follows a job", { timeout: 120_000 }, async () => {
  const { outputFiles } = await build({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  let tell: (found: unknown) => void = () => {};
  const told = new Promise((resolve) => {
    tell = resolve;
  });
  let servicePort = 0;
  const proxy = createServer(async (incoming, response) => {
    if (incoming.url === "/") response.end('<!doctype html><script type="module" src="/page.js"></script>');
    else if (incoming.url === "/page.js") response.setHeader("content-type", "text/javascript").end(script);
    else if (incoming.url === "/found") {
      let body = "";
      for await (const chunk of incoming) body += chunk;
      response.end();
      tell(JSON.parse(body));
    } else handOn(incoming, response, servicePort);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const page = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const service = await servingJobs({ variables: { WF_ALLOWED_ORIGINS: page } });
  servicePort = service.port;
  const profile = mkdtempSync(join(tmpdir(), "weft-chromium-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`];
  const browser = spawn(CHROMIUM ?? "", [...flags, "--remote-debugging-port=0", `${page}/`], { stdio: "ignore" });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => browser.once("exit", resolve));
    browser.kill();
    await ended;
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  });
  expect(await told).toEqual([42, [2, 4, 6], "end", "succeeded", "compile_error"]);
});

function handOn(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const outgoing = request({
    host: "127.0.0.1",
    port,
    method,
    path: url,
    headers: { ...headers, host: `127.0.0.1:${port}` },
  });
  outgoing.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}
