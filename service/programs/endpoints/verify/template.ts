/** What a sender signs, by a template with names in braces; and signatures over it, with a shared secret or with a key pair. */
import { createPublicKey, type KeyObject, verify as verifyBytes } from "node:crypto";
import { readForm } from "../forms.ts";
import {
  bytesOf,
  type Delivery,
  headerOf,
  isSigned,
  MAX_GIVEN,
  plainKey,
  type SignatureFault,
  timeIn,
} from "./delivery.ts";
import { type SignedRules, templateOf } from "./settings.ts";

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: SignatureFault };

export function hmacFault(rules: SignedRules, secrets: readonly string[], delivery: Delivery): SignatureFault | null {
  const read = readSigned(rules, delivery);
  if (!read.ok) return read.fault;
  const { signed, given } = read.value;
  return isSigned(secrets.map(plainKey), rules.algorithm ?? "sha256", signed, given) ? null : "mismatch";
}

export function ed25519Fault(
  rules: SignedRules,
  secrets: readonly string[],
  delivery: Delivery,
): SignatureFault | null {
  const read = readSigned(rules, delivery);
  if (!read.ok) return read.fault;
  return isSignedBy(secrets, read.value.signed, read.value.given) ? null : "mismatch";
}

export function isSignedBy(publicKeys: readonly string[], signed: Buffer, given: readonly Buffer[]): boolean {
  let valid = false;
  for (const text of publicKeys) {
    const key = publicKey(text);
    if (key === null) continue;
    for (const one of given) if (one.length === 64 && verifyBytes(null, signed, key, one)) valid = true;
  }
  return valid;
}

/** How every Ed25519 key begins in DER. */
const DER_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** 32 bytes as hex or base64, maybe after `whpk_`; null for anything else. */
export function publicKey(text: string): KeyObject | null {
  const plain = (text.startsWith("whpk_") ? text.slice(5) : text).trim();
  const bytes = /^[0-9a-fA-F]{64}$/.test(plain) ? Buffer.from(plain, "hex") : bytesOf(plain, "base64");
  if (bytes.length !== 32) return null;
  return createPublicKey({ key: Buffer.concat([DER_HEAD, bytes]), format: "der", type: "spki" });
}

function readSigned(rules: SignedRules, delivery: Delivery): Read<{ signed: Buffer; given: readonly Buffer[] }> {
  const { header, prefix = "", encoding = "hex", timestamp_header } = rules;
  const written = headerOf(delivery, header);
  if (written === undefined) return { ok: false, fault: "header_missing" };
  const given = signaturesIn(written, prefix).map((text) => bytesOf(text, encoding));
  if (given.length === 0) return { ok: false, fault: "header_format" };
  let time = "";
  if (timestamp_header !== undefined) {
    const read = timeIn(delivery, timestamp_header);
    if (!read.ok) return read;
    time = read.text;
  }
  const signed = signedBytes(templateOf(rules), time, delivery);
  return signed.ok ? { ok: true, value: { signed: signed.value, given } } : signed;
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
export function signedBytes(template: string, time: string, delivery: Delivery): Read<Buffer> {
  const parts: Buffer[] = [];
  for (const part of template.split(/(\{[^{}]*\})/)) {
    const bytes = part.startsWith("{") ? named(part.slice(1, -1), time, delivery) : Buffer.from(part, "utf8");
    if (typeof bytes === "string") return { ok: false, fault: bytes };
    parts.push(bytes);
  }
  return { ok: true, value: Buffer.concat(parts) };
}

function named(name: string, time: string, delivery: Delivery): Buffer | SignatureFault {
  switch (name) {
    case "body":
      return delivery.body;
    case "timestamp":
      return Buffer.from(time, "latin1");
    case "method":
      return Buffer.from(delivery.method, "latin1");
    case "path":
      return Buffer.from(delivery.path, "latin1");
    case "query":
      return Buffer.from(delivery.query, "latin1");
    case "url": {
      const url = urlOf(delivery);
      return url === null ? "public_url_missing" : Buffer.from(url, "latin1");
    }
    case "fields": {
      const fields = sortedFields(delivery.body);
      return fields === null ? "body_format" : Buffer.from(fields, "utf8");
    }
    default: {
      // Node gives every byte of a header as one character.
      const value = headerOf(delivery, name.slice("header:".length));
      return value === undefined ? "header_missing" : Buffer.from(value, "latin1");
    }
  }
}

/** As the sender knows it; null without `WF_PUBLIC_URL`. */
export function urlOf({ publicUrl, path, query }: Pick<Delivery, "publicUrl" | "path" | "query">): string | null {
  return publicUrl === null ? null : `${publicUrl}${path}${query === "" ? "" : `?${query}`}`;
}

/** Names and values of a form, one after the other, by name; of a repeated name every value once, sorted. Null: the bytes are not a form. */
export function sortedFields(body: Buffer): string | null {
  const fields = readForm(body);
  if (!fields.ok) return null;
  const names = [...fields.fields.keys()].sort(byCode);
  return names
    .map((name) =>
      [...new Set(fields.fields.get(name))]
        .sort(byCode)
        .map((value) => `${name}${value}`)
        .join(""),
    )
    .join("");
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
