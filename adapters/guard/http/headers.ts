/**
 * Header fields of requests: what a program may set, in the form that is sent, and which of them are dropped when a redirect leaves
 * the origin they were meant for. Values never appear in errors.
 */
import { adapterError } from "../../errors.ts";
import type { HttpHeaders } from "./http.ts";

/** By lower-case name. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110: visible characters, spaces between them, and bytes outside ASCII. */
const VALUE = /^(?:[\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;
/** They frame the message or belong to one connection, so the client sets them. */
const RESERVED = /^(?:host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/;
/**
 * Headers that say what the client understands and what the body is. Any other may hold a key or a session, whatever its name, so it
 * is meant for the origin that the program addressed.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-encoding",
  "content-language",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "pragma",
  "range",
  "user-agent",
]);

/** Throws BAD_ARGS for a name or value that cannot be sent. */
export function headerFields(...given: readonly (HttpHeaders | undefined)[]): HeaderFields {
  const fields = new Map<string, readonly string[]>();
  for (const [written, value] of given.flatMap((headers) => Object.entries(headers ?? {}))) {
    const name = written.toLowerCase();
    const values = typeof value === "string" ? [value] : value;
    if (!TOKEN.test(name)) throw refused("a header name of letters, digits and hyphens");
    if (RESERVED.test(name)) throw refused("no header that the client itself sets");
    if (fields.has(name)) throw refused("each header once");
    if (!values.every((one) => VALUE.test(one)))
      throw refused("header values of Latin letters and signs, without control characters");
    fields.set(name, values);
  }
  return fields;
}

/** The fields that may go to another origin. `secret`: names of fields that hold credentials of the operator, which never do. */
export function harmlessFields(fields: HeaderFields, secret: ReadonlySet<string>): HeaderFields {
  return new Map([...fields].filter(([name]) => HARMLESS.has(name) && !secret.has(name)));
}

function refused(expected: string): Error {
  const issues = [{ path: "/headers", expected, got: "another" }];
  return adapterError("ADAPTER_BAD_ARGS", `argument /headers: expected ${expected}`, { data: { issues } });
}
