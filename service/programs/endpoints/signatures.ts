/**
 * Signatures of deliveries: Standard Webhooks, GitHub's, and plain HMAC headers. Computed over the bytes as they were received, before any
 * parsing, and compared in constant time. Several secrets may be in use while one is replaced by another.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
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
  | "header_missing"
  | "header_format"
  | "timestamp_missing"
  | "timestamp_format"
  | "timestamp_off"
  | "mismatch";

const TOLERANCE_S = 300;

/** null: the signature is valid. */
export async function signatureFault(
  settings: VerifySettings,
  delivery: Delivery,
  secretOf: SecretReader,
): Promise<SignatureFault | null> {
  const found = await Promise.all([settings.secrets].flat().map((name) => secretOf(name)));
  const secrets = found.filter((secret) => secret !== undefined && secret !== "") as string[];
  if (secrets.length === 0) return "secret_missing";
  switch (settings.kind) {
    case "standard":
      return standardFault(secrets, delivery);
    case "github":
      return hmacFault({ header: "x-hub-signature-256", prefix: "sha256=", algorithm: "sha256" }, secrets, delivery);
    default:
      return hmacFault(settings, secrets, delivery);
  }
}

/** `webhook-id`, `webhook-timestamp`, and `webhook-signature` with any number of `v1,<base64>`. */
function standardFault(secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const { headers, body } = delivery;
  const id = headers["webhook-id"];
  const written = headers["webhook-signature"];
  if (typeof id !== "string" || id === "" || typeof written !== "string") return "header_missing";
  const time = timeIn(delivery, "webhook-timestamp");
  if (!time.ok) return time.fault;
  const given = written
    .split(" ")
    .flatMap((part) => (part.startsWith("v1,") ? [bytesOf(part.slice(3), "base64")] : []));
  if (given.length === 0) return "header_format";
  // Node gives every byte of a header as one character.
  const signed = Buffer.concat([Buffer.from(`${id}.${time.text}.`, "latin1"), body]);
  return isSigned(secrets.map(standardKey), "sha256", signed, given) ? null : "mismatch";
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

type HmacRules = Omit<Extract<VerifySettings, { kind: "hmac" }>, "kind" | "secrets">;

function hmacFault(rules: HmacRules, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const { header, prefix = "", encoding = "hex", algorithm = "sha256", timestamp_header } = rules;
  const written = delivery.headers[header.toLowerCase()];
  if (typeof written !== "string") return "header_missing";
  if (!written.startsWith(prefix)) return "header_format";
  const given = bytesOf(written.slice(prefix.length).trim(), encoding);
  let signed = delivery.body;
  if (timestamp_header !== undefined) {
    const time = timeIn(delivery, timestamp_header.toLowerCase());
    if (!time.ok) return time.fault;
    signed = Buffer.concat([Buffer.from(`${time.text}.`, "utf8"), signed]);
  }
  const keys = secrets.map((secret) => Buffer.from(secret, "utf8"));
  return isSigned(keys, algorithm, signed, [given]) ? null : "mismatch";
}

type ReadTime = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: SignatureFault };

/** Seconds since 1970, at most 300 s away in either direction. */
function timeIn({ headers, now }: Delivery, header: string): ReadTime {
  const text = headers[header];
  if (typeof text !== "string") return { ok: false, fault: "timestamp_missing" };
  if (!/^[0-9]{1,12}$/.test(text)) return { ok: false, fault: "timestamp_format" };
  if (Math.abs(Number(text) - now / 1000) > TOLERANCE_S) return { ok: false, fault: "timestamp_off" };
  return { ok: true, text };
}

/** Every key and every signature is looked at, whatever came before. */
function isSigned(
  keys: readonly Buffer[],
  algorithm: "sha256" | "sha512",
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
