/**
 * Entry of a thread that ends its process when the parent process is gone, or when it takes more memory than it was given (the thread's
 * data, in bytes). For processes whose main thread can be busy for long: it notices neither that its channel closed nor what native
 * code allocates, which no bound of the heap holds.
 */
import { workerData } from "node:worker_threads";

const WATCH_MS = 100;

const parent = process.ppid;
const mostBytes = Number(workerData);
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  // As the engine ends a process whose heap is full.
  else if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, "SIGABRT");
}, WATCH_MS);
