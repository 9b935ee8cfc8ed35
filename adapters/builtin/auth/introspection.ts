/**
 * Tokens that only the provider can read: it is asked about each of them (RFC 7662). Answers are kept for a short time,
 * by the hash of the token, and shared by all runs of a host.
 */
import { createHash } from "node:crypto";
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { adapterError } from "../../errors.ts";
import type { HttpClient } from "../../guard/http/http.ts";
import { type Claims, claimsIn, type Reason } from "./claims.ts";
import { unavailable } from "./key-set.ts";
import type { Provider } from "./provider.ts";

export type IntrospectionOptions = {
  readonly url: string;
  readonly clientId: string;
  clientSecret(): Promise<string>;
  readonly cacheMs: number;
  readonly http: HttpClient;
};

type Known = { readonly answer: Claims | Reason; readonly from: number; readonly until: number };

const MAX_KNOWN = 10_000;
/** By client, as the key sets are. */
const shared = new WeakMap<HttpClient, BoundedMap<Known>>();

export function introspection(options: IntrospectionOptions): Provider {
  const { url, clientId, cacheMs, http } = options;
  const known = shared.get(http) ?? new BoundedMap<Known>({ max: MAX_KNOWN });
  shared.set(http, known);
  return {
    async claims(token, { signal, nowMs }) {
      const key = createHash("sha256")
        .update(JSON.stringify([url, clientId, token]))
        .digest("base64");
      const before = known.get(key);
      // A clock that was set back must not keep an answer for longer.
      if (before !== undefined && nowMs >= before.from && nowMs < before.until) return before.answer;
      known.delete(key);
      const answer = answered(await asked(options, token, signal));
      if (cacheMs > 0) known.set(key, { answer, from: nowMs, until: nowMs + cacheMs });
      return answer;
    },
  };
}

async function asked(options: IntrospectionOptions, token: string, signal: AbortSignal): Promise<Json> {
  const { url, clientId, http } = options;
  const pair = [clientId, await options.clientSecret()].map(encodeURIComponent).join(":");
  const headers = { authorization: `Basic ${Buffer.from(pair).toString("base64")}`, accept: "application/json" };
  const request = { signal, headers, allowHosts: [new URL(url).hostname] };
  const { status, body } = await http.postForm(url, { token }, request).catch(unavailable);
  if (status === 401 || status === 403) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the provider does not accept the client");
  }
  return status === 200 ? body : unavailable(undefined);
}

function answered(body: Json): Claims | Reason {
  const claims = claimsIn(body);
  if (claims === null) throw adapterError("ADAPTER_BAD_DATA", "the provider's answer is malformed");
  return (body as JsonObject)["active"] === true ? claims : "revoked";
}
