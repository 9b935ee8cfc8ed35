/** The program of a worker thread: executes the runs that are moved there. It has no adapter, no file and no socket of its own. */
import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../adapters/system-clock.ts";
import { createGuest } from "../../vm/moved/guest.ts";
import type { ToGuest } from "../../vm/moved/messages.ts";
import type { FromThread, ThreadStart } from "./run-threads.ts";

const { environment } = workerData as ThreadStart;

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

const take = createGuest({
  clock: systemClock,
  facts: { uuid: () => randomUUID(), env: (name) => environment.get(name) },
  turn: (then) => void setImmediate(then),
  post,
});

parentPort?.on("message", (message: ToGuest) => take(message));
post("ready");
