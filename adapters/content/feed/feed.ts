/**
 * What all feed formats come to: a title and videos with the members that videomon knows. Texts are cut to what a store should hold,
 * addresses that are not of the web are dropped, and a feed with more than 5,000 items is refused.
 */
import { readUrl } from "../../../compiler/read-url.ts";
import { adapterError } from "../../errors.ts";
import { readDate } from "../written-date.ts";

const MAX_ITEMS = 5_000;
const MAX_ID = 512;
const MAX_TITLE = 1_000;
const MAX_URL = 2_000;
const MAX_DESCRIPTION = 4_000;
/** The last millisecond whose RFC 3339 text has a year of four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Times in milliseconds since 1970. */
export type FeedVideo = {
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly publishedMs: number | null;
  readonly updatedMs: number | null;
  readonly description: string | null;
  readonly thumbnail: string | null;
  readonly durationS: number | null;
  readonly views: number | null;
  readonly likes: number | null;
};

export type Feed = {
  readonly title: string | null;
  readonly url: string | null;
  /** Each id once. */
  readonly videos: readonly FeedVideo[];
};

/** The members of an item as its format has them: unchecked texts. Addresses are relative to `base`. */
export type RawItem = { readonly [K in keyof FeedVideo]?: string | undefined } & { readonly base: string };

export type RawFeed = {
  readonly title: string | undefined;
  readonly url: string | undefined;
  readonly base: string;
  readonly items: readonly RawItem[];
};

export function feedOf({ title, url, base, items }: RawFeed): Feed {
  if (items.length > MAX_ITEMS)
    throw adapterError("ADAPTER_TOO_LARGE", `the feed has more than ${MAX_ITEMS} items`, {
      data: { max_items: MAX_ITEMS },
    });
  const videos = new Map<string, FeedVideo>();
  for (const item of items) {
    const video = videoOf(item);
    if (video !== null && !videos.has(video.id)) videos.set(video.id, video);
  }
  return { title: cut(title, MAX_TITLE), url: webAddress(url, base), videos: [...videos.values()] };
}

/** null: nothing identifies it. */
function videoOf(item: RawItem): FeedVideo | null {
  const id = cut(item.id, MAX_ID) ?? cut(item.url, MAX_ID);
  if (id === null) return null;
  return {
    id,
    title: cut(item.title, MAX_TITLE) ?? "",
    url: webAddress(item.url, item.base),
    publishedMs: time(item.publishedMs),
    updatedMs: time(item.updatedMs),
    description: cut(item.description, MAX_DESCRIPTION),
    thumbnail: webAddress(item.thumbnail, item.base),
    durationS: duration(item.durationS),
    views: wholeNumber(item.views),
    likes: wholeNumber(item.likes),
  };
}

/** Without space around it; null when nothing is left. A character is never cut in half. */
function cut(text: string | undefined, most: number): string | null {
  const trimmed = (text ?? "").trim().toWellFormed().replaceAll("\0", "");
  if (trimmed === "") return null;
  return trimmed.length <= most ? trimmed : trimmed.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

function webAddress(text: string | undefined, base: string): string | null {
  const address = (text ?? "").trim();
  const url = address === "" || address.length > MAX_URL ? null : readUrl(address, readUrl(base) ?? undefined);
  if (url === null) return null;
  const { protocol, href } = url;
  return protocol === "http:" || protocol === "https:" ? href : null;
}

/** RFC 822 as RSS has it, RFC 3339, and what writers make of them. */
function time(text: string | undefined): number | null {
  const ms = readDate(text ?? "");
  return ms !== null && ms >= 0 && ms <= LAST_MS ? ms : null;
}

/** Seconds, or `h:mm:ss`. */
function duration(text: string | undefined): number | null {
  const parts = (text ?? "").trim().split(":");
  if (parts.length > 3 || !parts.every((part) => /^\d{1,7}(\.\d{1,9})?$/.test(part))) return null;
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

function wholeNumber(text: string | undefined): number | null {
  return /^\s*\d{1,15}\s*$/.test(text ?? "") ? Number(text) : null;
}

export function badFeed(what: string, cause?: unknown) {
  return adapterError("ADAPTER_BAD_DATA", `the feed ${what}`, cause === undefined ? {} : { cause });
}
