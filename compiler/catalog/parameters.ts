/** What calls of adapters take, by the names that a program uses: for the fix that puts arguments with names in order. */
import type { CallParameters } from "../../grammar/indented/repair/arguments.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../catalog.ts";

/** Names of Python's and JavaScript's clients for arguments of ours. */
const ALSO_CALLED: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({
    http: { json: "body", timeout: "timeout_s", params: "query" },
    llm: { messages: "prompt" },
    memory: { ttl: "ttl_seconds" },
    queue: { delay: "delay_s", ttl: "ttl_s" },
  }).map(([adapter, names]) => [adapter, new Map(Object.entries(names))]),
);
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * By `adapter.verb`, options that clients of other languages call the same. Others are refused by the run, so no fix puts them into the map.
 * Exported for tests.
 */
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

/** By `adapter.verb`. Null where the catalog does not know them, or some may be repeated. */
export function parametersOf(catalog: AdapterCatalog): (call: string) => CallParameters | null {
  return (call) => {
    const [, name = "", verb = ""] = /^(\w+)\.(\w+)$/.exec(call) ?? [];
    const isForeign = HTTP_CLIENTS.has(name);
    const entry = findAdapter(catalog, isForeign ? "http" : name);
    const found = entry && findVerb(entry, verb);
    const parameters = found?.parameters;
    if (entry === undefined || parameters == null) return null;
    // `namespace_or_key`: how many there are says what each is.
    if (parameters.some(({ repeat, name: called }) => repeat || called.includes("_or_"))) return null;
    const takesOptions = parameters.at(-1)?.name === "options";
    return {
      call: isForeign ? `http.${found?.name}` : call,
      inOrder: parameters
        .slice(0, takesOptions ? -1 : undefined)
        .map(({ name: called, optional }) => ({ name: called, isOptional: optional })),
      options: takesOptions ? (KNOWN_OPTIONS.get(`${entry.name}.${found?.name}`) ?? []) : null,
      alsoCalled: ALSO_CALLED.get(entry.name) ?? NO_NAMES,
    };
  };
}
