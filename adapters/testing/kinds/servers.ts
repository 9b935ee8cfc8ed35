/** Servers of the suite on this machine, which answer whatever is asked in one way. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export type SuiteServer = {
  readonly origin: string;
  /** Name and port, as lists of hosts have them. */
  readonly host: string;
  /** Requests as they came. */
  readonly seen: readonly { readonly url: string; readonly headers: Readonly<Record<string, unknown>> }[];
  close(): Promise<void>;
};

export async function suiteServer(respond: RequestListener): Promise<SuiteServer> {
  const seen: { url: string; headers: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    // Some checks close the connection before the end of an answer.
    response.on("error", () => {});
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    seen,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
