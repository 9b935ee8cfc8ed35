/**
 * Where the requests of a scope may go: from a text to a checked URL, host and port against patterns, and addresses by what they lead
 * to. Names are resolved elsewhere; what was resolved is judged here. Messages never show the address that was refused.
 */

import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { readUrl } from "../../../compiler/read-url.ts";
import { admitsHost } from "../../../vm/grant/host-patterns.ts";
import { adapterError } from "../../errors.ts";
import { addressKind } from "./address.ts";
import type { HttpScopeOptions } from "./http.ts";

/** Names that no public server has. */
const LOCAL_NAME = /^[^.]+$|\.(?:local|internal|localhost|lan|home\.arpa|test)$/;

export type HostRules = {
  /** Throws HOST_BLOCKED, and ADDRESS_BLOCKED for an address in place of a name. */
  admit(host: string, port: number): void;
  /** Of the addresses of a name, those that may be connected to. Throws ADDRESS_BLOCKED when none is left. */
  reachable(host: string, port: number, addresses: readonly string[]): readonly string[];
};

type RuleOptions = Pick<HttpScopeOptions, "allowHosts" | "operatorHosts" | "allowPorts"> & {
  readonly allowPrivate: boolean;
  /** A proxy resolves the names: one that is local leads into the proxy's own network. */
  readonly viaProxy: boolean;
};

export function createHostRules(options: RuleOptions): HostRules {
  const { allowPorts, allowPrivate, viaProxy } = options;
  const allowed = options.allowHosts?.map(asciiPattern);
  const operators = (options.operatorHosts ?? []).map(asciiPattern);

  /**
   * Whether the operator named `host`: an address, or a name that is local anyway. Wildcards do not count, and neither does
   * `allowHosts`: callers narrow that list, so naming a host there must never admit an address inside.
   */
  const isNamed = (host: string, port: number): boolean =>
    (isIP(host) !== 0 || LOCAL_NAME.test(host)) &&
    operators.some((pattern) => !pattern.startsWith("*.") && admitsHost(pattern, host, port));
  const admitsPrivate = (host: string, port: number): boolean => allowPrivate || isNamed(host, port);

  const mayReach = (host: string, port: number, address: string): boolean => {
    switch (addressKind(address)) {
      case "public":
        return true;
      case "private":
        return admitsPrivate(host, port);
      case "reserved":
        return isNamed(host, port);
      case null:
        return false;
    }
  };

  return {
    admit(host, port) {
      const listed = allowed?.some((pattern) => admitsHost(pattern, host, port)) ?? true;
      if (!listed) throw adapterError("ADAPTER_HOST_BLOCKED", "the host is not on the list of allowed hosts");
      if (allowPorts?.includes(port) === false)
        throw adapterError("ADAPTER_HOST_BLOCKED", "the port is not on the list of allowed ports");
      const inside =
        isIP(host) === 0
          ? viaProxy && LOCAL_NAME.test(host) && !admitsPrivate(host, port)
          : !mayReach(host, port, host);
      if (inside) throw addressBlocked();
    },
    reachable(host, port, addresses) {
      const left = addresses.filter((address) => mayReach(host, port, address));
      if (left.length === 0) throw addressBlocked();
      return left;
    },
  };
}

/** A URL that may be asked for as far as its text tells, without fragment. Throws BAD_URL. */
export function parsedUrl(text: string, base?: URL): URL {
  const url = readUrl(text, base);
  if (url === null) throw badUrl("it is not an absolute address");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw badUrl("only http and https are spoken");
  if (url.username !== "" || url.password !== "") throw badUrl("it holds a user name or password");
  // A trailing dot means the same host, but neither certificates nor virtual hosts know it.
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  if (url.hostname === "" || /^\.|\.\.|\.$/.test(url.hostname)) throw badUrl("the host is not a valid name");
  url.hash = "";
  return url;
}

/** Name or address, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

export function badUrl(why: string): Error {
  return adapterError("ADAPTER_BAD_URL", `the URL cannot be used: ${why}`);
}

function addressBlocked(): Error {
  return adapterError(
    "ADAPTER_ADDRESS_BLOCKED",
    "the host is not on the public internet, and the operator's allow_hosts does not name it; settings of a program or a request cannot admit it",
  );
}

/** Patterns are written with letters of any script, URLs have them encoded. */
function asciiPattern(pattern: string): string {
  const [, wildcard = "", name = "", port = ""] = /^(\*\.)?([^:[\]/]*)(:[0-9]+)?$/.exec(pattern.trim()) ?? [];
  return /^[ -~]*$/.test(name) ? pattern : `${wildcard}${domainToASCII(name)}${port}`;
}
