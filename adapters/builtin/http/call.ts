/** One call of http: what the program said is put together, sent once through the host's client, and answered as an envelope. */
import { createHash } from "node:crypto";
import type { Json } from "../../../compiler/json.ts";
import { MAX_DOCUMENT_HEAP } from "../../content/json-document.ts";
import { adapterError } from "../../errors.ts";
import type { HttpHeaders } from "../../guard/http/http.ts";
import type { RequestOptions } from "./arguments.ts";
import { type Envelope, envelopeOf, isAccepted, statusError } from "./envelope.ts";
import { credentialsOf, encodedBody, withQuery } from "./request.ts";
import { CALLER_RESPONSE_BYTES, type HttpInstance, type HttpVerbCall } from "./settings.ts";

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly body?: Json | undefined;
  readonly headers: HttpHeaders | undefined;
  readonly options: RequestOptions;
};

/** Rejects with HTTP_STATUS for an answer that is not accepted, and as `HttpScope.request` does. */
export async function request({ method, url, options, ...given }: Asked, call: HttpVerbCall): Promise<Envelope> {
  const { instance, ctx } = call;
  const body = encodedBody(onlyOne("body", given.body, options.body), options.body_type);
  const headers = onlyOne("headers", given.headers, options.headers) ?? {};
  const leftBefore = ctx.remainingMs();
  const response = await instance.scope.request({
    method,
    url: withQuery(url, options.query),
    headers: withDefaults(headers, {
      ...(body === null ? {} : { "content-type": body.type }),
      ...keyHeaders(options.idempotency_key, ctx.callId),
      ...traceHeaders(instance, ctx),
    }),
    credentials: await credentialsOf(options.auth, call),
    body: body?.bytes ?? null,
    signal: ctx.signal,
    redirect: options.redirect,
    maxRedirects: options.max_redirects,
    maxResponseBytes: options.max_response_bytes,
    ignoreBody: options.response === "none",
  });
  const elapsedMs = Math.round(leftBefore - ctx.remainingMs());
  const reading = { mode: options.response, maxHeap: heapOf(call.settings.max_response_bytes) };
  const envelope = await envelopeOf(response, url, elapsedMs, reading);
  if (isAccepted(response, options)) return envelope;
  throw statusError(envelope, response, ctx.now());
}

/** Heap of an answer's JSON: that of any document, and more where the operator takes answers that no request may ask for. */
function heapOf(maxResponseBytes: number): number {
  return maxResponseBytes <= CALLER_RESPONSE_BYTES ? MAX_DOCUMENT_HEAP : 3 * maxResponseBytes;
}

/** What may stand in its place or among the options, but not in both; null in its place means neither. */
function onlyOne<T>(name: string, inPlace: T | undefined, asOption: T | undefined): T | undefined {
  if (asOption === undefined) return inPlace;
  if (inPlace === undefined || inPlace === null) return asOption;
  const issues = [{ path: `/options/${name}`, expected: `no second ${name}`, got: "another" }];
  throw adapterError("ADAPTER_BAD_ARGS", `argument /options/${name}: expected no second ${name}`, { data: { issues } });
}

/** Headers of the program win. */
function withDefaults(headers: HttpHeaders, defaults: HttpHeaders): HttpHeaders {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = Object.entries(defaults).filter(([name]) => !given.has(name));
  return { ...headers, ...Object.fromEntries(added) };
}

/** A key of the program is sent as it is; the call's own may hold letters of any script. */
function keyHeaders(key: RequestOptions["idempotency_key"], callId: string): HttpHeaders {
  if (key === undefined) return {};
  return { "idempotency-key": key === true ? encodeURI(callId) : key };
}

/** Where the operator wants it, the server learns which run asks (W3C Trace Context). */
function traceHeaders({ propagateTrace }: HttpInstance, { traceId, callId }: HttpVerbCall["ctx"]): HttpHeaders {
  const [trace = ""] = traceId.split(".");
  if (!propagateTrace || !/^[0-9a-f]{32}$/.test(trace)) return {};
  const span = createHash("sha256").update(callId).digest("hex").slice(0, 16);
  return { traceparent: `00-${trace}-${span}-01` };
}
