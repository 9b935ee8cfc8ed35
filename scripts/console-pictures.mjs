/**
 * Takes the pictures of docs/console.md and docs/tutorial.md: `node scripts/console-pictures.mjs [NAME…]`, after a build; with names, only those. Starts the
 * built service in a folder of its own with some programs and jobs, and needs Chromium (`CHROMIUM`, default /usr/bin/chromium).
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "./check/tools.mjs";

const wanted = process.argv.slice(2);
const PORT = 8979;
const BASE = `http://127.0.0.1:${PORT}`;
const DIGEST = `from weft import api, cron


@api("/digest/total", method="POST")
def total(prices: list[float]):
    return sum(prices)


@cron("0 2 * * *", tz="Europe/Vienna")
def nightly():
    return "done"
`;
const STOCK = `from weft import cron


@cron("15 * * * *")
def count():
    return "counted"
`;
const REPORT = `def report(month: str, copies: int = 1):
    return [f"{month} {copy}" for copy in range(copies)]
`;
const FETCHED = `from weft import http


def report(month: str, copies: int = 1):
    figures = http.Get("https://figures.example.com/month").body
    return [f"{month} {copy}: {figures}" for copy in range(copies)]
`;
const BROKEN = `def share(total: float, people: int):
    guests = ["ada", "bob"][:people]
    each = total / people
    return {guest: each for guest in guests}
`;
const DELIVERY = `from weft import signal


def delivery(order: int):
    ordered = {"order": order, "state": "sent"}
    news = signal.wait(["delivered", "lost"], timeout="14d")
    return {**ordered, "state": news.name}
`;
const ORDERS = `from weft import approval, cache, on, parallel


def check(part: str):
    return cache.get(part)


@on("orders/created", when="data.total > 100")
def large_order(event):
    order = event["data"]
    known = parallel(check, order["parts"])
    answer = approval.ask(
        f"Ship order {order['order']}?",
        details={"order": order["order"], "total": order["total"], "new parts": known.count(None)},
        timeout="2d",
    )
    return "shipped" if answer.approved else "stopped"
`;
/** The program of the tutorial, as it stands there. */
const CREDITS = /`credits\.wf`:\n\n```python\n(.*?)^```$/ms.exec(
  readFileSync(join(root, "docs/tutorial.md"), "utf8"),
)[1];

const folder = mkdtempSync(join(tmpdir(), "weft-pictures-"));
writeFileSync(join(folder, "digest.wf"), DIGEST);
const service = spawn(
  process.execPath,
  [join(root, "dist/wf.mjs"), "serve", folder, "--port", String(PORT), "--ui", "act"],
  {
    env: {
      ...process.env,
      WF_STATE_DIR: join(folder, "state"),
      WF_ENABLE_ADAPTERS: "approval,cache,event,http,signal,timer",
      WF_JOURNAL_VALUES: "1",
    },
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
  await send("PATCH", "/schedules/stock/count", { paused: true });
  await send("PUT", "/programs/report", { code: REPORT, description: "the figures of a month" });
  await send("PUT", "/programs/report", { code: FETCHED, adapters: { enable: ["http"] } });
  await send("PUT", "/programs/share", { code: BROKEN, description: "shares a bill" });
  await send("PUT", "/programs/delivery", { code: DELIVERY, description: "waits for the news of a parcel" });
  const { job_id: failed } = await post("/enqueue", {
    program: "share",
    frame: { total: 12, people: 0 },
    name: "share of the bill",
  });
  await fetch(`${BASE}/result/${failed}?wait=10`);
  const { job_id: waiting } = await post("/enqueue", {
    program: "delivery",
    frame: { order: 7 },
    name: "delivery of order 7",
  });
  for (const [name, people] of [
    ["share of table 4", 4],
    ["share of table 5", 0],
    ["share of table 6", 2],
  ])
    await post("/run", { code: BROKEN, frame: { total: 12, people }, name });
  await post("/run", { program: "digest", frame: { prices: [1, 2, 3] } });
  await send("PUT", "/programs/credits", { code: CREDITS });
  const { job_id: asking } = await post("/schedules/credits/credits/run", {});
  while ((await (await fetch(`${BASE}/result/${asking}`)).json()).status !== "waiting")
    await new Promise((next) => setTimeout(next, 50));
  const event = { enable: ["approval", "cache", "event"], event: { accept: ["orders/*"] } };
  await send("PUT", "/programs/orders", { code: ORDERS, description: "asks before a large order", adapters: event });
  await post("/events", { name: "orders/created", data: { order: "o-7", total: 120, parts: ["lamp", "shade"] } });
  let heard;
  while (heard === undefined) {
    heard = (await (await fetch(`${BASE}/jobs?program=orders&status=waiting`)).json()).jobs[0];
    await new Promise((next) => setTimeout(next, 50));
  }
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ colorScheme: "light" });
  for (const [name, path, height = 700] of [
    ["console-overview", ""],
    ["console-jobs", "/jobs"],
    ["console-job", `/jobs/${failed}`, 1000],
    ["console-durable", `/jobs/${waiting}`, 1300],
    ["console-programs", "/programs"],
    ["console-program", "/programs/report", 1500],
    ["console-schedules", "/schedules"],
    ["console-schedule", "/schedules/digest/nightly", 900],
    ["console-approvals", "/approvals", 900],
    ["console-event", `/jobs/${heard.job_id}`, 1000],
    ["console-runs", "/runs"],
    ["console-playground", "/playground", 1080],
    ["tutorial-job", `/jobs/${asking}`, 900],
    ["tutorial-approvals", "/approvals"],
  ].filter(([name]) => wanted.length === 0 || wanted.includes(name))) {
    await page.setViewportSize({ width: 1100, height });
    await page.goto(`${BASE}/ui${path}`, { waitUntil: "networkidle" });
    await page.locator("h1").waitFor();
    if (name === "console-playground") {
      await page.getByText("No findings").waitFor();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator("pre.value").first().waitFor();
      await page.getByRole("tab", { name: "Steps" }).click();
      for (let step = 1; step < 6; step++) await page.getByRole("button", { name: "Forward" }).click();
      await page.locator(".picture .present").waitFor();
    }
    if (name === "console-program") await page.getByText("Newly reached").waitFor();
    if (name === "console-overview") await page.locator("svg.day").waitFor();
    await page.screenshot({ path: join(root, "docs/images", `${name}.png`) });
  }
  await browser.close();
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}
