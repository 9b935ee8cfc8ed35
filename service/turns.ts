/**
 * Turns for runs that share one thread: slices run one after the other, first come first served, for a few milliseconds; then the
 * event loop serves sockets and timers. However many runs there are, a probe waits no longer than one turn.
 */

const TURN_MS = 2;

/** The `turn` of a host (`HostDeps.turn`). `now` gives milliseconds. */
export function createTurns(now: () => number): (then: () => void) => void {
  let line: (() => void)[] = [];
  let next = 0;
  let scheduled = false;
  let ends = 0;

  const begin = (): void => {
    ends = now() + TURN_MS;
    slice();
  };
  const slice = (): void => {
    const then = line[next];
    if (then === undefined || now() >= ends) {
      line = line.slice(next);
      next = 0;
      scheduled = line.length > 0;
      if (scheduled) setImmediate(begin);
      return;
    }
    next += 1;
    // The run goes on in a microtask, ahead of ours.
    then();
    queueMicrotask(slice);
  };
  return (then) => {
    line.push(then);
    if (scheduled) return;
    scheduled = true;
    setImmediate(begin);
  };
}
