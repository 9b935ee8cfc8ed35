/** Which pages of other origins may ask an endpoint, and what their browsers learn of that (the Fetch standard, CORS). */
import type { IncomingHttpHeaders } from "node:http";
import { ServiceFault } from "../../wire/errors.ts";
import type { CorsSettings } from "./endpoint-settings.ts";

export type CorsHeaders = Readonly<Record<string, string>>;

/** Of answers that a page may want to read. */
const EXPOSED = "location, retry-after, idempotent-replayed, x-trace-id, www-authenticate";
/** Headers of requests to any endpoint. */
const USUAL = ["content-type", "idempotency-key", "prefer", "x-request-id", "wf-on-disconnect"];
const DEFAULT_MAX_AGE_S = 600;

/** Null: this origin is not among those that may ask. */
export function corsHeaders(cors: CorsSettings | undefined, { origin }: IncomingHttpHeaders): CorsHeaders | null {
  if (cors === undefined || origin === undefined) return null;
  const asks = origin.trim().toLowerCase();
  const isListed = cors.origins.some((one) => one.toLowerCase() === asks);
  if (!isListed && !cors.origins.includes("*")) return null;
  return {
    "access-control-allow-origin": isListed ? origin.trim() : "*",
    vary: "Origin",
    "access-control-expose-headers": EXPOSED,
    ...(cors.credentials === true ? { "access-control-allow-credentials": "true" } : {}),
  };
}

/** What is said to a browser that asks before it sends. */
export function preflightHeaders(cors: CorsSettings, allowed: CorsHeaders, method: string): CorsHeaders {
  const { headers = [], max_age_s = DEFAULT_MAX_AGE_S } = cors;
  const { "access-control-expose-headers": _exposed, ...rest } = allowed;
  const names = [...new Set([...USUAL, ...headers.map((name) => name.toLowerCase())])];
  return {
    ...rest,
    "access-control-allow-methods": method,
    "access-control-allow-headers": names.join(", "),
    "access-control-max-age": String(max_age_s),
  };
}

/** What keeps these settings from being served; null: nothing. */
export function corsFault({ origins, credentials }: CorsSettings): string | null {
  return credentials === true && origins.includes("*")
    ? 'cors: credentials need a list of origins, not "*": any page could ask in the name of its reader'
    : null;
}

export function forbiddenOrigin(): ServiceFault {
  return new ServiceFault("forbidden_origin", "requests of other origins are refused");
}
