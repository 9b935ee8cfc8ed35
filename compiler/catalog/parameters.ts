/** What calls of adapters take, by the names that a program uses: for the fix that puts arguments with names in order. */
import type { CallParameters } from "../../grammar/indented/repair/arguments.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../catalog.ts";

/** Names of Python's and JavaScript's clients for arguments of ours. */
const ALSO_CALLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: { json: "body", timeout: "timeout_s", params: "query" },
  llm: { messages: "prompt" },
};

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
    if (entry === undefined || parameters == null || parameters.some(({ repeat }) => repeat)) return null;
    const takesOptions = parameters.at(-1)?.name === "options";
    return {
      call: isForeign ? `http.${found?.name}` : call,
      inOrder: parameters
        .slice(0, takesOptions ? -1 : undefined)
        .map(({ name: called, optional }) => ({ name: called, isOptional: optional })),
      takesOptions,
      alsoCalled: ALSO_CALLED[entry.name] ?? {},
    };
  };
}
