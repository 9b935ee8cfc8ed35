/** A feed (RSS, Atom, JSON Feed) as a social account that can only be read: everything in it is both timeline and mention. */
import type { VerbContext } from "../define.ts";
import { textOfHtml } from "../email/html-text.ts";
import type { Feed, FeedVideo } from "../videomon/feed.ts";
import { parseFeed } from "../videomon/feed-text.ts";
import {
  holdsText,
  isSince,
  type MentionsQuery,
  type Post,
  type Profile,
  type Provider,
  type SearchQuery,
} from "./provider.ts";
import type { AccountServer } from "./server.ts";

const ACCEPTED = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

export class FeedAccount implements Provider {
  readonly writer = null;
  readonly #server: AccountServer;

  constructor(server: AccountServer) {
    this.#server = server;
  }

  async mentions({ text, sinceId, limit }: MentionsQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const posts = await this.#posts(ctx);
    // A post that the feed holds no longer is older than all that it holds.
    const place = posts.findIndex(({ id }) => id === sinceId);
    const newer = place < 0 ? posts : posts.slice(0, place);
    return newer.filter((post) => holdsText(post, text)).slice(0, limit);
  }

  async search({ text, sinceMs, limit }: SearchQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const posts = await this.#posts(ctx);
    return posts.filter((post) => holdsText(post, text) && isSince(post, sinceMs)).slice(0, limit);
  }

  async timeline(limit: number, ctx: VerbContext): Promise<readonly Post[]> {
    return (await this.#posts(ctx)).slice(0, limit);
  }

  async get(id: string, ctx: VerbContext): Promise<Post | null> {
    return (await this.#posts(ctx)).find((post) => post.id === id) ?? null;
  }

  async profile(ctx: VerbContext): Promise<Profile> {
    const { title, url, videos } = await this.#feed(ctx);
    return { name: title ?? "", url, followers: null, posts: videos.length };
  }

  async #posts(ctx: VerbContext): Promise<readonly Post[]> {
    const { title, videos } = await this.#feed(ctx);
    const posts = videos.map((item) => postOf(item, title));
    // Where no time is known the order of the feed stands.
    return posts.sort((one, other) => (one.ts === null || other.ts === null ? 0 : other.ts - one.ts));
  }

  async #feed(ctx: VerbContext): Promise<Feed> {
    const sent = { method: "GET", headers: { accept: ACCEPTED } } as const;
    const { body, headers } = await this.#server.ask(this.#server.url(), sent, ctx);
    return parseFeed(body ?? Buffer.alloc(0), headers.get("content-type")?.[0] ?? "");
  }
}

function postOf({ id, title, description, url, publishedMs, updatedMs }: FeedVideo, author: string | null): Post {
  const timeMs = publishedMs ?? updatedMs;
  return {
    id,
    text: [title, textOfHtml(description ?? "")].filter((part) => part !== "").join("\n\n"),
    ts: timeMs === null ? null : Math.floor(timeMs / 1000),
    author,
    url,
    lang: null,
    replyTo: null,
  };
}
