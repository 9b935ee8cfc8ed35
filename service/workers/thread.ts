/** The program of a worker thread: executes the runs that are moved there, and frames of batches. It has no adapter, no file and no socket of its own. */
import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { createGuest } from "../../vm/offload/guest.ts";
import type { ToGuest } from "../../vm/offload/messages.ts";
import { createFrameGuest } from "./frame-guest.ts";
import type { ToFrameGuest } from "./frame-messages.ts";
import { isHeapUsedUp, watchHeap } from "./heap-watch.ts";
import type { FromThread, ThreadStart } from "./run-threads.ts";

const { environment, heapMb } = workerData as ThreadStart;

function post(message: FromThread): void {
  // Told ahead of what is the last of a run, so that none is given to this thread in between.
  if (typeof message !== "string" && (message.kind === "ended" || message.kind === "ran") && isHeapUsedUp(heapMb))
    post("worn");
  parentPort?.postMessage(message);
}

const deps = {
  clock: systemClock,
  facts: { uuid: () => randomUUID(), env: (name: string) => environment.get(name) },
  turn: (then: () => void) => void setImmediate(then),
  post,
};
watchHeap(heapMb);
const takeRun = createGuest(deps);
const takeFrames = createFrameGuest(deps);

parentPort?.on("message", (message: ToGuest | ToFrameGuest) => {
  if (message.kind === "frames" || message.kind === "stop") takeFrames(message);
  else takeRun(message);
});
post("ready");
