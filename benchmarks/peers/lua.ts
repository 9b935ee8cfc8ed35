/** Lua 5.4 compiled to WebAssembly (wasmoon), without any meter, and with its one: a hook every 1 000 instructions that looks at the clock. */
import type { Json } from "../../compiler/json.ts";
import type { Workload } from "../workloads.ts";
import { peerPackage } from "./peer-package.ts";
import { argumentsOf, callingSide, programOf, type Side } from "./side.ts";

const TIME_MS = 600_000;

type Lua = {
  doStringSync(text: string): unknown;
  readonly global: {
    setTimeout(atMs: number): void;
    call(name: string, at: number): readonly Json[];
    setTop(index: number): void;
  };
};
type Wasmoon = { readonly LuaFactory: new () => { createEngine(): Promise<Lua> } };

export async function luaSide(workload: Workload, root: string, metered: boolean): Promise<Side | null> {
  const found = await peerPackage<Wasmoon>("wasmoon");
  if (found === null) return null;
  const lua = await new found.LuaFactory().createEngine();
  const given = argumentsOf(workload.prepare());
  const text = programOf(root, workload, "lua");
  const compile = (): void => {
    lua.doStringSync(`${text}\ninputs = ${luaText(given as Json)}\nfunction run_at(at) return run(inputs[at]) end`);
    if (metered) lua.global.setTimeout(Date.now() + TIME_MS);
  };
  return callingSide(compile, (index) => {
    // On the main thread: the hook is on that one alone.
    const [result] = lua.global.call("run_at", (index % given.length) + 1);
    lua.global.setTop(0);
    return result ?? null;
  });
}

/** A value as a Lua expression. */
function luaText(value: Json): string {
  if (Array.isArray(value)) return `{${value.map(luaText).join(",")}}`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}=${luaText(member)}`)
      .join(",")}}`;
  return JSON.stringify(value);
}
