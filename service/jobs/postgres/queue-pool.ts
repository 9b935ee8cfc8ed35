/** The pool of connections as the task queue is given it. */
import type { Pool, PoolClient } from "pg";

type Connected = Parameters<Pool["connect"]>[0];

/**
 * A pool whose failures to connect bear no code. By their codes (57P03: the server is starting; ETIMEDOUT) the queue holds each of its
 * workers back, deaf to new tasks and to its end, for up to three minutes more than an outage lasts. Without one they look again at their
 * next poll. The connection on which it listens may be given back more than once: a loss of it while the queue ends is heard twice.
 */
export function poolOfQueue(pool: Pool): Pool {
  const connect = (then?: Connected): unknown =>
    then === undefined
      ? pool.connect().catch((thrown: unknown) => Promise.reject(plain(thrown)))
      : pool.connect((thrown: Error | undefined, client: PoolClient | undefined, done) =>
          then(thrown === undefined ? thrown : plain(thrown), client, onlyOnce(done)),
        );
  return new Proxy(pool, {
    get(target, name) {
      if (name === "connect") return connect;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function plain(thrown: unknown): Error {
  return new Error("the database cannot be reached", { cause: thrown });
}

function onlyOnce<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
  let isDone = false;
  return (...args) => {
    if (!isDone) act(...args);
    isDone = true;
  };
}
