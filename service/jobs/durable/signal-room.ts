/**
 * The bound of all signals that are kept under keys. A key is whatever a sender writes, so bounds by key alone would bound nothing. What is
 * kept is counted once a second, and in between along with what is sent: replicas may exceed the bound by what they take in a second.
 */
import type { NewSignal, SignalSent } from "./waits.ts";

/** `bytes`: of their data as JSON. */
export type KeptSignals = { readonly signals: number; readonly bytes: number };

/** Defaults. */
export const MAX_KEPT_SIGNALS: KeptSignals = { signals: 100_000, bytes: 64 * 1024 * 1024 };
const COUNTED_MS = 1000;

type Deps = {
  readonly most: KeptSignals;
  readonly count: () => Promise<KeptSignals>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export class SignalRoom {
  readonly #deps: Deps;
  #kept: KeptSignals = { signals: 0, bytes: 0 };
  #countedMs = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async kept(): Promise<KeptSignals> {
    const age = this.#deps.now() - this.#countedMs;
    if (age < 0 || age >= COUNTED_MS) {
      this.#counting ??= this.#count();
      await this.#counting;
    }
    return this.#kept;
  }

  /** Signals to a job have a bound of their own, and end with it. */
  async send(signal: NewSignal, send: () => Promise<SignalSent>): Promise<SignalSent> {
    if (!("key" in signal.target)) return send();
    const { most } = this.#deps;
    const { signals, bytes } = await this.kept();
    if (signals >= most.signals || bytes >= most.bytes) return { state: "full" };
    const size = signalBytes(signal);
    this.#add(1, size);
    const sent = await send();
    if (sent.state !== "kept" || !sent.isNew) this.#add(-1, -size);
    return sent;
  }

  async #count(): Promise<void> {
    try {
      this.#kept = await this.#deps.count();
      this.#countedMs = this.#deps.now();
    } finally {
      this.#counting = null;
    }
  }

  #add(signals: number, bytes: number): void {
    this.#kept = { signals: this.#kept.signals + signals, bytes: this.#kept.bytes + bytes };
  }
}

/** Of its data. */
export function signalBytes({ data }: Pick<NewSignal, "data">): number {
  return Buffer.byteLength(data, "utf8");
}
