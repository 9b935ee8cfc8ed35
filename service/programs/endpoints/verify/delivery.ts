/** A delivery as schemes of signatures look at it, and what they have in common: times, headers, comparing without showing how much was right. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type Delivery = {
  readonly method: string;
  /** As it was sent, from `/app/` on, without the query. */
  readonly path: string;
  /** As it was sent, without its mark. */
  readonly query: string;
  /** Where the operator says that the service is; null: nowhere. What a request says of its host is not looked at. */
  readonly publicUrl: string | null;
  readonly headers: IncomingHttpHeaders;
  /** As received. */
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** For the log; callers are not told. */
export type SignatureFault =
  | "secret_missing"
  | "secret_short"
  | "public_url_missing"
  | "header_missing"
  | "header_format"
  | "timestamp_missing"
  | "timestamp_format"
  | "timestamp_off"
  | "body_format"
  | "mismatch";

const TOLERANCE_S = 300;
/** Signatures in one header that are compared: a sender has a few while it replaces its secret. */
export const MAX_GIVEN = 16;

export function headerOf({ headers }: Pick<Delivery, "headers">, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : undefined;
}

export type ReadTime =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly fault: SignatureFault };

export function timeIn(delivery: Delivery, header: string): ReadTime {
  return readTime(headerOf(delivery, header), delivery.now);
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Seconds since 1970, milliseconds where there are thirteen digits, or ISO 8601; at most 300 s away in either direction. */
export function readTime(text: string | undefined, now: number): ReadTime {
  if (text === undefined) return { ok: false, fault: "timestamp_missing" };
  const seconds = secondsOf(text);
  if (Number.isNaN(seconds)) return { ok: false, fault: "timestamp_format" };
  if (Math.abs(seconds - now / 1000) > TOLERANCE_S) return { ok: false, fault: "timestamp_off" };
  return { ok: true, text };
}

function secondsOf(text: string): number {
  if (/^[0-9]{1,13}$/.test(text)) return text.length === 13 ? Number(text) / 1000 : Number(text);
  return ISO.test(text) ? Date.parse(text) / 1000 : Number.NaN;
}

/** Every key and every signature is looked at, whatever came before. */
export function isSigned(
  keys: readonly Buffer[],
  algorithm: "sha1" | "sha256" | "sha512",
  signed: Buffer,
  given: readonly Buffer[],
): boolean {
  let valid = false;
  for (const key of keys) {
    const expected = createHmac(algorithm, key).update(signed).digest();
    for (const one of given) if (one.length === expected.length && timingSafeEqual(one, expected)) valid = true;
  }
  return valid;
}

/** By their hashes, so that how long the secret is shows in no time. `given`: as Node gives headers, every byte as one character. */
export function isOneOf(secrets: readonly string[], given: string): boolean {
  const bytes = hashed(Buffer.from(given, "latin1"));
  let valid = false;
  for (const secret of secrets) if (timingSafeEqual(bytes, hashed(plainKey(secret)))) valid = true;
  return valid;
}

function hashed(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

export const plainKey = (secret: string): Buffer => Buffer.from(secret, "utf8");

/** Invalid encoding is not a signature. */
export function bytesOf(text: string, encoding: "hex" | "base64"): Buffer {
  const form = encoding === "hex" ? /^(?:[0-9a-fA-F]{2})*$/ : /^[A-Za-z0-9+/]*={0,2}$/;
  return form.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}
