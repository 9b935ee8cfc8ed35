/** Polling real servers: what is new, what is asked for only once, and when a channel is left alone. */
import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { videomonAdapter } from "../../../../adapters/builtin/videomon/definition.ts";
import { createHttpService } from "../../../../adapters/guard/http/service.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, type BenchOptions, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { verifies } from "../../../support/requirements.ts";
import { socketServer, type WebServer, webServer } from "../http/servers.ts";
import { NOW, wallClock } from "../svc/wall-clock.ts";
import { ENTITY_BOMB, JSON_FEED, mediaRss, RSS, rssOf } from "./feeds.ts";

type Answer = (response: ServerResponse) => void;

let folder: string;
const services = { places: NO_PLACES, sqlite: inProcessSqlite(), http: createHttpService() };
let server: WebServer;
let answers: Record<string, Answer>;
let clock: ReturnType<typeof wallClock>;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-videomon-"));
});
afterAll(async () => {
  await services.http.close();
  await services.sqlite.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  files += 1;
  clock = wallClock();
  answers = {};
  const respond: RequestListener = (request, response) => {
    const answer = answers[request.url ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  };
  server = await webServer(respond);
});
afterEach(() => server.close());

function feed(text: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(200, headers).end(text);
}
function refusing(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end("no");
}

function channel(path: string, more: JsonObject = {}): JsonObject {
  return { feed: server.base + path, ...more };
}

/** A bench on the database of this test. */
function open(settings: JsonObject, options: BenchOptions = {}): Promise<AdapterBench> {
  const db_path = join(folder, `videos-${files}.db`);
  return openBench(videomonAdapter, { services, clock, ...options, settings: { db_path, ...settings } });
}
const one = (more: JsonObject = {}) => open({ channels: { main: channel("/feed", more) } });

const ids = (report: unknown) => (report as readonly { new: readonly { id: string }[] }[])[0]?.new.map(({ id }) => id);

describe("poll", () => {
  it("tells what is new, once", async () => {
    verifies("adapter.videomon.monitoring");
    answers["/feed"] = feed(RSS);
    const bench = await one({ poll_min_s: 0 });
    const first = await bench.call("poll", "main");
    expect(first).toMatchObject([
      { channel: "main", total: 2, not_modified: false, polled_at: "2020-01-15T12:00:00.000Z", error: null },
    ]);
    expect(ids(first)).toEqual(["v-1", "v-2"]);
    expect(await bench.call("poll")).toMatchObject([{ channel: "main", new: [], total: 2 }]);
    answers["/feed"] = feed(RSS.replace("<guid>v-2</guid>", "<guid>v-3</guid>"));
    expect(ids(await bench.call("poll", "main"))).toEqual(["v-3"]);
    expect(await bench.call("videos")).toHaveLength(3);
    await bench.end();
  });

  it("asks again only for what changed", async () => {
    answers["/feed"] = feed(JSON_FEED, { etag: '"one"', "last-modified": "Tue, 14 Jan 2020 10:00:00 GMT" });
    await (await one({ poll_min_s: 0 })).call("poll", "main");
    answers["/feed"] = refusing(304);
    clock.advance(1_000);
    const [report] = (await (await one({ poll_min_s: 0 })).call("poll", "main")) as readonly JsonObject[];
    expect(report).toMatchObject({ new: [], total: 2, not_modified: true, polled_at: "2020-01-15T12:00:01.000Z" });
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"one"']);
    expect(server.requests[1]?.headers["if-modified-since"]).toBe("Tue, 14 Jan 2020 10:00:00 GMT");
  });

  it("leaves a channel alone for poll_min_s", async () => {
    answers["/feed"] = feed(RSS);
    const bench = await one({ poll_min_s: 60 });
    await bench.call("poll", "main");
    clock.advance(59_000);
    const early = { new: [], total: 2, not_modified: true, polled_at: "2020-01-15T12:00:00.000Z", error: null };
    expect(await bench.call("poll", "main")).toEqual([{ channel: "main", ...early }]);
    expect(server.requests).toHaveLength(1);
    clock.advance(1_000);
    await bench.call("poll", "main");
    expect(server.requests).toHaveLength(2);
    // The clock was set back by hours, and the next poll must not wait for them.
    clock.advance(-5 * 3_600_000);
    await bench.call("poll", "main");
    expect(server.requests).toHaveLength(3);
  });

  it("takes compressed feeds, and none that is larger than 5 MiB", async () => {
    answers["/feed"] = feed(gzipSync(RSS), { "content-encoding": "gzip" });
    answers["/huge"] = feed(gzipSync(rssOf("x".repeat(50_000_000))), { "content-encoding": "gzip" });
    const bench = await open({ channels: { main: channel("/feed"), huge: channel("/huge") } });
    expect(ids(await bench.call("poll", "main"))).toHaveLength(2);
    expect(await bench.code("poll", "huge")).toBe("ADAPTER_TOO_LARGE");
  });

  it("of a feed with as many videos as there may be", async () => {
    const items = Array.from({ length: 5_000 }, (_, at) => `<item><guid>v${at}</guid><title>Video</title></item>`);
    answers["/feed"] = feed(rssOf(items.join("")));
    const bench = await one();
    const [report] = (await bench.call("poll", "main")) as readonly { new: readonly unknown[]; total: number }[];
    expect(report?.new).toHaveLength(5_000);
    expect(await bench.call("profile", "main")).toMatchObject({ videos: 5_000 });
  });

  it.each<readonly [answer: Answer, code: string, retryable: boolean]>([
    [feed("<rss><channel>"), "ADAPTER_BAD_DATA", false],
    [feed(ENTITY_BOMB), "ADAPTER_BAD_DATA", false],
    [feed("{nope"), "ADAPTER_BAD_DATA", false],
    [refusing(404), "ADAPTER_HTTP_STATUS", false],
    [refusing(429), "ADAPTER_RATE_LIMITED", true],
    [refusing(503), "ADAPTER_UNAVAILABLE", true],
    [refusing(302, { location: "http://192.0.2.1/" }), "ADAPTER_HOST_BLOCKED", false],
    [refusing(302, { location: "/feed" }), "ADAPTER_TOO_MANY_REDIRECTS", false],
    [(response) => response.destroy(), "ADAPTER_TRANSPORT", true],
  ])("%#: fails with %s %s", async (answer, code, retryable) => {
    answers["/feed"] = answer;
    await expect((await one()).call("poll", "main")).rejects.toMatchObject({ code, retryable });
  });

  it("pauses for longer after every failure, and begins anew after a success", async () => {
    answers["/feed"] = refusing(500);
    const bench = await one({ poll_min_s: 0 });
    for (const pauseS of [60, 120, 240]) {
      expect(await bench.code("poll", "main")).toBe("ADAPTER_UNAVAILABLE");
      clock.advance(pauseS * 1000 - 1);
      await expect(bench.call("poll", "main")).rejects.toMatchObject({ code: "ADAPTER_RATE_LIMITED", retryAfterMs: 1 });
      clock.advance(1);
    }
    expect(server.requests).toHaveLength(3);
    answers["/feed"] = feed(RSS);
    await bench.call("poll", "main");
    answers["/feed"] = refusing(500);
    expect(await bench.code("poll", "main")).toBe("ADAPTER_UNAVAILABLE");
    await expect(bench.call("poll", "main")).rejects.toMatchObject({ retryAfterMs: 60_000 });
  });

  it.each([
    ["3600", 3_600_000],
    [new Date(NOW + 600_000).toUTCString(), 600_000],
    ["999999999", 24 * 3_600_000],
    ["soon", 60_000],
  ])("waits as long as asked: %s", async (wait, pauseMs) => {
    answers["/feed"] = refusing(429, { "retry-after": wait });
    const bench = await one({ poll_min_s: 0 });
    expect(await bench.code("poll", "main")).toBe("ADAPTER_RATE_LIMITED");
    await expect(bench.call("poll", "main")).rejects.toMatchObject({ retryAfterMs: pauseMs });
  });

  it("remembers a server that does not answer", async () => {
    const silent = await socketServer(() => {});
    const settings = { channels: { main: { feed: silent.base } }, timeout_s: 1 };
    const bench = await open(settings);
    expect(await bench.code("poll", "main")).toBe("ADAPTER_TIMEOUT");
    expect(await bench.code("poll", "main")).toBe("ADAPTER_RATE_LIMITED");
    await silent.close();
  });

  it("of all channels tells which one failed", async () => {
    answers["/feed"] = feed(RSS);
    const channels = { bad: channel("/none"), main: channel("/feed"), other: channel("/feed") };
    const bench = await open({ channels });
    expect(await bench.call("poll")).toMatchObject([
      { channel: "bad", new: [], polled_at: null, error: "ADAPTER_HTTP_STATUS" },
      { channel: "main", total: 2, error: null },
      { channel: "other", total: 2, error: null },
    ]);
    expect(await (await open({ channels: { bad: channel("/none"), worse: channel("/no") } })).code("poll")).toBe(
      "ADAPTER_RATE_LIMITED",
    );
    expect(await (await open({})).call("poll")).toEqual([]);
  });

  it.each<readonly [settings: JsonObject, args: readonly string[], code: string]>([
    [{}, ["none"], "ADAPTER_NOT_FOUND"],
    [{}, ["constructor"], "ADAPTER_NOT_FOUND"],
    [{ allow_channels: ["other"] }, ["main"], "ADAPTER_NOT_ALLOWED"],
    [{ allow_poll: false }, ["main"], "ADAPTER_NOT_ALLOWED"],
    [{ allow_poll: false }, [], "ADAPTER_NOT_ALLOWED"],
  ])("%j %j is refused with %s", async (settings, args, code) => {
    answers["/feed"] = feed(RSS);
    const bench = await open({ channels: { main: channel("/feed") }, ...settings });
    expect(await bench.code("poll", ...args)).toBe(code);
    expect(server.requests).toHaveLength(0);
  });

  it("polls only what is on the list", async () => {
    answers["/feed"] = feed(RSS);
    const channels = { main: channel("/feed"), other: channel("/feed") };
    const reports = await (await open({ channels, allow_channels: ["other", "none"] })).call("poll");
    expect(reports).toMatchObject([{ channel: "other" }]);
    expect(reports).toHaveLength(1);
  });

  it("needs HTTP", async () => {
    const { sqlite } = services;
    const bench = await open({ channels: { main: channel("/feed") } }, { services: { sqlite } });
    expect(await bench.code("poll", "main")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it("reaches no private host that the operator did not name", async () => {
    const named = await webServer((_request, response) => response.end(RSS));
    const bench = await open({ channels: { main: { feed: named.base, allow_hosts: [] } } });
    expect(ids(await bench.call("poll", "main"))).toHaveLength(2);
    answers["/feed"] = refusing(302, { location: `http://localhost:${named.port}/` });
    const away = await open({
      channels: { away: channel("/feed"), there: channel("/feed", { allow_hosts: ["localhost"] }) },
    });
    expect(await away.code("poll", "away")).toBe("ADAPTER_HOST_BLOCKED");
    expect(ids(await away.call("poll", "there"))).toHaveLength(2);
    await named.close();
  });
});

describe("statistics", () => {
  const stats = (more: JsonObject = {}) => ({
    url: `${server.base}/stats`,
    map: { subscribers: "items.0.count", views: "views" },
    ...more,
  });

  it("are asked for with the secret, and mapped", async () => {
    answers["/feed"] = feed(mediaRss(100));
    answers["/stats"] = feed('{"items": [{"count": "310"}], "views": 4000}');
    const settings = { channels: { main: channel("/feed", { stats: stats({ auth_secret: "STATS_KEY" }) }) } };
    const bench = await open(settings, { secrets: { STATS_KEY: "canary" } });
    await bench.call("poll", "main");
    expect(server.requests.find(({ url }) => url === "/stats")?.headers.authorization).toBe("Bearer canary");
    expect(await bench.call("profile", "main")).toMatchObject({ subscribers: 310 });
    expect(await bench.call("analytics", "main")).toMatchObject([{ subscribers: 310, views: 4000, videos: 1 }]);
  });

  it.each([feed("no JSON"), feed('{"items": []}'), feed('{"items": [{"count": -1}], "views": 1.5}'), refusing(500)])(
    "that cannot be had cost no poll (%#)",
    async (answer) => {
      answers["/feed"] = feed(mediaRss(100));
      answers["/stats"] = answer;
      const bench = await one({ stats: stats() });
      await bench.call("poll", "main");
      expect(await bench.call("analytics", "main")).toMatchObject([{ subscribers: null, views: 100 }]);
    },
  );

  it("need their secret", async () => {
    answers["/feed"] = feed(RSS);
    expect(await (await one({ stats: stats({ auth_secret: "NONE" }) })).code("poll", "main")).toBe(
      "ADAPTER_NOT_CONFIGURED",
    );
  });
});
