/** Requests to one service: sent, retried where that has no second effect, and read. Uses `fetch` and nothing of Node. */
import type { ErrorBody } from "./api-types.ts";
import { retriesOf, WeftError, type WeftErrorCode } from "./errors.ts";

/** How a client reaches its service. */
export type WireOptions = {
  /** Where the service is, such as `http://127.0.0.1:8770`. */
  readonly server: string;
  /** Sent with every request, for a proxy that asks for credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a request is sent again after it failed. Default 4. */
  readonly retries?: number;
  /** Milliseconds until an answer begins; default: no bound but that of `signal`. */
  readonly timeoutMs?: number;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch;
  /** For tests: waits, and chance from 0 up to 1. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random?: () => number;
};

export type Call = {
  readonly signal?: AbortSignal | undefined;
};

type Sent = Call & {
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The request has one effect however often it is sent: it reads, replaces, or has a key. */
  readonly repeatable: boolean;
};

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;

export class Wire {
  readonly #base: string;
  readonly #options: WireOptions;

  /** Throws TypeError for an address that is not http or https. */
  constructor(options: WireOptions) {
    const { protocol } = new URL(options.server);
    if (protocol !== "http:" && protocol !== "https:")
      throw new TypeError("the address of the server must look like http://127.0.0.1:8770");
    this.#base = options.server.replace(/\/+$/, "");
    this.#options = options;
  }

  /** The JSON of an answer. Rejects with WeftError, and with the reason of `signal`. */
  async json<T>(method: string, path: string, sent: Sent): Promise<T> {
    return this.retried(sent, async () => {
      const response = await this.#answer(method, path, sent);
      return (await jsonIn(response, sent.signal)) as T;
    });
  }

  /** An answer whose body is read as it comes. Only the request is retried, never what was read of it. */
  async open(method: string, path: string, sent: Sent): Promise<Response> {
    return this.retried(sent, () => this.#answer(method, path, sent));
  }

  /** Does something again as long as it fails with a code that passes. */
  async retried<T>({ repeatable, signal }: Pick<Sent, "repeatable" | "signal">, once: () => Promise<T>): Promise<T> {
    const { retries = 4 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await once();
      } catch (thrown) {
        if (!(thrown instanceof WeftError)) throw thrown;
        // What was refused before it began may be sent again in any case.
        const may = repeatable || isRefusal(thrown);
        if (!may || attempt >= retriesOf(thrown.code, retries)) throw thrown;
        await this.pause(attempt, thrown.retryAfterMs, signal);
      }
    }
  }

  /** Waits before attempt `attempt` + 1: as long as the service asks, else twice as long each time. */
  async pause(attempt: number, retryAfterMs: number | null, signal: AbortSignal | undefined): Promise<void> {
    const { sleep = platformSleep, random = Math.random } = this.#options;
    const growing = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + random() / 2);
    await sleep(Math.min(MAX_WAIT_MS, retryAfterMs ?? growing), signal);
    signal?.throwIfAborted();
  }

  async #answer(method: string, path: string, { query = {}, headers, body, signal }: Sent): Promise<Response> {
    const { fetch: send = fetch, headers: common, timeoutMs } = this.#options;
    signal?.throwIfAborted();
    const bound = timeoutMs === undefined ? null : new AbortController();
    const timer = bound === null ? undefined : setTimeout(() => bound.abort(), timeoutMs);
    const signals = [signal, bound?.signal].filter((one) => one !== undefined);
    try {
      const response = await send(`${this.#base}${path}${queryText(query)}`, {
        method,
        headers: {
          ...common,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      });
      if (response.ok) return response;
      throw await refusalOf(response, signal);
    } catch (cause) {
      if (cause instanceof WeftError || signal?.aborted) throw cause;
      throw new WeftError("unreachable", `no service answers at ${this.#base}`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The service said so before it did anything. */
function isRefusal({ code }: WeftError): boolean {
  return code === "server_busy" || code === "rate_limited" || code === "queue_full" || code === "draining";
}

/** Rejects with `unreachable` when the connection breaks, and with `bad_answer`. */
async function jsonIn(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new WeftError("unreachable", "the connection broke within an answer", { status: response.status, cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new WeftError("bad_answer", "the answer is not JSON", { status: response.status, cause });
  }
}

async function refusalOf(response: Response, signal: AbortSignal | undefined): Promise<WeftError> {
  const retryAfterMs = waitOf(response.headers.get("retry-after"));
  const { status } = response;
  const body = await jsonIn(response, signal).catch((thrown: unknown) => {
    if (signal?.aborted) throw thrown;
    return null;
  });
  if (isErrorBody(body)) return new WeftError(body.error, body.message, { status, body, retryAfterMs });
  // A proxy in front speaks for a service that is not there.
  const code: WeftErrorCode =
    status === 429 ? "rate_limited" : status >= 502 && status <= 504 ? "unreachable" : "bad_answer";
  return new WeftError(code, `the server answered ${status} and not as a Weft service does`, { status, retryAfterMs });
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== "object" || value === null) return false;
  const { error, message } = value as { readonly error?: unknown; readonly message?: unknown };
  return typeof error === "string" && typeof message === "string";
}

function waitOf(header: string | null): number | null {
  const seconds = header === null || header.trim() === "" ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}

function queryText(query: NonNullable<Sent["query"]>): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    parts.append(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = parts.toString();
  return text === "" ? "" : `?${text}`;
}

function platformSleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", cut);
      resolve();
    }, ms);
    signal?.addEventListener("abort", cut, { once: true });
  });
}
