/** The files of a deployment: a map of path → text. Includes resolve inside the map and nowhere else. */
import { posix } from "node:path";
import type { IncludeReader, IncludeResult } from "../../../compiler/options.ts";
import type { RequestIssue } from "../../wire/errors.ts";

export type ProgramFiles = { readonly files: Readonly<Record<string, string>>; readonly main: string };

const MAX_FILES = 1000;

/** What is wrong with the map, with pointers into the body. */
export function filesIssues({ files, main }: ProgramFiles): readonly RequestIssue[] {
  const paths = Object.keys(files);
  const issues: RequestIssue[] = [];
  if (paths.length > MAX_FILES)
    issues.push({ path: "/files", code: "range", message: `must have at most ${MAX_FILES} files` });
  for (const path of paths)
    if (!isPlainPath(path)) {
      const message = "must be a relative path without . or .. segments, such as modules/check.wf";
      issues.push({ path: `/files/${escaped(path)}`.slice(0, 300), code: "format", message });
    }
  if (!Object.hasOwn(files, main))
    issues.push({ path: "/main", code: "unknown_file", message: "must name one of the files" });
  return issues.slice(0, 100);
}

/**
 * Looked up next to the including file, then next to the main file, then in its folder `modules`, as files on disk are; a Python file from the folder of
 * the main file only.
 */
export function includesIn({ files, main }: ProgramFiles): IncludeReader {
  const root = posix.dirname(main);
  return {
    all: { files, main },
    read(written, from): IncludeResult {
      if (isUnsafe(written)) return { ok: false, reason: "outside_root", searched: 0 };
      const folder = from === null ? root : posix.dirname(from);
      const bases = written.endsWith(".py") ? [root] : [folder, root, posix.join(root, "modules")];
      const places = [...new Set(bases.map((base) => posix.join(base, written)))];
      const inside = places.filter((place) => place !== ".." && !place.startsWith("../"));
      for (const place of inside)
        if (Object.hasOwn(files, place)) return { ok: true, identity: place, text: files[place] ?? "" };
      const reason = inside.length === 0 ? "outside_root" : "not_found";
      return { ok: false, reason, searched: inside.length };
    },
    namesIn(inner): readonly string[] {
      const folder = posix.join(root, inner, "/").replace(/^\.\//, "");
      const below = Object.keys(files).filter((path) => path.startsWith(folder) && path.endsWith(".py"));
      return [...new Set(below.map((path) => path.slice(folder.length).split("/")[0] as string))];
    },
  };
}

function isPlainPath(path: string): boolean {
  return !isUnsafe(path) && path === posix.normalize(path) && !path.startsWith("..") && !path.endsWith("/");
}

function isUnsafe(path: string): boolean {
  return path === "" || path === "." || path.startsWith("/") || /[\\\0]|^[A-Za-z]:/.test(path) || path.length > 512;
}

function escaped(path: string): string {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}
