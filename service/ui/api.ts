/** Requests to the service this page came from. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** An answer that is an error: its code (the HTTP status where the body has none), its sentence, and the rest of the body. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: JsonObject;

  constructor(status: number, body: JsonObject) {
    super(typeof body["message"] === "string" ? body["message"] : `the service answered ${status}`);
    this.status = status;
    this.code = typeof body["error"] === "string" ? body["error"] : String(status);
    this.body = body;
  }
}

export async function get<T = JsonObject>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { headers: { accept: "application/json" }, ...(signal === undefined ? {} : { signal }) });
}

/** A request that changes something. The header tells the service that this page sent it, which no form of another page can. */
export async function send<T = JsonObject>(
  method: string,
  path: string,
  body?: unknown,
  signal: AbortSignal | null = null,
): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json", "x-wf-ui": "1" };
  if (body === undefined) return ask<T>(path, { method, headers, signal });
  headers["content-type"] = "application/json";
  return ask<T>(path, { method, headers, body: JSON.stringify(body), signal });
}

async function ask<T>(path: string, options: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, options);
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new Refused(0, { error: "server_unreachable", message: "the service cannot be reached" });
  }
  const body = await bodyOf(answer);
  if (!answer.ok) throw new Refused(answer.status, body);
  return body as T;
}

async function bodyOf(answer: Response): Promise<JsonObject> {
  const text = await answer.text();
  if (text === "") return {};
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as JsonObject) : {};
  } catch {
    return { message: "the response is not JSON" };
  }
}
