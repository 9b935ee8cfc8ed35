/** Data of a page: asked for when the page is shown and again every few seconds while the page can be seen. */
import { useEffect, useState } from "preact/hooks";
import { get, type Refused } from "./api.ts";

export type Loaded<T> = {
  readonly data: T | null;
  readonly fault: Refused | null;
  /** Asks again now. */
  readonly again: () => void;
};

const EVERY_MS = 2000;

/** `path` null: nothing is asked for. `every` null: asked once. The last data stay where a later request fails. */
export function useData<T>(path: string | null, every: number | null = EVERY_MS): Loaded<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; fault: Refused | null }>(EMPTY);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === null) return;
    const ended = new AbortController();
    let timer = 0;
    const load = async () => {
      let pause = every;
      try {
        const data = await get<T>(path, ended.signal);
        setState({ path, data, fault: null });
      } catch (fault) {
        if (ended.signal.aborted) return;
        setState((before) => ({ path, data: before.path === path ? before.data : null, fault: fault as Refused }));
        // The service may be back soon, also for what is asked for once.
        if (isPassing(fault as Refused)) pause ??= EVERY_MS;
      }
      if (pause !== null && !ended.signal.aborted) timer = window.setTimeout(next, pause);
    };
    const next = () => {
      if (document.visibilityState === "visible") void load();
      else document.addEventListener("visibilitychange", next, { once: true, signal: ended.signal });
    };
    void load();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [path, every, turn]);
  const current = state.path === path ? state : EMPTY;
  return { data: current.data, fault: current.fault, again: () => setTurn((before) => before + 1) };
}

const EMPTY = { path: null, data: null, fault: null };

/** The service cannot be reached, or is not able to answer now. */
const isPassing = ({ status }: Refused): boolean => status === 0 || status >= 500;
