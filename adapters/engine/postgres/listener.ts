/**
 * Notifications of a PostgreSQL database: one connection of its own for all channels of a process, made at the first
 * subscription and made anew when it breaks, or does not answer, as one that is half open. What was sent while it was down is lost, so subscribers are notified of every
 * new connection and then poll; they must not rely on timely notifications.
 */
import { Socket } from "node:net";
import type { Client } from "pg";
import type { Timers } from "../timers.ts";
import { watched } from "./watched.ts";

/** A connection that keeps no process alive does from here on: the process would end while it waits for its end. */
export function awaited({ connection: { stream } }: Pick<Client, "connection">): void {
  if (stream instanceof Socket) stream.ref();
}

/** `payload` null: connected anew, so anything may have happened unheard. */
export type Heard = (payload: string | null) => void;

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

export class Listener {
  readonly #newClient: () => Client;
  readonly #timers: Timers;
  readonly #subscribers = new Map<string, Set<Heard>>();
  #client: Client | null = null;
  #delayMs = FIRST_DELAY_MS;
  #stopWaiting = (): void => {};
  #closed = false;

  constructor(newClient: () => Client, timers: Timers) {
    this.#newClient = newClient;
    this.#timers = timers;
  }

  /** Calls `heard` for what is sent on the channel until the returned function is called. `channel`: a-z and _. */
  listen(channel: string, heard: Heard): () => void {
    const known = this.#subscribers.get(channel);
    const subscribers = known ?? new Set();
    this.#subscribers.set(channel, subscribers.add(heard));
    if (this.#client === null) this.#connect();
    else if (known === undefined) this.#subscribe(this.#client, [channel]);
    return () => {
      subscribers.delete(heard);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopWaiting();
    const client = this.#client;
    this.#client = null;
    if (client !== null) awaited(client);
    // An open connection is closed in order; one that is being made, or hangs, is cut.
    const cut = this.#timers.after(FIRST_DELAY_MS, () => client?.connection.stream.destroy());
    await client?.end().catch(() => {});
    cut();
  }

  #connect(): void {
    if (this.#closed || this.#client !== null) return;
    this.#stopWaiting();
    const client = this.#newClient();
    this.#client = client;
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ channel, payload = "" }) => this.#tell(channel, payload));
    client.connect().then(
      () => {
        // Listening keeps no process alive.
        if (client.connection.stream instanceof Socket) client.connection.stream.unref();
        this.#subscribe(client, [...this.#subscribers.keys()]);
        this.#stopWaiting();
        this.#stopWaiting = watched(client, (ms, then) => this.#timers.after(ms, then));
      },
      () => this.#lost(client),
    );
  }

  #subscribe(client: Client, channels: readonly string[]): void {
    client.query(channels.map((channel) => `LISTEN ${channel}`).join(";")).then(
      () => {
        this.#delayMs = FIRST_DELAY_MS;
        for (const channel of channels) this.#tell(channel, null);
      },
      () => client.connection.stream.destroy(),
    );
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.connection.stream.destroy();
    if (this.#closed) return;
    this.#stopWaiting();
    this.#stopWaiting = this.#timers.after(this.#delayMs, () => this.#connect());
    this.#delayMs = Math.min(2 * this.#delayMs, MAX_DELAY_MS);
  }

  #tell(channel: string, payload: string | null): void {
    for (const heard of this.#subscribers.get(channel) ?? []) heard(payload);
  }
}
