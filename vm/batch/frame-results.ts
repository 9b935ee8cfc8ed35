/** The results of frames that are given one by one, handed out one by one. */
import { isObject, type JsonObject } from "../../compiler/json.ts";
import type { FrameRunner } from "./frame-runner.ts";
import type { BatchItem, BatchResult } from "./result.ts";
import type { BatchPace } from "./run-groups.ts";
import { runItems } from "./run-items.ts";

export type Frames = Iterable<JsonObject> | AsyncIterable<JsonObject>;

/** Runs frames as their results are asked for. Ending the iteration early cancels what is under way. */
export function frameResults(runner: FrameRunner, frames: Frames, pace: BatchPace): AsyncIterableIterator<BatchResult> {
  return oneByOne(runItems(runner, groupsOf(frames), pace));
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

async function* groupsOf(frames: Frames): AsyncGenerator<readonly BatchItem[], void> {
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
