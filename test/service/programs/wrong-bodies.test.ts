/** A value of every wrong type in every place of the bodies about deployments and schedules: a clear refusal, or what it says; never a fault. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const CODE = "# frame: n: number, _due_at: text\nE /one P ->L1\nCr L1 0 3 * * *\nL1:\n  J n\n";
/** As text, because some cannot be written as values here. */
const VALUES = [
  "null",
  "true",
  "-1",
  "1.5",
  "1e400",
  "12345678901234567890",
  '""',
  '"x"',
  '"\\u0000"',
  "[]",
  "[[[[]]]]",
  "{}",
  '{"__proto__": {"a": 1}}',
  '{"constructor": 1}',
];

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
  expect((await service.call("PUT", "/programs/kept", { code: CODE })).status).toBe(201);
});
afterAll(() => service.stop());

const SCHEDULE = {
  cron: "@daily",
  label: "L1",
  frame: { n: 1 },
  tz: "UTC",
  jitter_s: 1,
  overlap: "skip",
  catch_up: "last",
  catch_up_window_s: 60,
  from: "2026-01-01",
  until: "2099-01-01",
  paused: true,
};
const ENDPOINT = {
  mode: "job",
  headers: ["x-a"],
  dedupe: "x-id",
  verify: {
    kind: "hmac",
    secrets: ["A"],
    header: "x",
    prefix: "v=",
    encoding: "hex",
    algorithm: "sha256",
    timestamp_header: "y",
  },
};
const DEPLOY = {
  code: CODE,
  strict: true,
  label: "L1",
  frame: { n: 1 },
  limits: { max_steps: 10 },
  allowed_adapters: ["core"],
  adapters: { enable: [] },
  policy: { forbidden_adapters: [] },
  tags: { a: "b" },
  description: "d",
  tz: "UTC",
  endpoints: { "/one": ENDPOINT },
  schedules: [SCHEDULE],
};

/** Every pointer into a body: its members, those of members, and so on. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...members.flatMap(([key, member]) => places(member, [...path, key]))];
}

/** The text of the body with another value at a place. */
function changed(body: unknown, path: readonly (string | number)[], text: string): string {
  if (path.length === 0) return text;
  const copy = structuredClone(body);
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  at[path.at(-1) ?? ""] = "@@";
  return JSON.stringify(copy).replace('"@@"', () => text);
}

const DOORS: readonly (readonly [string, string, unknown])[] = [
  ["PUT", "/programs/tried?dry_run=1", DEPLOY],
  ["PUT", "/programs/tried?dry_run=1", { files: { "a.wf": CODE }, main: "a.wf" }],
  ["PATCH", "/programs/kept", { enabled: true, tags: { a: "b" }, description: "d" }],
  ["POST", "/programs/kept/rollback", { version: 1 }],
  ["PATCH", "/schedules/kept/L1", { paused: false }],
  ["POST", "/schedules/kept/L1/backfill", { from: "2026-01-01", to: "2026-01-02" }],
  ["POST", "/jobs/cancel", { program: "nothing", status: "queued", limit: 1, dry_run: true, tag: "a:b" }],
  ["POST", "/run", { program: "kept@1", frame: { n: 1 } }],
  ["POST", "/app/kept/one", { n: 1 }],
];

describe.each(DOORS)("%s %s", (method, path, body) => {
  it("refuses every wrong value with a code, and is whole afterwards", { timeout: 60_000 }, async () => {
    const headers = { "content-type": "application/json" };
    for (const place of places(body))
      for (const value of VALUES) {
        const text = changed(body, place, value);
        // The document of the service does not have the endpoints of programs.
        const isOwn = path.startsWith("/app/");
        const reply = await (isOwn
          ? exchange(service.port, method, path, text, headers)
          : service.call(method, path, text, headers));
        const what = `${place.join("/")}: ${value}: ${reply.status} ${reply.text.slice(0, 300)}`;
        expect(reply.status, what).toBeLessThan(500);
        if (reply.status < 400) continue;
        expect(reply.body.error, what).toMatch(/^[a-z_]+$/);
        expect(reply.body.message, what).not.toBe("");
      }
    expect((await service.call("PATCH", "/programs/kept", { enabled: true })).status).toBe(200);
    const { body: kept } = await service.call("GET", "/programs/kept");
    expect(kept).toMatchObject({ version: 1, enabled: true, endpoints: [{ path: "/one" }] });
    expect((await service.call("GET", "/programs/tried")).status).toBe(404);
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
    expect(service.log.filter(({ event }) => event === "defect")).toEqual([]);
  });
});
