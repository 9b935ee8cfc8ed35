/** A server with the REST interface of Mastodon, as far as the adapter uses it, and accounts on it. It keeps what was posted. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../../../compiler/json.ts";
import { type WebServer, webServer } from "../http/servers.ts";

export const TOKEN = "canary-token-of-the-account";
export const TOKEN_SECRET = "SOCIAL_TOKEN";

type Status = {
  readonly id: string;
  readonly text: string;
  readonly visibility: string;
  readonly replyTo: string | null;
};

export type SocialWorld = {
  readonly server: WebServer;
  readonly statuses: Map<string, Status>;
  /** Ids of the statuses that mention the account, newest first. */
  mentions: readonly string[];
  /** Files that were uploaded: the bodies of the requests. */
  readonly uploads: string[];
  /** The next requests whose path begins so are answered like this, before anything else happens. */
  fail(path: string, answer: (response: ServerResponse) => void): void;
  /** The next post is made, but its answer is lost. */
  loseNextAnswer(): void;
  readonly account: JsonObject;
};

const PAGE_LIMIT = 40;

export async function socialWorld(): Promise<SocialWorld> {
  const statuses = new Map<string, Status>();
  const keys = new Map<string, string>();
  const uploads: string[] = [];
  const failures: { readonly path: string; readonly answer: (response: ServerResponse) => void }[] = [];
  let losing = false;

  const server = await webServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://host");
    const failing = failures.findIndex(({ path }) => url.pathname.startsWith(path));
    if (failing >= 0) failures.splice(failing, 1)[0]?.answer(response);
    else if (request.headers.authorization !== `Bearer ${TOKEN}`) send(response, { error: "no" }, 401);
    else answer(request, url, response);
  });

  function answer(request: IncomingMessage, url: URL, response: ServerResponse): void {
    const body = server.requests.at(-1)?.body ?? "";
    const [, id = ""] = /^\/api\/v1\/statuses\/([^/]+)$/.exec(url.pathname) ?? [];
    const known = statuses.get(decodeURIComponent(id));
    const routes: Readonly<Record<string, () => void>> = {
      "GET /api/v1/notifications": () =>
        page(world.mentions, url, response, (one) => ({ id: `9${one}`, type: "mention", status: shown(one) })),
      "GET /api/v1/timelines/home": () => page([...statuses.keys()].reverse(), url, response, shown),
      "GET /api/v2/search": () => {
        const at = Number(url.searchParams.get("offset"));
        const found = [...statuses.values()].filter(({ text }) => text.includes(url.searchParams.get("q") ?? ""));
        send(response, { statuses: found.slice(at, at + limitOf(url)).map((one) => shown(one.id)) });
      },
      "GET /api/v1/accounts/verify_credentials": () =>
        send(response, { acct: "robot", url: `${server.base}/@robot`, followers_count: 42, statuses_count: 7 }),
      "POST /api/v1/media": () => send(response, { id: `m${uploads.push(body)}` }),
      "POST /api/v1/statuses": () => posted(JSON.parse(body), String(request.headers["idempotency-key"]), response),
      "GET status": () => (known === undefined ? missing(response) : send(response, shown(known.id))),
      "DELETE status": () => (statuses.delete(known?.id ?? "") ? send(response, {}) : missing(response)),
    };
    const route = routes[`${request.method} ${id === "" ? url.pathname : "status"}`] ?? (() => missing(response));
    route();
  }

  function posted(given: JsonObject, key: string, response: ServerResponse): void {
    const id = keys.get(key) ?? String(1_000 + statuses.size);
    const { status, visibility = "public", in_reply_to_id: replyTo = null } = given;
    if (!keys.has(key))
      statuses.set(id, { id, text: String(status), visibility: String(visibility), replyTo: replyTo as string | null });
    keys.set(key, id);
    if (losing) {
      losing = false;
      response.destroy();
      return;
    }
    if (given["scheduled_at"] === undefined) send(response, shown(id));
    else send(response, { id, scheduled_at: given["scheduled_at"], params: {} });
  }

  function shown(id: string) {
    const { text = "", visibility, replyTo } = statuses.get(id) ?? {};
    return {
      id,
      content: `<p>${text}</p>`,
      created_at: "2030-01-01T00:00:00.500Z",
      url: `${server.base}/@ada/${id}`,
      language: "en",
      in_reply_to_id: replyTo ?? null,
      visibility,
      account: { acct: "ada" },
    };
  }

  /** Older ones than `max_id`, with the address of the next page. */
  function page(ids: readonly string[], url: URL, response: ServerResponse, of: (id: string) => unknown): void {
    const max = url.searchParams.get("max_id");
    const start = max === null ? 0 : ids.indexOf(max) + 1;
    const part = ids.slice(start, start + limitOf(url));
    const next = new URL(url.pathname, server.base);
    next.search = url.search;
    next.searchParams.set("max_id", part.at(-1) ?? "");
    const more = start + part.length < ids.length;
    if (more) response.setHeader("link", `<${next.href}>; rel="next", <${server.base}/x>; rel="prev"`);
    send(response, part.map(of));
  }

  const world: SocialWorld = {
    server,
    statuses,
    mentions: [],
    uploads,
    fail: (path, answer) => failures.push({ path, answer }),
    loseNextAnswer() {
      losing = true;
    },
    account: { provider: "mastodon", base_url: server.base, token_secret: TOKEN_SECRET },
  };
  return world;
}

/** Statuses with ids from `first` on; returns the ids, newest first. */
export function filled(world: SocialWorld, count: number, text: (at: number) => string, first = 100): string[] {
  const ids = Array.from({ length: count }, (_, at) => String(first + at));
  for (const [at, id] of ids.entries())
    world.statuses.set(id, { id, text: text(at), visibility: "public", replyTo: null });
  return ids.reverse();
}

function limitOf(url: URL): number {
  return Math.min(Number(url.searchParams.get("limit") ?? 20), PAGE_LIMIT);
}

function missing(response: ServerResponse): void {
  send(response, { error: "no" }, 404);
}

function send(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
