/**
 * One program, many frames, for those who embed it: frames are taken as results are asked for. Where frames come from, and where results
 * go, is the caller's; so are threads.
 */
import type { Ir } from "../compiler/ir/graph.ts";
import { type Frames, frameResults } from "./batch/frame-results.ts";
import type { BatchResult } from "./batch/result.ts";
import type { BatchPace } from "./batch/run-groups.ts";
import type { Host, HostBatchRequest } from "./host.ts";

/** What is the same for every frame, and how they follow each other. */
export type BatchOptions = Omit<HostBatchRequest, "ir" | "explain"> & BatchPace & { readonly host: Host };

/**
 * Runs a program once for each frame. Limits hold per frame, and a failed run is a result like any other. Throws FatalFailure when the
 * program cannot be loaded. Ending the iteration early cancels what is under way.
 */
export function runBatch(ir: Ir, frames: Frames, options: BatchOptions): AsyncIterableIterator<BatchResult> {
  const { host, ...request } = options;
  return frameResults(host.batch({ ...request, ir }), frames, request);
}
