/** Says when a job changed. All parts of the page share one stream of the service, which is open while one of them listens. */
import { follow } from "./stream.ts";

/** Changes that come together are answered by one look. */
const GATHER_MS = 1000;

const listeners = new Set<() => void>();
let stop: (() => void) | null = null;

/** `changed` is also called after a break of the stream, in which changes were not heard. Returns the way to stop. */
export function onJobChange(changed: () => void): () => void {
  let timer = 0;
  const gathered = () => {
    if (timer !== 0) return;
    timer = window.setTimeout(() => {
      timer = 0;
      changed();
    }, GATHER_MS);
  };
  listeners.add(gathered);
  stop ??= followed();
  return () => {
    clearTimeout(timer);
    listeners.delete(gathered);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
  };
}

function followed(): () => void {
  const heard = () => {
    for (const listener of listeners) listener();
  };
  // What a part read before the stream began may have changed meanwhile. Asking says why a stream broke.
  return follow("/jobs/events", { on: { job: heard, skipped: heard }, opened: heard, broken: heard });
}
