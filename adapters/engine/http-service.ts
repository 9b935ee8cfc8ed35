/**
 * The HTTP client of a host: makes scopes, knows what the operator said for all of them, and speaks JSON with servers that the
 * operator named. Made once; closing it ends every connection.
 */
import { lookup } from "node:dns/promises";
import type { Json } from "../../compiler/json.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { adapterError } from "../errors.ts";
import type { HttpRequest, HttpScope, HttpService, JsonAnswer, JsonRequest } from "../guard/http.ts";
import type { Resolve } from "./http-agent.ts";
import { GuardedScope } from "./http-scope.ts";

export type HttpServiceOptions = {
  /** Private addresses may be reached without being named, where a scope says nothing. Default: no. */
  readonly allowPrivate?: boolean;
  readonly propagateTrace?: boolean;
  /** The operator's own host patterns for an adapter. Default: none. */
  readonly operatorHosts?: (adapter: string) => readonly string[];
  /** Default: the resolver of the operating system. */
  readonly resolve?: Resolve;
  /** Default: `weft/<version>`. */
  readonly userAgent?: string;
};

type Sent = { readonly type: string; readonly text: string };

export function createHttpService(options: HttpServiceOptions = {}): HttpService {
  const { allowPrivate = false, propagateTrace = false, operatorHosts = () => [] } = options;
  const { resolve = systemAddresses, userAgent = `weft/${RUNTIME_VERSION}` } = options;
  const open = new Set<HttpScope>();
  /** By the hosts they may reach: lists in the words of the operator, so few. */
  const jsonScopes = new Map<string, HttpScope>();

  const scope: HttpService["scope"] = (given) => {
    const made = new GuardedScope(given, { resolve, userAgent, allowPrivate, closed: (one) => open.delete(one) });
    open.add(made);
    return made;
  };

  const jsonScope = (allowHosts: readonly string[]): HttpScope => {
    const key = JSON.stringify(allowHosts);
    const known = jsonScopes.get(key) ?? scope({ allowHosts, operatorHosts: allowHosts });
    jsonScopes.set(key, known);
    return known;
  };

  const ask = async (method: string, url: string, request: JsonRequest, sent?: Sent): Promise<JsonAnswer> => {
    const { signal, headers = {}, allowHosts } = request;
    const typed: HttpRequest["headers"] = sent === undefined ? headers : { "content-type": sent.type, ...headers };
    const body = sent === undefined ? null : Buffer.from(sent.text);
    const answer = await jsonScope(allowHosts).request({ method, url, headers: typed, body, signal });
    return { status: answer.status, body: jsonOf(answer.status, answer.body) };
  };

  return {
    propagateTrace,
    operatorHosts,
    scope,
    getJson: (url, request) => ask("GET", url, request),
    postForm(url, form, request) {
      const text = new URLSearchParams(form).toString();
      return ask("POST", url, request, { type: "application/x-www-form-urlencoded", text });
    },
    sendJson: (method, url, body, request) =>
      ask(method, url, request, { type: "application/json", text: JSON.stringify(body) }),
    async close() {
      jsonScopes.clear();
      await Promise.allSettled([...open].map((one) => one.close()));
    },
  };
}

function jsonOf(status: number, body: Buffer | null): Json {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body ?? Buffer.alloc(0)));
  } catch (cause) {
    if (status < 200 || status > 299) return null;
    throw adapterError("ADAPTER_BAD_DATA", "the answer is not JSON", { cause });
  }
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
