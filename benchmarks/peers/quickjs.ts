/**
 * QuickJS compiled to WebAssembly, with the meters it has: an interrupt handler that counts, and a bound on memory. In three ways: the
 * program evaluated anew for each run in one context, the same in a fresh context, and compiled once and only called.
 */
import type { Json } from "../../compiler/json.ts";
import type { Workload } from "../workloads.ts";
import { peerPackage } from "./peer-package.ts";
import { argumentsOf, callingSide, programOf, type Side } from "./side.ts";

/** How often the engine may ask; it does so every few thousand instructions. */
const MAX_INTERRUPTS = 1_000_000_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

export type QuickJsMode = "evaluated" | "fresh" | "called";

type Handle = { dispose(): void };
type Context = {
  evalCode(code: string): unknown;
  unwrapResult(result: unknown): Handle;
  dump(handle: Handle): Json;
  dispose(): void;
};
type Runtime = {
  setInterruptHandler(isOver: () => boolean): void;
  setMemoryLimit(bytes: number): void;
  newContext(): Context;
};
type QuickJs = { getQuickJS(): Promise<{ newRuntime(): Runtime }> };

export async function quickJsSide(workload: Workload, root: string, mode: QuickJsMode): Promise<Side | null> {
  const found = await peerPackage<QuickJs>("quickjs-emscripten");
  if (found === null) return null;
  const runtime = (await found.getQuickJS()).newRuntime();
  let interrupts = 0;
  runtime.setInterruptHandler(() => {
    interrupts += 1;
    return interrupts > MAX_INTERRUPTS;
  });
  runtime.setMemoryLimit(MEMORY_BYTES);
  const given = argumentsOf(workload.prepare());
  const text = programOf(root, workload, "js");
  let context = runtime.newContext();
  const evaluate = (code: string): Json => {
    const result = context.unwrapResult(context.evalCode(code));
    const value = context.dump(result);
    result.dispose();
    return value;
  };
  const compile = (): void => {
    evaluate(`globalThis.inputs = ${JSON.stringify(given)}; 0`);
    if (mode === "called") evaluate(`${text}; 0`);
  };
  const run = (index: number): Json => {
    const at = index % given.length;
    if (mode === "called") return evaluate(`run(inputs[${at}])`);
    if (mode === "evaluated") return evaluate(`${text}\nrun(inputs[${at}])`);
    context.dispose();
    context = runtime.newContext();
    return evaluate(`${text}\nrun(${JSON.stringify(given[at])})`);
  };
  return callingSide(compile, run);
}
