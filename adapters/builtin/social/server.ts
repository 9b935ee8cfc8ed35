/**
 * The server of one account: requests under its address and with its token, and what its answers mean in the codes of adapters. The token
 * goes to that server alone, whatever its answers point to. Every request is sent once.
 */

import type { Json } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { parsedNow } from "../../content/json-document.ts";
import { readDate } from "../../content/written-date.ts";
import type { VerbContext, z } from "../../definition/define.ts";
import { adapterError, secretMissing } from "../../errors.ts";
import type { HttpResponse, HttpScope, HttpService } from "../../guard/http/http.ts";
import { askedWaitMs } from "../../guard/http/retry-after.ts";
import { MAX_MEDIA_BYTES } from "./media.ts";
import type { AccountConfig } from "./settings.ts";

const MAX_ANSWER_BYTES = 5 * 1024 * 1024;
/** Of a form around a file. */
const FORM_BYTES = 16 * 1024;

export type Sent = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly bytes: Uint8Array; readonly type: string };
};

export class AccountServer {
  readonly #base: string;
  readonly #secretName: string | undefined;
  readonly #scope: HttpScope;

  constructor(http: HttpService, { base_url, token_secret }: AccountConfig) {
    const { hostname, port } = new URL(base_url);
    this.#base = base_url;
    this.#secretName = token_secret;
    this.#scope = http.scope({
      allowHosts: [hostname],
      operatorHosts: [hostname],
      ...(port === "" ? {} : { allowPorts: [Number(port)] }),
      maxResponseBytes: MAX_ANSWER_BYTES,
      maxRequestBytes: MAX_MEDIA_BYTES + FORM_BYTES,
    });
  }

  /** The account's address, with `path` appended if given. */
  url(path = ""): URL {
    return new URL(path === "" ? this.#base : this.#base.replace(/\/*$/, () => path));
  }

  /**
   * Any status except success rejects: RATE_LIMITED, UNAVAILABLE, NOT_CONFIGURED (401), NOT_FOUND (404 and 410), FAILED (403, 422),
   * HTTP_STATUS. A request that has no answer rejects as `HttpScope.request` does.
   */
  async ask(url: URL, { method, headers = {}, body }: Sent, ctx: VerbContext): Promise<HttpResponse> {
    if (url.origin !== this.url().origin) throw badAnswer("points to another server");
    const response = await this.#scope.request({
      method,
      url: url.href,
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": body.type }) },
      credentials: await this.#credentials(ctx),
      body: body?.bytes ?? null,
      signal: ctx.signal,
    });
    if (response.status < 200 || response.status >= 300) throw refusal(response, ctx.now());
    return response;
  }

  close(): Promise<void> {
    return this.#scope.close();
  }

  async #credentials(ctx: VerbContext) {
    if (this.#secretName === undefined) return undefined;
    const token = (await ctx.secret(this.#secretName))?.trim() ?? "";
    if (token === "") throw secretMissing("the token of the social account", this.#secretName);
    return { authorization: `Bearer ${token}` };
  }
}

/** Throws ADAPTER_BAD_DATA. */
export function jsonOf({ body }: HttpResponse): Json {
  try {
    return parsedNow(body?.toString("utf8") ?? "");
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw badAnswer("is not JSON", cause);
  }
}

/** Throws ADAPTER_BAD_DATA. */
export function parsed<T extends z.ZodType>(schema: T, answer: unknown): z.output<T> {
  const read = schema.safeParse(answer);
  if (!read.success) throw badAnswer("is not what its interface promises");
  return read.data;
}

export function badAnswer(what: string, cause?: unknown): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", `the answer of the social server ${what}`, { cause });
}

function refusal({ status, headers }: HttpResponse, now: number): AdapterError {
  const data = { status };
  const wait = waitAsked(headers, now);
  const later = { data, ...(wait === null ? {} : { retryAfterMs: wait }) };
  if (status === 429) return adapterError("ADAPTER_RATE_LIMITED", "the social server asks to wait", later);
  if (status >= 500) return adapterError("ADAPTER_UNAVAILABLE", "the social server is not ready", later);
  if (status === 401)
    return adapterError("ADAPTER_NOT_CONFIGURED", "the social server does not accept the account", { data });
  if (status === 404 || status === 410)
    return adapterError("ADAPTER_NOT_FOUND", "the social server has no such thing", { data });
  if (status === 403 || status === 422)
    return adapterError("ADAPTER_FAILED", "the social server refused the request", { data });
  return adapterError("ADAPTER_HTTP_STATUS", `the social server answered ${status}`, { data });
}

/** Milliseconds: Retry-After, else when the count of X-RateLimit begins anew (a date, or seconds since 1970). */
function waitAsked(headers: HttpResponse["headers"], now: number): number | null {
  const after = askedWaitMs(headers, now);
  if (after !== null) return after;
  const reset = headers.get("x-ratelimit-reset")?.[0] ?? "";
  const at = /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : readDate(reset);
  return at === null ? null : Math.max(0, at - now);
}
