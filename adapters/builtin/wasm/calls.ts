/**
 * One call of a module's function: finding the export, sending the job to a thread, and making of the thread's reply
 * either a result or the error that programs see. The instance of the adapter: one per run.
 */

import type { Json } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { parsedDocument } from "../../content/json-document.ts";
import type { AdapterLog } from "../../definition/effect.ts";
import type { LaneLimits } from "../../engine/wasm/lane.ts";
import type { WasmFailure, WasmJob, WasmOutcome, WasmReply } from "../../engine/wasm/messages.ts";
import type { WasmLane, WasmPool } from "../../engine/wasm/pool.ts";
import type { ModuleExport } from "../../engine/wasm/types.ts";
import { adapterError } from "../../errors.ts";
import type { LoadedModule, ModuleSet } from "./modules.ts";
import { fromWasm, toWasm } from "./numbers.ts";

export type WasmRun = {
  readonly modules: ModuleSet;
  readonly pool: WasmPool;
  readonly log: AdapterLog;
  readonly timeoutMs: number;
  /** Instances live as long as the run, on a thread of its own. */
  readonly reuse: boolean;
  readonly allowNonfinite: boolean;
  /** The run's own thread, made at its first call that reuses instances. */
  lane: WasmLane | null;
};

/** Calls `name` with numbers; the JSON of its results. */
export async function callNumbers(run: WasmRun, place: Place, numbers: readonly Json[]): Promise<Json> {
  const { module, called } = await found(run, place);
  const outcome = await made(run, place, module, { numbers: toWasm(called, numbers) });
  return fromWasm("numbers" in outcome ? outcome.numbers : [], run.allowNonfinite);
}

/** Calls `name` with the JSON text of a value; the value it answers. */
export async function callJson(run: WasmRun, place: Place, value: Json): Promise<Json> {
  const { module, called } = await found(run, place);
  const speaksJson = [called, exportOf(module, "wf_alloc")].every(takesText);
  if (!speaksJson) throw adapterError("ADAPTER_WASM_EXPORT", "the function does not have the JSON interface");
  const outcome = await made(run, place, module, { text: exactJson(value) });
  try {
    return await parsedDocument("text" in outcome ? outcome.text : "");
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw adapterError("ADAPTER_BAD_DATA", "the answer of the module is not JSON", { cause });
  }
}

export type Place = { readonly module: string; readonly export: string; readonly signal: AbortSignal };

async function found(
  run: WasmRun,
  place: Place,
): Promise<{ readonly module: LoadedModule; readonly called: ModuleExport }> {
  const module = await run.modules.module(place.module);
  return { module, called: exportOf(module, place.export) };
}

function exportOf(module: LoadedModule, name: string): ModuleExport {
  const called = module.exports.find((one) => one.name === name);
  if (called === undefined) throw adapterError("ADAPTER_WASM_EXPORT", "the module exports no such function");
  return called;
}

/** `wf_alloc(length) → ptr`, other functions `(ptr, length) → i64`. */
function takesText({ name, params, results }: ModuleExport): boolean {
  const type = `${params.join()}:${results.join()}`;
  return type === (name === "wf_alloc" ? "i32:i32" : "i32,i32:i64");
}

async function made(run: WasmRun, place: Place, module: LoadedModule, input: WasmJob["input"]): Promise<WasmOutcome> {
  const job: WasmJob = { module: module.module, export: place.export, input, keep: run.reuse ? module.key : null };
  const reply = await answered(run, job, { timeoutMs: run.timeoutMs, signal: place.signal });
  for (const text of reply.log) run.log("wasm_log", { module: place.module, text });
  if ("failure" in reply) throw errorOf(reply.failure);
  return reply.outcome;
}

function answered(run: WasmRun, job: WasmJob, limits: LaneLimits): Promise<WasmReply> {
  if (!run.reuse) return run.pool.run(job, limits);
  run.lane ??= run.pool.lane();
  return run.lane.run(job, limits);
}

function errorOf(failure: WasmFailure): AdapterError {
  switch (failure.reason) {
    case "trap":
      return adapterError("ADAPTER_WASM_TRAP", "the module stopped with a trap", { data: { kind: failure.kind } });
    case "interface":
      return adapterError("ADAPTER_BAD_DATA", `the module breaks the JSON interface: ${failure.what}`);
    case "too_large":
      return adapterError("ADAPTER_TOO_LARGE", "the JSON text is larger than 1 MiB");
    case "no_memory":
      return adapterError("ADAPTER_BUSY", "not enough memory for an instance of the module");
  }
}
