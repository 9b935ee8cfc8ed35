/**
 * The program of a batch thread: reads the chunks it is given, one after the other, runs each frame and gives rows back. It calls
 * functions of core only; everything else belongs to the command's own thread.
 */

import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { explainFailure } from "../../vm/admission/explain-failure.ts";
import { createBatchHost } from "../../vm/batch/batch-host.ts";
import { runRows } from "../../vm/batch/rows/run-rows.ts";
import type { FromThread, ThreadStart, ToThread } from "./messages.ts";
import type { CallTimes } from "./part.ts";

const { ir, label, limits, limitSources, allowlistSources, requested, allowedAdapters, allowEnv, ...around } =
  workerData as ThreadStart;
const { environment, frameCeilingBytes, tier, pace, rows, strict, inputs } = around;

const host = createBatchHost({
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
  async function* one() {
    yield chunk;
  }
  const asked = { ...pace, rows, rules: { strict, keepsDigits }, called: (some: CallTimes) => times.push(some) };
  for await (const part of runRows(runner, one(), asked)) {
    post({ kind: "part", part, times }, [part.bytes.buffer]);
    times = [];
  }
  post({ kind: "done" });
}

let before: Promise<void> = Promise.resolve();
parentPort?.on("message", (chunk: ToThread) => {
  before = before
    .then(() => run(chunk))
    .catch((cause: unknown) => post({ kind: "defect", message: cause instanceof Error ? cause.message : "unknown" }));
});
