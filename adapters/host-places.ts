/** Places of the host in its file system: where what callers choose is bounded, and what is kept from them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SettingTable } from "../compiler/catalog/settings.ts";
import type { AdapterCatalog } from "../compiler/catalog.ts";
import { listed } from "../grammar/english.ts";
import { admits } from "../vm/grant/convert.ts";
import type { Grant } from "../vm/grant/grant.ts";
import { constraintsOf } from "../vm/grant/normalize-grant.ts";
import { errnoOf } from "./guard/file-errors.ts";
import { makeFolder } from "./make-folder.ts";
import type { HostPlaces } from "./services.ts";
import { StartFault } from "./start-fault.ts";

/** With a profile every caller-chosen place has a bound: the data root, or a folder of our own. */
export function completePlaces(places: HostPlaces, bounded: boolean, warnings: string[]): HostPlaces {
  if (!bounded || places.dataRoot !== null) return places;
  if (places.stateDir !== null) {
    const dataRoot = join(places.stateDir, "data");
    try {
      makeFolder(dataRoot);
    } catch (cause) {
      throw new StartFault(`the folder data cannot be made in that of WF_STATE_DIR (${errnoOf(cause) ?? "error"})`);
    }
    return { ...places, dataRoot };
  }
  const dataRoot = mkdtempSync(join(tmpdir(), "weft-data-"));
  warnings.push("data_root_volatile: without WF_DATA_ROOT and WF_STATE_DIR files go to a temporary folder");
  return { ...places, dataRoot };
}

/** Those that belong to the host: no caller may choose them. */
export function reservedPlaces({ stateDir, memoryDb, cachePath, agentRoot }: HostPlaces): readonly string[] {
  return [stateDir, memoryDb, cachePath, agentRoot].filter((place) => place !== null);
}

/** What is said at the start of a service whose callers may choose places anywhere; null: there are none. */
export function unboundedPlaces(grant: Grant, settings: SettingTable, catalog: AdapterCatalog): string | null {
  const open = [...settings]
    .filter(([adapter]) => admits(grant, adapter, catalog))
    .flatMap(([adapter, known]) => {
      const fixed = constraintsOf(grant, adapter);
      return Object.entries(known.settings)
        .filter(([name, { kind, map }]) => kind === "within" && (map === true || !Object.hasOwn(fixed, name)))
        .map(([name]) => `${adapter}.${name}`);
    });
  if (open.length === 0) return null;
  return `places_unbounded: without WF_DATA_ROOT or a profile, callers choose any folder of this machine in ${listed(open.sort())}`;
}
