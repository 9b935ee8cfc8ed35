/** The http adapter as programs call it, and a server that answers as each test wants. All is closed after each test. */
import { afterEach, beforeEach } from "vitest";
import { httpAdapter } from "../../../../adapters/builtin/http/definition.ts";
import { createHttpService, type HttpServiceOptions } from "../../../../adapters/guard/http/service.ts";
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { type AdapterBench, type BenchOptions, openBench } from "../../../support/adapter-bench.ts";
import { type WebServer, webServer } from "./servers.ts";

type Respond = Parameters<typeof webServer>[0];
type Given = Partial<BenchOptions> & { readonly http?: HttpServiceOptions };
/** The envelope of an answer. */
export type Answer = JsonObject & { readonly body: Json; readonly headers: JsonObject };

export type AdapterWorld = {
  /** How the server answers; at first with nothing. */
  respond: Respond;
  readonly server: WebServer;
  /** What else is closed after the test. */
  readonly open: { close(): Promise<unknown> }[];
  /** A run that may reach 127.0.0.1 unless told otherwise. */
  bench(settings?: JsonObject, given?: Given): Promise<AdapterBench>;
  /** One call in a run of its own. */
  call(verb: string, ...args: readonly unknown[]): Promise<Answer>;
};

/** Belongs to the file that calls it. */
export function adapterWorld(): AdapterWorld {
  let server: WebServer | undefined;
  const world: AdapterWorld = {
    respond: (_request, response) => void response.end(),
    open: [],
    get server() {
      if (server === undefined) throw new Error("servers belong to tests");
      return server;
    },
    async bench(settings = {}, { http = {}, ...more } = {}) {
      const service = createHttpService(http);
      const all = { allow_hosts: ["127.0.0.1"], ...settings };
      const bench = await openBench(httpAdapter, { ...more, settings: all, services: { http: service } });
      world.open.push(service, { close: () => bench.end() });
      return bench;
    },
    async call(verb, ...args) {
      return (await (await world.bench()).call(verb, ...args)) as Answer;
    },
  };
  beforeEach(async () => {
    world.respond = (_request, response) => void response.end();
    server = await webServer((request, response) => world.respond(request, response));
  });
  afterEach(async () => {
    for (const one of world.open.splice(0).reverse()) await one.close();
    await server?.close();
  });
  return world;
}

export function answering(
  status: number,
  headers: Readonly<Record<string, string | string[]>>,
  body: string | Buffer = "",
): Respond {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}
