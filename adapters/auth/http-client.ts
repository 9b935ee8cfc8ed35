/**
 * What adapters that talk JSON to an operator's server need of HTTP. The guarded client of the host fulfills it;
 * adapters never open connections themselves.
 */
import type { Json } from "../../compiler/json.ts";
import { adapterError } from "../errors.ts";

export type HttpRequest = {
  /** Ends the request at once. */
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** The hosts that may be reached, redirects included. */
  readonly allowHosts: readonly string[];
};

/** Any status is an answer; what it means, the caller knows. */
export type HttpAnswer = { readonly status: number; readonly body: Json };

/** All reject with AdapterError: TRANSPORT, TIMEOUT, TOO_LARGE, BAD_DATA (a body that is no JSON), HOST_BLOCKED … */
export interface HttpClient {
  getJson(url: string, request: HttpRequest): Promise<HttpAnswer>;
  /** Sends the fields URL-encoded. */
  postForm(url: string, form: Readonly<Record<string, string>>, request: HttpRequest): Promise<HttpAnswer>;
  sendJson(method: "POST" | "PUT" | "PATCH", url: string, body: Json, request: HttpRequest): Promise<HttpAnswer>;
}

/** The client, or the error for a host that has none; `what` begins the message. */
export function neededHttp(http: HttpClient | undefined, what: string): HttpClient {
  if (http !== undefined) return http;
  const data = { service: "http" };
  throw adapterError("ADAPTER_NOT_CONFIGURED", `${what} the http service of the host`, { data });
}
