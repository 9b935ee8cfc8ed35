/** The HTTP client of tests: Node's own, without any guard, for servers of the test on this machine. */
import { request } from "node:http";
import type { HttpAnswer, HttpClient, HttpRequest } from "../../../adapters/auth/http-client.ts";
import { adapterError } from "../../../adapters/errors.ts";
import type { Json } from "../../../compiler/json.ts";

type Sent = { readonly type: string; readonly text: string };

function ask(method: string, url: string, { signal, headers = {}, allowHosts }: HttpRequest, sent?: Sent) {
  return new Promise<HttpAnswer>((resolve, reject) => {
    if (!allowHosts.includes(new URL(url).hostname)) throw new Error("a host that was not asked for");
    const typed = sent === undefined ? headers : { ...headers, "content-type": sent.type };
    const failed = (cause: unknown) => reject(adapterError("ADAPTER_TRANSPORT", "the connection failed", { cause }));
    const asked = request(url, { method, headers: typed, signal, agent: false }, async (response) => {
      try {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Json });
      } catch (thrown) {
        const malformed = thrown instanceof SyntaxError;
        if (malformed) reject(adapterError("ADAPTER_BAD_DATA", "the body is not JSON", { cause: thrown }));
        else failed(thrown);
      }
    });
    asked.on("error", failed);
    asked.end(sent?.text);
  });
}

export const plainHttpClient: HttpClient = {
  getJson: (url, options) => ask("GET", url, options),
  postForm: (url, form, options) => {
    const text = new URLSearchParams(form).toString();
    return ask("POST", url, options, { type: "application/x-www-form-urlencoded", text });
  },
  sendJson: (method, url, body, options) =>
    ask(method, url, options, { type: "application/json", text: JSON.stringify(body) }),
};
