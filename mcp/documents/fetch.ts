/**
 * Fetches one Markdown document for the import tools, the only requests this surface makes. They go through the guarded HTTP client of the
 * adapters, under narrower rules: https only, the default port, exact names of hosts, and a name with one address that is not public is
 * refused as a whole. Every hop is checked anew. No cookies, no credentials, no files.
 */

import { isIP } from "node:net";
import { isPublicAddress } from "../../adapters/guard/http/address.ts";
import type { HttpResponse, HttpScope } from "../../adapters/guard/http/http.ts";
import { hostOf } from "../../adapters/guard/http/rules.ts";
import { createHttpService, type HttpServiceOptions, systemAddresses } from "../../adapters/guard/http/service.ts";
import { MAX_DOCUMENT_BYTES } from "../../compiler/import/shapes.ts";
import { readUrl } from "../../compiler/read-url.ts";
import { AdapterError } from "../../vm/errors/failures.ts";

/** Why a document was not fetched: the codes of the import tools. Messages name hosts and sizes, never content. */
type FetchErrorCode =
  | "invalid_request"
  | "fetch_blocked"
  | "fetch_failed"
  | "fetch_timeout"
  | "too_large"
  | "not_text"
  | "not_utf8"
  | "too_many_redirects";

class FetchRefusal extends Error {
  readonly code: FetchErrorCode;
  /** Of the answer, when there was one. */
  readonly status: number | null;

  constructor(code: FetchErrorCode, message: string, status: number | null = null) {
    super(message);
    this.name = "FetchRefusal";
    this.code = code;
    this.status = status;
  }
}

/** Default: `weft/<version>`, and the addresses and connections of the operating system. */
export type FetcherDeps = Pick<HttpServiceOptions, "userAgent" | "resolve" | "connector">;

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
const HTTPS_PORT = 443;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TEXT_TYPE = /^(?:text\/[\w.+-]+|application\/octet-stream)[ \t]*(?:;|$)/i;

export function createDocumentFetcher({ resolve = systemAddresses, ...deps }: FetcherDeps = {}): DocumentFetcher {
  const http = createHttpService({ ...deps, resolve: (host) => publicAddresses(host, resolve) });
  return async (address, options) => {
    const deadline = AbortSignal.timeout(options.timeoutMs ?? TOTAL_MS);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    const scope = http.scope({ allowPorts: [HTTPS_PORT], maxResponseBytes: MAX_DOCUMENT_BYTES });
    try {
      return { ok: true, ...(await follow(address, { ...options, scope, signal })) };
    } catch (cause) {
      options.signal?.throwIfAborted();
      return failureOf(deadline.aborted ? new FetchRefusal("fetch_timeout", "the fetch took too long") : cause);
    } finally {
      await scope.close();
    }
  };
}

/** One address that is not public spoils them all: such a name is made to reach inside. */
async function publicAddresses(host: string, resolve: NonNullable<FetcherDeps["resolve"]>): Promise<readonly string[]> {
  const found = await resolve(host).catch(() => {
    throw new FetchRefusal("fetch_failed", `host ${host} could not be resolved`);
  });
  if (found.length === 0) throw new FetchRefusal("fetch_failed", `host ${host} has no address`);
  if (found.every(isPublicAddress)) return found;
  throw notPublic(host);
}

function notPublic(host: string): FetchRefusal {
  return new FetchRefusal("fetch_blocked", `host ${host} is not on the public internet`);
}

type Hops = FetchOptions & { readonly scope: HttpScope; readonly signal: AbortSignal };

async function follow(address: string, hops: Hops): Promise<{ markdown: string; source_url: string }> {
  let url = rawAddress(parsed(address, undefined));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await fetchHop(url, hops);
    const [location] = answer.headers.get("location") ?? [];
    if (!REDIRECTS.has(answer.status) || location === undefined)
      return { markdown: markdownOf(answer), source_url: url.href };
    url = parsed(location, url);
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

function fetchHop(url: URL, { scope, signal, onBytes, allowHosts }: Hops): Promise<HttpResponse> {
  checkAddress(url, allowHosts);
  return scope.request({
    method: "GET",
    url: url.href,
    headers: { accept: "text/*" },
    signal,
    redirect: "manual",
    wantsBody: (head) => isDocument(head),
    onBytes,
  });
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
  const address = hostOf(url);
  if (isIP(address) !== 0 && !isPublicAddress(address)) throw notPublic(host);
}

function hostName(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, "");
}

type Head = Pick<HttpResponse, "status" | "headers">;

function isDocument({ status, headers }: Head): boolean {
  const type = headers.get("content-type")?.join(", ") ?? "";
  return status === 200 && (type === "" || TEXT_TYPE.test(type));
}

function markdownOf(answer: HttpResponse): string {
  const { status, body } = answer;
  if (status !== 200) throw new FetchRefusal("fetch_failed", `the server answered ${status}`, status);
  if (!isDocument(answer)) throw new FetchRefusal("not_text", "the answer is not a text");
  const text = strictUtf8(body ?? Buffer.alloc(0));
  if (text.includes("\0")) throw new FetchRefusal("not_text", "the document is binary data");
  return text;
}

function strictUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FetchRefusal("not_utf8", "the document is not valid UTF-8");
  }
}

const BLOCKED: ReadonlySet<string> = new Set(["ADAPTER_ADDRESS_BLOCKED", "ADAPTER_HOST_BLOCKED"]);

/** A refusal may have come by way of the lookup, whose errors the client wraps. */
function failureOf(cause: unknown): FetchedDocument {
  const refusal = [cause, cause instanceof Error ? cause.cause : null].find((one) => one instanceof FetchRefusal);
  if (refusal !== undefined)
    return { ok: false, error: refusal.code, message: refusal.message, status: refusal.status };
  const code = cause instanceof AdapterError ? cause.code : "";
  if (BLOCKED.has(code)) return fetchFailure("fetch_blocked", "the host is not on the public internet");
  if (code === "ADAPTER_BAD_URL") return fetchFailure("invalid_request", "not an address; give an https URL");
  if (code === "ADAPTER_TOO_LARGE")
    return fetchFailure("too_large", `the document is larger than ${MAX_DOCUMENT_BYTES} bytes`);
  return fetchFailure("fetch_failed", cause instanceof AdapterError ? cause.message : "the connection failed");
}

function fetchFailure(error: FetchErrorCode, message: string): FetchedDocument {
  return { ok: false, error, message, status: null };
}
