/**
 * Public keys of a provider at a URL, fetched through the host's HTTP client and shared by all runs of a host: kept for
 * ten minutes, and fetched again for an unknown key id at most every thirty seconds.
 */
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from "jose";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import type { HttpClient } from "../../guard/http/http.ts";
import { loadJose } from "./jose.ts";

const KEEP_MS = 10 * 60_000;
const REFETCH_MS = 30_000;
/** The fetch serves all that wait for it, so it has a bound of its own. */
const FETCH_MS = 5_000;

/** They live as long as the client, which belongs to the host. */
const shared = new WeakMap<HttpClient, Map<string, KeySet>>();

export function keySetAt(url: string, http: HttpClient): KeySet {
  const sets = shared.get(http) ?? new Map<string, KeySet>();
  shared.set(http, sets);
  const set = sets.get(url) ?? new KeySet(url, http);
  sets.set(url, set);
  return set;
}

export class KeySet {
  readonly #url: string;
  readonly #http: HttpClient;
  #keys: LocalJWKSet | null = null;
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #refetchedAt = Number.NEGATIVE_INFINITY;
  #fetching: Promise<LocalJWKSet> | null = null;

  constructor(url: string, http: HttpClient) {
    this.#url = url;
    this.#http = http;
  }

  /**
   * The key for a token. Rejects with ADAPTER_UNAVAILABLE when the provider cannot be asked, and with jose's errors.
   */
  async key(header: JWSHeaderParameters, nowMs: number): Promise<CryptoKey> {
    const { errors } = await loadJose();
    const stale = Math.abs(nowMs - this.#fetchedAt) >= KEEP_MS;
    const keys = this.#keys === null || stale ? await this.#fetched(nowMs) : this.#keys;
    try {
      return await keys(header);
    } catch (thrown) {
      const due = Math.abs(nowMs - this.#refetchedAt) >= REFETCH_MS;
      const hopeful = due || this.#fetching !== null;
      if (!hopeful || !(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
      if (due) this.#refetchedAt = nowMs;
      return (await this.#fetched(nowMs))(header);
    }
  }

  /** One fetch at a time. */
  #fetched(nowMs: number): Promise<LocalJWKSet> {
    this.#fetching ??= this.#fetch(nowMs).finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetch(nowMs: number): Promise<LocalJWKSet> {
    const { createLocalJWKSet } = await loadJose();
    const { hostname } = new URL(this.#url);
    const request = { signal: AbortSignal.timeout(FETCH_MS), allowHosts: [hostname] };
    const { status, body } = await this.#http.getJson(this.#url, request).catch(unavailable);
    if (status !== 200) throw unavailable(undefined);
    try {
      this.#keys = createLocalJWKSet(body as unknown as JSONWebKeySet);
    } catch (cause) {
      throw adapterError("ADAPTER_BAD_DATA", "the provider's key set is malformed", { cause });
    }
    this.#fetchedAt = nowMs;
    return this.#keys;
  }
}

/** What only the operator can change stays as it is; anything else is the provider's trouble. */
export function unavailable(cause: unknown): never {
  if (cause instanceof AdapterError && !cause.retryable) throw cause;
  throw adapterError("ADAPTER_UNAVAILABLE", "the provider cannot be asked", { cause });
}
