/** By `adapter.verb`, options that clients of other languages call the same. */
export const KNOWN_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "http.Get": "query response accept_status redirect max_redirects auth",
    "http.Post": "query response accept_status redirect auth body_type idempotency_key",
    "http.Put": "query response accept_status redirect auth body_type",
    "http.Patch": "query response accept_status redirect auth body_type idempotency_key",
    "db.F": "fields order_by limit offset timeout_s",
    "llm.chat": "model system max_tokens temperature timeout_s schema",
    "llm.classify": "model system timeout_s",
    "llm.extract": "model system max_tokens temperature timeout_s",
    "cache.get": "default meta",
    "cache.set": "ttl_s if_absent if_version",
    "cache.incr": "by ttl_s idempotency_key",
    "queue.Put": "delay_s ttl_s priority dedupe_key idempotency_key",
    "signal.wait": "key timeout",
    "approval.ask": "details choices to need timeout form",
  }).map(([call, names]) => [call, names.split(" ")]),
);

/** Of other languages, whose calls http has. */
export const HTTP_CLIENTS: ReadonlySet<string> = new Set([
  "requests",
  "httpx",
  "axios",
  "urllib",
  "got",
  "ky",
  "superagent",
]);
