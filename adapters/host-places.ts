/** Places of the host in its file system: where what callers choose is bounded, and what is kept from them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
