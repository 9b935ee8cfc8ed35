/**
 * The adapters of one host: the built-in ones and the plugins that its operator names, in WF_ADAPTERS and in the operator file, with the
 * facts that the operator raised. Surfaces load them before they compile or serve anything. Loading is not enabling.
 */
import { resolve } from "node:path";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { builtinSettings, type SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterEntry } from "../../compiler/catalog.ts";
import { adapterSettingsOf, catalogEntryOf } from "../definition/catalog-entry.ts";
import type { AdapterLog } from "../definition/effect.ts";
import type { PolicyDecider } from "../operator/deciders.ts";
import type { HostConfig } from "../operator/host-config.ts";
import { readOperatorDocument } from "../operator/operator-file.ts";
import { fault, folderOf, type PluginEntry, readPluginEntries } from "./entries.ts";
import { raisedFacts } from "./facts.ts";
import type { LoadedPlugin } from "./load.ts";

/** What a host knows of adapters before it is opened. */
export type HostAdapters = {
  /** The built-in adapters, then the plugins. */
  readonly entries: readonly AdapterEntry[];
  /** How settings of all of them merge. */
  readonly settings: SettingTable;
  readonly plugins: readonly LoadedPlugin[];
  /** Asked before every call of an adapter, in this order. */
  readonly deciders: readonly PolicyDecider[];
  readonly warnings: readonly string[];
  /** Ends the processes of plugins. */
  close(): Promise<void>;
};

/** An entry with the folder that its paths count from. */
type PlacedEntry = { readonly entry: PluginEntry; readonly baseFolder: string };

/** Every plugin that the operator names, those of WF_ADAPTERS first. `folder`: where the process works. Throws StartFault. */
function pluginsNamed(config: HostConfig, folder: string): readonly PlacedEntry[] {
  const { plugins } = readOperatorDocument(config);
  const variable = readPluginEntries(config.plugins, "WF_ADAPTERS");
  const file = plugins === undefined ? [] : readPluginEntries(plugins, "the file of WF_ADAPTERS_CONFIG: /plugins");
  const baseFolder = fileFolder(config, folder);
  return [
    ...variable.map((entry) => ({ entry, baseFolder: resolve(folder) })),
    ...file.map((entry) => ({ entry, baseFolder })),
  ];
}

/** What paths in the operator file count from. */
function fileFolder({ adaptersFile }: HostConfig, folder: string): string {
  return adaptersFile === null ? resolve(folder) : folderOf(resolve(folder, adaptersFile));
}

async function decidersNamed(config: HostConfig, folder: string): Promise<readonly PolicyDecider[]> {
  const { deciders } = readOperatorDocument(config);
  if (deciders === undefined) return [];
  const { loadDeciders } = await import("./deciders.ts");
  return loadDeciders(deciders, "the file of WF_ADAPTERS_CONFIG: /deciders", fileFolder(config, folder));
}

/** Loads all of them, or none. Throws StartFault. */
export async function openAdapters(
  config: HostConfig,
  { folder, log }: { readonly folder: string; readonly log: AdapterLog },
): Promise<HostAdapters> {
  const plugins: LoadedPlugin[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(plugins.map((plugin) => plugin.close()));
  };
  try {
    for (const { entry, baseFolder } of pluginsNamed(config, folder)) {
      // The check of a definition compiles its examples: only hosts with plugins load what it takes.
      const { loadPlugin } = await import("./load.ts");
      const plugin = await loadPlugin(entry, { baseFolder, environment: config.variables, log });
      plugins.push(plugin);
      refuseTwice(plugins, plugin);
    }
    const known = [...builtinAdapters, ...plugins.map(({ definition }) => catalogEntryOf(definition))];
    const { entries, warnings } = raisedFacts(readOperatorDocument(config), known);
    const settings: SettingTable = new Map([
      ...builtinSettings,
      ...plugins.map(({ definition }) => [definition.name, adapterSettingsOf(definition)] as const),
    ]);
    const deciders = await decidersNamed(config, folder);
    return { entries, settings, plugins, deciders, warnings: [...plugins.flatMap(assumptions), ...warnings], close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

function refuseTwice(plugins: readonly LoadedPlugin[], { origin, definition: { name } }: LoadedPlugin): void {
  const [first, second] = plugins.filter(({ definition }) => definition.name === name);
  if (first !== undefined && second !== undefined)
    throw fault(origin, `its name ${name} is that of the plugin ${first.origin}`);
}

function assumptions({ definition: { name }, assumed }: LoadedPlugin): string[] {
  if (assumed.length === 0) return [];
  return [`plugin_facts_missing: ${name} does not declare ${assumed.join(", ")}; the worst is assumed`];
}

/** What is logged about a plugin when a surface starts. */
export function startFacts({ definition: { name }, version, origin, sha256, isolation }: LoadedPlugin) {
  return { adapter: name, version, origin, sha256, isolation };
}
