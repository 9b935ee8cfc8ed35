/**
 * The HTTP client that the host offers its adapters, as they see it. Nothing else in the product opens HTTP connections on behalf
 * of a program. A scope holds one adapter's rules; every request of it, and every hop of a redirect, is held to them
 * (docs/adapters/http.md). Types only: the client itself is `adapters/guard/http/service.ts`.
 */
import type { Json } from "../../../compiler/json.ts";
import { adapterError } from "../../errors.ts";

/** Where requests of a scope may go, and how large they may be. */
export type HttpScopeOptions = {
  /** Host patterns (docs/policy.md); absent: every public host; empty: none. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Patterns of the operator alone. Only these admit addresses that are not public, by naming them. Default: none. */
  readonly operatorHosts?: readonly string[] | undefined;
  /** Absent: every port. */
  readonly allowPorts?: readonly number[] | undefined;
  /** Private addresses may be reached without being named. Only the operator may say so. Default: the host's. */
  readonly allowPrivate?: boolean | undefined;
  /** After decoding; default 1,000,000. */
  readonly maxResponseBytes?: number;
  /** Default 1,000,000. */
  readonly maxRequestBytes?: number;
  /** Default 5. */
  readonly maxRedirects?: number;
  /** Default: the host's. */
  readonly userAgent?: string | undefined;
  /** A proxy of the operator. It resolves the names, so its own rules decide about their addresses. */
  readonly proxyUrl?: string | undefined;
  /** A file of certificates that are trusted besides the usual ones. */
  readonly caFile?: string | undefined;
};

export type HttpHeaders = Readonly<Record<string, string | readonly string[]>>;

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers?: HttpHeaders;
  /** Headers that hold credentials of the operator. As any header outside a short list, they stay at the origin of `url`. */
  readonly credentials?: HttpHeaders | undefined;
  readonly body?: Uint8Array | null;
  /** Over everything from the first lookup to the last byte. */
  readonly signal: AbortSignal;
  /**
   * `follow` and `error` hold for every method; `manual` hands the redirect back. Default: followed, except that a POST or PATCH
   * is never sent a second time.
   */
  readonly redirect?: "follow" | "manual" | "error" | undefined;
  /** Lower than the scope's. */
  readonly maxRedirects?: number | undefined;
  readonly maxResponseBytes?: number | undefined;
  /** The body is of no interest and not read. */
  readonly ignoreBody?: boolean;
  /** Whether the body of an answer with this head is read. Default: it is. */
  readonly wantsBody?: ((head: Pick<HttpResponse, "status" | "headers">) => boolean) | undefined;
  /** Told how many bytes of the body came so far, decoded. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
};

export type HttpResponse = {
  readonly status: number;
  /** By lower-case name, in the order they came. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Decoded; null where the answer can have none, or it was not asked for. */
  readonly body: Buffer | null;
  /** After redirects. */
  readonly url: string;
  /** Hops that were followed. */
  readonly redirects: number;
  /** A redirect that was not followed, against the wish of the request or the rule of its method. */
  readonly unfollowed: boolean;
};

export interface HttpScope {
  /**
   * One request, never repeated; any status is an answer. Rejects with AdapterError: BAD_URL, HOST_BLOCKED, ADDRESS_BLOCKED,
   * TOO_MANY_REDIRECTS, BAD_ARGS (a header), TOO_LARGE, BAD_DATA, TRANSPORT, TIMEOUT, CANCELLED, BUSY, BAD_SETTINGS.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** The addresses that a connection of another protocol to this host may go to. Rejects as `request` does. */
  addressesOf(host: string, port: number, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

export type JsonRequest = {
  /** Ends the request at once. */
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The hosts that may be reached, redirects included: the operator's own words. */
  readonly allowHosts: readonly string[];
};

/** Any status is an answer; the caller interprets it. Outside 2xx, a body that is not JSON is null. */
export type JsonAnswer = { readonly status: number; readonly body: Json };

/** JSON to and from servers that the operator named. All reject as `HttpScope.request` does, a body that is not JSON with BAD_DATA. */
export interface HttpClient {
  getJson(url: string, request: JsonRequest): Promise<JsonAnswer>;
  /** Sends the fields URL-encoded. */
  postForm(url: string, form: Readonly<Record<string, string>>, request: JsonRequest): Promise<JsonAnswer>;
  sendJson(method: "POST" | "PUT" | "PATCH", url: string, body: Json, request: JsonRequest): Promise<JsonAnswer>;
}

/** The operator's own settings for an adapter, before a caller's were merged with them. */
export type OperatorRules = {
  /** Host patterns; none when the operator lists no hosts. */
  readonly allowHosts: readonly string[];
  /** Private addresses may be reached without being named. */
  readonly allowPrivate: boolean;
};

export interface HttpService extends HttpClient {
  /** Requests tell the servers which run they belong to. */
  readonly propagateTrace: boolean;
  /** What the operator says of the network for an adapter; null: this host has no callers, so all settings are the operator's. */
  operatorRules(adapter: string): OperatorRules | null;
  /** A scope with its own connections; the caller must close it. */
  scope(options: HttpScopeOptions): HttpScope;
  close(): Promise<void>;
}

/** The service, or the error for a host that has none; `what` begins the message. */
export function neededHttp<T extends HttpClient>(http: T | undefined, what: string): T {
  if (http !== undefined) return http;
  const data = { service: "http" };
  throw adapterError("ADAPTER_NOT_CONFIGURED", `${what} the http service of the host`, { data });
}
