/** A feed (RSS, Atom, JSON Feed) as a source of posts. */

import type { Feed, FeedVideo } from "../../content/feed/feed.ts";
import { readFeed } from "../../content/feed/reading.ts";
import { textOfHtml } from "../../content/html-text.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { Post } from "./provider.ts";
import type { PostSource } from "./read-only.ts";
import type { AccountServer } from "./server.ts";

const ACCEPTED = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

export function feedSource(server: AccountServer): PostSource {
  return {
    async *posts(ctx) {
      const { title, videos } = await fetched(server, ctx);
      const posts = videos.map((item) => postOf(item, title));
      // Where no time is known the order of the feed stands.
      yield* posts.sort((one, other) => (one.ts === null || other.ts === null ? 0 : other.ts - one.ts));
    },
    async profile(ctx) {
      const { title, url, videos } = await fetched(server, ctx);
      return { name: title ?? "", url, followers: null, posts: videos.length };
    },
  };
}

async function fetched(server: AccountServer, ctx: VerbContext): Promise<Feed> {
  return readFeed(await server.ask(server.url(), { method: "GET", headers: { accept: ACCEPTED } }, ctx), ctx);
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
