/** The services of the host as a plugin in its own process sees them: HTTP by messages; what cannot be offered says so at its first use. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { adapterError, cancelledCall } from "../../errors.ts";
import type { HttpRequest, HttpResponse, HttpScope, HttpScopeOptions, HttpService } from "../../guard/http/http.ts";
import { createJsonClient } from "../../guard/http/json.ts";
import { bytesOf } from "../process/host-request.ts";

type Waiting = { resolve(result: Json): void; reject(error: AdapterError): void };

/** As in the same process. */
const DEFAULT_RESPONSE_BYTES = 1_000_000;

const NO_PLACES: HostServices["places"] = {
  stateDir: null,
  dataRoot: null,
  agentRoot: null,
  memoryDb: null,
  cachePath: null,
  summaryRoot: null,
};

export class HostClient {
  readonly #send: (message: JsonObject) => void;
  readonly #waiting = new Map<Json, Waiting>();
  /** The request of the host in whose name code runs: a scope made by `open` is used by the calls that follow. */
  readonly #current = new AsyncLocalStorage<Json>();
  readonly services: HostServices = servicesWith(this.#http());
  #ids = 0;

  constructor(send: (message: JsonObject) => void) {
    this.#send = send;
  }

  /** Does something in the name of the request `id`. */
  during<T>(id: Json, work: () => T): T {
    return this.#current.run(id, work);
  }

  /** A `host` message: the answer to a request of ours. */
  answered({ id = null, result = null, error }: JsonObject): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined || error === null) waiting?.resolve(result);
    else waiting?.reject(errorOf(error as JsonObject));
  }

  #ask(service: string, request: JsonObject, signal: AbortSignal): Promise<Json> {
    if (signal.aborted) return Promise.reject(cancelledCall());
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        this.#waiting.delete(id);
        reject(cancelledCall());
      };
      const settled = (): void => signal.removeEventListener("abort", abandon);
      signal.addEventListener("abort", abandon, { once: true });
      this.#waiting.set(id, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      this.#send({ type: "host", id, call: this.#current.getStore() ?? null, service, request });
    });
  }

  #http(): HttpService {
    const scope = (options: HttpScopeOptions): HttpScope => ({
      request: async (request) => responseOf(await this.#ask("http", wireRequest(options, request), request.signal)),
      addressesOf: () => Promise.reject(notOffered("addresses")),
      close: async () => {},
    });
    return {
      propagateTrace: false,
      operatorRules: () => null,
      scope,
      ...createJsonClient((allowHosts) => scope({ allowHosts })),
      close: async () => {},
    };
  }
}

function servicesWith(http: HttpService): HostServices {
  const none = (name: string): never => {
    throw notOffered(name);
  };
  return {
    places: NO_PLACES,
    http,
    get sqlite() {
      return none("sqlite");
    },
    get wasm() {
      return none("wasm");
    },
    get parsers() {
      return none("parsers");
    },
    get postgres() {
      return none("postgres");
    },
    get processes() {
      return none("processes");
    },
  };
}

/** What the host is to hold the request to: its own rules, and those that the plugin narrows them to. */
function wireRequest(options: HttpScopeOptions, request: HttpRequest): JsonObject {
  const { allowHosts, allowPorts, maxResponseBytes = DEFAULT_RESPONSE_BYTES, maxRedirects } = options;
  const most = Math.min(maxResponseBytes, request.maxResponseBytes ?? maxResponseBytes);
  const told = {
    method: request.method,
    url: request.url,
    headers: request.headers,
    credentials: request.credentials,
    body: request.body ? { $base64: Buffer.from(request.body).toString("base64") } : undefined,
    redirect: request.redirect,
    max_redirects: request.maxRedirects ?? maxRedirects,
    max_response_bytes: most,
    allow_hosts: allowHosts,
    allow_ports: allowPorts,
  };
  return JSON.parse(JSON.stringify(told));
}

function responseOf(answer: Json): HttpResponse {
  const { status, url, headers, body, redirects, unfollowed } = answer as JsonObject;
  return {
    status: Number(status),
    url: String(url),
    headers: new Map(Object.entries(headers as Readonly<Record<string, readonly string[]>>)),
    body: body === null ? null : bytesOf(body as string | { readonly $base64: string }),
    redirects: Number(redirects),
    unfollowed: unfollowed === true,
  };
}

function errorOf({ code, message, retryable, retry_after_ms, data = null }: JsonObject): AdapterError {
  return new AdapterError(String(code), String(message), {
    retryable: retryable === true,
    retryAfterMs: typeof retry_after_ms === "number" ? retry_after_ms : null,
    data,
  });
}

function notOffered(what: string): AdapterError {
  return adapterError("ADAPTER_NOT_CONFIGURED", `${what} is not offered to a plugin in a process of its own`);
}
