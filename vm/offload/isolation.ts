/**
 * Runs that begin elsewhere, each at a place of its own: nothing of the program is executed on this side, which only makes its calls.
 * A run without a place waits in line, where its deadline and its cancellation hold as well.
 */

import type { Ir } from "../../compiler/ir/graph.ts";
import { FatalFailure } from "../errors/failures.ts";
import { cancelledFailure } from "../errors/fatal-failures.ts";
import type { Machine } from "../machine/machine.ts";
import { usageOf } from "../machine/outcome.ts";
import type { Usage } from "../run.ts";
import { type Turn, waitLong } from "../runs/driver.ts";
import { type AwayOptions, failedAway, finishAway, type RunPlace } from "./away.ts";
import type { RunEnd } from "./messages.ts";

export type IsolationOptions = {
  /** Gives a place as soon as one is free; returns the way to leave the line. */
  readonly whenFree: (give: (place: RunPlace) => void) => () => void;
};

type IsolatedRun = {
  readonly ir: Ir;
  readonly finalFrame: boolean;
  readonly progress: ((usage: Usage) => void) | undefined;
  readonly begins: NonNullable<AwayOptions["begins"]>;
};

/** Runs elsewhere what a machine that was not started would run. */
export type Isolate = (m: Machine, turn: Turn, run: IsolatedRun) => Promise<RunEnd>;

export function createIsolation({ whenFree }: IsolationOptions): Isolate {
  return async (m, turn, run) => {
    const place = await placeFor(m, whenFree);
    if (place instanceof Error) return failedAway(m, place, usageOf(m));
    const end = await finishAway(m, place, { ...run, turn });
    if (end !== null) return end;
    throw new FatalFailure("RUNTIME_INTERNAL", "the run could not be copied to its place", "internal");
  };
}

/** A place, or why the run ended before it had one. */
function placeFor(m: Machine, whenFree: IsolationOptions["whenFree"]): Promise<RunPlace | Error> {
  const { signal, deps } = m.options;
  return new Promise((resolve) => {
    let stop = (): void => {};
    const end = (found: RunPlace | Error): void => {
      stop();
      signal?.removeEventListener("abort", cancelled);
      resolve(found);
    };
    const cancelled = (): void => {
      leave();
      if (signal !== undefined) end(cancelledFailure(signal));
    };
    let given = false;
    const leave = whenFree((place) => {
      given = true;
      end(place);
    });
    if (given) return;
    if (signal?.aborted === true) return cancelled();
    signal?.addEventListener("abort", cancelled);
    if (m.maxTime === Number.POSITIVE_INFINITY) return;
    stop = waitLong(deps.clock, Math.max(0, m.maxTime + 1 - m.elapsed()), () => {
      leave();
      end(m.late());
    });
  });
}
