/** The server that the runs of durable engines call: it answers each POST with 1, and counts them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Of a run. */
export const HTTP_CALLS = 5;

export type Effects = { readonly url: string; made(): number; stop(): void };

export async function startEffects(): Promise<Effects> {
  let made = 0;
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      made += 1;
      response.setHeader("content-type", "application/json").end('{"n":1}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    made: () => made,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
