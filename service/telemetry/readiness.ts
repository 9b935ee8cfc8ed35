/**
 * Whether the service wants requests: it is starting, ready, degraded or draining. Checks run in the background, never on behalf of a
 * probe, so that probes cost nothing and cannot hang.
 */
import type { Clock } from "../../vm/run.ts";

/** What is wrong, in a few words; null: nothing. */
export type ReadinessCheck = () => string | null | Promise<string | null>;

export type ReadyState =
  | { readonly status: "ready" }
  | { readonly status: "starting" | "draining" | "degraded"; readonly reason: string };

const EVERY_MS = 1000;

export class Readiness {
  readonly #clock: Pick<Clock, "wait">;
  readonly #checks: readonly ReadinessCheck[];
  #phase: "starting" | "open" | "draining" = "starting";
  #fault: string | null = null;
  #stopTimer: () => void = () => {};
  /** What an operator should look at while the service is ready, by what it is about. */
  readonly #warnings = new Map<string, string>();

  constructor(clock: Pick<Clock, "wait">, checks: readonly ReadinessCheck[] = []) {
    this.#clock = clock;
    this.#checks = checks;
  }

  get draining(): boolean {
    return this.#phase === "draining";
  }

  get warnings(): readonly string[] {
    return [...this.#warnings.values()];
  }

  /** What is said about something; null: nothing. */
  warningAbout(about: string): string | null {
    return this.#warnings.get(about) ?? null;
  }

  /** `warning`: `code: sentence`; null: there is nothing to say about it any more. */
  warn(about: string, warning: string | null): void {
    this.#warnings.delete(about);
    if (warning !== null) this.#warnings.set(about, warning);
  }

  state(): ReadyState {
    if (this.#phase === "starting") return { status: "starting", reason: "the service is starting" };
    if (this.#phase === "draining") return { status: "draining", reason: "the service is shutting down" };
    return this.#fault === null ? { status: "ready" } : { status: "degraded", reason: this.#fault };
  }

  /** The service takes requests from now on. */
  open(): void {
    this.#phase = "open";
    this.#watch();
  }

  drain(): void {
    this.#phase = "draining";
    this.#stopTimer();
  }

  /** Looks at everything once. */
  async check(): Promise<void> {
    for (const check of this.#checks) {
      const found = await Promise.resolve()
        .then(check)
        .catch(() => "a check failed");
      if (found === null) continue;
      this.#fault = found;
      return;
    }
    this.#fault = null;
  }

  #watch(): void {
    if (this.#checks.length === 0) return;
    this.#stopTimer = this.#clock.wait(EVERY_MS, () => {
      void this.check().then(() => {
        if (this.#phase === "open") this.#watch();
      });
    });
  }
}
