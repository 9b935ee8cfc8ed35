/**
 * One program, many frames, for those who embed it: frames are taken as results are asked for. Where frames come from, and where results
 * go, is the caller's; so are threads.
 */
import type { Ir } from "../compiler/ir/graph.ts";
import { isObject, type JsonObject } from "../compiler/json.ts";
import type { BatchItem, BatchResult } from "./batch/result.ts";
import { type BatchPace, runItems } from "./batch/run-items.ts";
import type { Host, HostBatchRequest } from "./host.ts";

/** What is the same for every frame, and how they follow each other. */
export type BatchOptions = Omit<HostBatchRequest, "ir" | "explain"> & BatchPace & { readonly host: Host };

/**
 * Runs a program once for each frame. Limits hold per frame, and a failed run is a result like any other. Throws FatalFailure when the
 * program cannot be loaded. Ending the iteration early cancels what is under way.
 */
export function runBatch(
  ir: Ir,
  frames: Iterable<JsonObject> | AsyncIterable<JsonObject>,
  options: BatchOptions,
): AsyncIterableIterator<BatchResult> {
  const { host, ...request } = options;
  return oneByOne(runItems(host.batch({ ...request, ir }), groupsOf(frames), request));
}

/** The results of groups. An async generator would take longer for each than a short run takes. */
function oneByOne(groups: AsyncGenerator<readonly BatchResult[], void>): AsyncIterableIterator<BatchResult> {
  let ready: readonly BatchResult[] = [];
  let at = 0;
  const taken = (): IteratorResult<BatchResult> => {
    const value = ready[at] as BatchResult;
    at += 1;
    return { done: false, value };
  };
  const fetched = async (): Promise<IteratorResult<BatchResult>> => {
    while (at >= ready.length) {
      const { value, done } = await groups.next();
      if (done === true) return { done, value: undefined };
      ready = value;
      at = 0;
    }
    return taken();
  };
  let asked: Promise<unknown> = Promise.resolve();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (at < ready.length) return Promise.resolve(taken());
      const next = asked.then(fetched);
      asked = next.catch(() => {});
      return next;
    },
    async return() {
      ready = [];
      await groups.return();
      return { done: true, value: undefined };
    },
  };
}

const GROUP = 256;

async function* groupsOf(
  frames: Iterable<JsonObject> | AsyncIterable<JsonObject>,
): AsyncGenerator<readonly BatchItem[], void> {
  let index = 0;
  if (Symbol.asyncIterator in frames) {
    for await (const frame of frames) {
      yield [itemOf(index, frame)];
      index += 1;
    }
    return;
  }
  let group: BatchItem[] = [];
  for (const frame of frames) {
    group.push(itemOf(index, frame));
    index += 1;
    if (group.length < GROUP) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** Who embeds this without its types may hand in anything, and it spoils no other frame. */
function itemOf(index: number, frame: unknown): BatchItem {
  if (isObject(frame)) return { index, frame: frame as JsonObject };
  return { index, fault: { ok: false, error: "invalid_json", message: `frame ${index} is not an object` } };
}
