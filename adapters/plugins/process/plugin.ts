/** Loads a plugin that runs in a process of its own: starts the process, asks for the definition, and lets the process end again. */
import { helperPath } from "../../engine/helpers.ts";
import { systemTimers } from "../../engine/timers.ts";
import { fault, originOf, type PluginEntry } from "../entries.ts";
import type { Found, LoadDeps } from "../loading.ts";
import { definitionOf } from "./definition.ts";
import { PluginProcess } from "./plugin-process.ts";

const START_MS = 10_000;

/** The plugin's description of itself as a definition. Throws StartFault. The process ends again until it is called. */
export async function startPlugin(entry: PluginEntry, file: string | null, deps: LoadDeps): Promise<Found> {
  const origin = originOf(entry);
  const plugin = new PluginProcess(commandOf(entry, file), origin, entry.env, deps, systemTimers);
  try {
    const spec = await plugin.request({ type: "spec", timeoutMs: deps.timeoutMs ?? START_MS });
    plugin.rest();
    return { value: definitionOf(origin, spec, plugin), close: () => plugin.close() };
  } catch (cause) {
    await plugin.close();
    if (cause instanceof Error && cause.name === "AdapterError")
      throw fault(origin, `does not tell its definition: ${cause.message}; what it wrote to stderr is in the log`);
    throw cause;
  }
}

/** A module runs in a process of Node that speaks the protocol for it. */
function commandOf(entry: PluginEntry, file: string | null): readonly string[] {
  return "command" in entry ? entry.command : [process.execPath, helperPath("plugin-host"), file ?? ""];
}
