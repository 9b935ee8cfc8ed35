/**
 * The thread of the job database, in the thread that asks: for simulations of thousands of worlds, in each of which a dozen processes begin
 * and end. A thread of its own would take more time to begin than all that the world does. `vi.mock("node:worker_threads")` puts it in place.
 */
import { EventEmitter } from "node:events";
import type { Worker, WorkerOptions } from "node:worker_threads";
import { type OpenDatabase, openDatabase } from "../../../service/jobs/sqlite/batch.ts";
import type { FromThread, ThreadStart, ToThread } from "../../../service/jobs/sqlite/call-batching.ts";

/** In place of `Worker`: the thread of a store is not started, any other is. */
export function storeInPlace(Thread: typeof Worker): typeof Worker {
  function made(program: string, options: WorkerOptions): Worker | StoreInPlace {
    const { workerData } = options as { readonly workerData: object };
    return "stateDir" in workerData ? new StoreInPlace(workerData as ThreadStart) : new Thread(program, options);
  }
  return made as unknown as typeof Worker;
}

class StoreInPlace extends EventEmitter {
  readonly #database: OpenDatabase;

  constructor({ stateDir, known }: ThreadStart) {
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
