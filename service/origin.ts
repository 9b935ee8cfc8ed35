/**
 * Who may ask: a page of another site must not be able to run programs through a developer's browser, neither by sending a request
 * across origins nor by a name that suddenly points at this machine. Not authentication; a proxy does that.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { faults, ServiceFault } from "./errors.ts";

export type OriginRules = {
  /** The service can be reached from this machine only. */
  readonly loopbackOnly: boolean;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
};

/** `checkOrigin`, which remembers the name that it found right last: nearly every request asks by the same. */
export function createOriginCheck(rules: OriginRules): (headers: IncomingHttpHeaders) => void {
  let rightHost: string | undefined;
  return (headers) => {
    const { origin, host } = headers;
    if (origin === undefined && host !== undefined && host === rightHost) return;
    checkOrigin(headers, rules);
    rightHost = host;
  };
}

/** Throws ServiceFault forbidden_origin or forbidden_host. */
function checkOrigin(headers: IncomingHttpHeaders, rules: OriginRules): void {
  const host = (headers.host ?? "").trim().toLowerCase();
  if (rules.loopbackOnly && host !== "" && !isLoopback(hostName(host)) && !isAllowedHost(host, rules.allowedHosts))
    throw new ServiceFault("forbidden_host", "this service answers under loopback names only");
  const origin = headers.origin?.trim().toLowerCase();
  if (origin === undefined || rules.allowedOrigins.includes(origin)) return;
  if (host !== "" && (origin === `http://${host}` || origin === `https://${host}`)) return;
  throw new ServiceFault("forbidden_origin", "requests of other origins are refused");
}

/**
 * Throws ServiceFault invalid_request. A request has one Host; only those of HTTP/1.0 may have none. Of several the first would be read here,
 * and maybe another one by the proxy in front.
 */
export function checkHostLines({ rawHeaders, httpVersion }: IncomingMessage): void {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") lines += 1;
  }
  if (lines === 1 || (lines === 0 && httpVersion === "1.0")) return;
  throw faults.invalidRequest([{ path: "", code: "host", message: "send one Host header" }], "headers");
}

/** True for addresses and names that only this machine can reach. */
export function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.[0-9]{1,3}){3}$/.test(name);
}

function hostName(host: string): string {
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  return host.replace(/:[0-9]*$/, "");
}

function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  return allowed.includes(host) || allowed.includes(hostName(host));
}
