/** Feeds as JSON (JSON Feed 1 and 1.1). */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { badFeed, type Feed, feedOf, type RawItem } from "./feed.ts";

export function jsonFeed(text: string, address: string): Feed {
  let document: Json;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw badFeed("is not JSON", cause);
  }
  if (!isObject(document) || !Array.isArray(document["items"])) throw badFeed("is not a JSON Feed");
  const items = (document["items"] as readonly Json[]).filter((one) => isObject(one));
  return feedOf({
    title: textOf(document, "title"),
    url: textOf(document, "home_page_url"),
    base: address,
    items: items.map((item) => itemOf(item, address)),
  });
}

function itemOf(item: JsonObject, base: string): RawItem {
  return {
    base,
    id: textOf(item, "id"),
    title: textOf(item, "title"),
    url: textOf(item, "url") ?? textOf(item, "external_url"),
    publishedMs: textOf(item, "date_published"),
    updatedMs: textOf(item, "date_modified"),
    description: textOf(item, "summary") ?? textOf(item, "content_text") ?? textOf(item, "content_html"),
    thumbnail: textOf(item, "image") ?? textOf(item, "banner_image"),
    durationS: durationOf(item),
  };
}

function durationOf(item: JsonObject): string | undefined {
  const attachments = item["attachments"];
  if (!Array.isArray(attachments)) return undefined;
  const durations = (attachments as readonly Json[])
    .filter((one) => isObject(one))
    .map((one) => textOf(one, "duration_in_seconds"));
  return durations.find((one) => one !== undefined);
}

/** Numbers are ids of careless writers. */
function textOf(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
