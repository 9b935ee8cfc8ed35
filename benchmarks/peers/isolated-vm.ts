/**
 * isolated-vm, where it is installed: V8 itself in a heap of its own, with a bound on memory and on the time of each call. It is no
 * dependency of this project, because it has to be compiled on the machine; nothing here needs its types.
 */
import type { Json } from "../../compiler/json.ts";
import type { Workload } from "../workloads.ts";
import { peerPackage } from "./peer-package.ts";
import { argumentsOf, callingSide, programOf, type Side } from "./side.ts";

export const HOW_TO_BUILD = "npm i --no-save isolated-vm@5.0.4";
const MEMORY_MB = 512;
const TIME_MS = 600_000;

type Script = { runSync(context: Context, options: object): Json };
type Context = { readonly global: { setSync(name: string, value: unknown): void } };
type Isolate = { createContextSync(): Context; compileScriptSync(text: string): Script };
type IsolatedVm = {
  readonly Isolate: new (options: { readonly memoryLimit: number }) => Isolate;
  readonly ExternalCopy: new (value: Json) => { copyInto(): unknown };
};

/** The program is compiled once; each run is one call into the isolate, in one context. */
export async function isolatedVmSide(workload: Workload, root: string): Promise<Side | null> {
  const found = await peerPackage<{ readonly default: IsolatedVm }>("isolated-vm");
  if (found === null) return null;
  const { default: ivm } = found;
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB });
  const context = isolate.createContextSync();
  const given = argumentsOf(workload.prepare());
  const text = programOf(root, workload, "js");
  let scripts: readonly Script[] = [];
  const compile = (): void => {
    context.global.setSync("inputs", new ivm.ExternalCopy(given as Json).copyInto());
    isolate.compileScriptSync(text).runSync(context, { timeout: TIME_MS });
    scripts = given.map((_, at) => isolate.compileScriptSync(`run(inputs[${at}])`));
  };
  return callingSide(compile, (index) => {
    const script = scripts[index % scripts.length] as Script;
    return script.runSync(context, { timeout: TIME_MS, copy: true });
  });
}
