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
    // The run continues in a microtask, ahead of ours.
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

/**
 * The `begins` of a host: requests that arrive together are read in one go, and each would begin with a slice of its own before a probe is
 * answered. The first few milliseconds of them begin at once; later ones wait for their turn. `now` gives milliseconds.
 */
export function createStarts(now: () => number, turn: (then: () => void) => void): () => Promise<void> | null {
  let since: number | null = null;
  const forget = (): void => {
    since = null;
  };
  return () => {
    if (since === null) {
      since = now();
      setImmediate(forget);
      return null;
    }
    return now() - since < TURN_MS ? null : new Promise<void>((resolve) => turn(resolve));
  };
}
