/**
 * A second listener of the same application that has only what programs offer to the public, so that a proxy cannot expose the rest by
 * mistake. With it those paths are nothing on the first listener.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import type { Clock } from "../../vm/run.ts";
import type { ServiceApp } from "./service-app.ts";

const PUBLIC = /^\/(app|a|s)(\/|$)|^\/health$/;
const BOTH = /^\/health$/;

/** Requests that came through the public listener. */
const publicRequests = new WeakSet<IncomingMessage>();

/** Whether a request may see its path at all. `hasPublic`: there is a second listener. */
export function isPathOffered(request: IncomingMessage, hasPublic: boolean): boolean {
  if (!hasPublic) return true;
  const path = pathOf(request.url ?? "");
  if (publicRequests.has(request)) return PUBLIC.test(path);
  return BOTH.test(path) || !PUBLIC.test(path);
}

function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? "";
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

declare module "fastify" {
  interface FastifyInstance {
    /** Null without a second listener. */
    publicListener: PublicListener | null;
  }
}

export type PublicListener = {
  /** Resolves with its port. */
  listen(host: string, port: number): Promise<number>;
};

/** Closed with the application. `configure`: what the first server was given. */
export function publicListener(
  app: ServiceApp,
  clock: Pick<Clock, "wait">,
  options: ServerOptions,
  configure: (server: Server) => void,
): PublicListener {
  const server = createServer(options, (request, response) => {
    publicRequests.add(request);
    app.routing(request, response);
  });
  configure(server);
  app.addHook("onClose", async () => {
    if (!server.listening) return;
    await new Promise<void>((resolve) => {
      const stop = clock.wait(CLOSE_MS, () => server.closeAllConnections());
      server.close(() => {
        stop();
        resolve();
      });
      server.closeIdleConnections();
    });
  });
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          const address = server.address();
          resolve(typeof address === "object" && address !== null ? address.port : port);
        });
      }),
  };
}

const CLOSE_MS = 2000;
