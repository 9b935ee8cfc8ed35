/** Places of the host in its file system: where what callers choose is bounded, and what is kept from them. */
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { isObject, type Json } from "../../compiler/json.ts";
import { listed } from "../../grammar/text/english.ts";
import { admits } from "../../vm/grant/convert.ts";
import type { Grant } from "../../vm/grant/grant.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import type { HostPlaces } from "../definition/host-services.ts";
import { errnoOf } from "../guard/files/errors.ts";
import { makeFolder } from "../guard/files/make-folder.ts";
import { StartFault } from "./start-fault.ts";

/** What completes the places of a host. */
type Completing = {
  /** Callers choose places only below the data root. */
  readonly bounded: boolean;
  /** Whether callers may choose any place at all. */
  readonly chosen: boolean;
  readonly warnings: string[];
};

type CompletePlaces = {
  readonly places: HostPlaces;
  /** The folder of this process, removed at its end unless it contains files; null without one. */
  readonly temporary: string | null;
};

/** Every caller-chosen place has a bound: the operator's data root, `data` in the state directory, or a folder of this process. */
export function completePlaces(places: HostPlaces, { bounded, chosen, warnings }: Completing): CompletePlaces {
  if (!bounded || !chosen || places.dataRoot !== null) return { places, temporary: null };
  if (places.stateDir !== null) {
    const dataRoot = join(places.stateDir, "data");
    try {
      makeFolder(dataRoot);
    } catch (cause) {
      throw new StartFault(`the folder data cannot be made in that of WF_STATE_DIR (${errnoOf(cause) ?? "error"})`);
    }
    return { places: { ...places, dataRoot }, temporary: null };
  }
  const dataRoot = mkdtempSync(join(tmpdir(), "weft-data-"));
  warnings.push("data_root_volatile: without WF_DATA_ROOT and WF_STATE_DIR files go to a temporary folder");
  return { places: { ...places, dataRoot }, temporary: dataRoot };
}

/** Those that belong to the host: no caller may choose them. */
export function reservedPlaces({ stateDir, memoryDb, cachePath, agentRoot }: HostPlaces): readonly string[] {
  return [stateDir, memoryDb, cachePath, agentRoot].filter((place) => place !== null);
}

/** Settings of the operator that name places which several uses share on purpose. */
const SHARED_SETTINGS: ReadonlySet<string> = new Set(["fs.sandbox_root", "extras.probe_roots"]);

/**
 * The operator's places with what each of them is for: those of the service, and every path in a setting that names one. `operators`:
 * what the operator's side says of settings. `files`: further files of the service, such as its configuration.
 */
export function withOwners(
  places: HostPlaces,
  operators: Grant,
  settings: SettingTable,
  files: readonly string[],
): HostPlaces {
  const { stateDir, memoryDb, cachePath, agentRoot, summaryRoot } = places;
  const own: readonly (readonly [string | null, string])[] = [
    [stateDir, "service"],
    [memoryDb, "memory"],
    [cachePath, "cache"],
    [agentRoot, "agent"],
    [summaryRoot, "extras"],
    ...files.map((path) => [path, "service"] as const),
  ];
  const named = Object.keys(operators.adapter_constraints).flatMap((use) =>
    Object.entries(constraintsOf(operators, use))
      .filter(([name]) => !SHARED_SETTINGS.has(`${use}.${name}`))
      .filter(([name]) => ["server", "within"].includes(settings.get(use)?.settings[name]?.kind ?? ""))
      .flatMap(([, value]) => pathsIn(value))
      .map((path) => ({ path, use })),
  );
  const granted = Object.keys(operators.adapter_constraints).flatMap((use) =>
    Object.entries(constraintsOf(operators, use))
      .filter(([name]) => settings.get(use)?.settings[name]?.kind === "within")
      .flatMap(([name, value]) => (typeof value === "string" ? [[`${use}.${name}`, value] as const] : [])),
  );
  const reserved = own.flatMap(([path, use]) => (path === null ? [] : [{ path: resolve(path), use }]));
  return { ...places, reserved: [...reserved, ...named], granted: new Map(granted) };
}

/** Members of nested settings that name a file, such as `ca_file` of a mail account and `pid_file` of a probe. */
const FILE_MEMBER = /^(?:.*_)?file$/;

/** The files in the value of a setting: a path, the paths of an object by name, and those in what such an object holds. */
function pathsIn(value: Json): readonly string[] {
  if (typeof value === "string") return absolute(value);
  if (!isObject(value)) return [];
  return Object.values(value).flatMap((one) => (typeof one === "string" ? absolute(one) : filesIn(one)));
}

function filesIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(filesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    if (typeof one === "string") return FILE_MEMBER.test(name) ? absolute(one) : [];
    return name === "argv" && Array.isArray(one) ? programFiles(one as readonly Json[]) : filesIn(one);
  });
}

/** The program of a command, and the scripts among its arguments. Folders in them may be there for others to use. */
function programFiles([program = "", ...args]: readonly Json[]): readonly string[] {
  const paths = args.filter((one) => typeof one === "string").flatMap(absolute);
  return [...(typeof program === "string" ? absolute(program) : []), ...paths.filter(isFile)];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // What this process cannot look at, no program of it can reach.
    return false;
  }
}

function absolute(path: string): readonly string[] {
  return path.startsWith("/") ? [path] : [];
}

/** Settings whose paths callers of a service may choose freely; empty without such settings. */
export function choosablePlaces(grant: Grant, settings: SettingTable, catalog: AdapterCatalog): readonly string[] {
  const open = [...settings]
    .filter(([adapter]) => admits(grant, adapter, catalog))
    .flatMap(([adapter, known]) => {
      const fixed = constraintsOf(grant, adapter);
      return Object.entries(known.settings)
        .filter(([name, { kind }]) => kind === "within" && !Object.hasOwn(fixed, name))
        .map(([name]) => `${adapter}.${name}`);
    });
  return open.sort();
}

/** What is said at the start of a service whose operator lets callers choose places anywhere. */
export function unboundedPlaces(open: readonly string[]): readonly string[] {
  if (open.length === 0) return [];
  return [`places_unbounded: with WF_CALLER_PLACES=any callers choose any folder of this machine in ${listed(open)}`];
}
