/** Work that takes a while, such as the compiler's, for what is shown. It is given up when other work is wanted and when the page is left. */
import { useLayoutEffect, useState } from "preact/hooks";

export type Work<T> = {
  /** The last one that came; null: none came yet, or the work failed. */
  readonly result: T | null;
  /** Whether it came of the work that is wanted now. */
  readonly isDone: boolean;
};

/** `begin` null: nothing is to be done. `on`: what the work depends on, and whether there is any. */
export function useWork<T>(
  begin: ((signal: AbortSignal) => Promise<T>) | null,
  on: readonly [unknown, ...unknown[]],
): Work<T> {
  const [done, setDone] = useState<{ readonly on: readonly unknown[]; readonly result: T | null } | null>(null);
  // It begins before the page is painted: what takes only a moment is shown at once.
  useLayoutEffect(() => {
    if (begin === null) return;
    const ended = new AbortController();
    const end = (result: T | null) => ended.signal.aborted || setDone({ on, result });
    begin(ended.signal).then(end, () => end(null));
    return () => ended.abort();
  }, [...on]);
  return { result: done?.result ?? null, isDone: done?.on.every((one, at) => one === on[at]) ?? false };
}
