/**
 * One plugin from its entry to a definition that can be used: the pinned hash is compared before anything of it runs, then it is imported
 * or started, completed and checked. Any error stops the start; a service never runs with only some of its plugins.
 */
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { type DefinitionIssue, definitionIssues } from "../definition/check-definition.ts";
import type { AdapterDefinition } from "../definition/define.ts";
import { adopted } from "./adopt.ts";
import { completed } from "./complete.ts";
import { checkHash, commandFiles, fault, hashOf, importOf, moduleFile, originOf, type PluginEntry } from "./entries.ts";
import type { Found, LoadDeps } from "./loading.ts";
import { definitionIn } from "./module-exports.ts";

/** The version of the definition's shape that this build knows. */
const API_VERSION = 1;

/** A plugin of the operator, loaded and checked. */
export type LoadedPlugin = {
  readonly definition: AdapterDefinition;
  /** The entry as the operator wrote it. */
  readonly origin: string;
  readonly version: string;
  /** Of the module's file, or of the files that the command names; null: it names none. */
  readonly sha256: string | null;
  readonly isolation: "in_process" | "process";
  /** JSON pointers to facts that the definition does not state and that were taken at their worst. */
  readonly assumed: readonly string[];
  /** Ends its process, if it has one. */
  close(): Promise<void>;
};

/** Throws StartFault. */
export async function loadPlugin(entry: PluginEntry, deps: LoadDeps): Promise<LoadedPlugin> {
  const origin = originOf(entry);
  const files =
    "command" in entry
      ? await commandFiles(entry.command, deps.baseFolder)
      : [await moduleFile(entry.module, deps.baseFolder)];
  const sha256 = await hashOf(files);
  checkHash(entry, sha256);
  const { value, close } = await found(entry, files[0], deps);
  try {
    const { definition, assumed } = completed(value);
    checkDefinition(origin, definition);
    const { version } = definition;
    return { definition: adopted(definition), origin, version, sha256, isolation: entry.isolation, assumed, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

async function found(entry: PluginEntry, file: string | undefined, deps: LoadDeps): Promise<Found> {
  if (entry.isolation === "process") {
    const { startPlugin } = await import("./process/plugin.ts");
    return startPlugin(entry, file ?? null, deps);
  }
  const module = await importOf(originOf(entry), file ?? "", deps.baseFolder, deps.timeoutMs);
  return { value: definitionIn(originOf(entry), module), close: async () => {} };
}

function checkDefinition(origin: string, value: unknown): asserts value is AdapterDefinition {
  const { apiVersion, name } = value as { readonly apiVersion?: unknown; readonly name?: unknown };
  if (apiVersion !== API_VERSION) {
    const written = typeof apiVersion === "number" ? `apiVersion ${apiVersion}` : "no apiVersion";
    throw fault(origin, `is written for ${written}; this build knows apiVersion ${API_VERSION}`);
  }
  if (builtinAdapters.some((one) => one.name === name))
    throw fault(origin, `its name ${String(name)} is that of a built-in adapter`);
  const issues = definitionIssues(value);
  if (issues.length > 0) throw fault(origin, `its definition is not valid: ${said(issues)}`);
}

const SHOWN_ISSUES = 5;

function said(issues: readonly DefinitionIssue[]): string {
  const shown = issues.slice(0, SHOWN_ISSUES).map(({ path, message }) => `${path} ${message}`);
  const more = issues.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
