/** Accounts that are ActivityPub actors: their outbox in all its forms, and nothing outside of their server. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebServer, webServer } from "../http/servers.ts";
import { socialBench } from "./social-bench.ts";

const bench = socialBench();

let server: WebServer;
let documents: Record<string, unknown>;
beforeEach(async () => {
  server = await webServer((request, response) => {
    const document = documents[request.url ?? ""];
    response.writeHead(document === undefined ? 404 : 200).end(JSON.stringify(document));
  });
  documents = {
    "/ada": { preferredUsername: "ada", url: at("/@ada"), outbox: at("/out"), followers: at("/followers") },
    "/followers": { totalItems: 12 },
    "/out": { totalItems: 3, first: at("/out?page=1") },
    "/out?page=1": {
      orderedItems: [
        { type: "Announce", object: "https://other.example/1" },
        created("3", { contentMap: { en: "x" }, url: [{ href: at("/@ada/3") }], inReplyTo: "https://other.example/1" }),
      ],
      next: at("/out?page=2"),
    },
    "/out?page=2": { orderedItems: [created("2", { published: "soon" }), created("1")] },
  };
});
afterEach(() => server.close());

const at = (path: string) => server.base + path;
function created(name: string, more: object = {}) {
  const note = { type: "Note", content: `<p>Post &lt;${name}&gt;</p>`, published: "2030-01-01T00:00:00Z" };
  return { type: "Create", object: { id: at(`/notes/${name}`), ...note, ...more } };
}
const open = () => bench.open({ accounts: { default: { provider: "activitypub", base_url: at("/ada") } } });
const idsOf = (items: unknown) => (items as readonly { id: string }[]).map(({ id }) => id);

describe("activitypub", () => {
  it("gives what the actor published", async () => {
    const social = await open();
    expect(await social.call("timeline", { limit: 1 })).toEqual([
      {
        id: at("/notes/3"),
        text: "Post <3>",
        ts: 1_893_456_000,
        author: "ada",
        url: at("/@ada/3"),
        lang: "en",
        reply_to: "https://other.example/1",
      },
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/ada", "/out", "/out?page=1"]);
    expect(server.requests[0]?.headers.accept).toContain("application/activity+json");
    expect(idsOf(await social.call("G"))).toEqual([at("/notes/3"), at("/notes/2"), at("/notes/1")]);
    expect(idsOf(await social.call("G", { since_id: at("/notes/2") }))).toEqual([at("/notes/3")]);
    expect(idsOf(await social.call("search", "post <1>"))).toEqual([at("/notes/1")]);
    expect(await social.call("get", at("/notes/2"))).toMatchObject({ ts: null, url: at("/notes/2"), lang: null });
    expect(await social.call("get", at("/admin"))).toBeNull();
    expect(await social.call("profile")).toEqual({ name: "ada", url: at("/@ada"), followers: 12, posts: 3 });
    expect(await social.code("post", "x")).toBe("ADAPTER_NOT_CONFIGURED");
  });

  it.each([
    ["in itself", () => ({ orderedItems: [created("1")] })],
    ["in its first page", () => ({ first: { orderedItems: [created("1")] } })],
  ])("an outbox with its items %s", async (_where, outbox) => {
    documents["/out"] = outbox();
    expect(idsOf(await (await open()).call("G"))).toEqual([at("/notes/1")]);
  });

  it("followers that are hidden are not counted", async () => {
    delete documents["/followers"];
    expect(await (await open()).call("profile")).toMatchObject({ followers: null });
  });

  it("an outbox whose pages never end is left after ten", async () => {
    documents["/out?page=2"] = { orderedItems: [], next: at("/out?page=2") };
    expect(idsOf(await (await open()).call("G"))).toEqual([at("/notes/3")]);
    expect(server.requests).toHaveLength(12);
  });

  it.each([
    ["on another server", "https://other.example/out"],
    ["on another port", "http://127.0.0.1:1/out"],
    ["nowhere", "out"],
  ])("an outbox %s is malformed", async (_where, outbox) => {
    documents["/ada"] = { preferredUsername: "ada", outbox };
    expect(await (await open()).code("G")).toBe("ADAPTER_BAD_DATA");
    expect(server.requests).toHaveLength(1);
  });
});
