/**
 * Who may ask: a page of another site must not be able to run programs through a developer's browser, neither by sending a request
 * across origins nor by a name that suddenly points at this machine. Not authentication; a proxy does that.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { faults, ServiceFault } from "../wire/errors.ts";

export type OriginRules = {
  /** The service can be reached from this machine only. */
  readonly loopbackOnly: boolean;
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
};

/** Pages that ask for no referrer send their forms without an origin. What they prove instead, their routes check. */
const FORMS = /^\/a\//;

/**
 * A check of host and origin that remembers the name that it found right last: nearly every request asks by the same. `ownOrigins`: the route looks at the
 * origin itself.
 */
export function createOriginCheck(
  rules: OriginRules,
): (headers: IncomingHttpHeaders, url: string, ownOrigins: boolean) => void {
  let rightHost: string | undefined;
  return (headers, url, ownOrigins) => {
    const { origin, host } = headers;
    if (origin === undefined && host !== undefined && host === rightHost) return;
    checkHost(headers, rules);
    const isOwn = ownOrigins || (FORMS.test(url) && origin?.trim() === "null");
    if (!isOwn && isForeignOrigin(headers, rules.allowedOrigins))
      throw new ServiceFault("forbidden_origin", "requests of other origins are refused");
    rightHost = host;
  };
}

/** A name or an address, and maybe a port. What merely begins or ends like one would be taken for another by somebody else. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~!$&'()*+,;=%-]+)(?::[0-9]{0,5})?$/;

/** Throws ServiceFault invalid_request or forbidden_host. */
function checkHost(headers: IncomingHttpHeaders, rules: OriginRules): void {
  const host = (headers.host ?? "").trim().toLowerCase();
  if (host !== "" && !HOST.test(host)) throw refused("host", "the Host header is not a name or an address");
  if (rules.loopbackOnly && host !== "" && !isLoopback(hostName(host)) && !isAllowedHost(host, rules.allowedHosts))
    throw new ServiceFault("forbidden_host", "this service answers under loopback names only");
}

/** Whether the page that asks is neither of this origin nor of one that the operator allows. */
export function isForeignOrigin(headers: IncomingHttpHeaders, allowedOrigins: readonly string[]): boolean {
  const origin = headers.origin?.trim().toLowerCase();
  if (origin === undefined || allowedOrigins.includes(origin)) return false;
  const host = (headers.host ?? "").trim().toLowerCase();
  return host === "" || (origin !== `http://${host}` && origin !== `https://${host}`);
}

/** Headers that must not be repeated, by the length of their names, which is compared first because most headers are others. */
const SAID_ONCE: readonly (string | undefined)[] = [
  "Host",
  "Content-Type",
  "Idempotency-Key",
  "WF-On-Disconnect",
].reduce((names: (string | undefined)[], name) => {
  names[name.length] = name;
  return names;
}, []);

/**
 * Throws ServiceFault invalid_request. Of what stands twice the first would be read here, and maybe the other one by the proxy in front.
 * A request has a Host, which only those of HTTP/1.0 may leave out; a target that names a host names the same.
 */
export function checkHeaderLines({ rawHeaders, httpVersion, url = "", headers }: IncomingMessage): void {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const once = SAID_ONCE[name.length];
    if (once === undefined || (name !== once && name.toLowerCase() !== once.toLowerCase())) continue;
    if (seen.includes(once)) throw refused(once === "Host" ? "host" : "duplicate", `send one ${once} header`);
    seen.push(once);
  }
  if (!seen.includes("Host") && httpVersion !== "1.0") throw refused("host", "send one Host header");
  const [, named, next] = url.startsWith("/") ? [] : (/^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.?)/i.exec(url) ?? []);
  if (named !== undefined && next !== "/")
    throw refused("host", "the target of the request has no path: write / after the host");
  if (named !== undefined && headers.host !== undefined && named.toLowerCase() !== headers.host.trim().toLowerCase())
    throw refused("host", "the target of the request and its Host header name different hosts");
}

function refused(code: string, message: string): ServiceFault {
  return faults.invalidRequest([{ path: "", code, message }], "headers");
}

const LOOPBACK = /^127(?:\.(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}$/;

/** True for addresses and names that only this machine can reach. */
export function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || LOOPBACK.test(name);
}

function hostName(host: string): string {
  if (host.startsWith("[")) return host.slice(1, host.indexOf("]"));
  return host.replace(/:[0-9]*$/, "");
}

function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  return allowed.includes(host) || allowed.includes(hostName(host));
}
