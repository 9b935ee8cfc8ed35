/**
 * Whether the store can be written. Every failed write reports a failure, but only a test write reports recovery: a store with
 * a full disk still answers. Changes are reported once, for log and readiness.
 */
import { later, type ServiceFault } from "../wire/errors.ts";

export class StoreHealth {
  #fault: string | null = null;
  #tell: (fault: string | null) => void = () => {};

  /** What is wrong, in a few words; null: nothing. */
  get fault(): string | null {
    return this.#fault;
  }

  onChange(tell: (fault: string | null) => void): void {
    this.#tell = tell;
  }

  worked(): void {
    this.#set(null);
  }

  /** `reason` holds no path, address or value. `outcomeUnknown`: what was asked for may have been done. */
  failed(reason: string, outcomeUnknown = false): ServiceFault {
    this.#set(reason);
    const outcome = outcomeUnknown ? "; whether it kept what was sent is not known" : "";
    return later("store_unavailable", `the job store is not available: ${reason}${outcome}`, 5);
  }

  #set(fault: string | null): void {
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#tell(fault);
  }
}
