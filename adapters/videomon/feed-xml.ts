/**
 * Feeds as XML: RSS 2.0 and Atom, both with or without Media RSS. Document types are refused and entities other than the five of XML
 * stay as they are written, so nothing in a feed can grow or reach out.
 */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { isObject } from "../../vm/values.ts";
import { adapterError } from "../errors.ts";
import { badFeed, type Feed, feedOf, type RawItem } from "./feed.ts";

const MAX_DEPTH = 32;
/** Tags and attributes, which is what parsing costs: some 60 for each of 5,000 items. */
const MAX_MARKUP = 300_000;

const ATTRIBUTE = "@";
const TEXT = "#text";
const CDATA = "#cdata";

export async function xmlFeed(text: string): Promise<Feed> {
  const document = await parsed(text);
  const channel = first(first(document, "rss"), "channel");
  if (channel !== null)
    return feedOf(textOf(channel, "title"), textOf(channel, "link"), all(channel, "item").map(rssItem));
  const feed = first(document, "feed");
  if (feed !== null) return feedOf(textOf(feed, "title"), linkOf(feed), all(feed, "entry").map(atomEntry));
  throw badFeed("is neither RSS nor Atom");
}

async function parsed(text: string): Promise<JsonObject> {
  refuseHostile(text);
  const { XMLParser, XMLValidator } = await loadParser();
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    cdataPropName: CDATA,
    parseTagValue: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: MAX_DEPTH,
  });
  if (XMLValidator.validate(text) !== true) throw badFeed("is not well-formed");
  try {
    return parser.parse(text) as JsonObject;
  } catch (cause) {
    throw badFeed("is not well-formed", cause);
  }
}

/** What would cost too much to parse, and what must not be parsed at all. */
function refuseHostile(text: string): void {
  const root = text.search(/<[A-Za-z_]/);
  if (/<!DOCTYPE/i.test(root < 0 ? text : text.slice(0, root))) throw badFeed("has a document type");
  if (occurrences(text, "<") + occurrences(text, "=") > MAX_MARKUP)
    throw adapterError("ADAPTER_TOO_LARGE", "the feed has more tags and attributes than can be read");
}

function occurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

async function loadParser() {
  try {
    return await import("fast-xml-parser");
  } catch (cause) {
    throw adapterError(
      "ADAPTER_NOT_CONFIGURED",
      "feeds as XML need the package fast-xml-parser: npm install fast-xml-parser",
      {
        data: { package: "fast-xml-parser" },
        cause,
      },
    );
  }
}

function rssItem(item: JsonObject): RawItem {
  return {
    ...mediaOf(item),
    ...present({
      id: textOf(item, "guid"),
      title: textOf(item, "title"),
      url: textOf(item, "link"),
      publishedMs: textOf(item, "pubDate") ?? textOf(item, "dc:date"),
      updatedMs: textOf(item, "atom:updated"),
      description: textOf(item, "description"),
    }),
  };
}

function atomEntry(entry: JsonObject): RawItem {
  return {
    ...mediaOf(entry),
    ...present({
      id: textOf(entry, "id"),
      title: textOf(entry, "title"),
      url: linkOf(entry),
      publishedMs: textOf(entry, "published") ?? textOf(entry, "updated"),
      updatedMs: textOf(entry, "updated"),
      description: textOf(entry, "summary") ?? textOf(entry, "content"),
    }),
  };
}

/** What Media RSS says, in the item itself, in a group, or in the content; and the podcast extension. */
function mediaOf(item: JsonObject): RawItem {
  const group = first(item, "media:group");
  const outer = [item, ...(group === null ? [] : [group])];
  const contents = outer.flatMap((one) => all(one, "media:content"));
  const places = [...outer, ...contents];
  const find = <T>(look: (place: JsonObject) => T | undefined): T | undefined => {
    for (const place of places) {
      const found = look(place);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const community = (element: string, attribute: string) =>
    find((place) => attributeOf(first(first(place, "media:community"), element), attribute));
  return present({
    title: find((place) => textOf(place, "media:title")),
    url: find((place) => attributeOf(first(place, "media:player"), "url")),
    description: find((place) => textOf(place, "media:description")),
    thumbnail:
      find((place) => attributeOf(first(place, "media:thumbnail"), "url")) ??
      attributeOf(first(item, "itunes:image"), "href"),
    durationS: find((place) => attributeOf(place, "duration")) ?? textOf(item, "itunes:duration"),
    views: community("media:statistics", "views"),
    likes: community("media:starRating", "count"),
  });
}

function present(item: RawItem): RawItem {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

/** The address of an Atom element: its alternate link. */
function linkOf(element: JsonObject): string | undefined {
  const links = all(element, "link");
  const alternate = links.find((link) => (attributeOf(link, "rel") ?? "alternate") === "alternate");
  return attributeOf(alternate ?? links[0] ?? null, "href");
}

/** The elements of a name; one without attributes and elements is only text. */
function all(element: JsonObject | null, name: string): readonly JsonObject[] {
  const value = element !== null && Object.hasOwn(element, name) ? element[name] : undefined;
  if (value === undefined) return [];
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  return list.map((one) => (isObject(one) ? one : { [TEXT]: one }));
}

function first(element: JsonObject | null, name: string): JsonObject | null {
  return all(element, name)[0] ?? null;
}

function attributeOf(element: JsonObject | null, name: string): string | undefined {
  const value = element?.[`${ATTRIBUTE}${name}`];
  return typeof value === "string" ? decoded(value) : undefined;
}

/** The text in the first element of a name, without that of elements inside. */
function textOf(element: JsonObject, name: string): string | undefined {
  const found = first(element, name);
  if (found === null) return undefined;
  const text = decoded(joined(found[TEXT])) + joined(found[CDATA]);
  return text === "" ? undefined : text;
}

function joined(value: Json | undefined): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map(joined).join("");
  if (isObject(value)) return joined(value[TEXT]);
  return typeof value === "string" ? value : "";
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The five entities of XML and numbers of characters; every other reference stays as it is written. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/g,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return PREDEFINED[name] ?? whole;
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
        ? String.fromCodePoint(point)
        : whole;
    },
  );
}
