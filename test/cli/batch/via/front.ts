/** What stands in front of a service: it passes requests on, counts them, and breaks or answers some of them itself. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `pass`; `lose`: the service does not get it; `cut`: the service does it, and the answer is lost; or an answer of the front's own. */
type Fate = "pass" | "lose" | "cut" | { readonly status: number; readonly body: string };

export type Front = {
  readonly url: string;
  /** Paths of the requests that came. */
  readonly seen: string[];
  /** What becomes of the requests from now on; `count`: from 0, of this path. */
  decide(fate: (path: string, count: number) => Fate): void;
  stop(): void;
};

/** `ports`: of replicas, which take the requests in turns. */
export async function frontOf(...ports: readonly number[]): Promise<Front> {
  const seen: string[] = [];
  let decide: (path: string, count: number) => Fate = () => "pass";
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? "";
    const port = ports[seen.length % ports.length] ?? 0;
    const fate = decide(path, seen.filter((one) => one === path).length);
    seen.push(path);
    if (fate === "lose") incoming.destroy();
    else if (typeof fate === "object") {
      incoming.resume();
      outgoing.writeHead(fate.status, { connection: "close" }).end(fate.body);
    } else passOn(port, incoming, outgoing, fate === "cut");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    decide: (next) => {
      decide = next;
      seen.length = 0;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function passOn(port: number, incoming: IncomingMessage, outgoing: ServerResponse, isCut: boolean): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: "127.0.0.1", port, method, path, headers: { ...headers, host: `127.0.0.1:${port}` } });
  onward.on("response", (response) => {
    if (isCut) {
      response.resume();
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
}
