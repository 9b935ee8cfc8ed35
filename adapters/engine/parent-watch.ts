/**
 * Entry of a thread that ends its process when the parent process is gone. For processes whose main thread can be busy for long and then
 * does not notice that its channel closed.
 */
const WATCH_MS = 500;

const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, WATCH_MS);
