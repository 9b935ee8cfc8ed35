/**
 * What a credential says, whichever provider vouched for it, and whether that is enough: issuer, audience, times and
 * scopes are compared here, once for all providers.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";

export type Reason =
  | "malformed"
  | "signature"
  | "issuer"
  | "audience"
  | "not_yet_valid"
  | "expired"
  | "revoked"
  | "insufficient_scope";

export type Claims = {
  readonly subject: string | null;
  readonly scopes: readonly string[];
  readonly issuer: string | null;
  readonly audience: readonly string[];
  /** Seconds since 1970; null: without this bound. */
  readonly notBefore: number | null;
  readonly expires: number | null;
};

export type Expected = {
  readonly issuer: string | undefined;
  /** One of these. */
  readonly audience: readonly string[] | undefined;
  readonly clockSkewS: number;
};
/** What one call asks for besides. */
export type Asked = { readonly scopes: readonly string[]; readonly audience: string | undefined };

export type Verdict = {
  readonly valid: boolean;
  readonly subject: string | null;
  readonly scopes: readonly string[];
  /** RFC 3339. */
  readonly expires_at: string | null;
  readonly reason: Reason | null;
};

/** The verdict on a credential that is not valid says nothing else of it. */
export function rejected(reason: Reason): Verdict {
  return { valid: false, subject: null, scopes: [], expires_at: null, reason };
}

/** `nowMs`: wall time. */
export function verdictOn(claims: Claims, expected: Expected, asked: Asked, nowMs: number): Verdict {
  const reason = objection(claims, expected, asked, nowMs / 1000);
  if (reason !== null) return rejected(reason);
  const { subject, scopes, expires } = claims;
  return { valid: true, subject, scopes, expires_at: expires === null ? null : timeText(expires), reason: null };
}

function objection(claims: Claims, expected: Expected, asked: Asked, now: number): Reason | null {
  const { issuer, audience, clockSkewS } = expected;
  if (issuer !== undefined && claims.issuer !== issuer) return "issuer";
  if (audience !== undefined && !audience.some((one) => claims.audience.includes(one))) return "audience";
  if (asked.audience !== undefined && !claims.audience.includes(asked.audience)) return "audience";
  if (claims.notBefore !== null && claims.notBefore > now + clockSkewS) return "not_yet_valid";
  if (claims.expires !== null && claims.expires <= now - clockSkewS) return "expired";
  return asked.scopes.every((scope) => claims.scopes.includes(scope)) ? null : "insufficient_scope";
}

/** The claims in a token's payload or a provider's answer; null when they are not of their types. */
export function claimsIn(payload: Json): Claims | null {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return null;
  const { sub, username, iss, aud, nbf, exp, scope, scp, scopes } = payload as JsonObject;
  if (!isTime(nbf) || !isTime(exp)) return null;
  return {
    subject: text(sub) ?? text(username),
    scopes: words(scope ?? scp ?? scopes ?? null),
    issuer: text(iss),
    audience: typeof aud === "string" ? [aud] : texts(aud),
    notBefore: nbf ?? null,
    expires: exp ?? null,
  };
}

/** A bound that is there but cannot be read must not count as none. */
function isTime(value: Json | undefined): value is number | undefined {
  return value === undefined || (typeof value === "number" && Math.abs(value) < 8.64e12);
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** A list, or words between blanks. */
function words(value: Json): readonly string[] {
  return typeof value === "string" ? value.split(" ").filter((word) => word !== "") : texts(value);
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
