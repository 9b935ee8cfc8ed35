/**
 * The program of a batch thread: reads the chunks it is given, one after the other, runs each frame and hands back lines. It calls
 * functions of core only; everything else belongs to the command's own thread.
 */

import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { explainFailure } from "../../vm/admission/explain-failure.ts";
import type { BatchResult } from "../../vm/batch/result.ts";
import { runItems } from "../../vm/batch/run-items.ts";
import { createHost } from "../../vm/host.ts";
import { itemsOf } from "../input/frame-lines.ts";
import type { FromThread, ThreadStart, ToThread } from "./messages.ts";
import { type CallTimes, partsOfResults } from "./part.ts";

/** Minimum batch size for results (the last one may be smaller). */
const PART_RESULTS = 512;

const { ir, label, limits, limitSources, allowlistSources, requested, allowedAdapters, allowEnv, ...around } =
  workerData as ThreadStart;
const { environment, frameCeilingBytes, tier, pace, strict, inputs } = around;

const host = createHost({
  clock: systemClock,
  facts: { uuid: () => randomUUID(), env: (name) => environment.get(name) },
  catalog: builtinCatalog,
  adapters: new Map(),
  traceId: () => randomUUID(),
  tier,
  ...(frameCeilingBytes === null ? {} : { frameCeilingBytes }),
});

const explanation = {
  limit: (meter: string) => [limitSources[meter]].filter((source) => source !== undefined),
  allowlist: () => allowlistSources,
  requested,
};
const keepsDigits = isPythonIr(ir);
const runner = host.batch({
  ir,
  outText: true,
  inputs,
  limits,
  allowedAdapters,
  allowEnv,
  explain: (error) => explainFailure(error, { limits, explanation }),
  ...(label === undefined ? {} : { label }),
});

function post(message: FromThread, handedOver: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver);
}

async function run(chunk: ToThread): Promise<void> {
  let times: CallTimes[] = [];
  let ready: BatchResult[] = [];
  const hand = (): void => {
    for (const part of partsOfResults(ready)) {
      post({ kind: "part", part, times }, [part.lines.buffer]);
      times = [];
    }
    ready = [];
  };
  async function* group() {
    yield itemsOf(chunk, { strict, keepsDigits });
  }
  for await (const results of runItems(runner, group(), { ...pace, called: (one) => times.push(one) })) {
    ready.push(...results);
    if (ready.length >= PART_RESULTS) hand();
  }
  if (ready.length > 0) hand();
  post({ kind: "done" });
}

let before: Promise<void> = Promise.resolve();
parentPort?.on("message", (chunk: ToThread) => {
  before = before
    .then(() => run(chunk))
    .catch((cause: unknown) => post({ kind: "defect", message: cause instanceof Error ? cause.message : "unknown" }));
});
