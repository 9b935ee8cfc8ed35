/** What was polled, read offline: lists, counts, search, growth, figures by day. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { videomonAdapter } from "../../../../adapters/builtin/videomon/definition.ts";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, NO_PLACES, openBench } from "../../../support/adapter-bench.ts";
import { inProcessSqlite } from "../../../support/in-process-sqlite.ts";
import { NOW, wallClock } from "../svc/wall-clock.ts";
import { feedVideo, storePoll } from "./stored-videos.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const sqlite = inProcessSqlite();
let folder: string;
let path: string;
let bench: AdapterBench;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-videomon-"));
  path = join(folder, "videos.db");
  const at = (hours: number) => NOW - hours * HOUR;
  const old = feedVideo("old", { title: "Ältestes STÜCK", publishedMs: at(1000), views: 100 });
  const fast = feedVideo("fast", { description: "100% fun_", publishedMs: at(30), views: 0, likes: 1 });
  const slow = feedVideo("slow", { publishedMs: at(20), views: 10 });
  storePoll(path, "main", [old, fast], at(30));
  storePoll(path, "main", [{ ...old, views: 150 }, { ...fast, views: 240 }, slow], at(6));
  storePoll(
    path,
    "main",
    [
      { ...old, views: 150 },
      { ...fast, views: 300 },
      { ...slow, views: 22 },
    ],
    NOW,
  );
  storePoll(path, "other", [feedVideo("undated"), feedVideo("slow", { title: "Same id" })], at(2));
  bench = await open();
});
afterAll(async () => {
  await bench.end();
  await sqlite.close();
  await rm(folder, { recursive: true });
});

function open(settings: JsonObject = {}): Promise<AdapterBench> {
  const services = { places: NO_PLACES, sqlite };
  return openBench(videomonAdapter, { services, clock: wallClock(), settings: { db_path: path, ...settings } });
}

const ids = (list: unknown) => (list as readonly { id: string }[]).map(({ id }) => id);

describe("videos", () => {
  it.each<readonly [args: readonly unknown[], expected: readonly string[]]>([
    [[], ["slow", "undated", "slow", "fast", "old"]],
    [["main"], ["slow", "fast", "old"]],
    [["none"], []],
    [["main", { limit: 1 }], ["slow"]],
    [[{ limit: 2 }], ["slow", "undated"]],
    [
      ["main", { since: new Date(NOW - 30 * HOUR).toISOString() }],
      ["slow", "fast"],
    ],
    [["main", { since: "2020-01-14T18:00:00+02:00" }], ["slow"]],
    [
      [null, { since: "2020-01-15T10:00:00Z" }],
      ["slow", "undated"],
    ],
  ])("%j: %j", async (args, expected) => {
    expect(ids(await bench.call("videos", ...args))).toEqual(expected);
  });

  it("are returned as they are known", async () => {
    expect(await bench.call("video", "fast")).toEqual({
      id: "fast",
      channel: "main",
      title: "Video fast",
      url: "https://video.example/fast",
      published_at: new Date(NOW - 30 * HOUR).toISOString(),
      updated_at: null,
      description: "100% fun_",
      thumbnail: null,
      duration_s: null,
      views: 300,
      likes: 1,
      first_seen_at: new Date(NOW - 30 * HOUR).toISOString(),
    });
    expect(await bench.call("video", "none")).toBeNull();
    expect(await bench.call("video", "slow")).toMatchObject({ channel: "main" });
  });

  it.each<readonly [args: readonly unknown[], count: number]>([
    [[], 3],
    [[48], 4],
    [[48, "main"], 2],
    [[null, "other"], 2],
    [[1.5], 0],
    [[24, "none"], 0],
  ])("recent %j: %i", async (args, count) => {
    expect(await bench.call("recent", ...args)).toBe(count);
  });

  it.each<readonly [text: string, options: JsonObject, expected: readonly string[]]>([
    ["ältestes stück", {}, ["old"]],
    ["A\u0308LTESTES", {}, ["old"]],
    ["100% FUN_", {}, ["fast"]],
    ["%", {}, ["fast"]],
    ["video", {}, ["undated", "slow", "fast"]],
    ["video", { channel: "other", limit: 1 }, ["undated"]],
    ["'; DROP TABLE videos; --", {}, []],
  ])("search %j %j: %j", async (text, options, expected) => {
    expect(ids(await bench.call("search", text, options))).toEqual(expected);
  });
});

describe("growth", () => {
  it("is counted from the beginning of the time", async () => {
    const found = (await bench.call("trending", { hours: 24 })) as readonly { id: string; views_per_hour: number }[];
    expect(found.map(({ id, views_per_hour: rate }) => [id, Math.round(rate * 100) / 100])).toEqual([
      ["fast", 12.5],
      ["old", 2.08],
      ["slow", 2],
    ]);
    expect(ids(await bench.call("trending", { hours: 6, limit: 1 }))).toEqual(["fast"]);
    expect(ids(await bench.call("trending", { hours: 3 }))).toEqual(["fast", "slow"]);
  });

  it("of nothing is nothing", async () => {
    expect(await (await open({ allow_channels: ["other"] })).call("trending")).toEqual([]);
  });
});

describe("channels", () => {
  it("have a profile", async () => {
    expect(await bench.call("profile", "main")).toEqual({
      name: "main",
      title: "main",
      url: null,
      subscribers: null,
      videos: 3,
      last_published_at: new Date(NOW - 20 * HOUR).toISOString(),
    });
    expect(await bench.code("profile", "none")).toBe("ADAPTER_NOT_FOUND");
    const watched = await open({ channels: { fresh: { feed: "https://video.example/feed" } } });
    expect(await watched.call("profile", "fresh")).toMatchObject({ name: "fresh", title: null, videos: 0 });
  });

  it("have figures by day", async () => {
    const days = [
      { at: new Date(NOW - 30 * HOUR).toISOString(), views: 100, subscribers: null, videos: 2 },
      { at: new Date(NOW).toISOString(), views: 472, subscribers: null, videos: 3 },
    ];
    expect(await bench.call("analytics", "main")).toEqual(days);
    expect(await bench.call("analytics", "main", { days: 1 })).toEqual(days.slice(1));
    expect(await bench.call("analytics", "none")).toEqual([]);
  });

  it("have reports of polls", async () => {
    const polls = (await bench.call("F")) as readonly JsonObject[];
    expect(polls.map((poll) => [poll["channel"], poll["video_count"]])).toEqual([
      ["main", 3],
      ["other", 2],
      ["main", 3],
      ["main", 2],
    ]);
    expect(await bench.call("F", { limit: 1 })).toEqual([
      { id: 3, channel: "main", polled_at: new Date(NOW).toISOString(), video_count: 3 },
    ]);
  });
});

describe("allow_channels", () => {
  it("hides the others", async () => {
    const narrow = await open({ allow_channels: ["other"] });
    expect(ids(await narrow.call("videos"))).toEqual(["slow", "undated"]);
    expect(await narrow.call("recent", 9000)).toBe(2);
    expect(await narrow.call("video", "fast")).toBeNull();
    expect(await narrow.call("video", "slow")).toMatchObject({ channel: "other" });
    expect(await narrow.call("search", "stück")).toEqual([]);
    expect(await narrow.call("F")).toHaveLength(1);
    for (const [verb, ...args] of [
      ["videos", "main"],
      ["recent", 24, "main"],
      ["profile", "main"],
      ["analytics", "main"],
      ["search", "x", { channel: "main" }],
    ] as const) {
      expect(await narrow.code(verb, ...args)).toBe("ADAPTER_NOT_ALLOWED");
    }
    expect(await (await open({ allow_channels: [] })).call("videos")).toEqual([]);
  });
});

describe("arguments", () => {
  it.each<readonly [verb: string, args: readonly unknown[]]>([
    ["recent", [0]],
    ["recent", ["24"]],
    ["recent", [-1]],
    ["videos", ["main", { limit: 0 }]],
    ["videos", ["main", { limit: 1001 }]],
    ["videos", ["main", { since: "yesterday" }]],
    ["videos", ["main", { unknown: 1 }]],
    ["video", []],
    ["video", [{}]],
    ["search", [""]],
    ["trending", [{ hours: 0 }]],
    ["analytics", ["main", { days: 0 }]],
    ["profile", []],
  ])("%s %j is refused", async (verb, args) => {
    expect(await bench.code(verb, ...args)).toBe("ADAPTER_BAD_ARGS");
  });
});

it("without a file, says that nothing is kept", async () => {
  const services = { places: NO_PLACES, sqlite };
  const passing = await openBench(videomonAdapter, { services, settings: {} });
  expect(await passing.call("videos")).toEqual([]);
  expect(await passing.end()).toEqual([expect.stringMatching(/^videomon_not_durable/)]);
});

it("old figures are forgotten, videos are not", async () => {
  const file = join(folder, "old.db");
  storePoll(file, "main", [feedVideo("v", { views: 1 })], NOW - 500 * DAY);
  storePoll(file, "main", [], NOW);
  const kept = await open({ db_path: file });
  expect(await kept.call("F")).toHaveLength(1);
  expect(await kept.call("analytics", "main", { days: 400 })).toHaveLength(1);
  expect(await kept.call("videos")).toHaveLength(1);
});
