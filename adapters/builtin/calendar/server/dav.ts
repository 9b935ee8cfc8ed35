/**
 * The CalDAV server of one account: requests under its address and with its password, and what its answers mean in the codes of adapters.
 * The password goes to that server alone, whatever its answers point to. Every request is sent once.
 */
import { readUrl } from "../../../../compiler/read-url.ts";
import type { AdapterError } from "../../../../vm/errors/failures.ts";
import { charsetOfMark, charsetParameter, textOfFirst } from "../../../content/charset.ts";
import { PARSED_IN_PLACE_BYTES } from "../../../content/document-parsers.ts";
import type { VerbContext } from "../../../definition/define.ts";
import { adapterError, secretMissing } from "../../../errors.ts";
import type { HttpResponse, HttpScope, HttpService } from "../../../guard/http/http.ts";
import { askedWaitMs } from "../../../guard/http/retry-after.ts";
import type { AccountConfig } from "../settings.ts";
import { type CollectionFacts, PROPFIND, type Resource, resourcesIn } from "./dav-xml.ts";

/** Of any answer, and of what is written. */
export const MAX_BYTES = 8 * 1024 * 1024;

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32] as const;

type Sent = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly text: string; readonly type: "application/xml" | "text/calendar" };
};

export type Collection = CollectionFacts & { readonly url: URL };

export class DavServer {
  readonly #config: AccountConfig;
  readonly #scope: HttpScope;

  constructor(http: HttpService, config: AccountConfig) {
    this.#config = config;
    this.#scope = scopeFor(http, config.url);
  }

  get url(): URL {
    return new URL(this.#config.url);
  }

  /** An address that an answer gives, seen from `base`. Throws ADAPTER_BAD_DATA for another server. */
  linked(href: string, base: URL): URL {
    const url = readUrl(href, base);
    if (url === null || url.origin !== this.url.origin)
      throw adapterError("ADAPTER_BAD_DATA", "the answer of the calendar server points to another server");
    return url;
  }

  /**
   * Any status except success rejects: NOT_CONFIGURED (401, 403), NOT_FOUND (404, 410), CONFLICT (409, 412), RATE_LIMITED, TOO_LARGE,
   * QUOTA, UNAVAILABLE, HTTP_STATUS. A request that has no answer rejects as `HttpScope.request` does.
   */
  async ask(method: string, url: URL, { headers = {}, body }: Sent, ctx: VerbContext): Promise<HttpResponse> {
    const response = await this.#scope.request({
      method,
      url: url.href,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": `${body.type}; charset=utf-8` }) },
      credentials: await this.#credentials(ctx),
      body: body === undefined ? null : Buffer.from(body.text),
      signal: ctx.signal,
    });
    if (response.status < 200 || response.status >= 300) throw refusal(response, ctx.now());
    return response;
  }

  /** The resources in the answer of a PROPFIND or REPORT, and the address that answered. */
  async report(
    method: "PROPFIND" | "REPORT",
    url: URL,
    { depth, body }: { readonly depth: "0" | "1"; readonly body: string },
    ctx: VerbContext,
  ): Promise<{ readonly resources: readonly Resource[]; readonly at: URL; readonly lossy: boolean }> {
    const sent = { headers: { depth }, body: { text: body, type: "application/xml" } } as const;
    const response = await this.ask(method, url, sent, ctx);
    const { text, lossy } = textOf(response);
    const resources =
      text.length <= PARSED_IN_PLACE_BYTES
        ? await resourcesIn(text)
        : await ctx.host.parsers.parse("multistatus", [text], ctx.signal);
    return { resources, at: this.linked(response.url, url), lossy };
  }

  /** What lies at an address, itself included. */
  async collections(url: URL, depth: "0" | "1", ctx: VerbContext): Promise<readonly Collection[]> {
    const { resources, at, lossy } = await this.report("PROPFIND", url, { depth, body: PROPFIND }, ctx);
    if (lossy) throw adapterError("ADAPTER_ENCODING", "the answer of the calendar server is not text of its charset");
    return resources.map((one) => ({ ...one.collection, url: this.linked(one.href, at) }));
  }

  close(): Promise<void> {
    return this.#scope.close();
  }

  async #credentials(ctx: VerbContext) {
    const { user, auth_secret: name } = this.#config;
    if (user === undefined || name === undefined) return undefined;
    const password = (await ctx.secret(name)) ?? "";
    if (password === "") throw secretMissing("the password of the calendar account", name);
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
  }
}

/** A scope for the one server of an address. */
export function scopeFor(http: HttpService, address: string): HttpScope {
  const { hostname, port } = new URL(address);
  return http.scope({
    allowHosts: [hostname],
    operatorHosts: [hostname],
    ...(port === "" ? {} : { allowPorts: [Number(port)] }),
    maxResponseBytes: MAX_BYTES,
    maxRequestBytes: MAX_BYTES,
  });
}

/** The text of an answer. `lossy`: some bytes are not text of its charset; in their place stands U+FFFD. */
export function textOf({ body, headers }: HttpResponse): { readonly text: string; readonly lossy: boolean } {
  const bytes = joinedCharacters(body ?? Buffer.alloc(0));
  const said = charsetParameter(headers.get("content-type")?.[0] ?? "");
  return textOfFirst(bytes, [charsetOfMark(bytes), said, "utf-8"]);
}

/**
 * Without the folds that stand inside of a character of UTF-8 (RFC 5545, 3.1: lines are folded by bytes). All others stay, as text can be
 * unfolded as well.
 */
function joinedCharacters(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const begin = bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at;
    const isFold = bytes[at + 1] === SPACE || bytes[at + 1] === TAB;
    if (!isFold || (bytes[begin - 1] ?? 0) < 0x80 || ((bytes[at + 2] ?? 0) & 0xc0) !== 0x80) continue;
    parts.push(bytes.subarray(from, begin));
    from = at + 2;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

const REFUSALS: Readonly<Record<number, readonly [Parameters<typeof adapterError>[0], string]>> = {
  401: ["ADAPTER_NOT_CONFIGURED", "the calendar server does not accept the account"],
  403: ["ADAPTER_NOT_CONFIGURED", "the calendar server does not let the account do this"],
  404: ["ADAPTER_NOT_FOUND", "the calendar server has no such thing"],
  410: ["ADAPTER_NOT_FOUND", "the calendar server has no such thing"],
  409: ["ADAPTER_CONFLICT", "the event has changed on the server"],
  412: ["ADAPTER_CONFLICT", "the event has changed on the server"],
  413: ["ADAPTER_TOO_LARGE", "the event is larger than the calendar server takes"],
  429: ["ADAPTER_RATE_LIMITED", "the calendar server asks to wait"],
  507: ["ADAPTER_QUOTA", "the calendar is full"],
};

export function refusal({ status, headers }: HttpResponse, now: number): AdapterError {
  const wait = askedWaitMs(headers, now);
  const facts = { data: { status }, ...(wait === null ? {} : { retryAfterMs: wait }) };
  const known = REFUSALS[status];
  if (known !== undefined) return adapterError(known[0], known[1], facts);
  if (status >= 500) return adapterError("ADAPTER_UNAVAILABLE", "the calendar server is not ready", facts);
  return adapterError("ADAPTER_HTTP_STATUS", `the calendar server answered ${status}`, facts);
}
