/**
 * Signatures of deliveries: Standard Webhooks, those of known senders, HMAC and Ed25519 over a template, and shared words. Computed over the bytes as they were
 * received, before any parsing, and compared in constant time. Several secrets may be in use while one is replaced by another.
 */
import { createHash, createHmac } from "node:crypto";
import {
  bytesOf,
  type Delivery,
  headerOf,
  isOneOf,
  isSigned,
  MAX_GIVEN,
  plainKey,
  readTime,
  type SignatureFault,
  timeIn,
} from "./delivery.ts";
import { signedRules, type VerifySettings } from "./settings.ts";
import { ed25519Fault, hmacFault, isSignedBy, publicKey, signedBytes, sortedFields, urlOf } from "./template.ts";

/** The value of a secret of the operator; undefined for an unknown name. */
export type SecretReader = (name: string) => Promise<string | undefined>;

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
  return faultBy(settings, secrets, delivery);
}

/** With secrets that are long enough. */
export function faultBy(
  settings: VerifySettings,
  secrets: readonly string[],
  delivery: Delivery,
): SignatureFault | null {
  switch (settings.kind) {
    case "standard":
      return standardFault("webhook", secrets, delivery);
    case "svix":
      return standardFault("svix", secrets, delivery);
    case "stripe":
      return stripeFault(secrets, delivery);
    case "twilio":
      return twilioFault(secrets, delivery);
    case "basic":
      return basicFault(settings.user, secrets, delivery);
    case "bearer":
      return bearerFault(secrets, delivery);
    case "gitlab":
      return tokenFault({ header: "x-gitlab-token" }, secrets, delivery);
    case "token":
      return tokenFault(settings, secrets, delivery);
    case "ed25519":
      return ed25519Fault(settings, secrets, delivery);
    default: {
      const rules = signedRules(settings);
      return rules === null ? "mismatch" : hmacFault(rules, secrets, delivery);
    }
  }
}

/** Fewer bytes than these are found by trying. Keys of Standard Webhooks are random bytes, written after `whsec_`. */
const SHORTEST_KEY = 8;
const SHORTEST_STANDARD_KEY = 16;

/** Of a public key: it is not one. */
export function isTooShort(kind: VerifySettings["kind"], secret: string): boolean {
  if (kind === "ed25519" || (kind === "standard" && secret.startsWith("whpk_"))) return publicKey(secret) === null;
  const isStandard = (kind === "standard" || kind === "svix") && secret.startsWith("whsec_");
  if (isStandard) return standardKeys(secret).every((key) => key.length < SHORTEST_STANDARD_KEY);
  return Buffer.byteLength(secret, "utf8") < SHORTEST_KEY;
}

/**
 * `webhook-id`, `webhook-timestamp`, and `webhook-signature` with any number of `v1,<base64>`, and `v1a,<base64>` by a key pair; Svix calls
 * them `svix-…`.
 */
function standardFault(scheme: string, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const id = headerOf(delivery, `${scheme}-id`);
  const written = headerOf(delivery, `${scheme}-signature`);
  if (id === undefined || id === "" || written === undefined) return "header_missing";
  const time = timeIn(delivery, `${scheme}-timestamp`);
  if (!time.ok) return time.fault;
  const parts = written.split(" ").slice(0, MAX_GIVEN);
  const given = (version: string): readonly Buffer[] =>
    parts.flatMap((part) => (part.startsWith(version) ? [bytesOf(part.slice(version.length), "base64")] : []));
  const [shared, paired] = [given("v1,"), given("v1a,")];
  if (shared.length + paired.length === 0) return "header_format";
  // Node gives every byte of a header as one character.
  const signed = Buffer.concat([Buffer.from(`${id}.${time.text}.`, "latin1"), delivery.body]);
  const isPublic = (secret: string): boolean => secret.startsWith("whpk_");
  const keys = secrets.filter((secret) => !isPublic(secret)).flatMap(standardKeys);
  const byShared = isSigned(keys, "sha256", signed, shared);
  const byPaired = isSignedBy(secrets.filter(isPublic), signed, paired);
  return byShared || byPaired ? null : "mismatch";
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

/** `Stripe-Signature: t=<time>,v1=<hex>`, with any number of `v1`; `<time>.<body>` is signed. */
function stripeFault(secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const written = headerOf(delivery, "stripe-signature");
  if (written === undefined) return "header_missing";
  const parts = written
    .split(",")
    .slice(0, 2 * MAX_GIVEN)
    .map((part) => part.trim());
  const time = readTime(parts.find((part) => part.startsWith("t="))?.slice(2), delivery.now);
  if (!time.ok) return time.fault;
  const given = parts.flatMap((part) => (part.startsWith("v1=") ? [bytesOf(part.slice(3), "hex")] : []));
  if (given.length === 0) return "header_format";
  const signed = signedBytes("{timestamp}.{body}", time.text, delivery);
  if (!signed.ok) return signed.fault;
  return isSigned(secrets.map(plainKey), "sha256", signed.value, given.slice(0, MAX_GIVEN)) ? null : "mismatch";
}

const BODY_HASH = /(?:^|&)bodySHA256=([0-9a-fA-F]{64})(?:&|$)/;

/** `X-Twilio-Signature`: over the address and the sorted fields of a form; other bodies have their hash in the address. */
function twilioFault(secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const written = headerOf(delivery, "x-twilio-signature");
  if (written === undefined) return "header_missing";
  const url = urlOf(delivery);
  if (url === null) return "public_url_missing";
  const hash = BODY_HASH.exec(delivery.query)?.[1];
  const isHashed = hash !== undefined;
  if (isHashed && createHash("sha256").update(delivery.body).digest("hex") !== hash.toLowerCase()) return "mismatch";
  const fields = isHashed ? "" : sortedFields(delivery.body);
  if (fields === null) return "body_format";
  const given = [bytesOf(written, "base64")];
  let valid = false;
  for (const one of spellings(url))
    if (isSigned(secrets.map(plainKey), "sha1", Buffer.from(one + fields, "utf8"), given)) valid = true;
  return valid ? null : "mismatch";
}

/** Twilio signs an address with the port of its scheme or without it. */
function spellings(url: string): readonly string[] {
  const [, scheme = "", host = "", rest = ""] = /^(https?):\/\/([^/]*)(.*)$/s.exec(url) ?? [];
  const port = scheme === "https" ? ":443" : ":80";
  const bare = host.endsWith(port) ? host.slice(0, -port.length) : host;
  if (bare === host && /:[0-9]+$/.test(host)) return [url];
  return [`${scheme}://${bare}${rest}`, `${scheme}://${bare}${port}${rest}`];
}

/** `Authorization: Basic <base64 of user:password>` (RFC 7617). */
function basicFault(user: string, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const given = credentials(delivery, "basic");
  if (typeof given !== "string") return given.fault;
  const pair = bytesOf(given, "base64");
  if (pair.length === 0) return "header_format";
  return isOneOf(
    secrets.map((secret) => `${user}:${secret}`),
    pair.toString("latin1"),
  )
    ? null
    : "mismatch";
}

/** `Authorization: Bearer <secret>` (RFC 6750). */
function bearerFault(secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const given = credentials(delivery, "bearer");
  if (typeof given !== "string") return given.fault;
  return isOneOf(secrets, given) ? null : "mismatch";
}

/** What follows the scheme, whose name has any case. */
function credentials(delivery: Delivery, scheme: string): string | { readonly fault: SignatureFault } {
  const written = headerOf(delivery, "authorization");
  if (written === undefined) return { fault: "header_missing" };
  const [, name = "", given = ""] = /^([A-Za-z]+) +(\S+) *$/.exec(written) ?? [];
  return name.toLowerCase() === scheme ? given : { fault: "header_format" };
}

function tokenFault(
  { header, prefix = "" }: { readonly header: string; readonly prefix?: string | undefined },
  secrets: readonly string[],
  delivery: Delivery,
): SignatureFault | null {
  const written = headerOf(delivery, header);
  if (written === undefined) return "header_missing";
  if (!written.startsWith(prefix)) return "header_format";
  return isOneOf(secrets, written.slice(prefix.length)) ? null : "mismatch";
}
