/**
 * What is in folders: list and glob. Both are walks of one tree with a pattern; results are sorted by code point, so that equal
 * folders give equal answers.
 */
import type { Stats } from "node:fs";
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { compareText } from "../../../vm/values/compare.ts";
import { PathPattern } from "../../guard/files/glob.ts";
import { type FileRoot, parsePath, type Segments } from "../../guard/files/path.ts";
import { isReserved } from "../../guard/files/reserved.ts";
import { atPlace, inFolder } from "../../guard/files/walk.ts";
import { described, isMissing } from "./reading.ts";
import type { FsCall } from "./settings.ts";
import { tooManyEntries, treeOf } from "./tree.ts";

export type ListOptions = {
  readonly details: boolean;
  readonly recursive: boolean;
  readonly limit?: number | undefined;
};

const ENTRIES = new PathPattern(["*"]);
const ENTRIES_BELOW = new PathPattern(["**"]);

/** Names of a folder, paths below it with `recursive`; none for a missing folder. */
export async function list(path: string, options: ListOptions, call: FsCall): Promise<readonly Json[]> {
  const base = await folderAt(parsePath(path), call);
  if (base === null) return [];
  const names = await sortedMatches(base, options.recursive ? ENTRIES_BELOW : ENTRIES, options.limit, call);
  return options.details ? withDetails(base, names, call) : names;
}

/** Paths that fit the pattern. */
export function glob(pattern: string, limit: number | undefined, call: FsCall): Promise<readonly string[]> {
  return sortedMatches([], new PathPattern(parsePath(pattern)), limit, call);
}

/** Where a folder really is; null: it does not exist. */
async function folderAt(path: Segments, { instance }: FsCall): Promise<Segments | null> {
  try {
    return await inFolder(instance.root, path, { purpose: "read" }, async (_, real) => real);
  } catch (thrown) {
    if (thrown instanceof AdapterError && thrown.code === "ADAPTER_NOT_FOUND") return null;
    throw thrown;
  }
}

async function sortedMatches(
  base: Segments,
  pattern: PathPattern,
  limit: number | undefined,
  { instance, settings, ctx }: FsCall,
): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = { root: instance.root, base, pattern, signal: ctx.signal, now: ctx.now() };
  for await (const { path } of treeOf(walk)) found.push(path.join("/"));
  const wanted = found.sort(compareText).slice(0, limit);
  if (wanted.length > settings.max_entries) throw tooManyEntries(settings.max_entries);
  return wanted;
}

async function withDetails(
  base: Segments,
  names: readonly string[],
  { instance, ctx }: FsCall,
): Promise<readonly Json[]> {
  const entries: Json[] = [];
  for (const name of names) {
    ctx.signal.throwIfAborted();
    const path = [...base, ...name.split("/")];
    const facts = await factsAt(path, instance.root);
    // Gone since it was listed, or the operator's.
    if (facts !== undefined) entries.push({ name, ...described(facts) });
  }
  return entries;
}

async function factsAt(path: Segments, root: FileRoot): Promise<Stats | undefined> {
  try {
    return await atPlace(root, path, { purpose: "read", links: "none" }, async (place) => place.facts);
  } catch (thrown) {
    if (isMissing(thrown) || isReserved(thrown)) return undefined;
    throw thrown;
  }
}
