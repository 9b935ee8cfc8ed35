/** Finds a connection that went dead without a word, as a failover or a firewall leaves one. Knows nothing of what it is used for. */
import type { Client, PoolClient } from "pg";

/** Between two questions whether the connection still carries answers, and so notifications. */
const ASK_MS = 10_000;
const ANSWER_MS = 5_000;

/** Cuts a connection that does not answer, which its user hears. `after` calls `then` after a time, unless what it returns is called first. Returns the way to stop watching. */
export function watched(client: Client | PoolClient, after: (ms: number, then: () => void) => () => void): () => void {
  let isOver = false;
  let stop = (): void => {};
  const askLater = (): void => {
    stop = after(ASK_MS, ask);
  };
  const cut = () => client.connection.stream.destroy();
  const ask = (): void => {
    stop = after(ANSWER_MS, cut);
    client.query("SELECT 1").then(
      () => {
        stop();
        if (!isOver) askLater();
      },
      () => {
        stop();
        cut();
      },
    );
  };
  askLater();
  return () => {
    isOver = true;
    stop();
  };
}
