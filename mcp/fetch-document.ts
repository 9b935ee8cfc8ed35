/**
 * Fetches one Markdown document for the import tools, the only requests this surface makes. Https only; every hop is checked anew: its
 * scheme, its host against the allowlist, all addresses of its name; and the connection goes to a checked address, never
 * through a second lookup. No cookies, no credentials, no files.
 */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, buildConnector, request } from "undici";
import { isPublicAddress } from "../adapters/guard/address.ts";
import { MAX_DOCUMENT_BYTES } from "../compiler/import/shapes.ts";
import { readUrl } from "../compiler/read-url.ts";
import { type FetchErrorCode, FetchRefusal } from "./fetch-refusal.ts";
import { readBody } from "./read-body.ts";

export type FetcherDeps = {
  /** `weft/1.0.0` */
  readonly userAgent: string;
  /** All addresses of a name. Default: those of the operating system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Opens a socket to `hostname`, which is a checked address here; `servername` or `host` is the name. Default: TLS 1.2 or newer. */
  readonly connect?: buildConnector.connector;
};

export type FetchOptions = {
  /** Names of hosts, exact; null: every public one; empty: none. */
  readonly allowHosts: readonly string[] | null;
  /** For everything from the first lookup to the last byte; default 15 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Bytes so far. */
  readonly onBytes?: (bytes: number) => void;
};

export type FetchedDocument =
  | { readonly ok: true; readonly markdown: string /** After redirects. */; readonly source_url: string }
  | {
      readonly ok: false;
      readonly error: FetchErrorCode;
      readonly message: string;
      /** Of the answer, when there was one. */
      readonly status: number | null;
    };

/** Rejects only when `options.signal` aborts, with its reason. */
export type DocumentFetcher = (address: string, options: FetchOptions) => Promise<FetchedDocument>;

const MAX_REDIRECTS = 3;
const TOTAL_MS = 15_000;
const CONNECT_MS = 5_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TEXT_TYPE = /^(?:text\/[\w.+-]+|application\/octet-stream)[ \t]*(?:;|$)/i;

export function createDocumentFetcher(deps: FetcherDeps): DocumentFetcher {
  const {
    userAgent,
    resolve = addressesOf,
    connect = buildConnector({ timeout: CONNECT_MS, minVersion: "TLSv1.2" }),
  } = deps;
  return async (address, options) => {
    const deadline = AbortSignal.timeout(options.timeoutMs ?? TOTAL_MS);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    try {
      return { ok: true, ...(await follow(address, { ...options, userAgent, resolve, connect, signal })) };
    } catch (cause) {
      options.signal?.throwIfAborted();
      return failureOf(deadline.aborted ? new FetchRefusal("fetch_timeout", "the fetch took too long") : cause);
    }
  };
}

type Hops = Required<FetcherDeps> & FetchOptions & { readonly signal: AbortSignal };
type Answer = { readonly markdown: string } | { readonly location: string };

async function follow(address: string, hops: Hops): Promise<{ markdown: string; source_url: string }> {
  let url = rawAddress(parsed(address, undefined));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await fetchHop(url, hops);
    if ("markdown" in answer) return { markdown: answer.markdown, source_url: url.href };
    url = parsed(answer.location, url);
  }
  throw new FetchRefusal("too_many_redirects", `more than ${MAX_REDIRECTS} redirects`);
}

function parsed(address: string, base: URL | undefined): URL {
  const url = readUrl(address, base);
  if (url === null) throw new FetchRefusal("invalid_request", "not an address; give an https URL");
  url.hash = "";
  return url;
}

/** The page of a file on github.com is HTML; the file itself stands on another host. */
function rawAddress(url: URL): URL {
  const [, owner, repository, rest] = /^\/([^/]+)\/([^/]+)\/blob\/([^/]+\/.+)$/.exec(url.pathname) ?? [];
  if (url.protocol !== "https:" || url.host !== "github.com" || rest === undefined) return url;
  return new URL(`https://raw.githubusercontent.com/${owner}/${repository}/${rest}`);
}

async function fetchHop(url: URL, hops: Hops): Promise<Answer> {
  checkAddress(url, hops.allowHosts);
  const addresses = await publicAddresses(url, hops);
  const agent = new Agent({ connect: pinnedTo(addresses, hops.connect), connections: 1, pipelining: 1 });
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: agent,
      signal: hops.signal,
      headers: { "user-agent": hops.userAgent, accept: "text/*", "accept-encoding": "gzip, deflate, br" },
    });
    // Whatever is left of a body goes with the agent; its error is nobody's concern then.
    body.on("error", () => {});
    const header = (name: string): string => [headers[name] ?? ""].flat().join(", ");
    if (REDIRECTS.has(statusCode) && header("location") !== "") return { location: header("location") };
    if (statusCode !== 200) throw new FetchRefusal("fetch_failed", `the server answered ${statusCode}`, statusCode);
    const type = header("content-type");
    if (type !== "" && !TEXT_TYPE.test(type)) throw new FetchRefusal("not_text", "the answer is not a text");
    const facts = { coding: header("content-encoding"), maxBytes: MAX_DOCUMENT_BYTES, onBytes: hops.onBytes };
    return { markdown: await readBody(body, facts) };
  } finally {
    await agent.destroy();
  }
}

function checkAddress(url: URL, allowHosts: readonly string[] | null): void {
  if (url.protocol !== "https:") throw new FetchRefusal("fetch_blocked", "only https addresses are fetched");
  if (url.username !== "" || url.password !== "") {
    throw new FetchRefusal("fetch_blocked", "addresses with a user name or password are refused");
  }
  if (url.port !== "") throw new FetchRefusal("fetch_blocked", "only the default port is allowed");
  const host = hostName(url.hostname);
  if (allowHosts !== null && !allowHosts.some((allowed) => hostName(allowed) === host)) {
    throw new FetchRefusal("fetch_blocked", `host ${host} is not on the list of hosts to import from`);
  }
}

function hostName(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, "");
}

/** Addresses to connect to. One that is not public spoils them all: such a name is made to reach inside. */
async function publicAddresses(url: URL, { resolve, signal }: Hops): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolved(host, resolve, signal) : [host];
  if (addresses.length === 0) throw new FetchRefusal("fetch_failed", `host ${host} has no address`);
  if (!addresses.every(isPublicAddress)) {
    throw new FetchRefusal("fetch_blocked", `host ${host} is not on the public internet`);
  }
  return addresses;
}

/** A lookup cannot be aborted, but waiting for it can. */
async function resolved(
  host: string,
  resolve: (host: string) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  return new Promise((settle, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason), { once: true });
    resolve(host).then(settle, () => fail(new FetchRefusal("fetch_failed", `host ${host} could not be resolved`)));
  });
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/** Connects to the first of the addresses that answers; the certificate is still checked against the name. */
function pinnedTo(addresses: readonly string[], connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const attempt = (index: number): void => {
      connect({ ...options, hostname: addresses[index] ?? "" }, (...outcome) => {
        if (outcome[0] !== null && index + 1 < addresses.length) attempt(index + 1);
        else callback(...outcome);
      });
    };
    attempt(0);
  };
}

function failureOf(cause: unknown): FetchedDocument {
  if (cause instanceof FetchRefusal) {
    return { ok: false, error: cause.code, message: cause.message, status: cause.status };
  }
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const known = /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
  return { ok: false, error: "fetch_failed", message: `the connection failed${known}`, status: null };
}
