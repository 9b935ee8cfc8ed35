/** Accounts that are feeds, accounts that cannot be, and settings that are refused. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebServer, webServer } from "../http/servers.ts";
import { socialBench } from "./social-bench.ts";

const bench = socialBench();

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Ship log</title><link>https://log.example/</link>
<item><guid>b;2</guid><title>Landed</title><link>https://log.example/2</link><pubDate>Tue, 01 Jan 2030 00:00:02 GMT</pubDate>
<description>&lt;p&gt;Safe &amp;amp; sound&lt;/p&gt;</description></item>
<item><guid>3</guid><description>Lost</description></item>
<item><guid>a1</guid><title>Launched</title><pubDate>Tue, 01 Jan 2030 00:00:01 GMT</pubDate></item>
</channel></rss>`;

let feed: WebServer;
let text: string;
beforeEach(async () => {
  text = FEED;
  feed = await webServer((_request, response) => response.end(text));
});
afterEach(() => feed.close());

const open = () => bench.open({ accounts: { log: { provider: "rss", base_url: `${feed.base}/feed.xml?all=1` } } });
const idsOf = (items: unknown) => (items as readonly { id: string }[]).map(({ id }) => id);

describe("rss", () => {
  it("gives the items of the feed", async () => {
    const social = await open();
    expect(await social.call("timeline", { limit: 1 })).toEqual([
      {
        id: "log;b;2",
        text: "Landed\n\nSafe & sound",
        ts: 1_893_456_002,
        author: "Ship log",
        url: "https://log.example/2",
        lang: null,
        reply_to: null,
      },
    ]);
    expect(idsOf(await social.call("G"))).toEqual(["log;b;2", "log;3", "log;a1"]);
    expect(idsOf(await social.call("G", { since_id: "log;3" }))).toEqual(["log;b;2"]);
    expect(idsOf(await social.call("G", { since_id: "log;gone" }))).toHaveLength(3);
    expect(idsOf(await social.call("search", "LA", { since: "2030-01-01T00:00:02Z" }))).toEqual(["log;b;2"]);
    expect(await social.call("get", "log;b;2")).toMatchObject({ text: "Landed\n\nSafe & sound" });
    expect(await social.call("get", "log;none")).toBeNull();
    expect(await social.call("profile")).toEqual({
      name: "Ship log",
      url: "https://log.example/",
      followers: null,
      posts: 3,
    });
    expect(feed.requests[0]?.url).toBe("/feed.xml?all=1");
    expect(feed.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("can only be read", async () => {
    const social = await open();
    for (const [verb, ...args] of [
      ["post", "x"],
      ["reply", "a1", "x"],
      ["delete", "a1"],
    ] as const)
      expect(await social.code(verb, ...args)).toBe("ADAPTER_NOT_CONFIGURED");
    expect(feed.requests).toEqual([]);
  });

  it.each([
    ["a document type", `<!DOCTYPE rss [<!ENTITY a "b">]>${FEED}`],
    ["no feed", "<html></html>"],
    ["nothing", ""],
  ])("%s is malformed", async (_what, given) => {
    text = given;
    expect(await (await open()).code("timeline")).toBe("ADAPTER_BAD_DATA");
  });
});

describe("accounts", () => {
  it("none, or several without a default", async () => {
    expect(await (await bench.open({ accounts: {} })).code("G")).toBe("ADAPTER_NOT_CONFIGURED");
    const { account } = bench.world;
    const several = await bench.open({ accounts: { a: account, b: account } });
    expect(await several.code("G")).toBe("ADAPTER_BAD_ARGS");
    const one = await bench.open({ accounts: { a: account, b: account }, allow_accounts: ["b"] });
    expect(await one.call("G")).toEqual([]);
    expect(await one.code("profile", "a")).toBe("ADAPTER_NOT_ALLOWED");
  });

  it.each([
    ["a token over plain http", { provider: "mastodon", base_url: "http://social.example", token_secret: "T" }],
    ["mastodon without token", { provider: "mastodon", base_url: "https://social.example" }],
    ["a token instead of its name", { provider: "rss", base_url: "https://x.example", token_secret: "abc-123" }],
    ["a user in the address", { provider: "rss", base_url: "https://me:pw@x.example" }],
    ["another protocol", { provider: "rss", base_url: "file:///etc/passwd" }],
    ["http without endpoints", { provider: "http", base_url: "https://x.example" }],
    ["endpoints of another provider", { provider: "rss", base_url: "https://x.example", endpoints: {} }],
    [
      "a place that nothing fills",
      { provider: "http", base_url: "https://x.example", endpoints: { get: { path: "/{name}" } } },
    ],
    [
      "a path with a query",
      { provider: "http", base_url: "https://x.example", endpoints: { get: { path: "/a?{id}" } } },
    ],
    ["an unknown provider", { provider: "x", base_url: "https://x.example" }],
  ])("%s is refused", async (_what, account) => {
    await expect(bench.open({ accounts: { default: account } })).rejects.toMatchObject({
      code: "ADAPTER_BAD_SETTINGS",
    });
  });
});
