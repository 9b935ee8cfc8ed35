/**
 * The conversation with one plugin process, from its start to its end: requests with an id, their answers, and what the plugin says
 * by itself. Who breaks the rules of the protocol is ended; whatever was under way then fails with ADAPTER_TRANSPORT.
 */
import { type Json, type JsonObject, setMember } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { lineSafe } from "../../../vm/values/json-line.ts";
import type { RunningProcess } from "../../engine/process/service.ts";
import type { Timers } from "../../engine/timers.ts";
import { adapterError, cancelledCall, isAdapterCode, retryableByCode } from "../../errors.ts";
import { LineReader, MAX_LINE_BYTES } from "./lines.ts";

export type ChannelDeps = {
  readonly timers: Timers;
  /** A message that is not an answer: `log` or `host`. */
  heard(message: JsonObject): void;
  /** The process is over without being told to; `fault` says which rule it broke, null that it ended by itself. */
  ended(fault: string | null): void;
  /** Whether a code that is in no table is one of the plugin. */
  isOwnCode(code: string): boolean;
  /** Texts of the plugin without what must not be shown. */
  scrubbed(text: string): string;
};

export type Request = {
  readonly type: "spec" | "open" | "call" | "check" | "close";
  readonly members?: JsonObject;
  /** Fires when the caller no longer waits: the plugin is notified, and killed when it does not answer soon. */
  readonly signal?: AbortSignal | undefined;
  /** How long an answer may take before the process is ended. */
  readonly timeoutMs?: number;
  /** Told the id before the request is sent. */
  readonly sent?: (id: number) => void;
};

type Pending = { resolve(result: Json): void; reject(error: AdapterError): void };

/** How long a plugin may take to answer a cancelled call. */
const CANCEL_MS = 1000;
const MAX_QUEUED_BYTES = 4 * MAX_LINE_BYTES;
const MAX_MESSAGE = 300;

export class Channel {
  readonly #process: RunningProcess;
  readonly #deps: ChannelDeps;
  readonly #pending = new Map<number, Pending>();
  #ids = 0;
  #over = false;
  /** Which rule it broke. */
  #fault: string | null = null;

  constructor(process: RunningProcess, deps: ChannelDeps) {
    this.#process = process;
    this.#deps = deps;
    const reader = new LineReader(
      (message) => this.#heard(message),
      (fault) => this.break(fault),
    );
    process.stdout.on("data", (chunk: Uint8Array) => reader.take(chunk));
    void process.ended.then(() => this.#end(null));
  }

  get over(): boolean {
    return this.#over;
  }

  /** Rejects with AdapterError: the plugin's own, or TRANSPORT, CANCELLED, TIMEOUT, TOO_LARGE, BUSY. */
  request({ type, members = {}, signal, timeoutMs, sent }: Request): Promise<Json> {
    if (this.#over) return Promise.reject(this.#lost());
    if (signal?.aborted) return Promise.reject(cancelledCall());
    this.#ids += 1;
    const id = this.#ids;
    return new Promise((resolve, reject) => {
      let stop = (): void => {};
      const settled = (): void => {
        stop();
        signal?.removeEventListener("abort", abandon);
        this.#pending.delete(id);
      };
      const abandon = (): void => {
        reject(cancelledCall());
        this.#post({ type: "cancel", id });
        stop();
        stop = this.#deps.timers.after(CANCEL_MS, () => this.break("a cancelled call is not answered within 1 s"));
      };
      this.#pending.set(id, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      if (timeoutMs !== undefined)
        stop = this.#deps.timers.after(timeoutMs, () => {
          reject(adapterError("ADAPTER_TIMEOUT", "the plugin does not answer"));
          this.break(`${type} is not answered in time`);
        });
      signal?.addEventListener("abort", abandon, { once: true });
      sent?.(id);
      const refused = this.#post({ type, id, ...members });
      if (refused !== null) this.#pending.get(id)?.reject(refused);
    });
  }

  /** Answers a request of the plugin. */
  answer(id: Json, outcome: { readonly result: Json } | { readonly error: JsonObject }): void {
    const refused = this.#post({ type: "host", id, ...outcome });
    if (refused !== null) this.#post({ type: "host", id, error: { code: refused.code, message: refused.message } });
  }

  /** Ends the process at once, because it broke a rule. */
  break(fault: string): void {
    if (this.#over) return;
    this.#process.kill();
    this.#end(fault);
  }

  /** Ends the process at once, because it is not needed any more. */
  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#process.kill();
    this.#drop();
  }

  /** null: it is on its way. */
  #post(message: JsonObject): AdapterError | null {
    if (this.#over) return null;
    const line = Buffer.from(`${lineSafe(JSON.stringify(message))}\n`);
    if (line.length > MAX_LINE_BYTES) return adapterError("ADAPTER_TOO_LARGE", "a message has at most 8 MiB");
    const { stdin } = this.#process;
    if (stdin.writableLength + line.length > MAX_QUEUED_BYTES)
      return adapterError("ADAPTER_BUSY", "the plugin does not read its messages");
    stdin.write(line);
    return null;
  }

  #heard(message: JsonObject): void {
    if (message["type"] === "log" || message["type"] === "host") {
      this.#deps.heard(message);
      return;
    }
    const { id, error, result } = message as { id?: Json; error?: Json; result?: Json };
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending === undefined) this.break("a message is neither an answer nor of a known type");
    else if (error === undefined || error === null) pending.resolve(result ?? null);
    else pending.reject(this.#errorOf(error));
  }

  #errorOf(value: Json): AdapterError {
    const said = (typeof value === "object" && !Array.isArray(value) ? value : {}) as JsonObject;
    const { code, message, retryable, retry_after_ms, data = null } = said;
    if (typeof code !== "string" || !/^ADAPTER_[A-Z][A-Z0-9_]{0,60}$/.test(code))
      return adapterError("ADAPTER_FAILED", "the plugin failed without a code");
    // Only the whole run is cancelled, and then no caller waits for this call.
    if (code === "ADAPTER_CANCELLED" || !(isAdapterCode(code) || this.#deps.isOwnCode(code)))
      return adapterError("ADAPTER_FAILED", "the plugin failed with a code that is not its own");
    const text = typeof message === "string" ? this.#deps.scrubbed(message).slice(0, MAX_MESSAGE) : "the plugin failed";
    return new AdapterError(code, text, {
      retryable: typeof retryable === "boolean" ? retryable : retryableByCode(code),
      retryAfterMs: typeof retry_after_ms === "number" ? retry_after_ms : null,
      data: this.#scrubbed(data),
    });
  }

  /** Recursion follows the nesting of a line, which is bounded. */
  #scrubbed(value: Json): Json {
    if (typeof value === "string") return this.#deps.scrubbed(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((one: Json) => this.#scrubbed(one));
    const clean: { [name: string]: Json } = {};
    for (const [name, one] of Object.entries(value)) setMember(clean, this.#deps.scrubbed(name), this.#scrubbed(one));
    return clean;
  }

  #end(fault: string | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#fault = fault;
    this.#drop();
    this.#deps.ended(fault);
  }

  #drop(): void {
    for (const pending of [...this.#pending.values()]) pending.reject(this.#lost());
  }

  /** Says which rule was broken: who writes a plugin sees the error of a call before the log. */
  #lost(): AdapterError {
    const why = this.#fault === null ? "" : `: ${this.#fault}`;
    return adapterError("ADAPTER_TRANSPORT", `the process of the plugin ended${why}`);
  }
}
