/**
 * Signatures of deliveries: Standard Webhooks, Svix, GitHub's, Stripe's, Slack's, HMAC headers of other senders, and shared tokens. Computed over the bytes as they were received, before any
 * parsing, and compared in constant time. Several secrets may be in use while one is replaced by another.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { VerifySettings } from "./endpoint-settings.ts";

export type Delivery = {
  readonly headers: IncomingHttpHeaders;
  /** As received. */
  readonly body: Buffer;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** The value of a secret of the operator; undefined for an unknown name. */
export type SecretReader = (name: string) => Promise<string | undefined>;

/** For the log; callers are not told. */
export type SignatureFault =
  | "secret_missing"
  | "secret_short"
  | "header_missing"
  | "header_format"
  | "timestamp_missing"
  | "timestamp_format"
  | "timestamp_off"
  | "mismatch";

const TOLERANCE_S = 300;
/** Signatures in one header that are compared: a sender has a few while it replaces its secret. */
const MAX_GIVEN = 16;

/** null: the signature is valid. */
export async function signatureFault(
  settings: VerifySettings,
  delivery: Delivery,
  secretOf: SecretReader,
): Promise<SignatureFault | null> {
  const found = await Promise.all([settings.secrets].flat().map((name) => secretOf(name)));
  const present = found.filter((secret) => secret !== undefined && secret !== "") as string[];
  if (present.length === 0) return "secret_missing";
  const secrets = present.filter((secret) => !isTooShort(settings.kind, secret));
  if (secrets.length === 0) return "secret_short";
  switch (settings.kind) {
    case "standard":
      return standardFault("webhook", secrets, delivery);
    case "svix":
      return standardFault("svix", secrets, delivery);
    case "github":
      return hmacFault({ header: "x-hub-signature-256", prefix: "sha256=" }, secrets, delivery);
    case "slack":
      return hmacFault(SLACK, secrets, delivery);
    case "stripe":
      return stripeFault(secrets, delivery);
    case "token":
      return tokenFault(settings, secrets, delivery);
    default:
      return hmacFault(settings, secrets, delivery);
  }
}

/** Fewer bytes than these are found by trying. Keys of Standard Webhooks are random bytes, written after `whsec_`. */
const SHORTEST_KEY = 8;
const SHORTEST_STANDARD_KEY = 16;

export function isTooShort(kind: VerifySettings["kind"], secret: string): boolean {
  const isStandard = (kind === "standard" || kind === "svix") && secret.startsWith("whsec_");
  if (isStandard) return standardKeys(secret).every((key) => key.length < SHORTEST_STANDARD_KEY);
  return Buffer.byteLength(secret, "utf8") < SHORTEST_KEY;
}

/** `webhook-id`, `webhook-timestamp`, and `webhook-signature` with any number of `v1,<base64>`; Svix calls them `svix-…`. */
function standardFault(scheme: string, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const { headers, body } = delivery;
  const id = headers[`${scheme}-id`];
  const written = headers[`${scheme}-signature`];
  if (typeof id !== "string" || id === "" || typeof written !== "string") return "header_missing";
  const time = timeIn(delivery, `${scheme}-timestamp`);
  if (!time.ok) return time.fault;
  const given = written
    .split(" ")
    .slice(0, MAX_GIVEN)
    .flatMap((part) => (part.startsWith("v1,") ? [bytesOf(part.slice(3), "base64")] : []));
  if (given.length === 0) return "header_format";
  // Node gives every byte of a header as one character.
  const signed = Buffer.concat([Buffer.from(`${id}.${time.text}.`, "latin1"), body]);
  return isSigned(secrets.flatMap(standardKeys), "sha256", signed, given) ? null : "mismatch";
}

/** The value of `webhook-signature` for `signed`: id, time and body with dots between them. */
export function standardSignature(secret: string, signed: string): string {
  return `v1,${createHmac("sha256", standardKey(secret)).update(signed, "utf8").digest("base64")}`;
}

/** Secrets of Standard Webhooks are base64 after `whsec_`. */
function standardKey(secret: string): Buffer {
  const text = secret.startsWith("whsec_") ? secret.slice(6) : secret;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, "base64") : Buffer.from(secret, "utf8");
}

/** A secret without `whsec_` may be meant as it is, too. */
function standardKeys(secret: string): readonly Buffer[] {
  const key = standardKey(secret);
  return secret.startsWith("whsec_") ? [key] : [key, Buffer.from(secret, "utf8")];
}

type HmacRules = Omit<Extract<VerifySettings, { kind: "hmac" }>, "kind" | "secrets">;

const SLACK: HmacRules = {
  header: "x-slack-signature",
  prefix: "v0=",
  timestamp_header: "x-slack-request-timestamp",
  signed: "v0:{timestamp}:{body}",
};

function hmacFault(rules: HmacRules, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const { header, prefix = "", encoding = "hex", algorithm = "sha256", timestamp_header } = rules;
  const written = delivery.headers[header.toLowerCase()];
  if (typeof written !== "string") return "header_missing";
  const given = signaturesIn(written, prefix).map((text) => bytesOf(text, encoding));
  if (given.length === 0) return "header_format";
  let time = "";
  if (timestamp_header !== undefined) {
    const read = timeIn(delivery, timestamp_header.toLowerCase());
    if (!read.ok) return read.fault;
    time = read.text;
  }
  const template = rules.signed ?? (timestamp_header === undefined ? "{body}" : "{timestamp}.{body}");
  return isSigned(secrets.map(plainKey), algorithm, signedBytes(template, time, delivery.body), given)
    ? null
    : "mismatch";
}

/** The signature after its prefix; of several, which commas or spaces separate, each that has the prefix. */
function signaturesIn(written: string, prefix: string): readonly string[] {
  const parts = [written, ...written.split(/\s+/), ...written.split(",")].slice(0, 3 * MAX_GIVEN);
  const found = parts
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(prefix) ? [part.slice(prefix.length).trim()] : []));
  return [...new Set(found)].slice(0, MAX_GIVEN);
}

/** A template with its names in braces replaced; a body may have any bytes. */
function signedBytes(template: string, time: string, body: Buffer): Buffer {
  const parts = template.split(/(\{timestamp\}|\{body\})/);
  return Buffer.concat(
    parts.map((part) => {
      if (part === "{body}") return body;
      return Buffer.from(part === "{timestamp}" ? time : part, "utf8");
    }),
  );
}

/** `Stripe-Signature: t=<time>,v1=<hex>`, with any number of `v1`; `<time>.<body>` is signed. */
function stripeFault(secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const written = delivery.headers["stripe-signature"];
  if (typeof written !== "string") return "header_missing";
  const parts = written
    .split(",")
    .slice(0, 2 * MAX_GIVEN)
    .map((part) => part.trim());
  const time = readTime(parts.find((part) => part.startsWith("t="))?.slice(2), delivery.now);
  if (!time.ok) return time.fault;
  const given = parts.flatMap((part) => (part.startsWith("v1=") ? [bytesOf(part.slice(3), "hex")] : []));
  if (given.length === 0) return "header_format";
  const signed = signedBytes("{timestamp}.{body}", time.text, delivery.body);
  return isSigned(secrets.map(plainKey), "sha256", signed, given.slice(0, MAX_GIVEN)) ? null : "mismatch";
}

/** A token is compared by its hash, so that how long it is shows in no time. */
function tokenFault(
  { header, prefix = "" }: Extract<VerifySettings, { kind: "token" }>,
  secrets: readonly string[],
  { headers }: Delivery,
): SignatureFault | null {
  const written = headers[header.toLowerCase()];
  if (typeof written !== "string") return "header_missing";
  if (!written.startsWith(prefix)) return "header_format";
  // Node gives every byte of a header as one character.
  const given = hashed(Buffer.from(written.slice(prefix.length), "latin1"));
  let valid = false;
  for (const secret of secrets) if (timingSafeEqual(given, hashed(plainKey(secret)))) valid = true;
  return valid ? null : "mismatch";
}

function hashed(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

const plainKey = (secret: string): Buffer => Buffer.from(secret, "utf8");

type ReadTime = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: SignatureFault };

/** Seconds since 1970, or milliseconds where there are thirteen digits; at most 300 s away in either direction. */
function timeIn({ headers, now }: Delivery, header: string): ReadTime {
  const text = headers[header];
  return readTime(typeof text === "string" ? text : undefined, now);
}

function readTime(text: string | undefined, now: number): ReadTime {
  if (text === undefined) return { ok: false, fault: "timestamp_missing" };
  if (!/^[0-9]{1,13}$/.test(text)) return { ok: false, fault: "timestamp_format" };
  const seconds = text.length === 13 ? Number(text) / 1000 : Number(text);
  if (Math.abs(seconds - now / 1000) > TOLERANCE_S) return { ok: false, fault: "timestamp_off" };
  return { ok: true, text };
}

/** Every key and every signature is looked at, whatever came before. */
function isSigned(
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

/** Invalid encoding is not a signature. */
function bytesOf(text: string, encoding: "hex" | "base64"): Buffer {
  const form = encoding === "hex" ? /^(?:[0-9a-fA-F]{2})*$/ : /^[A-Za-z0-9+/]*={0,2}$/;
  return form.test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
}
