/**
 * The certificate that a TLS server shows. It is read, not trusted: an expired or self-signed one is what a probe wants to hear of. Which
 * addresses may be connected to, the caller decides.
 */
import { once } from "node:events";
import { isIP, type LookupFunction } from "node:net";
import { connect } from "node:tls";
import { adapterError } from "../../errors.ts";
import { requestError } from "./errors.ts";

type TlsServer = {
  readonly host: string;
  readonly port: number;
  /** Where connections may go; absent: wherever the name leads. */
  readonly addresses?: readonly string[];
};

/** When the certificate ends, in milliseconds since 1970. Rejects with ADAPTER_TRANSPORT, ADAPTER_BAD_DATA, and the signal's reason. */
export async function certificateEnd({ host, port, addresses }: TlsServer, signal: AbortSignal): Promise<number> {
  const socket = connect({
    host,
    port,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(addresses === undefined ? {} : { lookup: fixedLookup(addresses) }),
  });
  // Errors after the handshake do not matter.
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal });
    const end = Date.parse(socket.getPeerCertificate().valid_to ?? "");
    if (Number.isNaN(end)) throw adapterError("ADAPTER_BAD_DATA", "the server shows no certificate");
    return end;
  } catch (cause) {
    throw requestError(cause, signal);
  } finally {
    socket.destroy();
  }
}

function fixedLookup(addresses: readonly string[]): LookupFunction {
  return (_host, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first = { address: "", family: 0 }] = all;
    if (options.all === true) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
