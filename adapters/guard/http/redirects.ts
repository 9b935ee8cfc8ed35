/**
 * What a redirect means: whether it is followed, where to, and what of the request goes there. The client library follows none by
 * itself, because each hop is checked like the first request.
 */
import { counted } from "../../../grammar/text/english.ts";
import { adapterError } from "../../errors.ts";
import { type HeaderFields, harmlessFields } from "./headers.ts";
import type { HttpRequest } from "./http.ts";
import { badUrl, parsedUrl } from "./rules.ts";

/** One request on its way. */
export type Hop = {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderFields;
  readonly body: Uint8Array | null;
};

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const CONTENT_HEADERS: ReadonlySet<string> = new Set([
  "content-type",
  "content-encoding",
  "content-language",
  "content-location",
]);

export type RedirectDecision = "answer" | "follow" | "unfollowed";

/** What to do with an answer. */
export function redirectDecision(
  status: number,
  location: string | undefined,
  method: string,
  wish: HttpRequest["redirect"],
): RedirectDecision {
  if (!REDIRECTS.has(status) || location === undefined || wish === "manual") return "answer";
  if (wish === "error") return "unfollowed";
  const repeats = status !== 303 && (method === "POST" || method === "PATCH");
  return wish === "follow" || !repeats ? "follow" : "unfollowed";
}

/** The next request. Throws BAD_URL. `secret`: names of headers that hold credentials of the operator. */
export function nextHop(hop: Hop, status: number, location: string, secret: ReadonlySet<string>): Hop {
  const url = parsedUrl(inUtf8(location), hop.url);
  if (hop.url.protocol === "https:" && url.protocol === "http:") throw badUrl("a redirect leads from https to http");
  const headers = url.origin === hop.url.origin ? hop.headers : harmlessFields(hop.headers, secret);
  if (status !== 303 || hop.method === "GET" || hop.method === "HEAD") return { ...hop, url, headers };
  const bodiless = new Map([...headers].filter(([name]) => !CONTENT_HEADERS.has(name)));
  return { method: "GET", url, headers: bodiless, body: null };
}

/** Servers write addresses into headers in UTF-8, as browsers read them; the client library hands on one character for each byte. */
function inUtf8(location: string): string {
  if (!/[\u0080-\u00ff]/.test(location)) return location;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(location, "latin1"));
  } catch {
    return location;
  }
}

export function tooManyRedirects(most: number): Error {
  return adapterError("ADAPTER_TOO_MANY_REDIRECTS", `more than ${counted(most, "redirect")}`, {
    data: { max_redirects: most },
  });
}
