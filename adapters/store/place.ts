/**
 * Where a store's file really is. A file inside the data root may have been named by a caller, and whether a link leads out of the root is
 * only known on the spot; a file elsewhere was named by the operator.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { adapterError } from "../errors.ts";

/** The path with links resolved. Throws ADAPTER_BAD_SETTINGS when it only seems to lie inside `dataRoot`. */
export function realPlace(path: string, dataRoot: string | null): string {
  const real = resolved(path);
  if (dataRoot !== null && isInside(path, dataRoot) && !isInside(real, resolved(dataRoot))) {
    throw adapterError("ADAPTER_BAD_SETTINGS", "the database file lies outside the data root");
  }
  return real;
}

/** As `realpath`; what does not exist yet is taken as it is named. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolved(parent), basename(path));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}
