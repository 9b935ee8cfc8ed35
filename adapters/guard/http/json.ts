/** JSON to and from servers that an operator named, by any client that makes guarded scopes. */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { parsedDocument } from "../../content/json-document.ts";
import { adapterError } from "../../errors.ts";
import type { HttpClient, HttpRequest, HttpScope, JsonAnswer, JsonRequest } from "./http.ts";

type Sent = { readonly type: string; readonly text: string };

/** `scopeFor`: the scope of requests to these hosts, the same for the same list. */
export function createJsonClient(scopeFor: (allowHosts: readonly string[]) => Pick<HttpScope, "request">): HttpClient {
  const ask = async (method: string, url: string, request: JsonRequest, sent?: Sent): Promise<JsonAnswer> => {
    const { signal, headers = {}, allowHosts } = request;
    const typed: HttpRequest["headers"] = sent === undefined ? headers : { "content-type": sent.type, ...headers };
    const body = sent === undefined ? null : Buffer.from(sent.text);
    const answer = await scopeFor(allowHosts).request({ method, url, headers: typed, body, signal });
    return { status: answer.status, body: await jsonOf(answer.status, answer.body) };
  };
  return {
    getJson: (url, request) => ask("GET", url, request),
    postForm(url, form, request) {
      const text = new URLSearchParams(form).toString();
      return ask("POST", url, request, { type: "application/x-www-form-urlencoded", text });
    },
    sendJson: (method, url, body, request) =>
      ask(method, url, request, { type: "application/json", text: JSON.stringify(body) }),
  };
}

async function jsonOf(status: number, body: Buffer | null): Promise<Json> {
  try {
    return await parsedDocument(new TextDecoder("utf-8", { fatal: true }).decode(body ?? Buffer.alloc(0)));
  } catch (cause) {
    if (cause instanceof AdapterError) throw cause;
    if (status < 200 || status > 299) return null;
    throw adapterError("ADAPTER_BAD_DATA", "the answer is not JSON", { cause });
  }
}
