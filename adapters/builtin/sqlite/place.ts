/** Which database files the adapter `sqlite` may open: none of the host's own, and none that a link leads out of the data root. */
import { isAbsolute } from "node:path";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import type { HostPlaces } from "../../definition/host-services.ts";
import { adapterError } from "../../errors.ts";
import { isWithin, realTarget } from "../../guard/files/path.ts";
import { boundOf, opened, refuseReserved, reservedFor } from "../../guard/files/reserved.ts";

export const IN_MEMORY = ":memory:";

/** The path to open. Throws ADAPTER_BAD_SETTINGS. */
export async function databasePath(path: string, places: HostPlaces): Promise<string> {
  if (path === IN_MEMORY) return path;
  if (!isAbsolute(path) || path.includes("\0")) throw badPlace("is not an absolute path");
  const { dataRoot, stateDir, memoryDb, cachePath, reserved, granted } = places;
  const real = await realTarget(path);
  const inData = dataRoot !== null && isWithin(await realTarget(dataRoot), real);
  const bound = boundOf(path, granted?.get("sqlite.db_path"), dataRoot);
  if (bound !== null && !isWithin(await realTarget(bound), real)) {
    throw badPlace("leaves its bound through a symbolic link");
  }
  if (stateDir !== null && !inData && isWithin(await realTarget(stateDir), real)) {
    throw badPlace("lies in the state directory");
  }
  for (const own of [memoryDb, cachePath]) {
    if (own !== null && (await realTarget(own)) === real) throw badPlace("is a file of the host");
  }
  if (reserved !== undefined)
    await refuseReserved(real, "db_path", await reservedFor(reserved, "sqlite"), opened(dataRoot));
  return real;
}

function badPlace(what: string): AdapterError {
  return adapterError("ADAPTER_BAD_SETTINGS", `db_path ${what}`);
}
