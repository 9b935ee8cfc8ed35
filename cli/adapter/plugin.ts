/**
 * The adapter that a command of `wf adapter` is about: a built-in one by name, or a plugin by the path of its module or folder. Faults of
 * loading become faults of the command line.
 */
import { readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { AdapterDefinition } from "../../adapters/definition/define.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { loadPlugin } from "../../adapters/plugins/load.ts";
import { definitionIn } from "../../adapters/plugins/module-exports.ts";
import { BUILTIN_LOADERS, PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { kindOf } from "../input/path-kind.ts";
import { CliFault, EXIT, inputFault, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

/** A definition by name, of a plugin of the operator too, or by path. */
export async function definitionOf(session: Session, given: string): Promise<AdapterDefinition> {
  if (given === "core") throw usageFault("core is part of the machine and has no definition (docs/functions.md)");
  const load = Object.hasOwn(BUILTIN_LOADERS, given) ? BUILTIN_LOADERS[given] : undefined;
  if (load !== undefined) return load();
  const named = session.adapters?.plugins.find(({ definition }) => definition.name === given);
  return named?.definition ?? pluginAt(session, given);
}

/** The definition of a plugin, complete and checked. */
export async function pluginAt({ cwd, environment }: Session, given: string): Promise<AdapterDefinition> {
  const module = fromHere(cwd, pluginFile(cwd, given));
  const entry = { module, sha256: null, isolation: "in_process", env: [] } as const;
  const deps = { baseFolder: cwd, environment: environment.host.variables, log: () => {} };
  return (await asCliFault(loadPlugin(entry, deps))).definition;
}

/** What the module of a plugin exports as its definition, whatever it is. */
export async function writtenDefinition(cwd: string, module: string, given: string): Promise<unknown> {
  return asCliFault(importOf(cwd, module, given).then((exports) => definitionIn(given, exports)));
}

/** A module of the user's. */
export async function importOf(cwd: string, file: string, given: string): Promise<object> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (cause) {
    const [said = ""] = cause instanceof Error ? cause.message.split("\n") : [];
    throw pluginFault(`${given} cannot be imported: ${said.replaceAll(`${cwd}/`, "./").slice(0, 300)}`);
  }
}

function pluginFault(message: string): CliFault {
  const first = "a plugin finds weft-runner in its own node_modules: npm install --save-dev weft-runner";
  const told = message.includes("npm install weft-runner") ? [] : [first];
  const notes = /package 'weft-runner['/]/.test(message)
    ? [...told, "from a checkout: npm link there, then npm link weft-runner here"]
    : [];
  return new CliFault(message, { error: "plugin_error", exitCode: EXIT.usage, notes });
}

/** The absolute path of a plugin's module: the file itself, or what the package of a folder names. */
export function pluginFile(cwd: string, given: string): string {
  const path = resolve(cwd, given);
  const file = kindOf(path) === "folder" ? join(path, mainOf(path)) : path;
  if (kindOf(file) === "file") return file;
  if (PROVIDED_ADAPTERS.includes(given)) throw usageFault(`${given} is built in; a plugin is named by its PATH`);
  const near = nearest(given, PROVIDED_ADAPTERS);
  const hint = near === null || given.includes("/") ? "" : `; did you mean the adapter ${near}?`;
  const what = file === path ? given : `${given}: its module`;
  throw inputFault("path_not_found", `${what} does not exist${hint}`);
}

/** The path as messages show it: `./plugins/weather.js` for a file below the working directory, else absolute. */
export function fromHere(cwd: string, file: string): string {
  const way = relative(cwd, file);
  return way.startsWith("..") || isAbsolute(way) ? file : `./${way}`;
}

/** The module that package.json names, `index.js` without one. */
function mainOf(folder: string): string {
  try {
    const { main } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly main?: unknown };
    return typeof main === "string" ? main : "index.js";
  } catch {
    return "index.js";
  }
}

async function asCliFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    throw pluginFault(cause.message);
  }
}
