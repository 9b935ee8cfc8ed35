/** How the service is asked: one request for each call, under the guard of the host. Whoever tries again is the program. */
import { adapterError } from "weft-runner/adapter";

/** A client of one run. `http` is the service of the host. */
export function openClient(http, base, key) {
  if (http === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "weather needs the http service of the host");
  if (key === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "the secret WEATHER_KEY is missing");
  // The operator gives the address, so it may be a private one.
  const hosts = [new URL(base).host];
  const scope = http.scope({ allowHosts: hosts, operatorHosts: hosts });
  return {
    /** What the service answers to a question; rejects for everything that is no answer. */
    async ask(what, query, signal) {
      const url = new URL(`${base.replace(/\/$/, "")}/v1/${what}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      // Credentials go to no other origin, wherever the service redirects.
      const credentials = { authorization: `Bearer ${key}` };
      const { status, headers, body } = await scope.request({ method: "GET", url: url.href, credentials, signal });
      if (status !== 200) throw refusal(status, headers);
      return answerIn(body);
    },
    close: () => scope.close(),
  };
}

function refusal(status, headers) {
  if (status === 404) return adapterError("ADAPTER_NOT_FOUND", "the service does not know this city");
  if (status === 401) return adapterError("ADAPTER_NOT_CONFIGURED", "the service does not accept the key");
  if (status === 429) {
    const seconds = Number(headers.get("retry-after")?.[0] ?? 1);
    return adapterError("ADAPTER_RATE_LIMITED", "the service asks to wait", { retryAfterMs: seconds * 1000 });
  }
  const code = status >= 500 ? "ADAPTER_UNAVAILABLE" : "ADAPTER_FAILED";
  return adapterError(code, "the service refused the request", { data: { status } });
}

function answerIn(body) {
  try {
    const answer = JSON.parse(body.toString("utf8"));
    if (typeof answer === "object" && answer !== null) return answer;
  } catch {
    // What is no JSON is bad data like anything else that is no object.
  }
  throw adapterError("ADAPTER_BAD_DATA", "the service did not answer with an object");
}
