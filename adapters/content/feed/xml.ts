/** Feeds as XML: RSS 2.0 and Atom, both with or without Media RSS. */
import type { JsonObject } from "../../../compiler/json.ts";
import { readUrl } from "../../../compiler/read-url.ts";
import { attributeOf, elements, firstElement, markupIn, parseXml, textIn } from "../xml.ts";
import { badFeed, type Feed, feedOf, type RawItem } from "./feed.ts";

/** Some 60 tags and attributes for each of 5,000 items. */
const MAX_MARKUP = 300_000;

/** Of Atom: they may hold elements of XHTML. */
const MARKUP = ["feed.title", "feed.entry.title", "feed.entry.summary", "feed.entry.content"];

/** `address`: of the feed; links are relative to it where the feed names no other base. */
export async function xmlFeed(text: string, address: string): Promise<Feed> {
  const document = await parseXml(text, { what: "the feed", maxMarkup: MAX_MARKUP, markup: MARKUP });
  const rss = firstElement(document, "rss");
  const channel = firstElement(rss, "channel");
  if (channel !== null) {
    const base = baseOf(channel, baseOf(rss, address));
    const items = elements(channel, "item").map((item) => rssItem(item, base));
    return feedOf({ title: textIn(channel, "title"), url: textIn(channel, "link"), base, items });
  }
  const feed = firstElement(document, "feed");
  if (feed === null) throw badFeed("is neither RSS nor Atom");
  const base = baseOf(feed, address);
  const items = elements(feed, "entry").map((entry) => atomEntry(entry, base));
  return feedOf({ title: markupIn(feed, "title"), url: linkOf(feed, base), base, items });
}

/** What addresses in an element are relative to (XML Base). */
function baseOf(element: JsonObject | null, outer: string): string {
  const own = attributeOf(element, "xml:base");
  return own === undefined ? outer : (readUrl(own, readUrl(outer) ?? undefined)?.href ?? outer);
}

function rssItem(item: JsonObject, outer: string): RawItem {
  return {
    ...mediaOf(item),
    ...present({
      id: textIn(item, "guid"),
      title: textIn(item, "title"),
      url: textIn(item, "link"),
      publishedMs: textIn(item, "pubDate") ?? textIn(item, "dc:date"),
      updatedMs: textIn(item, "atom:updated"),
      description: textIn(item, "description"),
    }),
    base: baseOf(item, outer),
  };
}

function atomEntry(entry: JsonObject, outer: string): RawItem {
  const base = baseOf(entry, outer);
  return {
    ...mediaOf(entry),
    ...present({
      id: textIn(entry, "id"),
      title: markupIn(entry, "title"),
      url: linkOf(entry, base),
      publishedMs: textIn(entry, "published") ?? textIn(entry, "updated"),
      updatedMs: textIn(entry, "updated"),
      description: markupIn(entry, "summary") ?? markupIn(entry, "content"),
    }),
    base,
  };
}

/** What Media RSS says, in the item itself, in a group, or in the content; and the podcast extension. */
function mediaOf(item: JsonObject): Members {
  const outer = [item, ...elements(item, "media:group").slice(0, 1)];
  const contents = outer.flatMap((one) => elements(one, "media:content"));
  const places = [...outer, ...contents];
  const find = <T>(look: (place: JsonObject) => T | undefined): T | undefined => {
    for (const place of places) {
      const found = look(place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const community = (element: string, attribute: string) =>
    find((place) => attributeOf(firstElement(firstElement(place, "media:community"), element), attribute));
  return present({
    title: find((place) => textIn(place, "media:title")),
    url: find((place) => attributeOf(firstElement(place, "media:player"), "url")),
    description: find((place) => textIn(place, "media:description")),
    thumbnail:
      find((place) => attributeOf(firstElement(place, "media:thumbnail"), "url")) ??
      attributeOf(firstElement(item, "itunes:image"), "href"),
    durationS: find((place) => attributeOf(place, "duration")) ?? textIn(item, "itunes:duration"),
    views: community("media:statistics", "views"),
    likes: community("media:starRating", "count"),
  });
}

type Members = Omit<RawItem, "base">;

function present(item: Members): Members {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

/** The address of an Atom element: its alternate link, as it is written where it has no base of its own. */
function linkOf(element: JsonObject, base: string): string | undefined {
  const links = elements(element, "link");
  const alternate = links.find((link) => (attributeOf(link, "rel") ?? "alternate") === "alternate");
  const link = alternate ?? links[0] ?? null;
  const address = attributeOf(link, "href")?.trim();
  if (address === undefined || attributeOf(link, "xml:base") === undefined) return address;
  return readUrl(address, readUrl(baseOf(link, base)) ?? undefined)?.href ?? address;
}
