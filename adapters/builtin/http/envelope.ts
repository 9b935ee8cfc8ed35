/**
 * What a program gets of an answer, and which answers are errors. An error carries the envelope too, cut so that it fits into the
 * details of an error.
 */

import { type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import type { HttpResponse } from "../../guard/http/http.ts";
import { askedWaitMs } from "../../guard/http/retry-after.ts";
import type { RequestOptions } from "./arguments.ts";
import { bodyValue } from "./response-body.ts";

/** Others are worth another try as little as the first one was. 520 to 524 are those of content delivery networks, 529 says overloaded. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
const BODY_BYTES = 48 * 1024;
const HEADER_BYTES = 8 * 1024;
const ADDRESS_BYTES = 2 * 1024;

export type Envelope = {
  readonly ok: boolean;
  readonly status: number;
  readonly status_code: number;
  readonly error: null;
  readonly body: Json;
  readonly headers: JsonObject;
  /** As it was asked for. */
  readonly url: string;
  /** After redirects. */
  readonly final_url: string;
  readonly redirects: number;
  readonly elapsed_ms: number;
  readonly lossy?: true;
  readonly parse_error?: true;
};

/** How the body is read, and the heap that it may take as values. */
type Reading = { readonly mode: RequestOptions["response"]; readonly maxHeap: number };

/** Rejects with ADAPTER_TOO_LARGE for a body whose values would take too much heap. */
export async function envelopeOf(
  response: HttpResponse,
  url: string,
  elapsedMs: number,
  { mode, maxHeap }: Reading,
): Promise<Envelope> {
  const { status, headers } = response;
  const type = headers.get("content-type")?.[0] ?? "";
  const { body, flags } =
    response.body === null ? { body: null, flags: {} } : await bodyValue(response.body, type, mode, maxHeap);
  return {
    ok: isSuccess(status),
    status,
    status_code: status,
    error: null,
    body,
    headers: headerMembers(headers),
    url,
    final_url: response.url,
    redirects: response.redirects,
    elapsed_ms: Math.max(0, Math.round(elapsedMs)),
    ...flags,
  };
}

/** Whether the program gets the answer as a result. */
export function isAccepted(response: HttpResponse, { accept_status: accepted, redirect }: RequestOptions): boolean {
  const { status } = response;
  if (response.unfollowed && redirect === "error") return false;
  if (isSuccess(status) || status === 304 || accepted === "any") return true;
  if (redirect === "manual" && status >= 300 && status < 400) return true;
  return accepted?.includes(status) ?? false;
}

export function statusError(envelope: Envelope, { headers }: HttpResponse, nowMs: number): AdapterError {
  const { status } = envelope;
  const wait = askedWaitMs(headers, nowMs);
  return adapterError("ADAPTER_HTTP_STATUS", `the server answered ${status}`, {
    retryable: PASSING.has(status),
    data: cut(envelope),
    ...(wait === null ? {} : { retryAfterMs: wait }),
  });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function headerMembers(headers: HttpResponse["headers"]): JsonObject {
  const members: { [name: string]: Json } = {};
  for (const [name, values] of headers) {
    const [only = ""] = values;
    setMember(members, name, values.length > 1 || name === "set-cookie" ? values : only);
  }
  return members;
}

function cut(envelope: Envelope): Json {
  const { url, final_url } = envelope;
  const addresses = { url: cutText(url, ADDRESS_BYTES), final_url: cutText(final_url, ADDRESS_BYTES) };
  return { ...envelope, ...addresses, headers: cutHeaders(envelope.headers), ...cutBody(envelope.body) };
}

function cutBody(body: Json): { readonly body: Json; readonly body_truncated?: true } {
  if (sizeOf(body) <= BODY_BYTES) return { body };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { body: cutText(text, BODY_BYTES), body_truncated: true };
}

/** The headers that fit, in the order they came. */
function cutHeaders(headers: JsonObject): JsonObject {
  const kept: { [name: string]: Json } = {};
  let left = HEADER_BYTES;
  for (const [name, value] of Object.entries(headers)) {
    const size = sizeOf({ [name]: value });
    if (size > left) continue;
    left -= size;
    setMember(kept, name, value);
  }
  return kept;
}

/** The beginning of a text that has at most `bytes` as JSON. */
function cutText(text: string, bytes: number): string {
  let cut = text.slice(0, bytes);
  for (let size = sizeOf(cut); size > bytes; size = sizeOf(cut)) {
    cut = cut.slice(0, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  return cut.toWellFormed();
}

/** Bytes as JSON. */
function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
