/** Entry of the thread that runs the tests of proposals. It has no environment, no file and no socket of its own. */
import { parentPort } from "node:worker_threads";
import { runTests, type TestRequest } from "./run-tests.ts";

parentPort?.on("message", (request: TestRequest) => {
  // What is thrown ends the thread, which its owner notices.
  void runTests(request).then((results) => parentPort?.postMessage(results));
});
parentPort?.postMessage("ready");
