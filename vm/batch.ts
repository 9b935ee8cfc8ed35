/**
 * One program, many frames, for those who embed it: frames are taken as results are asked for. Where frames come from, and where results
 * go, is the caller's; so are threads.
 */
import type { Ir } from "../compiler/ir/graph.ts";
import { frameResults, frameRows, rulesOf } from "./batch/frame-results.ts";
import type { Frames } from "./batch/frame-source.ts";
import type { BatchResult } from "./batch/result.ts";
import type { Rows, RowsPart } from "./batch/rows/rows-part.ts";
import type { BatchPace } from "./batch/run-groups.ts";
import type { Host, HostBatchRequest } from "./host.ts";

/** What is the same for every frame, and how they follow each other. */
export type BatchOptions = Omit<HostBatchRequest, "ir" | "explain"> & BatchPace & { readonly host: Host };

/** With rows, results come as blocks of lines, in the order of the frames unless they are full. */
export type RowsOptions = BatchOptions & { readonly rows: Rows };

/**
 * Runs a program once for each frame: an object, or a line of blocks of bytes. Limits hold per frame, and a failed run is a result like any
 * other. Throws FatalFailure when the program cannot be loaded; rejects with RequestInvalid where objects and blocks are mixed. Ending the
 * iteration early cancels what is under way.
 */
export function runBatch(ir: Ir, frames: Frames, options: RowsOptions): AsyncIterableIterator<RowsPart>;
export function runBatch(ir: Ir, frames: Frames, options: BatchOptions): AsyncIterableIterator<BatchResult>;
export function runBatch(
  ir: Ir,
  frames: Frames,
  options: BatchOptions & { readonly rows?: Rows },
): AsyncIterableIterator<RowsPart> | AsyncIterableIterator<BatchResult> {
  const { host, rows, ...request } = options;
  if (rows === undefined) {
    const runner = host.batch({ ...request, ir });
    return frameResults(runner, frames, rulesOf(ir), request);
  }
  const runner = host.batch({ ...request, outText: true, ir });
  return frameRows(runner, frames, rulesOf(ir), { ...request, rows });
}
