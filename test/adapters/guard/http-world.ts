/** What the tests of the HTTP client share: servers and clients that are closed after each test, and how a request fails. */
import type { Socket } from "node:net";
import { afterEach } from "vitest";
import type { HttpRequest, HttpResponse, HttpScope, HttpScopeOptions } from "../../../adapters/guard/http/http.ts";
import { createHttpService, type HttpServiceOptions } from "../../../adapters/guard/http/service.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { socketServer, type TestServer, type WebServer, webServer } from "../builtin/http/servers.ts";

type Closable = { close(): Promise<unknown> };
type Ask = Partial<HttpRequest> & { readonly scope?: HttpScopeOptions; readonly service?: HttpServiceOptions };

export type HttpWorld = {
  /** Closed after the test. */
  opened<T extends Closable>(one: T): T;
  web(...args: Parameters<typeof webServer>): Promise<WebServer>;
  raw(onSocket: (socket: Socket) => void): Promise<TestServer>;
  /** May reach 127.0.0.1 unless told otherwise. */
  scopeOf(options?: HttpScopeOptions, service?: HttpServiceOptions): HttpScope;
  /** One GET, unless told otherwise, in a scope of its own. */
  ask(url: string, ask?: Ask): Promise<HttpResponse>;
};

/** Belongs to the file that calls it. */
export function httpWorld(): HttpWorld {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });
  const opened: HttpWorld["opened"] = (one) => {
    open.push(one);
    return one;
  };
  const scopeOf: HttpWorld["scopeOf"] = (options = {}, service = {}) =>
    opened(createHttpService(service)).scope({
      allowHosts: ["127.0.0.1"],
      operatorHosts: options.allowHosts ?? ["127.0.0.1"],
      ...options,
    });
  return {
    opened,
    scopeOf,
    web: async (...args) => opened(await webServer(...args)),
    raw: async (onSocket) => opened(await socketServer(onSocket)),
    ask(url, { scope, service, ...request } = {}) {
      const signal = AbortSignal.timeout(10_000);
      return scopeOf(scope, service).request({ method: "GET", url, signal, ...request });
    },
  };
}

/** The error that `work` fails with. */
export async function failure(work: Promise<unknown>): Promise<AdapterError> {
  const thrown: unknown = await work.then(
    () => new Error("no failure"),
    (error: unknown) => error,
  );
  if (thrown instanceof AdapterError) return thrown;
  throw thrown;
}

export function textOf(response: HttpResponse): string | undefined {
  return response.body?.toString();
}
