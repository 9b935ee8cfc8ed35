/** From what a program says to what is sent: the address with its query, the bytes of the body and their type, credentials. */

import { isObject, type Json } from "../../../compiler/json.ts";
import { exactJson, isNumberObject, opened } from "../../../vm/inputs/exact-text.ts";
import { isList } from "../../../vm/values/values.ts";
import { z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import type { HttpHeaders } from "../../guard/http/http.ts";
import type { RequestOptions } from "./arguments.ts";
import type { HttpVerbCall } from "./settings.ts";

export type EncodedBody = { readonly bytes: Uint8Array; readonly type: string };

const OCTETS = "application/octet-stream";
const encodedBytes = z.strictObject({ $base64: z.base64() });

/** The body; null without one. Throws BAD_ARGS for a body that does not fit its `body_type`. */
export function encodedBody(body: Json | undefined, type: RequestOptions["body_type"]): EncodedBody | null {
  if (body === undefined || (body === null && type !== "json")) return null;
  switch (type) {
    case "json":
      return { bytes: Buffer.from(exactJson(body)), type: "application/json" };
    case "text":
      return { bytes: textBytes(body), type: "text/plain; charset=utf-8" };
    case "form":
      return { bytes: Buffer.from(formText(body)), type: "application/x-www-form-urlencoded" };
    case "base64":
      return { bytes: base64Bytes(typeof body === "string" ? { $base64: body } : body), type: OCTETS };
    case undefined:
      if (typeof body === "string") return encodedBody(body, "text");
      return isObject(body) && Object.hasOwn(body, "$base64") ? encodedBody(body, "base64") : encodedBody(body, "json");
  }
}

function textBytes(body: Json): Uint8Array {
  if (typeof body !== "string") throw wrongBody("text");
  if (!body.isWellFormed()) throw adapterError("ADAPTER_ENCODING", "the body is not valid Unicode");
  return Buffer.from(body);
}

function base64Bytes(body: Json): Uint8Array {
  const read = encodedBytes.safeParse(body);
  if (!read.success) throw wrongBody("base64");
  return Buffer.from(read.data.$base64, "base64");
}

function formText(body: Json): string {
  if (!isObject(body)) throw wrongBody("an object of fields");
  const fields = new URLSearchParams();
  for (const [name, value] of pairsOf(body)) fields.append(name, value);
  return fields.toString();
}

/** `url` with `query` appended to its query; a fragment is never sent. */
export function withQuery(url: string, query: RequestOptions["query"]): string {
  const added = pairsOf(query ?? {}).map((pair) => pair.map(percentEncoded).join("="));
  if (added.length === 0) return url;
  const [address = ""] = url.split("#", 1);
  const joint = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${joint}${added.join("&")}`;
}

/** Names and values; a list repeats its name, null is left out. */
function pairsOf(fields: { readonly [name: string]: Json }): readonly (readonly [string, string])[] {
  return Object.entries(opened(fields)).flatMap(([name, value]) =>
    (isList(value) ? opened(value) : [value]).flatMap((one) => {
      if (one === null) return [];
      if (isNumberObject(one)) return [[name, exactJson(one)] as const];
      if (typeof one === "object") throw wrongBody("fields of text, numbers and booleans");
      return [[name, String(one)] as const];
    }),
  );
}

function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Headers that hold a secret of the operator. Throws NOT_ALLOWED and NOT_CONFIGURED. */
export async function credentialsOf(
  auth: RequestOptions["auth"],
  { settings, ctx }: HttpVerbCall,
): Promise<HttpHeaders | undefined> {
  if (auth === undefined) return undefined;
  const { secret: name, scheme } = auth;
  if (!settings.allow_secrets.includes(name))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the secret is not on the list of secrets that programs may use");
  const secret = await ctx.secret(name);
  if (secret === undefined || secret === "")
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the host has no secret of this name");
  if (scheme === "bearer") return { authorization: `Bearer ${secret}` };
  if (scheme === "basic") return { authorization: `Basic ${Buffer.from(secret).toString("base64")}` };
  return { [scheme.slice("header:".length).toLowerCase()]: secret };
}

function wrongBody(expected: string): Error {
  const issues = [{ path: "/body", expected, got: "another" }];
  return adapterError("ADAPTER_BAD_ARGS", `argument /body: expected ${expected}`, { data: { issues } });
}
