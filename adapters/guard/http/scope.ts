/**
 * A scope of the HTTP client: one request from its text to the last byte of the answer, redirects included, under the rules of one
 * adapter. Each request is sent once; only the language's Retry repeats it.
 */
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { adapterError } from "../../errors.ts";
import {
  type Connections,
  type Connector,
  checkedAddresses,
  MAX_HEADER_BYTES,
  openConnections,
  type Resolve,
} from "./agent.ts";
import { ACCEPTED_CODINGS, readBody } from "./body.ts";
import { headError, LARGE_HEADERS, requestError, untilAborted } from "./errors.ts";
import { type HeaderFields, headerFields } from "./headers.ts";
import type { HttpRequest, HttpResponse, HttpScope, HttpScopeOptions } from "./http.ts";
import { type Hop, nextHop, redirectDecision, tooManyRedirects } from "./redirects.ts";
import { createHostRules, type HostRules, hostOf, parsedUrl, portOf } from "./rules.ts";

export type ScopeDeps = {
  readonly resolve: Resolve;
  readonly userAgent: string;
  readonly allowPrivate: boolean;
  readonly connector: Connector | undefined;
  /** The scope was closed. */
  closed(scope: HttpScope): void;
};

const DEFAULT_BYTES = 1_000_000;
const DEFAULT_REDIRECTS = 5;
/** Of the body of a redirect or error, to keep its connection for the next request. */
const DISCARDED_BYTES = 16_384;

/** `HTTP/1.1 103` with its line breaks. */
const SHORTEST_HEAD_BYTES = 16;

type Answer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Dispatcher.ResponseData["body"];
};

export class GuardedScope implements HttpScope {
  readonly #options: HttpScopeOptions;
  readonly #deps: ScopeDeps;
  readonly #rules: HostRules;
  #connections: Promise<Connections> | undefined;

  constructor(options: HttpScopeOptions, deps: ScopeDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#rules = createHostRules({
      ...options,
      allowPrivate: options.allowPrivate ?? deps.allowPrivate,
      viaProxy: options.proxyUrl !== undefined,
    });
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    // Of its own: many requests may hang on one signal, and each listens to it in several places.
    const signal = AbortSignal.any([request.signal]);
    try {
      signal.throwIfAborted();
      return await this.#followed({ ...request, signal });
    } catch (cause) {
      throw requestError(cause, signal);
    }
  }

  async addressesOf(host: string, port: number, signal: AbortSignal): Promise<readonly string[]> {
    const url = parsedUrl(`http://${host.includes(":") ? `[${host}]` : host}:${port}/`);
    this.#rules.admit(hostOf(url), port);
    if (isIP(hostOf(url)) !== 0) return [hostOf(url)];
    const checked = checkedAddresses({ rules: this.#rules, resolve: this.#deps.resolve }, hostOf(url), port);
    return untilAborted(signal, checked);
  }

  async close(): Promise<void> {
    this.#deps.closed(this);
    const connections = await this.#connections?.catch(() => undefined);
    this.#connections = undefined;
    await connections?.close();
  }

  async #followed(request: HttpRequest): Promise<HttpResponse> {
    const secret = new Set(Object.keys(request.credentials ?? {}).map((name) => name.toLowerCase()));
    const most = least(request.maxRedirects, this.#options.maxRedirects ?? DEFAULT_REDIRECTS);
    let hop = this.#firstHop(request);
    for (let redirects = 0; ; redirects++) {
      this.#rules.admit(hostOf(hop.url), portOf(hop.url));
      const answer = await this.#sent(hop, request.signal);
      const location = answer.headers.get("location")?.[0];
      const decision = redirectDecision(answer.status, location, hop.method, request.redirect);
      if (decision !== "follow" || location === undefined) {
        const body = await this.#bodyOf(answer, hop, request);
        const unfollowed = decision === "unfollowed";
        return { status: answer.status, headers: answer.headers, body, url: hop.url.href, redirects, unfollowed };
      }
      discard(answer.body);
      if (redirects >= most) throw tooManyRedirects(most);
      hop = nextHop(hop, answer.status, location, secret);
    }
  }

  #firstHop({ method, url, headers, credentials, body = null }: HttpRequest): Hop {
    const { maxRequestBytes = DEFAULT_BYTES, userAgent = this.#deps.userAgent } = this.#options;
    if (body !== null && body.byteLength > maxRequestBytes) {
      const data = { max_request_bytes: maxRequestBytes };
      throw adapterError("ADAPTER_TOO_LARGE", `the request is larger than ${maxRequestBytes} bytes`, { data });
    }
    const own: HeaderFields = new Map([
      ["user-agent", [userAgent]],
      ["accept", ["*/*"]],
      ["accept-encoding", [ACCEPTED_CODINGS]],
    ]);
    return { method, url: parsedUrl(url), headers: new Map([...own, ...headerFields(headers, credentials)]), body };
  }

  async #sent({ method, url, headers, body }: Hop, signal: AbortSignal): Promise<Answer> {
    const { request } = await import("undici");
    this.#connections ??= openConnections({
      rules: this.#rules,
      resolve: this.#deps.resolve,
      connector: this.#deps.connector,
      proxyUrl: this.#options.proxyUrl,
      caFile: this.#options.caFile,
    });
    const { dispatcher } = await this.#connections;
    const sending = request(url, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: Object.fromEntries([...headers].map(([name, values]) => [name, [...values]])),
      body,
      signal,
      responseHeaders: "raw",
      onInfo: boundedInterim(),
    });
    // The library hears the signal only when it has a connection.
    const answer = await untilAborted(signal, sending).catch((cause: unknown) => {
      throw headError(cause);
    });
    // The rest of a body is dropped with its connection, and its error is ignored.
    answer.body.on("error", () => {});
    // `raw` gives a list of names and values, which the types do not say.
    const raw = answer.headers as unknown as readonly string[];
    return { status: answer.statusCode, headers: fieldsOf(raw), body: answer.body };
  }

  async #bodyOf({ status, headers, body }: Answer, hop: Hop, request: HttpRequest): Promise<Buffer | null> {
    const { signal, onBytes, ignoreBody = false, wantsBody } = request;
    const isUnwanted = ignoreBody || wantsBody?.({ status, headers }) === false;
    if (isUnwanted || hop.method === "HEAD" || status === 204 || status === 304) {
      discard(body);
      return null;
    }
    const maxBytes = least(request.maxResponseBytes, this.#options.maxResponseBytes ?? DEFAULT_BYTES);
    try {
      const codings = headers.get("content-encoding") ?? [];
      return await untilAborted(signal, readBody(body, codings, { maxBytes, signal, onBytes }));
    } finally {
      body.destroy();
    }
  }
}

/** Hears of the answers before the final one, which the library takes without end, and throws when they have too many headers together. */
function boundedInterim(): (info: { readonly headers: unknown }) => void {
  let bytes = 0;
  return ({ headers }) => {
    bytes += JSON.stringify(headers).length + SHORTEST_HEAD_BYTES;
    if (bytes > MAX_HEADER_BYTES) throw adapterError("ADAPTER_TOO_LARGE", LARGE_HEADERS);
  };
}

function fieldsOf(raw: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const values = fields.get(name);
    if (values === undefined) fields.set(name, [raw[at + 1] ?? ""]);
    else values.push(raw[at + 1] ?? "");
  }
  return fields;
}

function discard(body: Readable & { dump(options: { limit: number }): Promise<void> }): void {
  body.dump({ limit: DISCARDED_BYTES }).catch(() => {});
}

function least(asked: number | undefined, most: number): number {
  return Math.min(asked ?? most, most);
}
