/**
 * From the path of a probe to the place it means. A path is relative to a probe root, or absolute inside one; which root that is, is
 * decided by the text alone for absolute paths, and by where the thing exists for relative ones.
 */
import { isAbsolute } from "node:path";
import { adapterError } from "../../errors.ts";
import { pathEscape } from "../../guard/files/errors.ts";
import { type FileRoot, parsePath, type Segments } from "../../guard/files/path.ts";
import { isMissing } from "../fs/reading.ts";
import type { ExtrasInstance, ProbeRoot } from "./settings.ts";

type Target = { readonly root: FileRoot; readonly path: Segments };

/**
 * What `look` finds at `path`, in the first probe root in which it exists. Rejects with ADAPTER_NOT_FOUND when it exists in none,
 * ADAPTER_PATH_ESCAPE when it lies outside of all.
 */
export async function atProbePlace<T>(
  path: string,
  { probeRoots }: ExtrasInstance,
  look: (root: FileRoot, path: Segments) => Promise<T>,
): Promise<T> {
  // Before anything is opened: a path that can lie in no root needs none.
  const relative = isAbsolute(path) ? null : parsePath(path);
  const roots = await probeRoots();
  const targets =
    relative === null ? absoluteTargets(path, roots) : roots.map(({ root }) => ({ root, path: relative }));
  let missing: unknown = adapterError("ADAPTER_NOT_FOUND", "no such file or folder");
  for (const target of targets) {
    try {
      return await look(target.root, target.path);
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown;
      missing = thrown;
    }
  }
  throw missing;
}

function absoluteTargets(path: string, roots: readonly ProbeRoot[]): readonly Target[] {
  const targets = roots.flatMap(({ path: named, root }) => {
    const below = restBelow(named, path) ?? restBelow(root.real, path);
    return below === null ? [] : [{ root, path: below === "" ? [] : parsePath(below) }];
  });
  if (targets.length === 0) throw pathEscape();
  return targets;
}

/** The part of `path` below `folder`; null when the path is elsewhere. */
function restBelow(folder: string, path: string): string | null {
  const start = folder.replace(/\/+$/, "");
  if (path !== start && !path.startsWith(`${start}/`)) return null;
  return path.slice(start.length).replace(/^\/+/, "");
}
