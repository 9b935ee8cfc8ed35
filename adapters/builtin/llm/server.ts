/** The server of one provider: requests under its address with its key. The key goes to that server alone. Every request is sent once. */
import type { Json } from "../../../compiler/json.ts";
import { parsedDocument } from "../../content/json-document.ts";
import type { VerbContext } from "../../definition/define.ts";
import { secretMissing } from "../../errors.ts";
import type { HttpHeaders, HttpResponse, HttpScope, HttpService } from "../../guard/http/http.ts";
import { anthropic } from "./apis/anthropic.ts";
import { type Api, badAnswer, type WireRequest } from "./apis/api.ts";
import { ollama } from "./apis/ollama.ts";
import { openAi } from "./apis/openai.ts";
import { refusalIn, refusalOf } from "./refusals.ts";
import type { ProviderConfig } from "./settings.ts";

const APIS: Readonly<Record<ProviderConfig["api"], Api>> = { openai: openAi, anthropic, ollama };
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
export class ProviderServer {
  readonly api: Api;
  readonly config: ProviderConfig;
  readonly #name: string;
  readonly #scope: HttpScope;

  constructor(http: HttpService, name: string, config: ProviderConfig) {
    this.#name = name;
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
    if (key === "") throw secretMissing(`the key of the model provider ${this.#name}`, secret);
    return { [header]: header === "authorization" ? `Bearer ${key}` : key };
  }

  /** Rejects with Refused, or with what the HTTP client says; then it is unknown whether the work was done. */
  async ask({ path, body }: WireRequest, credentials: HttpHeaders | undefined, ctx: VerbContext): Promise<Json> {
    const provider = { name: this.#name, secret: this.config.key_secret };
    const response = await this.#scope.request({
      method: "POST",
      url: this.config.base_url.replace(/\/*$/, () => path),
      headers: { ...this.api.headers, "content-type": "application/json", accept: "application/json" },
      credentials,
      body: Buffer.from(JSON.stringify(body)),
      signal: ctx.signal,
      redirect: "error",
    });
    if (response.status < 200 || response.status >= 300) throw refusalOf(response, { body, provider, now: ctx.now() });
    const answer = await jsonOf(response);
    const refusal = refusalIn(answer, { body, provider }, this.api.readTokens(answer));
    if (refusal !== null) throw refusal;
    return answer;
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
