/**
 * Whether the store can be written. Every failed write reports a failure, but only a test write reports recovery: a store with
 * a full disk still answers. Changes are reported once, for log and readiness.
 */
import { later, type ServiceFault } from "../wire/errors.ts";

export class StoreHealth {
  #fault: string | null = null;
  #isDamaged = false;
  #tell: (fault: string | null) => void = () => {};

  /** What is wrong, in a few words; null: nothing. */
  get fault(): string | null {
    return this.#fault;
  }

  onChange(tell: (fault: string | null) => void): void {
    this.#tell = tell;
  }

  /** What it keeps was damaged: nothing is written any more, and no test write helps. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  worked(): void {
    if (!this.#isDamaged) this.#set(null);
  }

  /** Throws when nothing more may be taken in. */
  refuseDamaged(): void {
    if (this.#isDamaged) throw this.failed("");
  }

  /** For as long as the process lives. `advice`: how to repair it. */
  damaged(advice: string): ServiceFault {
    this.#isDamaged = true;
    this.#set(`store_corrupt: ${advice}`);
    return this.failed(advice);
  }

  /** `reason` holds no path, address or value. `outcomeUnknown`: what was asked for may have been done. */
  failed(reason: string, outcomeUnknown = false): ServiceFault {
    if (!this.#isDamaged) this.#set(reason);
    const outcome = outcomeUnknown ? "; whether it kept what was sent is not known" : "";
    return later("store_unavailable", `the job store is not available: ${this.#fault}${outcome}`, 5);
  }

  #set(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#tell(fault);
  }
}
