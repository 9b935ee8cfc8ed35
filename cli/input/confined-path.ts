/**
 * Finds the file that a path names inside of some folders. Links are followed step by step, and nothing outside of the folders is ever
 * touched, not even to see whether it exists: a file system that went away would hold the process for good.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";

const MAX_LINKS = 40;

/** `roots`: real paths. Throws the system's error for what cannot be examined. */
export function confinedPath(path: string, roots: readonly string[]): string | "outside" {
  let rest = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const root = roots.find((one) => isInside(rest, [one]));
    if (root === undefined) return "outside";
    const found = followed(root, relative(root, rest).split(sep));
    if (found.kind === "real") return found.path;
    rest = found.path;
  }
  throw Object.assign(new Error("too many links"), { code: "ELOOP" });
}

/** `rest`: the path with its first link replaced by what it leads to. */
function followed(root: string, parts: readonly string[]): { readonly kind: "real" | "rest"; readonly path: string } {
  let at = root;
  for (const [index, part] of parts.entries()) {
    const next = join(at, part);
    if (lstatSync(next).isSymbolicLink())
      return { kind: "rest", path: resolve(at, readlinkSync(next), ...parts.slice(index + 1)) };
    at = next;
  }
  return { kind: "real", path: at };
}

/** Whether a path lies below one of the folders, by its name alone. */
export function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const way = relative(root, path);
    return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  });
}
