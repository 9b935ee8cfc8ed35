/** Posting: what is sent, what is refused before anything is sent, and that nothing is posted twice. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fsAdapter } from "../../../../adapters/builtin/fs/definition.ts";
import { verifies } from "../../../support/requirements.ts";
import { failureOf, socialBench } from "./social-bench.ts";
import { filled, TOKEN } from "./world.ts";

const bench = socialBench();

const sent = () => bench.world.server.requests;
const lastPost = () => JSON.parse(sent().at(-1)?.body ?? "null");

describe("post and reply", () => {
  it("post what they are given", async () => {
    verifies("adapter.social.provider");
    const { world } = bench;
    const social = await bench.open();
    const options = { visibility: "unlisted", language: "en" };
    expect(await social.call("post", "Build 42 is out", options)).toEqual({
      id: "1000",
      url: `${world.server.base}/@ada/1000`,
      created_at: "2030-01-01T00:00:00.500Z",
    });
    expect(lastPost()).toEqual({ status: "Build 42 is out", ...options });
    expect(sent().at(-1)?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{64}$/);
  });

  it("a post for later has no address yet", async () => {
    const social = await bench.open();
    const answer = await social.call("post", "soon", { scheduled_at: "2031-01-01T00:00:00Z" });
    expect(answer).toEqual({ id: "1000", url: null, created_at: null });
  });

  it.each([
    ["public", {}, "public"],
    ["private", {}, "private"],
    ["direct", {}, "direct"],
    ["local", {}, "direct"],
    ["private", { visibility: "public" }, "public"],
  ])("the answer to a %s post with %j is %s", async (visibility, options, expected) => {
    bench.world.statuses.set("7", { id: "7", text: "hello", visibility, replyTo: null });
    const social = await bench.open();
    await social.call("reply", 7, "@ada hello", options);
    expect(lastPost()).toEqual({ status: "@ada hello", in_reply_to_id: "7", visibility: expected });
    expect(await social.call("get", "1001")).toMatchObject({ reply_to: "7" });
  });

  it("answer from the account whose post it is", async () => {
    filled(bench.world, 1, () => "hello");
    const social = await bench.open({ accounts: { default: bench.world.account, news: bench.world.account } });
    expect(await social.call("reply", "news;100", "yes")).toMatchObject({ id: "news;1001" });
    expect(await social.code("post", "yes", { reply_to: "news;100", account: "default" })).toBe("ADAPTER_BAD_ARGS");
    expect(await social.code("reply", "99", "yes")).toBe("ADAPTER_NOT_FOUND");
  });

  it("delete says whether there was such a post", async () => {
    filled(bench.world, 1, () => "hello");
    const social = await bench.open();
    expect(await social.call("delete", "100")).toEqual({ deleted: true });
    expect(await social.call("delete", "100")).toEqual({ deleted: false });
  });
});

describe("refused before anything is sent", () => {
  it.each([
    ["too long", "post", ["x".repeat(501)], {}, "ADAPTER_BAD_ARGS"],
    ["empty", "post", [" \n"], {}, "ADAPTER_BAD_ARGS"],
    ["half a character", "post", ["\ud800"], {}, "ADAPTER_BAD_ARGS"],
    ["no language", "post", ["x", { language: "en us" }], {}, "ADAPTER_BAD_ARGS"],
    ["an unknown option", "post", ["x", { poll: [] }], {}, "ADAPTER_BAD_ARGS"],
    ["a caller's allow_post", "post", ["x"], { allow_post: false }, "ADAPTER_WRITE_FORBIDDEN"],
    ["a caller's allow_post", "reply", ["1", "x"], { allow_post: false }, "ADAPTER_WRITE_FORBIDDEN"],
    ["a caller's allow_post", "delete", ["1"], { allow_post: false }, "ADAPTER_WRITE_FORBIDDEN"],
    ["an account that is not listed", "post", ["x"], { allow_accounts: ["other"] }, "ADAPTER_NOT_ALLOWED"],
    ["an unknown account", "post", ["x", { account: "other" }], {}, "ADAPTER_NOT_CONFIGURED"],
    ["an unknown account", "post", ["x", { account: "__proto__" }], {}, "ADAPTER_NOT_CONFIGURED"],
    ["a file outside", "post", ["x", { media: [{ path: "../a.png" }] }], {}, "ADAPTER_PATH_ESCAPE"],
  ])("%s: %s", async (_why, verb, args, settings, code) => {
    const social = await bench.open(settings);
    expect(await social.code(verb, ...args)).toBe(code);
    expect(sent()).toEqual([]);
  });

  it("allow_post and max_post_chars of the account", async () => {
    const { account } = bench.world;
    const accounts = { default: { ...account, max_post_chars: 3 }, quiet: { ...account, allow_post: false } };
    const social = await bench.open({ accounts });
    expect(await social.code("post", "🙂🙂🙂🙂")).toBe("ADAPTER_BAD_ARGS");
    expect(await social.code("post", "x", { account: "quiet" })).toBe("ADAPTER_WRITE_FORBIDDEN");
    expect(sent()).toEqual([]);
    await social.call("post", "🙂🙂🙂");
    expect(sent()).toHaveLength(1);
  });
});

describe("media", () => {
  it("are uploaded first, inline or from the folder of the run", async () => {
    const folder = await mkdtemp(join(tmpdir(), "weft-social-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "chart.png"), "bytes of a chart");
    const social = await bench.open({}, { others: [{ definition: fsAdapter, settings: { sandbox_root: folder } }] });
    const inline = { content: { $base64: "aGVsbG8=" }, filename: "a.png", content_type: "image/png", description: "A" };
    await social.call("post", "", { media: [inline, { path: "chart.png" }] });
    expect(lastPost()).toEqual({ status: "", media_ids: ["m1", "m2"] });
    const [first, second] = bench.world.uploads;
    expect(first).toMatch(/name="file"; filename="a\.png"\r\nContent-Type: image\/png\r\n\r\nhello\r\n/);
    expect(first).toMatch(/name="description"\r\n\r\nA\r\n/);
    expect(second).toContain("bytes of a chart");
    expect(await social.code("post", "", { media: [{ path: "none.png" }] })).toBe("ADAPTER_NOT_FOUND");
  });

  it("are refused above 8 MiB", async () => {
    const content = Buffer.alloc(8 * 1024 * 1024 + 1).toString("base64");
    const social = await bench.open();
    expect(await social.code("post", "x", { media: [{ content }] })).toBe("ADAPTER_TOO_LARGE");
    expect(sent()).toEqual([]);
  });
});

describe("once per key", () => {
  const key = { idempotency_key: "build-42" };

  it("a repeated call gives the first answer", async () => {
    const social = await bench.open();
    const first = await social.call("post", "out", key);
    expect(await social.call("post", "out", key)).toEqual(first);
    expect(sent()).toHaveLength(1);
    expect(await social.code("post", "other", key)).toBe("ADAPTER_CONFLICT");
  });

  it("a post whose answer was lost is not made again", async () => {
    const social = await bench.open();
    bench.world.loseNextAnswer();
    const failure = await failureOf(social.call("post", "out", key));
    expect(failure).toMatchObject({ code: "ADAPTER_TRANSPORT", retryable: true });
    expect(await social.call("post", "out", key)).toMatchObject({ id: "1000" });
    expect(bench.world.statuses.size).toBe(1);
    const [one, other] = sent().map(({ headers }) => headers["idempotency-key"]);
    expect(one).toBe(other);
  });

  it("what the server refused can be corrected under the same key", async () => {
    const social = await bench.open();
    bench.world.fail("/api/v1/statuses", (response) => response.writeHead(422).end(`{"error": "${TOKEN}"}`));
    const failure = await failureOf(social.call("post", "bad", key));
    expect(failure).toMatchObject({ code: "ADAPTER_FAILED", data: { status: 422 }, retryable: false });
    expect(JSON.stringify([failure.message, failure.data])).not.toMatch(new RegExp(`${TOKEN}|bad`));
    expect(await social.call("post", "good", key)).toMatchObject({ id: "1000" });
  });
});
