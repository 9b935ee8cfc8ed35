/** Feeds as XML: RSS 2.0 and Atom, both with or without Media RSS. */
import type { JsonObject } from "../../compiler/json.ts";
import { attributeOf, elements, firstElement, parseXml, textIn } from "../guard/xml.ts";
import { badFeed, type Feed, feedOf, type RawItem } from "./feed.ts";

/** Some 60 tags and attributes for each of 5,000 items. */
const MAX_MARKUP = 300_000;

export async function xmlFeed(text: string): Promise<Feed> {
  const document = await parseXml(text, { what: "the feed", maxMarkup: MAX_MARKUP });
  const channel = firstElement(firstElement(document, "rss"), "channel");
  if (channel !== null)
    return feedOf(textIn(channel, "title"), textIn(channel, "link"), elements(channel, "item").map(rssItem));
  const feed = firstElement(document, "feed");
  if (feed !== null) return feedOf(textIn(feed, "title"), linkOf(feed), elements(feed, "entry").map(atomEntry));
  throw badFeed("is neither RSS nor Atom");
}

function rssItem(item: JsonObject): RawItem {
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
  };
}

function atomEntry(entry: JsonObject): RawItem {
  return {
    ...mediaOf(entry),
    ...present({
      id: textIn(entry, "id"),
      title: textIn(entry, "title"),
      url: linkOf(entry),
      publishedMs: textIn(entry, "published") ?? textIn(entry, "updated"),
      updatedMs: textIn(entry, "updated"),
      description: textIn(entry, "summary") ?? textIn(entry, "content"),
    }),
  };
}

/** What Media RSS says, in the item itself, in a group, or in the content; and the podcast extension. */
function mediaOf(item: JsonObject): RawItem {
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

function present(item: RawItem): RawItem {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

/** The address of an Atom element: its alternate link. */
function linkOf(element: JsonObject): string | undefined {
  const links = elements(element, "link");
  const alternate = links.find((link) => (attributeOf(link, "rel") ?? "alternate") === "alternate");
  return attributeOf(alternate ?? links[0] ?? null, "href");
}
