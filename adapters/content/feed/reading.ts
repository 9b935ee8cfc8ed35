/** The feed in an answer: a small one is parsed where it is, others in a thread. */
import type { VerbContext } from "../../definition/define.ts";
import type { HttpResponse } from "../../guard/http/http.ts";
import { PARSED_IN_PLACE_BYTES } from "../document-parsers.ts";
import type { Feed } from "./feed.ts";
import { parseFeed } from "./text.ts";

/** Rejects with ADAPTER_BAD_DATA and ADAPTER_TOO_LARGE, and as a thread does that is not free or no longer wanted. */
export function readFeed(
  { body, headers, url }: HttpResponse,
  { host, signal }: Pick<VerbContext, "host" | "signal">,
): Promise<Feed> {
  const bytes = body ?? new Uint8Array();
  const type = headers.get("content-type")?.[0] ?? "";
  return bytes.length <= PARSED_IN_PLACE_BYTES
    ? parseFeed(bytes, type, url)
    : host.parsers.parse("feed", [bytes, type, url], signal);
}
