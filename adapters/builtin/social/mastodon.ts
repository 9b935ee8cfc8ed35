/**
 * Servers with the REST interface of Mastodon. Lists are walked by their Link header, newest first; posts carry an Idempotency-Key, so
 * that a request whose answer was lost can be sent again.
 */

import type { Json } from "../../../compiler/json.ts";
import { readUrl } from "../../../compiler/read-url.ts";
import { orNull } from "../../content/or-null.ts";
import { type VerbContext, z } from "../../definition/define.ts";
import type { HttpResponse } from "../../guard/http/http.ts";
import { mentionIn, postIn, profileIn, publishedIn, statusesIn, uploadIn, visibilityIn } from "./mastodon-json.ts";
import type { LoadedMedia } from "./media.ts";
import {
  type Draft,
  holdsText,
  isSince,
  type MentionsQuery,
  type Post,
  type Profile,
  type Provider,
  type Published,
  type SearchQuery,
  type Visibility,
  type Writer,
} from "./provider.ts";
import { type AccountServer, badAnswer, jsonOf, parsed } from "./server.ts";

/** The most that servers give at once. */
const PAGE = 40;
/** Of one call, however few posts fit. */
const MAX_PAGES = 10;

const list = z.array(z.unknown());

export class Mastodon implements Provider, Writer {
  readonly #server: AccountServer;

  constructor(server: AccountServer) {
    this.#server = server;
  }

  get writer(): Writer {
    return this;
  }

  /**
   * Servers bound this list by ids of notifications only, so what is newer than a post is decided here: what comes before it, or if it is
   * gone, what has a newer id. Posts of other servers can arrive late, with an older id than what was listed before them.
   */
  async mentions({ text, sinceId, limit }: MentionsQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const seen: Post[] = [];
    const found = (): readonly Post[] => seen.filter(({ id }) => sinceId === null || isNewer(id, sinceId));
    const query = { "types[]": "mention", limit: pageOf(text === null ? limit : PAGE) };
    let older = 0;
    for await (const entry of this.#walk("/api/v1/notifications", query, ctx)) {
      const post = mentionIn(entry);
      if (post === null) continue;
      if (post.id === sinceId) return seen.slice(0, limit);
      older = sinceId === null || isNewer(post.id, sinceId) ? 0 : older + 1;
      if (holdsText(post, text)) seen.push(post);
      if (older === PAGE || found().length === limit) break;
    }
    return found();
  }

  async search({ text, sinceMs, limit }: SearchQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const found: Post[] = [];
    const asked = sinceMs === null ? Math.min(limit, PAGE) : PAGE;
    let offset = 0;
    for (let page = 0; page < MAX_PAGES && found.length < limit; page++) {
      const query = { q: text, type: "statuses", limit: String(asked), offset: String(offset) };
      const posts = statusesIn(await this.#get("/api/v2/search", query, ctx));
      found.push(...posts.filter((post) => isSince(post, sinceMs)));
      if (posts.length < asked) break;
      offset += posts.length;
    }
    return found.slice(0, limit);
  }

  async timeline(limit: number, ctx: VerbContext): Promise<readonly Post[]> {
    const found: Post[] = [];
    for await (const entry of this.#walk("/api/v1/timelines/home", { limit: pageOf(limit) }, ctx)) {
      found.push(postIn(entry));
      if (found.length === limit) break;
    }
    return found;
  }

  async get(id: string, ctx: VerbContext): Promise<Post | null> {
    const status = await orNull(this.#get(statusPath(id), {}, ctx));
    return status === null ? null : postIn(status);
  }

  async profile(ctx: VerbContext): Promise<Profile> {
    return profileIn(await this.#get("/api/v1/accounts/verify_credentials", {}, ctx));
  }

  async publish(draft: Draft, key: string, ctx: VerbContext): Promise<Published> {
    const visibility = draft.visibility ?? (await this.#visibilityFor(draft.replyTo, ctx));
    const media: string[] = [];
    for (const file of draft.media) media.push(await this.#upload(file, ctx));
    const status = {
      status: draft.text,
      ...(draft.replyTo === null ? {} : { in_reply_to_id: draft.replyTo }),
      ...(visibility === null ? {} : { visibility }),
      ...(draft.language === null ? {} : { language: draft.language }),
      ...(draft.scheduledAt === null ? {} : { scheduled_at: draft.scheduledAt }),
      ...(media.length === 0 ? {} : { media_ids: media }),
    };
    const body = { bytes: Buffer.from(JSON.stringify(status)), type: "application/json" };
    const sent = { method: "POST", headers: { "idempotency-key": key }, body } as const;
    return publishedIn(jsonOf(await this.#server.ask(this.#server.url("/api/v1/statuses"), sent, ctx)));
  }

  async remove(id: string, ctx: VerbContext): Promise<boolean> {
    const url = this.#server.url(statusPath(id));
    return (await orNull(this.#server.ask(url, { method: "DELETE" }, ctx))) !== null;
  }

  /** Servers would answer a private post in public: an answer is seen by no more people than what it answers. */
  async #visibilityFor(replyTo: string | null, ctx: VerbContext): Promise<Visibility | null> {
    return replyTo === null ? null : visibilityIn(await this.#get(statusPath(replyTo), {}, ctx));
  }

  async #upload({ filename, contentType, content, description }: LoadedMedia, ctx: VerbContext): Promise<string> {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(content)], { type: contentType }), filename);
    if (description !== null) form.append("description", description);
    const encoded = new Response(form);
    const type = encoded.headers.get("content-type") ?? "multipart/form-data";
    const body = { bytes: new Uint8Array(await encoded.arrayBuffer()), type };
    // The second version answers before the file is ready to be posted, the first one after.
    const url = this.#server.url("/api/v1/media");
    return uploadIn(jsonOf(await this.#server.ask(url, { method: "POST", body }, ctx)));
  }

  async #get(path: string, query: Readonly<Record<string, string>>, ctx: VerbContext): Promise<Json> {
    return jsonOf(await this.#server.ask(this.#url(path, query), { method: "GET" }, ctx));
  }

  async *#walk(path: string, query: Readonly<Record<string, string>>, ctx: VerbContext): AsyncGenerator<unknown> {
    let next: URL | null = this.#url(path, query);
    for (let page = 0; page < MAX_PAGES && next !== null; page++) {
      const response = await this.#server.ask(next, { method: "GET" }, ctx);
      yield* parsed(list, jsonOf(response));
      next = nextPage(response);
    }
  }

  #url(path: string, query: Readonly<Record<string, string>>): URL {
    const url = this.#server.url(path);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    return url;
  }
}

function pageOf(limit: number): string {
  return String(Math.min(limit, PAGE));
}

function statusPath(id: string): string {
  return `/api/v1/statuses/${encodeURIComponent(id)}`;
}

/** Ids of these servers grow with time; longer ones are newer; of the same length, those that sort later. */
function isNewer(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

/** The address of the older posts: `<…>; rel="next"`. */
function nextPage({ headers, url }: HttpResponse): URL | null {
  const links = (headers.get("link") ?? []).join(",");
  const address = /<([^<>]{1,4000})>\s*;\s*rel="?next"?/.exec(links)?.[1];
  if (address === undefined) return null;
  const next = readUrl(address, url);
  if (next === null) throw badAnswer("has no valid address of its next page");
  return next;
}
