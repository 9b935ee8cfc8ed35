/**
 * Connections of one scope: pools per origin that look names up themselves, keep only addresses the rules let through, and connect to
 * exactly those, so that no second lookup can lead elsewhere. TLS is always verified, against the name. The library is loaded with
 * the first connection. Variables of the process that name a proxy are never read.
 */

import { readFile } from "node:fs/promises";
import { isIP, type LookupFunction, Socket } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import type { Agent, buildConnector, Dispatcher, Pool } from "undici";
import { readUrl } from "../../../compiler/read-url.ts";
import { adapterError } from "../../errors.ts";
import { transportError } from "./errors.ts";
import { type HostRules, hostOf, portOf } from "./rules.ts";

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export type AgentOptions = {
  readonly rules: HostRules;
  readonly resolve: Resolve;
  readonly proxyUrl: string | undefined;
  readonly caFile: string | undefined;
  /** Default: the library's. */
  readonly connector?: Connector | undefined;
};

/** Makes what opens the connections; `lookup` gives the checked addresses of a name. */
export type Connector = (
  options: buildConnector.BuildOptions & { readonly lookup: LookupFunction },
) => buildConnector.connector;

type Connect = NonNullable<Pool.Options["connect"]>;

const LEAST_TLS = "TLSv1.2";
const CONNECT_MS = 10_000;
/** Until the next address of a name is tried; Node's own quarter of a second fails far networks. */
const ATTEMPT_MS = 1_000;
const EVERY_ADDRESS = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS } as const;
/** Of an answer, those before the final one included. */
export const MAX_HEADER_BYTES = 65_536;
const POOL = {
  connections: 16,
  pipelining: 1,
  keepAliveTimeout: 4_000,
  maxHeaderSize: MAX_HEADER_BYTES,
  allowH2: false,
  // The signal of a request bounds the time of all its parts together.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const satisfies Pool.Options;

/** The connections of a scope. */
export type Connections = {
  readonly dispatcher: Dispatcher;
  /** Ends them all, those that are only being made included. */
  close(): Promise<void>;
};

/** Rejects with BAD_SETTINGS when the proxy or the file of certificates cannot be used. */
export async function openConnections(options: AgentOptions): Promise<Connections> {
  // The library forgets a connection that is being made, so a server that never ends its handshake would keep it past the scope.
  const sockets = new Set<Socket>();
  const dispatcher = await createAgent(options, sockets);
  return {
    dispatcher,
    async close() {
      await dispatcher.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function createAgent(options: AgentOptions, sockets: Set<Socket>): Promise<Dispatcher> {
  const { rules, resolve, proxyUrl, caFile } = options;
  const undici = await import("undici");
  const { connector = undici.buildConnector } = options;
  const tls = {
    timeout: CONNECT_MS,
    minVersion: LEAST_TLS,
    rejectUnauthorized: true,
    ...(caFile === undefined ? {} : { secureContext: await contextWith(caFile) }),
  } as const;
  if (proxyUrl !== undefined) {
    const uri = checkedProxy(proxyUrl);
    const factory: Agent.Options["factory"] = (origin, options: Pool.Options) =>
      new undici.Pool(origin, { ...POOL, ...options, connect: failingOnce(options.connect ?? {}) });
    // Many proxies open tunnels for TLS only; plain requests are handed to them whole.
    return new undici.ProxyAgent({ ...POOL, uri, factory, proxyTunnel: false, requestTls: tls, proxyTls: tls });
  }
  const factory: Agent.Options["factory"] = (origin, options) => {
    const lookup = guardedLookup(rules, resolve, portOf(new URL(origin)));
    const connect = connector({ ...tls, ...EVERY_ADDRESS, lookup });
    return new undici.Pool(origin, { ...options, connect: noting(sockets, connect) });
  };
  return new undici.Agent({ ...POOL, factory });
}

/** The addresses of a name that may be connected to. Rejects with TRANSPORT (dns) and ADDRESS_BLOCKED. */
export async function checkedAddresses(
  { rules, resolve }: Pick<AgentOptions, "rules" | "resolve">,
  host: string,
  port: number,
): Promise<readonly string[]> {
  const found = await resolve(host).catch((cause: unknown) => {
    throw transportError("dns", cause);
  });
  if (found.length === 0) throw transportError("dns", undefined);
  return rules.reachable(host, port, found);
}

function guardedLookup(rules: HostRules, resolve: Resolve, port: number): LookupFunction {
  return (host, options, callback) => {
    checkedAddresses({ rules, resolve }, host, port).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all === true) callback(null, all);
        else callback(null, all[0]?.address ?? "", all[0]?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

/** `connect`, whose sockets are in the set as long as they stand. It gives them at once, which its type does not say. */
function noting(sockets: Set<Socket>, connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const socket: unknown = connect(options, callback);
    if (!(socket instanceof Socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
}

/**
 * `connect`, whose failure is the request's: the library takes a proxy that hangs up for a connection that only grew old and tries
 * again, for ever and without a pause.
 */
function failingOnce(connect: Connect): Connect {
  if (typeof connect !== "function") return connect;
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback("code" in error && error.code === "UND_ERR_SOCKET" ? transportError("closed", error) : error, null);
    });
}

/** The last one, and for which certificates besides the usual ones. */
let known: { readonly own: string; readonly context: SecureContext } | undefined;

/** Made once and not for each connection or run: reading the usual certificates takes tens of milliseconds, in which nothing else runs. */
async function contextWith(caFile: string): Promise<SecureContext> {
  try {
    const own = await readFile(caFile, "utf8");
    if (known?.own !== own) {
      const context = createSecureContext({ minVersion: LEAST_TLS, ca: [...rootCertificates, own] });
      known = { own, context };
    }
    return known.context;
  } catch (cause) {
    throw adapterError("ADAPTER_BAD_SETTINGS", "the file of ca_file cannot be read", { cause });
  }
}

function checkedProxy(url: string): string {
  const read = readUrl(url);
  if (read !== null && /^https?:$/.test(read.protocol) && hostOf(read) !== "") return url;
  throw adapterError("ADAPTER_BAD_SETTINGS", "proxy_url must be an http or https address");
}
