/** Entry of the thread that reviews large programs. */
import { parentPort } from "node:worker_threads";
import { type ReviewRequest, review } from "./review.ts";

parentPort?.on("message", (request: ReviewRequest) => parentPort?.postMessage(review(request)));
parentPort?.postMessage("ready");
