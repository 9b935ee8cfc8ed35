/** The entities of Mastodon's REST interface as far as they are used: checked, and turned into what all providers have. */

import { textOfHtml } from "../../content/html-text.ts";
import { readDate } from "../../content/written-date.ts";
import { id, z } from "../../definition/define.ts";
import { type Post, type Profile, type Published, secondsOf, VISIBILITIES, type Visibility } from "./provider.ts";
import { parsed } from "./server.ts";

const textOrNull = z.string().nullable().catch(null);
const countOrNull = z.number().int().nonnegative().nullable().catch(null);

const status = z.object({
  id: id(),
  created_at: z.string(),
  content: z.string(),
  url: textOrNull,
  language: textOrNull,
  in_reply_to_id: id().nullable().catch(null),
  account: z.object({ acct: z.string() }),
});
const notification = z.object({ type: z.string(), status: z.unknown() });
const searchResult = z.object({ statuses: z.array(status) });
const account = z.object({
  acct: z.string(),
  url: textOrNull,
  followers_count: countOrNull,
  statuses_count: countOrNull,
});
/** A post, or one that is to appear later. */
const published = z.object({ id: id(), url: textOrNull, created_at: textOrNull });
const upload = z.object({ id: id() });
// A server may know more kinds; what it cannot tell apart is for those who are named.
const visible = z.object({ visibility: z.enum(VISIBILITIES).catch("direct") });

export function postIn(answer: unknown): Post {
  return postOf(parsed(status, answer));
}

/** null: another notification, or its post has been deleted since. */
export function mentionIn(answer: unknown): Post | null {
  const { type, status: given } = parsed(notification, answer);
  return type !== "mention" || given == null ? null : postIn(given);
}

export function statusesIn(answer: unknown): readonly Post[] {
  return parsed(searchResult, answer).statuses.map(postOf);
}

export function profileIn(answer: unknown): Profile {
  const { acct, url, followers_count: followers, statuses_count: posts } = parsed(account, answer);
  return { name: acct, url, followers, posts };
}

export function publishedIn(answer: unknown): Published {
  const { id, url, created_at: created } = parsed(published, answer);
  const ms = created === null ? null : readDate(created);
  return { id, url, createdAt: ms === null ? null : new Date(ms).toISOString() };
}

export function visibilityIn(answer: unknown): Visibility {
  return parsed(visible, answer).visibility;
}

export function uploadIn(answer: unknown): string {
  return parsed(upload, answer).id;
}

function postOf(given: z.output<typeof status>): Post {
  return {
    id: given.id,
    text: textOfHtml(given.content),
    ts: secondsOf(given.created_at),
    author: given.account.acct,
    url: given.url,
    lang: given.language,
    replyTo: given.in_reply_to_id,
  };
}
