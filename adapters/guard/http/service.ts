/**
 * The HTTP client of a host: makes scopes, knows what the operator said for all of them, and speaks JSON with servers that the
 * operator named. Made once; closing it ends every connection.
 */
import { lookup } from "node:dns/promises";
import { RUNTIME_VERSION } from "../../../vm/version.ts";
import type { Connector, Resolve } from "./agent.ts";
import type { HttpScope, HttpService, OperatorRules } from "./http.ts";
import { createJsonClient } from "./json.ts";
import { GuardedScope } from "./scope.ts";

export type HttpServiceOptions = {
  /** Private addresses may be reached without being named, where a scope says nothing. Default: no. */
  readonly allowPrivate?: boolean;
  readonly propagateTrace?: boolean;
  /** Default: this host has no callers, so all settings of adapters are the operator's. */
  readonly operatorRules?: (adapter: string) => OperatorRules;
  /** Default: the resolver of the operating system. */
  readonly resolve?: Resolve;
  /** Default: the one of the client library. */
  readonly connector?: Connector | undefined;
  /** Default: `weft/<version>`. */
  readonly userAgent?: string;
};

export function createHttpService(options: HttpServiceOptions = {}): HttpService {
  const { allowPrivate = false, propagateTrace = false, operatorRules = () => null } = options;
  const { connector, resolve = systemAddresses, userAgent = `weft/${RUNTIME_VERSION}` } = options;
  const open = new Set<HttpScope>();
  /** By the hosts they may reach: lists in the words of the operator, so few. */
  const jsonScopes = new Map<string, HttpScope>();

  const scope: HttpService["scope"] = (given) => {
    const made = new GuardedScope(given, {
      resolve,
      userAgent,
      allowPrivate,
      connector,
      closed: (one) => open.delete(one),
    });
    open.add(made);
    return made;
  };

  const jsonScope = (allowHosts: readonly string[]): HttpScope => {
    const key = JSON.stringify(allowHosts);
    const known = jsonScopes.get(key) ?? scope({ allowHosts, operatorHosts: allowHosts });
    jsonScopes.set(key, known);
    return known;
  };

  return {
    propagateTrace,
    operatorRules,
    scope,
    ...createJsonClient(jsonScope),
    async close() {
      jsonScopes.clear();
      await Promise.allSettled([...open].map((one) => one.close()));
    },
  };
}

/** All addresses of a name, as the operating system knows them. */
export async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}
