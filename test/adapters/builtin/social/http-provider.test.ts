/** Servers of any kind: requests as the operator describes them, and posts from wherever they stand in an answer. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type WebServer, webServer } from "../http/servers.ts";
import { failureOf, socialBench } from "./social-bench.ts";
import { TOKEN, TOKEN_SECRET } from "./world.ts";

const bench = socialBench();

const ENDPOINTS = {
  mentions: {
    path: "/notes",
    query: { about: "me", q: "{text}", after: "{since_id}", count: "{limit}" },
    result: "data.notes",
  },
  search: { path: "/notes", query: { q: "say:{text}", from: "{since}" }, result: "data.notes" },
  timeline: { path: "/home", result: "data.notes" },
  get: { path: "/notes/{id}", result: "note" },
  profile: { path: "/me" },
  post: {
    path: "/notes",
    body: { body: "{text}", in_answer_to: "{reply_to}", seen_by: "{visibility}" },
    result: "note",
  },
  delete: { path: "/notes/{id}" },
  html: true,
  post_fields: { text: "body", ts: "at", author: "by.0.name", reply_to: "answers" },
  profile_fields: { name: "nick", followers: "counts.in", posts: "counts.out" },
} satisfies JsonObject;

const note = (id: number, more: JsonObject = {}) => ({
  id,
  body: `<p>note ${id} &amp; more</p>`,
  at: 1_893_456_000_500,
  by: [{ name: "ada" }],
  ...more,
});
const SHOWN = { ts: 1_893_456_000, author: "ada", url: null, lang: null, reply_to: null };

let server: WebServer;
/** What the server answers, whatever it is asked. */
let answer: ((response: ServerResponse) => void) | JsonObject;

beforeEach(async () => {
  answer = {};
  server = await webServer((_request, response) => {
    if (typeof answer === "function") answer(response);
    else response.end(JSON.stringify(answer));
  });
});
afterEach(() => server.close());

function open(endpoints: JsonObject = ENDPOINTS) {
  const account = { provider: "http", base_url: `${server.base}/api/`, token_secret: TOKEN_SECRET, endpoints };
  return bench.open({ accounts: { default: account } });
}
const asked = () => {
  const { method, url, headers, body } = server.requests.at(-1) ?? {};
  return {
    request: `${method} ${url}`,
    token: headers?.authorization,
    key: headers?.["idempotency-key"],
    body: body === "" ? null : JSON.parse(body ?? "null"),
  };
};

describe("reading", () => {
  it("asks as the account says, and finds posts where it says", async () => {
    const social = await open();
    answer = { data: { notes: [note(3), note(2, { answers: 1, at: "2030-01-01T00:00:00Z" }), note(1)] } };
    expect(await social.call("mentions", "NOTE", { since_id: "1", limit: 5 })).toEqual([
      { id: "3", text: "note 3 & more", ...SHOWN },
      { id: "2", text: "note 2 & more", ...SHOWN, reply_to: "1" },
    ]);
    expect(asked()).toMatchObject({
      request: "GET /api/notes?about=me&q=NOTE&after=1&count=5",
      token: `Bearer ${TOKEN}`,
    });
    await social.call("mentions");
    expect(asked().request).toBe("GET /api/notes?about=me&count=20");
    expect(await social.call("search", "a b&c=d", { since: "2030-01-01T00:00:00Z", limit: 2 })).toHaveLength(2);
    expect(asked().request).toBe("GET /api/notes?q=say%3Aa+b%26c%3Dd&from=2030-01-01T00%3A00%3A00.000Z");
    expect(await social.call("timeline", { limit: 1 })).toMatchObject([{ id: "3" }]);
  });

  it("gives one post, none, and the profile", async () => {
    const social = await open();
    answer = { note: note(7) };
    expect(await social.call("get", "a/../7?x#y")).toMatchObject({ id: "7" });
    expect(asked().request).toBe("GET /api/notes/a%2F..%2F7%3Fx%23y");
    answer = (response) => response.writeHead(404).end();
    expect(await social.call("get", "8")).toBeNull();
    answer = { nick: "robot", counts: { in: 42, out: "many" } };
    expect(await social.call("profile")).toEqual({ name: "robot", url: null, followers: 42, posts: null });
  });

  it.each([".", ".."])("never climbs out of the path with %s", async (id) => {
    const social = await open();
    expect(await social.call("get", id)).toBeNull();
    expect(await social.call("delete", id)).toEqual({ deleted: false });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["no list", { data: { notes: {} } }],
    ["nothing at the place", { notes: [] }],
    ["a post without id", { data: { notes: [{ body: "x" }] } }],
    ["a post without text", { data: { notes: [{ id: 1 }] } }],
    ["a list that holds no posts", { data: { notes: [null] } }],
  ])("%s is malformed", async (_, given) => {
    answer = given;
    expect(await (await open()).code("timeline")).toBe("ADAPTER_BAD_DATA");
  });

  it("takes texts as they are unless they are HTML", async () => {
    answer = { data: { notes: [note(1, { body: "a <b> & c" })] } };
    expect(await (await open({ ...ENDPOINTS, html: false })).call("timeline")).toMatchObject([{ text: "a <b> & c" }]);
  });
});

describe("writing", () => {
  it("posts what the account has places for, under one key", async () => {
    const social = await open();
    answer = { note: note(9, { url: "https://x.example/9" }) };
    const text = 'say "{visibility}" & \n{id}';
    const made = { id: "9", url: "https://x.example/9", created_at: "2030-01-01T00:00:00.000Z" };
    expect(await social.call("post", text, { visibility: "private", idempotency_key: "k" })).toEqual(made);
    expect(asked()).toMatchObject({ request: "POST /api/notes", body: { body: text, seen_by: "private" } });
    expect(asked().key).toMatch(/^[0-9a-f]{64}$/);
    expect(await social.call("post", text, { visibility: "private", idempotency_key: "k" })).toEqual(made);
    expect(server.requests).toHaveLength(1);
    await social.call("reply", "7", "yes");
    expect(asked().body).toEqual({ body: "yes", in_answer_to: "7" });
  });

  it.each([-1e14, -1e11, 1e14, 1e300, "yesterday"])("has posted, whatever time the server gives (%s)", async (at) => {
    const social = await open();
    answer = { note: note(9, { at }) };
    const { id, created_at } = (await social.call("post", "x")) as {
      readonly id: string;
      readonly created_at: unknown;
    };
    expect(id).toBe("9");
    expect(created_at).toEqual(at === 1e14 ? "5138-11-16T09:46:40.000Z" : null);
  });

  it.each<[string, JsonObject]>([
    ["a language", { language: "en" }],
    ["a time", { scheduled_at: "2030-01-01T00:00:00Z" }],
    ["a file", { media: [{ content: "eA==" }] }],
  ])("posts nothing when the server cannot receive %s", async (_, options) => {
    expect((await failureOf((await open()).call("post", "x", options))).code).toBe("ADAPTER_NOT_CONFIGURED");
    expect(server.requests).toEqual([]);
  });

  it("deletes, by another method where the account says so", async () => {
    const social = await open({ ...ENDPOINTS, delete: { path: "/remove", method: "POST", body: { note: "{id}" } } });
    expect(await social.call("delete", "9")).toEqual({ deleted: true });
    expect(asked()).toMatchObject({ request: "POST /api/remove", body: { note: "9" } });
  });

  it("is not configured without an endpoint", async () => {
    const social = await open({ timeline: ENDPOINTS.timeline });
    for (const call of [["post", "x"], ["delete", "1"], ["get", "1"], ["search", "x"], ["profile"]] as [
      string,
      ...string[],
    ][])
      expect(await social.code(...call)).toBe("ADAPTER_NOT_CONFIGURED");
    expect(server.requests).toEqual([]);
  });

  it("keeps the token to the server, and out of errors", async () => {
    const social = await open();
    const other = await webServer((_request, response) => response.end("{}"));
    answer = (response) => response.writeHead(302, { location: `http://localhost:${other.port}/` }).end();
    expect(await social.code("timeline")).toBe("ADAPTER_HOST_BLOCKED");
    expect(other.requests).toEqual([]);
    await other.close();
    answer = (response) => response.writeHead(422).end(TOKEN);
    const failure = await failureOf(social.call("post", "canary"));
    expect(failure).toMatchObject({ code: "ADAPTER_FAILED", data: { status: 422 } });
    expect(failure.message).not.toMatch(new RegExp(`canary|${TOKEN}`));
  });
});
