/**
 * Takes the pictures of docs/console.md: `node scripts/console-pictures.mjs`, after a build. Starts the built service in a folder of its
 * own with some programs and jobs, and needs Chromium (`CHROMIUM`, default /usr/bin/chromium).
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./check/tools.mjs";

const PORT = 8979;
const BASE = `http://127.0.0.1:${PORT}`;
const DIGEST = `S digest core /digest
Cr L_nightly 0 2 * * *
E /total P ->L_total ->sum
# frame: prices: list
L_total:
  R core.SUM prices ->sum
  J sum
L_nightly:
  J "done"
`;
const STOCK = `S stock core /stock
Cr L_hourly 15 * * * *
L_hourly:
  J "counted"
`;
const REPORT = `report:
  in: month:text
  in: copies:integer
  lines = []
  for copy in range(0, copies):
    lines = push(lines, f"{month} {copy}")
  out lines
`;
const FETCHED = REPORT.replace(
  "  lines = []\n",
  '  answer = http.Get("https://figures.example.com/month")\n  lines = [answer.body]\n',
);
const BROKEN = "L1:\n  X share idiv total people\n  J share\n";
const DELIVERY = `L1:
  X began now
  R signal.wait ["delivered", "lost"] {"timeout": "14d"} ->news
  J {"began": began, "news": news.name}
`;

const folder = mkdtempSync(join(tmpdir(), "weft-pictures-"));
writeFileSync(join(folder, "digest.wf"), DIGEST);
const service = spawn(
  process.execPath,
  [join(root, "dist/wf.mjs"), "serve", folder, "--port", String(PORT), "--ui", "act"],
  {
    env: { ...process.env, WF_STATE_DIR: join(folder, "state") },
    stdio: "ignore",
  },
);

async function send(method, path, body) {
  const headers = { "content-type": "application/json" };
  return (await fetch(BASE + path, { method, headers, body: JSON.stringify(body) })).json();
}
const post = (path, body) => send("POST", path, body);

async function started() {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(`${BASE}/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error("the service did not start");
}

try {
  await started();
  for (let at = 1; at <= 9; at++)
    await post("/enqueue", {
      program: "digest",
      frame: { prices: [at, 2, 3] },
      name: `order ${at}`,
      tags: { team: at % 2 ? "sales" : "ops" },
    });
  await send("PUT", "/programs/stock", { code: STOCK, description: "counts what is left of each article" });
  await send("PATCH", "/schedules/stock/L_hourly", { paused: true });
  await send("PUT", "/programs/report", { code: REPORT, description: "the figures of a month" });
  await send("PUT", "/programs/report", { code: FETCHED, adapters: { enable: ["http"] } });
  const { job_id: failed } = await post("/enqueue", {
    code: BROKEN,
    frame: { total: 12, people: 0 },
    name: "share of the bill",
  });
  await fetch(`${BASE}/result/${failed}?wait=10`);
  const { job_id: waiting } = await post("/enqueue", { code: DELIVERY, name: "delivery of order 7" });
  for (const [name, people] of [
    ["share of table 4", 4],
    ["share of table 5", 0],
    ["share of table 6", 2],
  ])
    await post("/run", { code: BROKEN, frame: { total: 12, people }, name });
  await post("/run", { program: "digest", frame: { prices: [1, 2, 3] } });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ colorScheme: "light" });
  for (const [name, path, height = 700] of [
    ["overview", ""],
    ["jobs", "/jobs"],
    ["job", `/jobs/${failed}`, 1000],
    ["durable", `/jobs/${waiting}`, 1300],
    ["programs", "/programs"],
    ["program", "/programs/report", 1500],
    ["schedules", "/schedules"],
    ["schedule", "/schedules/digest/L_nightly", 900],
    ["runs", "/runs"],
    ["playground", "/playground", 800],
  ]) {
    await page.setViewportSize({ width: 1100, height });
    await page.goto(`${BASE}/ui${path}`, { waitUntil: "networkidle" });
    await page.locator("h1").waitFor();
    if (name === "playground") {
      await page.getByRole("tab", { name: "Graph" }).click();
      await page.locator(".picture").waitFor();
    }
    if (name === "program") await page.getByText("Newly reached").waitFor();
    if (name === "overview") await page.locator("svg.day").waitFor();
    await page.screenshot({ path: join(root, "docs/images", `console-${name}.png`) });
  }
  await browser.close();
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
