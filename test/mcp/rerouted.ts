/** Connections of the guarded client that end at a local server, once the checked lookup has said where they would have gone. */
import { connect } from "node:net";
import type { HttpServiceOptions } from "../../adapters/guard/http/service.ts";

type Connector = NonNullable<HttpServiceOptions["connector"]>;

/** `seen`: told `name → address` of every connection. They speak plain HTTP in place of TLS. */
export function rerouted(port: number, seen: (connection: string) => void = () => {}): Connector {
  return ({ lookup }) =>
    ({ hostname }, callback) => {
      lookup(hostname, { all: true }, (fault, found) => {
        if (fault !== null) return callback(fault, null);
        const [first] = Array.isArray(found) ? found : [];
        seen(`${hostname} → ${first?.address}`);
        const socket = connect(port, "127.0.0.1", () => callback(null, socket));
        socket.once("error", (error) => callback(error, null));
      });
    };
}
