/**
 * The outbox of an ActivityPub actor as a source of posts: what the actor published itself, without what it passed on. Only documents of
 * the actor's own server are asked for.
 */

import type { Json } from "../../../compiler/json.ts";
import { readUrl } from "../../../compiler/read-url.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { textOfHtml } from "../../content/html-text.ts";
import { type VerbContext, z } from "../../definition/define.ts";
import { type Post, secondsOf } from "./provider.ts";
import type { PostSource } from "./read-only.ts";
import { type AccountServer, badAnswer, jsonOf, parsed } from "./server.ts";

const ACCEPTED = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
/** Of one call, however few posts fit. */
const MAX_PAGES = 10;

const textOrNull = z.string().nullable().catch(null);
/** An address, or an object that holds it. */
const link = z.union([z.string(), z.object({ href: z.string() }).transform(({ href }) => href)]);
const address = z
  .union([link, z.array(link).transform(([first = null]) => first)])
  .nullable()
  .catch(null);

const actor = z.object({
  preferredUsername: z.string(),
  url: address,
  outbox: z.string(),
  followers: textOrNull,
});
const page = z.object({ orderedItems: z.array(z.unknown()).default([]), next: textOrNull });
const collection = page.extend({
  totalItems: z.number().int().nonnegative().nullable().catch(null),
  first: z.union([z.string(), page]).nullish(),
});
const note = z.object({
  id: z.string().min(1),
  type: z.enum(["Note", "Article", "Question"]),
  content: z.string(),
  contentMap: z.record(z.string(), z.unknown()).catch({}),
  published: z.string().catch(""),
  url: address,
  inReplyTo: textOrNull,
});
const created = z.object({ type: z.literal("Create"), object: note });

export function outboxSource(server: AccountServer): PostSource {
  const fetched = (url: string, ctx: VerbContext) => documentAt(server, url, ctx);
  const self = async (ctx: VerbContext) => parsed(actor, await fetched(server.url().href, ctx));
  return {
    async *posts(ctx) {
      const { outbox, preferredUsername: author } = await self(ctx);
      const all = parsed(collection, await fetched(outbox, ctx));
      // Small outboxes have their items in themselves, others the first page or its address.
      let current: z.output<typeof page> = all;
      if (typeof all.first === "string") current = parsed(page, await fetched(all.first, ctx));
      else if (all.first != null) current = all.first;
      for (let pages = 1; ; pages++) {
        yield* current.orderedItems.map((item) => postIn(item, author)).filter((post) => post !== null);
        if (current.next === null || pages >= MAX_PAGES) return;
        current = parsed(page, await fetched(current.next, ctx));
      }
    },
    async profile(ctx) {
      const { preferredUsername: name, url, outbox, followers } = await self(ctx);
      const posts = parsed(collection, await fetched(outbox, ctx)).totalItems;
      return { name, url, followers: followers === null ? null : await countAt(server, followers, ctx), posts };
    },
  };
}

async function documentAt(server: AccountServer, url: string, ctx: VerbContext): Promise<Json> {
  const address = readUrl(url);
  if (address === null) throw badAnswer("has an invalid address");
  return jsonOf(await server.ask(address, { method: "GET", headers: { accept: ACCEPTED } }, ctx));
}

/** null: the server keeps it to itself. */
async function countAt(server: AccountServer, url: string, ctx: VerbContext): Promise<number | null> {
  try {
    return parsed(collection, await documentAt(server, url, ctx)).totalItems;
  } catch (thrown) {
    if (thrown instanceof AdapterError && HIDDEN.has(thrown.code)) return null;
    throw thrown;
  }
}

const HIDDEN: ReadonlySet<string> = new Set(["ADAPTER_NOT_FOUND", "ADAPTER_FAILED", "ADAPTER_NOT_CONFIGURED"]);

/** null: another activity, or something other than a post. */
function postIn(item: unknown, author: string): Post | null {
  const read = created.safeParse(item);
  if (!read.success) return null;
  const { id, content, contentMap, published, url, inReplyTo: replyTo } = read.data.object;
  const [lang = null, ...more] = Object.keys(contentMap);
  return {
    id,
    text: textOfHtml(content),
    ts: secondsOf(published),
    author,
    url: url ?? id,
    lang: more.length === 0 ? lang : null,
    replyTo,
  };
}
