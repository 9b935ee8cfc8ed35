/** Requests to the servers of a channel: its feed, only when it changed, and its figures. Failures become adapter codes. */

import type { Json } from "../../../compiler/json.ts";
import type { Feed } from "../../content/feed/feed.ts";
import { readFeed } from "../../content/feed/reading.ts";
import { valueAt } from "../../content/json-path.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError, secretMissing } from "../../errors.ts";
import type { HttpResponse, HttpScope, HttpService } from "../../guard/http/http.ts";
import { askedWaitMs } from "../../guard/http/retry-after.ts";
import type { ChannelFigures, ChannelState } from "./program.ts";
import type { Channel } from "./settings.ts";

const MAX_FEED_BYTES = 5 * 1024 * 1024;

const ACCEPTED = "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5";

type FetchedFeed = {
  /** null: it is as it was. */
  readonly feed: Feed | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
};

/** A scope for one channel: the host of its feed and those that the operator added. */
export function feedScope(http: HttpService, { feed, allow_hosts: others }: Channel): HttpScope {
  const hosts = [new URL(feed).hostname, ...others];
  return http.scope({ allowHosts: hosts, operatorHosts: hosts, maxResponseBytes: MAX_FEED_BYTES });
}

/** Rejects as the scope does, with ADAPTER_RATE_LIMITED, UNAVAILABLE and HTTP_STATUS, and as the parser does. */
export async function fetchFeed(
  { feed: url }: Channel,
  state: ChannelState | null,
  scope: HttpScope,
  call: Pick<VerbContext, "host" | "signal"> & { readonly nowMs: number },
): Promise<FetchedFeed> {
  const headers = {
    accept: ACCEPTED,
    ...(state?.etag == null ? {} : { "if-none-match": state.etag }),
    ...(state?.lastModified == null ? {} : { "if-modified-since": state.lastModified }),
  };
  const response = await scope.request({ method: "GET", url, headers, signal: call.signal });
  const field = (name: string) => response.headers.get(name)?.[0] ?? null;
  if (response.status === 304)
    return { feed: null, etag: state?.etag ?? null, lastModified: state?.lastModified ?? null };
  if (response.status !== 200) throw refusal(response, call.nowMs);
  const feed = await readFeed(response, call);
  return { feed, etag: field("etag"), lastModified: field("last-modified") };
}

function refusal({ status, headers }: HttpResponse, now: number) {
  const wait = askedWaitMs(headers, now);
  const facts = { data: { status }, ...(wait === null ? {} : { retryAfterMs: wait }) };
  if (status === 429) return adapterError("ADAPTER_RATE_LIMITED", "the server of the feed asks to wait", facts);
  if (status >= 500) return adapterError("ADAPTER_UNAVAILABLE", "the server of the feed is not ready", facts);
  return adapterError("ADAPTER_HTTP_STATUS", `the server of the feed answered ${status}`, facts);
}

const NO_FIGURES: ChannelFigures = { subscribers: null, views: null };

/** The figures of the channel's own server. One that fails costs no poll: the figures are missing then, and the log says why. */
export async function fetchFigures(
  { stats }: Channel,
  http: HttpService,
  signal: AbortSignal,
  ctx: VerbContext,
): Promise<ChannelFigures> {
  if (stats === undefined) return NO_FIGURES;
  const { url, auth_secret: name, map } = stats;
  const secret = name === undefined ? undefined : await ctx.secret(name);
  if (name !== undefined && secret === undefined) throw secretMissing("the secret of the channel's statistics", name);
  try {
    const { status, body } = await http.getJson(url, {
      signal,
      allowHosts: [new URL(url).hostname],
      headers: secret === undefined ? {} : { authorization: `Bearer ${secret}` },
    });
    if (status === 200) return { subscribers: numberAt(body, map.subscribers), views: numberAt(body, map.views) };
    ctx.log("videomon_stats_failed", { status });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    ctx.log("videomon_stats_failed", { status: null, error: thrown instanceof Error ? thrown.message : "error" });
  }
  return NO_FIGURES;
}

/** The whole number at `a.b.c`, which may be written as text. */
function numberAt(body: Json, path: string | undefined): number | null {
  const value = path === undefined ? undefined : valueAt(body, path);
  const number = typeof value === "string" && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
