/**
 * The confined reader of included files (docs/language.md, includes): a path is looked up next to the including file, then in each
 * root, and must resolve, links followed, inside one of them. And of the Python files that a program imports.
 */
import { constants, readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import type { IncludeReader, IncludeResult } from "../../compiler/options.ts";
import { readUtf8 } from "../../grammar/text/text-bytes.ts";
import { systemCode, usageFault } from "../session/faults.ts";
import { confinedPath, isInside } from "./confined-path.ts";
import { MAX_SOURCE_BYTES, readRegular } from "./input.ts";

/** A reader for a program at `path` (null: standard input), or undefined when no folder is open to it. */
export function createIncludeReader(
  cwd: string,
  path: string | null,
  includeRoots: readonly string[],
): IncludeReader | undefined {
  const folder = path === null ? null : realFolder(dirname(path));
  const inner = folder === null ? null : realFolder(resolve(folder, "modules"));
  // A `modules` that is a link out of the program's folder opens nothing: it came with the program.
  const modules = inner !== null && folder !== null && isInside(inner, [folder]) ? inner : null;
  const given = includeRoots.map((root) => {
    const real = realFolder(resolve(cwd, root));
    if (real === null) throw usageFault(`option --include-root: ${root} is not a folder`);
    return real;
  });
  const roots = [...new Set([folder, modules, ...given].filter((root) => root !== null))];
  if (roots.length === 0) return undefined;
  return {
    read: (written, from) =>
      written.endsWith(".py")
        ? readPython(written, folder)
        : readInclude(written, from === null ? folder : dirname(from), roots),
    namesIn: (inner) => (folder === null ? [] : pythonNames(folder, inner)),
  };
}

/** A Python file comes from the folder of the program, as in CPython, and from nowhere else. */
function readPython(written: string, folder: string | null): IncludeResult {
  if (folder === null) return { ok: false, reason: "not_found", searched: 0 };
  return readInclude(written, folder, [folder]);
}

/** Python files and folders in a folder of the program. */
function pythonNames(folder: string, inner: string): readonly string[] {
  try {
    const place = inner === "" ? folder : confinedPath(resolve(folder, inner), [folder]);
    if (place === "outside") return [];
    const found = readdirSync(place, { withFileTypes: true });
    return found.flatMap((one) => (one.isDirectory() || one.name.endsWith(".py") ? [one.name] : []));
  } catch {
    return [];
  }
}

function readInclude(written: string, folder: string | null, roots: readonly string[]): IncludeResult {
  if (isUnsafe(written)) return { ok: false, reason: "outside_root", searched: 0 };
  const places = [...new Set((folder === null ? roots : [folder, ...roots]).map((base) => resolve(base, written)))];
  let outside = 0;
  let linkedOut = false;
  let absentBeside = false;
  for (const [index, place] of places.entries()) {
    const found = isInside(place, roots) ? openInside(place, roots) : "outside";
    if (found === "linked_out") linkedOut = true;
    if (index === 0 && found === "absent") absentBeside = true;
    if (found === "outside" || found === "linked_out") outside += 1;
    else if (found !== "absent") return found;
  }
  // With `..`, the folder of the including file is what is meant.
  const leaves = linkedOut || outside === places.length || (outside > 0 && !absentBeside && leavesFolder(written));
  const reason = leaves ? "outside_root" : "not_found";
  return { ok: false, reason, searched: places.length - outside };
}

/** Absolute paths, drive letters, NUL and backslashes never name an include. */
function isUnsafe(written: string): boolean {
  return (
    written === "" ||
    isAbsolute(written) ||
    /^[A-Za-z]:/.test(written) ||
    written.includes("\\") ||
    written.includes("\0")
  );
}

const leavesFolder = (written: string): boolean => written.split("/").includes("..");

function openInside(place: string, roots: readonly string[]): IncludeResult | "linked_out" | "absent" {
  let real: string;
  try {
    real = confinedPath(place, roots);
  } catch (cause) {
    const code = systemCode(cause);
    return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" ? "absent" : unreadable();
  }
  return real === "outside" ? "linked_out" : readReal(real);
}

function readReal(real: string): IncludeResult {
  try {
    // The links are resolved already: a link put there since then is not followed.
    const bytes = readRegular(real, MAX_SOURCE_BYTES, constants.O_NOFOLLOW);
    if (bytes === null) return unreadable();
    if (bytes.length > MAX_SOURCE_BYTES) return { ok: false, reason: "too_large", searched: 1 };
    const read = readUtf8(bytes);
    return read.ok ? { ok: true, identity: real, text: read.text } : unreadable();
  } catch {
    return unreadable();
  }
}

function unreadable(): IncludeResult {
  return { ok: false, reason: "unreadable", searched: 1 };
}

function realFolder(path: string): string | null {
  try {
    return realpathSync(resolve(path, "."));
  } catch {
    return null;
  }
}
