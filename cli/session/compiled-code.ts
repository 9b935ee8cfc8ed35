/**
 * Node 22 and newer can keep what V8 compiled between starts, which saves a fifth of the start of `wf run`. The kept code is executed as it
 * is, so it is kept in the user's own cache folder, and only if others cannot write there.
 */
import { mkdirSync, statSync } from "node:fs";
import * as nodeModule from "node:module";
import { isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;
type CompileCaching = { readonly enableCompileCache?: (folder: string) => unknown };

/** Applies to files that are loaded later. Node 20 has no such cache, and `NODE_DISABLE_COMPILE_CACHE=1` switches it off. */
export function keepCompiledCode(environment: Environment, user: number | undefined): void {
  const { enableCompileCache } = nodeModule as CompileCaching;
  if (enableCompileCache === undefined) return;
  const folder = ownCacheFolder(environment, user);
  if (folder !== null) enableCompileCache(folder);
}

/** The folder, made if it is missing; null if it cannot be made, or others can write to it. */
export function ownCacheFolder({ XDG_CACHE_HOME, HOME }: Environment, user: number | undefined): string | null {
  const home = HOME !== undefined && isAbsolute(HOME) ? join(HOME, ".cache") : null;
  const caches = XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : home;
  if (caches === null) return null;
  const folder = join(caches, "weft", "compiled-code");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    return uid === user && (mode & OTHERS_WRITE) === 0 ? folder : null;
  } catch {
    return null;
  }
}

const OTHERS_WRITE = 0o022;
