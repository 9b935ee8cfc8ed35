/** Reading a Mastodon server: pages, ids, and what its failures are called. */
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../support/requirements.ts";
import { NOW } from "../svc/wall-clock.ts";
import { failureOf, socialBench } from "./social-bench.ts";
import { filled, TOKEN } from "./world.ts";

const bench = socialBench();

type Item = { readonly id: string; readonly text: string };
const idsOf = (items: unknown) => (items as readonly Item[]).map(({ id }) => id);

function refusing(status: number, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => response.writeHead(status, headers).end(`{"error": "${TOKEN}"}`);
}

describe("mentions", () => {
  it("are items with text instead of HTML", async () => {
    verifies("adapter.social.provider");
    const { world } = bench;
    world.mentions = filled(world, 1, () => "Tom &amp; <b>Ada</b>&#39;s<br>news</p><script>x</script><p>end");
    const social = await bench.open();
    const expected = {
      id: "100",
      text: "Tom & Ada's\nnews\n\nend",
      ts: 1_893_456_000,
      author: "ada",
      url: `${world.server.base}/@ada/100`,
      lang: "en",
      reply_to: null,
    };
    expect(await social.call("G")).toEqual([expected]);
    expect(await social.call("mentions")).toEqual([expected]);
  });

  it("come from as many pages as needed, newest first", async () => {
    const { world } = bench;
    world.mentions = filled(world, 100, () => "hello");
    const social = await bench.open();
    expect(idsOf(await social.call("G", { limit: 90 }))).toEqual(world.mentions.slice(0, 90));
    expect(world.server.requests).toHaveLength(3);
    expect(idsOf(await social.call("G"))).toHaveLength(20);
    expect(world.server.requests).toHaveLength(4);
  });

  it("end at the post that is known", async () => {
    const { world } = bench;
    world.mentions = filled(world, 60, () => "hello", 980);
    const social = await bench.open();
    expect(idsOf(await social.call("G", { since_id: "1036" }))).toEqual(["1039", "1038", "1037"]);
    expect(idsOf(await social.call("G", { since_id: 1039 }))).toEqual([]);
    // Deleted since, and of another length than the newer ones.
    world.mentions = world.mentions.filter((id) => id !== "999");
    expect(idsOf(await social.call("G", { since_id: "999", limit: 200 }))).toHaveLength(40);
  });

  it("that arrived late are not lost", async () => {
    const { world } = bench;
    const [newest = "", known = "", late = ""] = filled(world, 3, () => "hello");
    world.mentions = [newest, late, known];
    expect(idsOf(await (await bench.open()).call("G", { since_id: known }))).toEqual([newest, late]);
  });

  it("do not include other or deleted notifications", async () => {
    const others = [
      { type: "favourite", status: { id: "1" } },
      { type: "mention", status: null },
    ];
    bench.world.fail("/", (response) => response.end(JSON.stringify(others)));
    expect(await (await bench.open()).call("G")).toEqual([]);
  });

  it("hold the text of the call, else that of the account", async () => {
    const { world } = bench;
    world.mentions = filled(world, 60, (at) => (at % 20 === 0 ? "URGENT: disk" : at === 1 ? "question" : "hello"));
    const social = await bench.open({ accounts: { default: { ...world.account, query: "urgent" } } });
    expect(idsOf(await social.call("G"))).toEqual(["140", "120", "100"]);
    expect(idsOf(await social.call("G", "Question"))).toEqual(["101"]);
  });
});

describe("other lists", () => {
  it("search continues after the first page and can start at a time", async () => {
    const { world } = bench;
    filled(world, 100, (at) => (at < 90 ? "build 42" : "other"));
    const social = await bench.open();
    expect(idsOf(await social.call("search", "build 42", { limit: 85 }))).toHaveLength(85);
    expect(await social.call("search", "build 42", { since: "2030-01-01T00:00:01Z" })).toEqual([]);
    expect(idsOf(await social.call("search", "build 42", { since: "2029-12-31T23:00:00-01:00" }))).toHaveLength(20);
  });

  it("timeline, get and profile", async () => {
    const { world } = bench;
    const ids = filled(world, 50, () => "hello");
    const social = await bench.open();
    expect(idsOf(await social.call("timeline", { limit: 45 }))).toEqual(ids.slice(0, 45));
    expect(await social.call("get", "100")).toMatchObject({ id: "100", text: "hello" });
    expect(await social.call("get", "99")).toBeNull();
    expect(await social.call("get", "../../accounts/verify_credentials")).toBeNull();
    expect(await social.call("profile")).toEqual({
      name: "robot",
      url: `${world.server.base}/@robot`,
      followers: 42,
      posts: 7,
    });
  });

  it("ids of other accounts begin with their name", async () => {
    const { world } = bench;
    world.mentions = filled(world, 2, () => "hello");
    const accounts = { default: world.account, news: world.account };
    const social = await bench.open({ accounts });
    expect(idsOf(await social.call("G", { account: "news" }))).toEqual(["news;101", "news;100"]);
    expect(await social.call("get", "news;100")).toMatchObject({ id: "news;100" });
    expect(idsOf(await social.call("G", { since_id: "news;100" }))).toEqual(["news;101"]);
    expect(await social.code("G", { since_id: "news;100", account: "default" })).toBe("ADAPTER_BAD_ARGS");
  });
});

describe("failures", () => {
  const CASES: readonly (readonly [number, Record<string, string>, string, number | null])[] = [
    [429, { "retry-after": "7" }, "ADAPTER_RATE_LIMITED", 7_000],
    [429, { "retry-after": new Date(NOW + 5_000).toUTCString() }, "ADAPTER_RATE_LIMITED", 5_000],
    [429, { "x-ratelimit-reset": new Date(NOW + 90_000).toISOString() }, "ADAPTER_RATE_LIMITED", 90_000],
    [429, { "x-ratelimit-reset": String(NOW / 1000 + 3) }, "ADAPTER_RATE_LIMITED", 3_000],
    [429, { "x-ratelimit-reset": "soon" }, "ADAPTER_RATE_LIMITED", null],
    [503, { "retry-after": "2" }, "ADAPTER_UNAVAILABLE", 2_000],
    [401, {}, "ADAPTER_NOT_CONFIGURED", null],
    [403, {}, "ADAPTER_FAILED", null],
    [410, {}, "ADAPTER_NOT_FOUND", null],
    [418, {}, "ADAPTER_HTTP_STATUS", null],
  ];
  it.each(CASES)("%i with %j is %s", async (status, headers, code, wait) => {
    bench.world.fail("/", refusing(status, headers));
    const failure = await failureOf((await bench.open()).call("timeline"));
    expect(failure).toMatchObject({ code, data: { status } });
    expect(failure.retryAfterMs).toBe(wait);
    expect(JSON.stringify([failure.message, failure.data])).not.toContain(TOKEN);
  });

  it.each([
    ["no JSON", (response: ServerResponse) => response.end("<html>")],
    ["no list", (response: ServerResponse) => response.end("{}")],
    ["entities without members", (response: ServerResponse) => response.end('[{"id": "1"}]')],
    [
      "a next page elsewhere",
      (response: ServerResponse) =>
        response.writeHead(200, { link: '<http://127.0.0.1:1/steal>; rel="next"' }).end("[]"),
    ],
  ])("%s is malformed", async (_what, answer) => {
    bench.world.fail("/", answer);
    expect(await (await bench.open()).code("timeline")).toBe("ADAPTER_BAD_DATA");
  });

  it("a redirect to another host is not followed", async () => {
    bench.world.fail("/", refusing(302, { location: "http://198.51.100.1/" }));
    expect(await (await bench.open()).code("timeline")).toBe("ADAPTER_HOST_BLOCKED");
  });

  it("a lost connection, and a server that is gone", async () => {
    bench.world.fail("/", (response) => response.destroy());
    const social = await bench.open();
    expect(await social.code("timeline")).toBe("ADAPTER_TRANSPORT");
    await bench.world.server.close();
    expect(await social.code("timeline")).toBe("ADAPTER_TRANSPORT");
  });

  it("a missing token", async () => {
    const social = await bench.open({}, { secrets: {} });
    expect(await social.code("timeline")).toBe("ADAPTER_NOT_CONFIGURED");
    expect(bench.world.server.requests).toEqual([]);
  });
});
