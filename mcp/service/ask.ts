/** Requests to a runner service. What it answers is data of another process: it is read up to a bound, and its members are looked at. */
import { isObject, type JsonObject } from "../../compiler/json.ts";
import { readUrl } from "../../compiler/read-url.ts";
import { exactJson, readExactly } from "../../vm/inputs/exact-text.ts";
import { readServiceAddress, type ServiceAddress } from "../../vm/inputs/service-address.ts";

/** `body` is empty where the answer is another value than an object. */
export type ServiceAnswer = { readonly status: number; readonly headers: Headers; readonly body: JsonObject };

type Asked = {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};
export type AskService = (method: string, path: string, asked: Asked) => Promise<ServiceAnswer>;

/** No service answers, or it says more than is read. */
export class ServiceAway extends Error {
  override readonly name = "ServiceAway";
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** null for what is not an address of a service. */
export function serviceAddress(text: string): ServiceAddress | null {
  const written = text.trim();
  const url = readUrl(written);
  return url === null || url.search !== "" || url.hash !== "" ? null : readServiceAddress(written);
}

/** Rejects with ServiceAway, and with the reason of the signal. */
export function askingAt({ base, headers: credentials }: ServiceAddress): AskService {
  return async (method, path, { body, headers = {}, signal }) => {
    const sent = body === undefined ? {} : { body: exactJson(body) };
    const type: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        signal,
        redirect: "error",
        headers: { ...credentials, accept: "application/json", ...type, ...headers },
        ...sent,
      });
      const answer = readExactly(await textOf(response));
      return { status: response.status, headers: response.headers, body: isObject(answer) ? answer : {} };
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof ServiceAway) throw cause;
      throw new ServiceAway(`no service answers at ${base}`);
    }
  };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new ServiceAway("the service says more than is read of an answer");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
