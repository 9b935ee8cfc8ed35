/**
 * The server of one provider: requests under its address with its key, and what its refusals mean in the codes of adapters. The key goes to
 * that server alone. Every request is sent once; no text of a refusal reaches a program, because some repeat parts of the key.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { parsedDocument } from "../../content/json-document.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import type { HttpHeaders, HttpResponse, HttpScope, HttpService } from "../../guard/http/http.ts";
import { retryAfterMs } from "../../guard/http/retry-after.ts";
import { anthropic } from "./apis/anthropic.ts";
import { type Api, badAnswer, type WireRequest } from "./apis/api.ts";
import { ollama } from "./apis/ollama.ts";
import { openAi } from "./apis/openai.ts";
import type { ProviderConfig } from "./settings.ts";

const APIS: Readonly<Record<ProviderConfig["api"], Api>> = { openai: openAi, anthropic, ollama };
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Statuses with which a server says that it is not ready; 529 is Anthropic's. */
const NOT_READY = new Set([408, 409, 425, 500, 502, 503, 504, 529]);

/** The provider answered that it did not do the work, so it is not paid for. */
export class Refused extends Error {
  readonly error: AdapterError;
  readonly status: number;

  constructor(error: AdapterError, status: number) {
    super(error.message);
    this.error = error;
    this.status = status;
  }
}

export class ProviderServer {
  readonly api: Api;
  readonly config: ProviderConfig;
  readonly #scope: HttpScope;

  constructor(http: HttpService, config: ProviderConfig) {
    this.config = config;
    this.api = APIS[config.api];
    const { hostname, port } = new URL(config.base_url);
    this.#scope = http.scope({
      allowHosts: [hostname],
      operatorHosts: [hostname],
      ...(port === "" ? {} : { allowPorts: [Number(port)] }),
      maxResponseBytes: MAX_ANSWER_BYTES,
      maxRequestBytes: MAX_REQUEST_BYTES,
    });
  }

  /** Throws ADAPTER_NOT_CONFIGURED when the key is missing. */
  async credentials(ctx: VerbContext): Promise<HttpHeaders | undefined> {
    const { key_secret: secret, key_header: header = this.api.key.header } = this.config;
    if (secret === undefined) return undefined;
    const key = (await ctx.secret(secret))?.trim() ?? "";
    if (key === "") throw adapterError("ADAPTER_NOT_CONFIGURED", "the key of the model provider is missing");
    return { [header]: header === "authorization" ? `Bearer ${key}` : key };
  }

  /** Rejects with Refused, or with what the HTTP client says; then it is unknown whether the work was done. */
  async ask({ path, body }: WireRequest, credentials: HttpHeaders | undefined, ctx: VerbContext): Promise<Json> {
    const response = await this.#scope.request({
      method: "POST",
      url: this.config.base_url.replace(/\/*$/, () => path),
      headers: { ...this.api.headers, "content-type": "application/json", accept: "application/json" },
      credentials,
      body: Buffer.from(JSON.stringify(body)),
      signal: ctx.signal,
      redirect: "error",
    });
    if (response.status < 200 || response.status >= 300)
      throw new Refused(refusal(response, ctx.now()), response.status);
    return jsonOf(response);
  }

  close(): Promise<void> {
    return this.#scope.close();
  }
}

async function jsonOf({ body }: HttpResponse): Promise<Json> {
  try {
    return await parsedDocument(new TextDecoder("utf-8", { fatal: true }).decode(body ?? Buffer.alloc(0)));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) throw badAnswer("is not JSON");
    throw cause;
  }
}

function refusal(response: HttpResponse, now: number): AdapterError {
  const { status, headers, body } = response;
  const data: JsonObject = { status };
  const wait = retryAfterMs(headers.get("retry-after"), now);
  const later = wait === null ? {} : { retryAfterMs: wait };
  if (status === 401 || status === 403)
    return adapterError("ADAPTER_NOT_CONFIGURED", "the model provider refused the key", { data });
  if (status === 404)
    return adapterError("ADAPTER_NOT_CONFIGURED", "the model provider has no such model or address", { data });
  if (status === 413) return adapterError("ADAPTER_TOO_LARGE", "the prompt is too long for the provider", { data });
  if (status === 429) {
    if (saysQuota(body))
      return adapterError("ADAPTER_QUOTA", "the operator's quota with the model provider is used up", { data });
    return adapterError("ADAPTER_RATE_LIMITED", "the model provider asks to wait", { data, ...later });
  }
  if (NOT_READY.has(status))
    return adapterError("ADAPTER_UNAVAILABLE", "the model provider is not ready", { data, ...later });
  if (status === 400 || status === 422)
    return adapterError("ADAPTER_FAILED", "the model provider does not accept the request", { data });
  return adapterError("ADAPTER_HTTP_STATUS", `the model provider answered ${status}`, { data });
}

/** OpenAI answers an account without money as it answers one that is too fast. */
function saysQuota(body: Buffer | null): boolean {
  try {
    const answer: unknown = JSON.parse(body?.toString("utf8").slice(0, 10_000) ?? "");
    return isObject(answer) && isObject(answer["error"]) && answer["error"]["code"] === "insufficient_quota";
  } catch {
    return false;
  }
}
