/** Servers between a page and the service: an address that stays while the service is another process, or a proxy that changes what passes. */
import { type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Address of a server, which ends with the test. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hands a request on, with other headers and without some of the answer's. */
export function handOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  port: number,
  headers: Readonly<Record<string, string | string[] | undefined>> = incoming.headers,
  stripped: readonly string[] = [],
): void {
  const { method, url: path } = incoming;
  const host = headers === incoming.headers ? incoming.headers.host : `127.0.0.1:${port}`;
  const outgoing = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, host } });
  outgoing.on("response", (answer) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !stripped.includes(name));
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
    answer.on("error", () => response.destroy());
    answer.pipe(response);
  });
  outgoing.on("error", () => response.destroy());
  incoming.pipe(outgoing);
}
