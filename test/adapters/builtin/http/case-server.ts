/** The HTTP server of the shared cases: each path answers in one way that a client must cope with. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as later } from "node:timers/promises";
import { gzipSync } from "node:zlib";

export type CaseServer = {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly base: string;
  /** Requests that reached it. */
  readonly seen: number;
  close(): Promise<void>;
};

type Route = (request: IncomingMessage, response: ServerResponse, port: number, hit: number) => unknown;

function answering(status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}): Route {
  return (_request, response) => response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

function redirecting(to: (port: number) => string): Route {
  return (_request, response, port) => response.writeHead(302, { location: to(port) }).end();
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { method, headers } = request;
  const shown = Object.fromEntries(
    ["content-type", "x-a"].filter((name) => name in headers).map((name) => [name, headers[name]]),
  );
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ method, headers: shown, body }));
}

async function drip(_request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/plain", "content-length": "6" });
  for (const byte of "abcdef") {
    response.write(byte);
    await later(300);
  }
  response.end();
}

const ROUTES: Readonly<Record<string, Route>> = {
  "/json": answering(200, "application/json", '{"a":[1,2.5,null]}'),
  "/badjson": answering(200, "application/json", "{nope"),
  "/problem": answering(200, "application/problem+json", '{"x":1}'),
  "/latin1": answering(200, "text/plain; charset=iso-8859-1", Buffer.from("café", "latin1")),
  "/redir-localhost": redirecting((port) => `http://localhost:${port}/echo`),
  "/redir-file": redirecting(() => "file:///etc/passwd"),
  "/loop": redirecting(() => "/loop"),
  "/404": answering(404, "application/json", '{"error":"no"}'),
  "/402": answering(402, "text/plain", "pay"),
  "/429": answering(429, "text/plain", "wait", { "retry-after": "1" }),
  "/500": answering(500, "text/plain", "boom"),
  "/503once": (request, response, port, hit) =>
    answering(hit % 2 === 1 ? 503 : 200, "text/plain", "x")(request, response, port, hit),
  "/201": answering(201, "application/json", '{"id":1}'),
  "/big": answering(200, "text/plain", "x".repeat(1_000_001)),
  "/slow": async (_request, response) => {
    await later(1_000, undefined, { ref: false });
    response.end("late");
  },
  "/drip": drip,
  "/gzip": answering(200, "text/plain", gzipSync("hello"), { "content-encoding": "gzip" }),
  "/close": (request) => request.socket.destroy(),
  "/echo": echo,
};

export async function openCaseServer(): Promise<CaseServer> {
  const hits = new Map<string, number>();
  let seen = 0;
  const listener: RequestListener = (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    seen += 1;
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const route = ROUTES[path] ?? answering(404, "text/plain", "");
    route(request, response, port, hits.get(path) ?? 0);
  };
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    get seen() {
      return seen;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
