/**
 * What a social network must offer to be one: posts to read, and for those that can be written to, how to publish and remove. Ids are the
 * provider's own here; which account they belong to, `post-id.ts` adds.
 */

import { readDate } from "../../content/written-date.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { LoadedMedia } from "./media.ts";

export const VISIBILITIES = ["public", "unlisted", "private", "direct"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export type Post = {
  readonly id: string;
  readonly text: string;
  /** Seconds since 1970; null: the provider does not say. */
  readonly ts: number | null;
  readonly author: string | null;
  readonly url: string | null;
  readonly lang: string | null;
  readonly replyTo: string | null;
};

export type Profile = {
  readonly name: string;
  readonly url: string | null;
  readonly followers: number | null;
  readonly posts: number | null;
};

export type Draft = {
  readonly text: string;
  readonly replyTo: string | null;
  /** null: as the account is set, of replies that of the post which is answered. */
  readonly visibility: Visibility | null;
  readonly language: string | null;
  /** RFC 3339. */
  readonly scheduledAt: string | null;
  readonly media: readonly LoadedMedia[];
};

/** Of a post that is to appear later `url` and `createdAt` (RFC 3339) are null. */
export type Published = { readonly id: string; readonly url: string | null; readonly createdAt: string | null };

export interface Writer {
  /** Publishing again under the same key makes no second post. */
  publish(draft: Draft, key: string, ctx: VerbContext): Promise<Published>;
  /** Whether there was such a post. */
  remove(id: string, ctx: VerbContext): Promise<boolean>;
}

export type MentionsQuery = {
  /** Text that they contain, in any letter case; null: any. */
  readonly text: string | null;
  /** Only those that are newer than this post. */
  readonly sinceId: string | null;
  readonly limit: number;
};
/** `sinceMs`: least time of a post. */
export type SearchQuery = { readonly text: string; readonly sinceMs: number | null; readonly limit: number };

/** Lists are newest first. All reject with AdapterError, as `server.ts` says. */
export interface Provider {
  mentions(query: MentionsQuery, ctx: VerbContext): Promise<readonly Post[]>;
  search(query: SearchQuery, ctx: VerbContext): Promise<readonly Post[]>;
  timeline(limit: number, ctx: VerbContext): Promise<readonly Post[]>;
  get(id: string, ctx: VerbContext): Promise<Post | null>;
  profile(ctx: VerbContext): Promise<Profile>;
  /** null: it can only be read. */
  readonly writer: Writer | null;
}

export function holdsText({ text }: Post, wanted: string | null): boolean {
  return wanted === null || text.toLowerCase().includes(wanted.toLowerCase());
}

/** A post whose time is not known is never old enough to be left out. */
export function isSince({ ts }: Post, sinceMs: number | null): boolean {
  return sinceMs === null || ts === null || ts * 1000 >= sinceMs;
}

/** RFC 3339 of seconds since 1970; null where it has no year for them. */
export function timeOf(seconds: number): string | null {
  const time = new Date(seconds * 1000);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : null;
}

/** Whole seconds since 1970 of a time string; null when it is not a time. */
export function secondsOf(time: string): number | null {
  const ms = readDate(time);
  return ms === null ? null : Math.floor(ms / 1000);
}
