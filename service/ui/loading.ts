/** Data of a page: asked for when the page is shown and again every few seconds while the page can be seen. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Refused } from "./api.ts";

export type Loaded<T> = {
  readonly data: T | null;
  readonly fault: Refused | null;
  /** Asks again now. */
  readonly again: () => void;
};

export const EVERY_MS = 2000;

/** `path` null: nothing is asked for. `every` null: asked once. The last data stay where a later request fails. */
export function useData<T>(path: string | null, every: number | null = EVERY_MS): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; fault: Refused | null }>(EMPTY);
  const asking = useRef<Asking | null>(null);
  useEffect(() => {
    if (path === null) return;
    asking.current = askAgain(async (signal) => {
      try {
        const data = await get<T>(path, signal);
        setState({ path, data, fault: null });
      } catch (fault) {
        if (signal.aborted) return null;
        setState((before) => ({ path, data: before.path === path ? before.data : null, fault: fault as Refused }));
        // The service may be back soon, also for what is asked for once.
        if (isPassing(fault as Refused)) return every ?? EVERY_MS;
      }
      return every;
    });
    return asking.current.stop;
  }, [path, every]);
  const current = state.path === path ? state : EMPTY;
  return { data: current.data, fault: current.fault, again: () => asking.current?.again() };
}

type Asking = {
  /** Asks again now, or as soon as the question under way is answered. */
  readonly again: () => void;
  readonly stop: () => void;
};

/** Asks now, and again after each pause that `ask` resolves with (null: not by itself) while the page can be seen. */
export function askAgain(ask: (signal: AbortSignal) => Promise<number | null>): Asking {
  const ended = new AbortController();
  let timer = 0;
  let isBusy = false;
  let isWanted = false;
  const next = async (): Promise<void> => {
    isWanted = isBusy;
    if (isBusy) return;
    clearTimeout(timer);
    isBusy = true;
    const pause = await ask(ended.signal);
    isBusy = false;
    if (ended.signal.aborted) return;
    if (isWanted) return next();
    if (pause !== null) timer = window.setTimeout(nextSeen, pause);
  };
  const nextSeen = () => {
    if (document.visibilityState === "visible") void next();
    else document.addEventListener("visibilitychange", () => void next(), { once: true, signal: ended.signal });
  };
  void next();
  return {
    again: () => void next(),
    stop: () => {
      ended.abort();
      clearTimeout(timer);
    },
  };
}

const EMPTY = { path: null, data: null, fault: null };

/** The service cannot be reached, or is not able to answer now. */
export const isPassing = ({ status }: Refused): boolean => status === 0 || status >= 500;
