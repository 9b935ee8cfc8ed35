/** The lanes of a batch: each runs one frame at a time and keeps the last time read, to save a call of the clock. */
import type { JsonObject } from "../../compiler/json.ts";
import type { Cancellation } from "../../vm/run.ts";
import type { RunSlot } from "../run/run-slots.ts";

export type Lane = {
  readonly slot: RunSlot;
  /** The last time read, in milliseconds of the clock; null when it is out of date, after a long step or a wait. */
  now: number | null;
  /** Frames that it ran, and how long they took together in milliseconds. */
  ran: number;
  ranMs: number;
};

/** Gives the line of the frame's result. */
export type RunFrame = (index: number, frame: JsonObject, lane: Lane) => string | Promise<string>;

export function laneIn(slot: RunSlot): Lane {
  return { slot, now: null, ran: 0, ranMs: 0 };
}

/** Whatever a lane waits for, it does not know the time afterwards. */
export function awaited<T>(coming: Promise<T>, lane: Lane): Promise<T> {
  lane.now = null;
  return coming;
}

/** What comes, or null once one of `ends` does: a sender that says nothing more is not waited for then. */
export function unlessOver<T>(coming: Promise<T>, ends: readonly Cancellation[]): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(null);
    if (ends.some(({ aborted }) => aborted)) end();
    else for (const one of ends) one.addEventListener("abort", end);
    void coming.then(resolve, reject).finally(() => {
      for (const one of ends) one.removeEventListener("abort", end);
    });
  });
}
