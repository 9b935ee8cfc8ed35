/**
 * The thread of the job database, in the thread that asks: for simulations of thousands of worlds, in each of which a dozen processes begin
 * and end. A thread of its own would take more time to begin than all that the world does. `vi.mock("node:worker_threads")` puts it in place.
 */
import { EventEmitter } from "node:events";
import { type OpenDatabase, openDatabase } from "../../../service/jobs/sqlite/batch.ts";
import type { FromThread, ThreadStart, ToThread } from "../../../service/jobs/sqlite/call-batching.ts";

export class StoreInPlace extends EventEmitter {
  readonly #database: OpenDatabase;

  constructor(_program: string, { workerData: { stateDir, known } }: { readonly workerData: ThreadStart }) {
    super();
    this.#database = openDatabase(stateDir, { known });
    const { identity, isUnclean, isDamaged } = this.#database;
    this.#say({ opened: true, identity, isUnclean, isDamaged });
  }

  postMessage(message: ToThread): void {
    // What a message holds is copied on the way, as between threads.
    const arrived = structuredClone(message);
    setImmediate(() => {
      if (arrived !== "close") return this.#say({ answers: this.#database.perform(arrived) });
      this.#database.close();
      this.emit("exit", 0);
    });
  }

  #say(message: FromThread): void {
    const arrived = structuredClone(message);
    setImmediate(() => this.emit("message", arrived));
  }
}
