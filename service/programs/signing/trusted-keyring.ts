/**
 * The keys whose signatures count, as their files are now: a revocation is in force a second after it was written. Files that cannot be read
 * or are not valid change nothing, and that is said.
 */

import type { Clock } from "../../../vm/run.ts";
import { readTrustedKeys, type TrustedKeys, trustedKeysState } from "./trusted-keys.ts";

const LOOK_MS = 1000;

export class TrustedKeyring {
  readonly #path: string;
  readonly #clock: Pick<Clock, "now">;
  #keys: TrustedKeys;
  #state: string | null;
  #lookedAt: number;
  #changed: (fault: string | null) => void = () => {};

  /** Throws StartFault. */
  constructor(path: string, clock: Pick<Clock, "now">) {
    this.#path = path;
    this.#clock = clock;
    this.#state = trustedKeysState(path);
    this.#keys = readTrustedKeys(path);
    this.#lookedAt = clock.now();
  }

  /** Reports each time that the files changed; `fault`: why they are not followed. */
  onChanged(listener: (fault: string | null) => void): void {
    this.#changed = listener;
  }

  get keys(): TrustedKeys {
    if (this.#clock.now() - this.#lookedAt >= LOOK_MS) this.look();
    return this.#keys;
  }

  /** Reads files that changed. */
  look(): void {
    this.#lookedAt = this.#clock.now();
    const state = trustedKeysState(this.#path);
    if (state === this.#state) return;
    this.#state = state;
    let fault: string | null = null;
    try {
      this.#keys = readTrustedKeys(this.#path);
    } catch (cause) {
      fault = cause instanceof Error ? cause.message : "the files cannot be read";
    }
    this.#changed(fault);
  }
}
