/** A bound on the time of something that takes a signal. */
import { adapterError, cancelledCall } from "../errors.ts";

/**
 * The result of `act` within `ms`. The signal it gets fires at the deadline (ADAPTER_TIMEOUT) or with `outer`
 * (ADAPTER_CANCELLED); an act that continues anyway is abandoned.
 */
export function within<T>(ms: number, outer: AbortSignal, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const inner = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (error: Error) => {
      inner.abort(error);
      // Later, so that an act that knows better why it came to nothing is heard first.
      setImmediate(reject, error);
    };
    const onAbort = () => end(cancelledCall());
    const timer = setTimeout(() => end(adapterError("ADAPTER_TIMEOUT", "the call took too long")), ms);
    const release = () => {
      clearTimeout(timer);
      outer.removeEventListener("abort", onAbort);
    };
    outer.addEventListener("abort", onAbort, { once: true });
    if (outer.aborted) onAbort();
    act(inner.signal).then(resolve, reject).finally(release);
  });
}
