/** Which database files the adapter `sqlite` may open: none of the host's own, and none that a link leads out of the data root. */
import { isAbsolute, resolve } from "node:path";
import type { AdapterError } from "../../vm/errors.ts";
import { adapterError } from "../errors.ts";
import { isWithin, realTarget } from "../guard/path.ts";
import type { HostPlaces } from "../services.ts";

export const IN_MEMORY = ":memory:";

/** The path to open. Throws ADAPTER_BAD_SETTINGS. */
export async function databasePath(path: string, places: HostPlaces): Promise<string> {
  if (path === IN_MEMORY) return path;
  if (!isAbsolute(path) || path.includes("\0")) throw badPlace("is not an absolute path");
  const { dataRoot, stateDir, memoryDb, cachePath } = places;
  const real = await realTarget(path);
  const inData = dataRoot !== null && isWithin(await realTarget(dataRoot), real);
  if (dataRoot !== null && isWithin(resolve(dataRoot), resolve(path)) && !inData) {
    throw badPlace("leaves its bound through a symbolic link");
  }
  if (stateDir !== null && !inData && isWithin(await realTarget(stateDir), real)) {
    throw badPlace("lies in the state directory");
  }
  for (const own of [memoryDb, cachePath]) {
    if (own !== null && (await realTarget(own)) === real) throw badPlace("is a file of the host");
  }
  return real;
}

function badPlace(what: string): AdapterError {
  return adapterError("ADAPTER_BAD_SETTINGS", `db_path ${what}`);
}
