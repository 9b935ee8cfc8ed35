/**
 * Where a caller may put files: the lexical rules for paths in requests, before any merge. Real paths are compared again by the
 * adapter whenever it opens something. Nothing here looks at a disk.
 */
import { lexicalPath } from "./setting-values.ts";

export type PlaceRules = {
  /** Folder that relative paths count from; null: they are refused. */
  readonly base: string | null;
  /** Folder that every place must lie in; null: none. */
  readonly bound: string | null;
  /** Folders and files of the service: nothing may be, hold or lie in one of them. A folder that holds `bound` does not count. */
  readonly reserved: readonly string[];
  /** Home folders: no place may be one of them, or hold it. */
  readonly homes: readonly string[];
};

export const ANY_PLACE: PlaceRules = { base: null, bound: null, reserved: [], homes: [] };

/**
 * The absolute path that `given` means, or why it is refused. `held`: the server has a place of its own for the setting, to which the
 * merge holds the caller, so the path need not lie in the bound.
 */
export function callerPlace(
  given: string,
  rules: PlaceRules,
  held = false,
): { readonly path: string } | { readonly refused: string } {
  if (given === ":memory:") return { path: given };
  if (!given.startsWith("/") && rules.base === null)
    return { refused: "relative paths need a data root, and none is configured; give an absolute path" };
  const path = lexicalPath(given.startsWith("/") ? given : `${rules.base}/${given}`);
  if (path === null) return { refused: "no valid path" };
  if (path === "/" || rules.homes.some((home) => within(home, path)))
    return { refused: "the root folder and home folders cannot be chosen" };
  const { bound } = rules;
  if (bound !== null && !held && !within(path, bound)) return { refused: "outside the data root" };
  const reserved = rules.reserved.filter((one) => bound === null || one === bound || !within(bound, one));
  if (reserved.some((one) => within(path, one) || within(one, path)))
    return { refused: "the service keeps its own files there" };
  return { path };
}

/** Whether `path` is `folder` or lies below it; both normalized. */
function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
