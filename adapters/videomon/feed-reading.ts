/** The feed in an answer: a small one is parsed where it is, others in a thread. */
import type { VerbContext } from "../define.ts";
import { PARSED_IN_PLACE_BYTES } from "../engine/document-parsers.ts";
import type { HttpResponse } from "../guard/http.ts";
import type { Feed } from "./feed.ts";
import { parseFeed } from "./feed-text.ts";

/** Rejects with ADAPTER_BAD_DATA and ADAPTER_TOO_LARGE, and as a thread does that is not free or no longer wanted. */
export function readFeed(
  { body, headers }: HttpResponse,
  { host, signal }: Pick<VerbContext, "host" | "signal">,
): Promise<Feed> {
  const bytes = body ?? new Uint8Array();
  const type = headers.get("content-type")?.[0] ?? "";
  return bytes.length <= PARSED_IN_PLACE_BYTES
    ? parseFeed(bytes, type)
    : host.parsers.parse("feed", [bytes, type], signal);
}
