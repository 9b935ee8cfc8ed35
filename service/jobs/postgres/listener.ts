/** Hears of changes of jobs from all replicas, over a connection of its own that is made anew whenever it is lost. */
import type { Client } from "pg";
import type { Clock } from "../../../vm/run.ts";
import type { JobSignals } from "../signals.ts";
import { CHANNEL } from "./job-rows.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export class JobListener {
  readonly #newClient: () => Client;
  readonly #signals: JobSignals;
  readonly #clock: Pick<Clock, "wait">;
  #client: Client | null = null;
  #stop: () => void = () => {};
  #closed = false;
  #pause = FIRST_PAUSE_MS;

  constructor(newClient: () => Client, signals: JobSignals, clock: Pick<Clock, "wait">) {
    this.#newClient = newClient;
    this.#signals = signals;
    this.#clock = clock;
  }

  /** Resolves when it listens. */
  async open(): Promise<void> {
    const client = this.#newClient();
    this.#client = client;
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload = "" }) => this.#heard(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (thrown) {
      this.#lost(client);
      throw thrown;
    }
    this.#pause = FIRST_PAUSE_MS;
    // What was said in the meantime was not heard.
    this.#signals.changedAll();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    await this.#client?.end().catch(() => {});
  }

  #heard(payload: string): void {
    const [id = "", status = ""] = payload.split(" ");
    if (status === "cancelling") this.#signals.cancelling(id);
    this.#signals.changed(id);
  }

  #lost(client: Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = null;
    void client.end().catch(() => {});
    this.#again();
  }

  #again(): void {
    const pause = this.#pause;
    this.#pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    // An attempt that fails is followed by another, as any loss is.
    this.#stop = this.#clock.wait(pause, () => void this.open().catch(() => {}));
  }
}
