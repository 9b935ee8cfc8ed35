/** Servers of the tests of the HTTP client, on this machine, each closed with everything it opened. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import type { SecureVersion } from "node:tls";
import { SERVER_CERTIFICATE, SERVER_KEY } from "./certificates.ts";

export type TestServer = {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https://…` */
  readonly base: string;
  /** Connections that were made. */
  readonly connections: number;
  /** Those that still stand. */
  readonly open: number;
  close(): Promise<void>;
};
export type WebServer = TestServer & {
  /** What reached it, the first first. */
  readonly requests: readonly SeenRequest[];
};
type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export async function webServer(
  respond: RequestListener,
  scheme: "http" | "https" = "http",
  cert: string = SERVER_CERTIFICATE,
): Promise<WebServer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = async (request, response) => {
    const { method = "", url = "", headers } = request;
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method, url, headers, body });
    respond(request, response);
  };
  const tls = { key: SERVER_KEY, cert };
  const server = scheme === "http" ? createServer(listener) : createTlsServer(tls, listener);
  return Object.assign(await listening(server, scheme), { requests });
}

/** Speaks TLS up to `maxVersion` only. */
export function oldTlsServer(maxVersion: SecureVersion): Promise<TestServer> {
  const tls = { key: SERVER_KEY, cert: SERVER_CERTIFICATE, minVersion: "TLSv1", maxVersion } as const;
  return listening(
    createTlsServer({ ...tls, ciphers: "DEFAULT@SECLEVEL=0" }, (_request, response) => response.end()),
    "https",
  );
}

/** Says what it likes on every connection. */
export function socketServer(onSocket: (socket: Socket) => void): Promise<TestServer> {
  return listening(createTcpServer(onSocket), "http");
}

async function listening(server: Server, scheme: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    base: `${scheme}://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
