/**
 * What a durable run waits for. The run parks as a whole, when everything that is left of it waits: itself, or each of its live branches.
 * While some branches still run, the store is asked now and then whether what others wait for has come.
 */
import type { Json } from "../../../compiler/json.ts";
import type { WaitSpec } from "../../calls/wait-spec.ts";
import { exactResult } from "../../inputs/exact-text.ts";
import type { Clock } from "../../run.ts";
import { tooManyWait } from "../failures.ts";
import type { Parked, ParkedWait } from "../records.ts";

export type ParkingOptions = {
  readonly clock: Pick<Clock, "now" | "wall" | "wait">;
  /** The clock of the store. */
  readonly now: () => number;
  /** Gives what is waited for to the store. `isWhole`: nothing else is left of the run. */
  readonly park: (
    waits: readonly ParkedWait[],
    isWhole: boolean,
  ) => Promise<Exclude<Parked, { readonly state: "stale" }>>;
  /** The run is parked, and is to leave. */
  readonly left: (waits: readonly ParkedWait[]) => void;
  /** The store has answered, and the run continues here. */
  readonly looked: () => void;
};

type Open = { readonly wait: ParkedWait; resolve(result: Json): void; reject(thrown: unknown): void };

/** How often the store is asked for a run that does something else meanwhile. */
const LOOK_MS = 1000;

export class Parking {
  readonly #options: ParkingOptions;
  #open: readonly Open[] = [];
  /** How many branches wait while none runs; null: the run does something. */
  #idle: number | null = null;
  #isAsking = false;
  #lookedAt: number;
  #stopLook = (): void => {};

  constructor(options: ParkingOptions) {
    this.#options = options;
    this.#lookedAt = options.clock.now();
  }

  /** The store is asked just now. */
  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Resolves with what came, and never when the run leaves. `isAlone`: the run itself waits, not one of its branches. */
  wait(wait: ParkedWait, isAlone: boolean): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.#open = [...this.#open, { wait, resolve, reject }];
      if (isAlone) this.#idle = 1;
      this.#check();
    });
  }

  /** No branch can run, and `waiting` of them wait for something; null: one runs. */
  idle(waiting: number | null): void {
    this.#idle = waiting;
    if (waiting !== null) this.#check();
  }

  close(): void {
    this.#stopLook();
    this.#open = [];
  }

  #check(): void {
    this.#stopLook();
    if (this.#isAsking || this.#open.length === 0) return;
    if (this.#idle === this.#open.length) void this.#ask(this.#open, true);
    else this.#lookLater();
  }

  #lookLater(): void {
    const { clock, now } = this.#options;
    // The word of a person is taken only by a job that is parked.
    const some = this.#open.filter(({ wait }) => wait.spec.kind !== "outcome");
    if (some.length === 0) return;
    const lefts = some.map(({ wait: { spec } }) => {
      if (spec.until === null) return LOOK_MS;
      return spec.until - (spec.kind === "timer" && spec.span === undefined ? clock.wall() : now());
    });
    const next = Math.min(this.#lookedAt + LOOK_MS - clock.now(), ...lefts);
    this.#stopLook = clock.wait(Math.max(0, next), () => {
      this.#lookedAt = clock.now();
      void this.#ask(some, false);
    });
  }

  async #ask(some: readonly Open[], isWhole: boolean): Promise<void> {
    const { park, left, looked } = this.#options;
    this.#isAsking = true;
    const waits = some.map(({ wait }) => wait);
    const parked = await park(waits, isWhole);
    if (parked.state === "parked") left(waits);
    // Somebody ends the run.
    if (parked.state === "parked" || parked.state === "ending") return;
    this.#isAsking = false;
    if (parked.state === "full") {
      const ordinary = some.filter(({ wait }) => wait.spec.kind !== "outcome");
      this.#over(ordinary, ({ reject }) => reject(tooManyWait(parked.maxParked)));
    } else if (parked.state === "woken") {
      const results = new Map(parked.woken.map((one) => [one.wait, exactResult(one)]));
      const woken = some.filter(({ wait }) => results.has(wait.wait));
      this.#over(woken, ({ wait, resolve }) => resolve(results.get(wait.wait) ?? null));
    }
    looked();
    this.#check();
  }

  #over(some: readonly Open[], tell: (one: Open) => void): void {
    const over = new Set(some);
    this.#open = this.#open.filter((one) => !over.has(one));
    // They continue.
    this.#idle = null;
    for (const one of some) tell(one);
  }
}

/** What a wait for a time answers. */
export function timeCame(spec: WaitSpec): Json {
  return { at: new Date(spec.until ?? 0).toISOString() };
}
