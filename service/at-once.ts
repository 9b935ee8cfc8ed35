/** Values that are there, or come later: what is there is used at once, because a promise and its turn take as long as a short run. */

export type AtOnce<T> = T | Promise<T>;

export function whenThere<T, R>(value: AtOnce<T>, use: (value: T) => AtOnce<R>): AtOnce<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

/** Calls `last` when what `act` gives is there, or failed. */
export function lastly<T>(act: () => AtOnce<T>, last: () => void): AtOnce<T> {
  let made: AtOnce<T>;
  try {
    made = act();
  } catch (cause) {
    last();
    throw cause;
  }
  if (made instanceof Promise) return made.finally(last);
  last();
  return made;
}
