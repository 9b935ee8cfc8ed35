/** The pool of connections as the task queue is given it. */
import type { Pool, PoolClient } from "pg";
import { watched } from "../../../adapters/engine/postgres/watched.ts";
import type { Clock } from "../../../vm/run.ts";

type Connected = Parameters<Pool["connect"]>[0];
type Done = Parameters<Connected>[2];

/**
 * A pool whose failures to connect bear no code. By their codes (57P03: the server is starting; ETIMEDOUT) the queue holds each of its
 * workers back, deaf to new tasks and to its end, for up to three minutes more than an outage lasts. Without one they look again at their
 * next poll. The connection on which it listens, which it asks for with a callback, may be given back more than once: a loss of it while the
 * queue ends is heard twice. That one is half open when it carries no answer any more; the queue would listen to it for ever. And the queue gives
 * each connection back as a sound one, also when it waited for an answer in vain: such a one is dropped.
 */
export function poolOfQueue(pool: Pool, clock: Pick<Clock, "wait">): Pool {
  const connect = (then?: Connected): unknown =>
    then === undefined
      ? pool.connect().then(
          (client) => {
            client.release = givenBack(client, client.release);
            return client;
          },
          (thrown: unknown) => Promise.reject(plain(thrown)),
        )
      : pool.connect((thrown: Error | undefined, client: PoolClient | undefined, done) =>
          client === undefined
            ? then(thrown === undefined ? thrown : plain(thrown), client, done)
            : then(
                undefined,
                client,
                givenBack(
                  client,
                  done,
                  watched(client, (ms, act) => clock.wait(ms, act)),
                ),
              ),
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

function givenBack(client: PoolClient, release: Done, before = (): void => {}): Done {
  let isBack = false;
  return (broken) => {
    if (isBack) return;
    isBack = true;
    before();
    release(broken ?? isBusy(client));
  };
}

/** An answer is due yet, or a transaction is open: the next user of the connection would wait for the one, or be within the other. */
function isBusy(client: PoolClient): boolean {
  // The driver has it without a type.
  const isWaiting = "readyForQuery" in client && client.readyForQuery === false;
  return isWaiting || client.getTransactionStatus() !== "I";
}
