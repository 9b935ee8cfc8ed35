/** Files that come with a program: a map of path → text. Includes and imports resolve inside the map and nowhere else. */
import type { IncludeReader, IncludeResult } from "../../compiler/options.ts";

export type ProgramFiles = { readonly files: Readonly<Record<string, string>>; readonly main: string };

type FileIssue = { readonly path: string; readonly code: string; readonly message: string };

const MAX_FILES = 1000;

/** What is wrong with the map, with pointers into the body. */
export function filesIssues({ files, main }: ProgramFiles): readonly FileIssue[] {
  const paths = Object.keys(files);
  const issues: FileIssue[] = [];
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

/** A program that comes as text, with files that it imports or includes. No import names it. */
export function withCode(code: string, files: ProgramFiles["files"]): ProgramFiles {
  return { files: { ...files, [CODE]: code }, main: CODE };
}

const CODE = "program";

/**
 * Looked up next to the including file, then next to the main file, then in its folder `modules`, as files on disk are; a Python file from the folder of
 * the main file only.
 */
export function includesIn({ files, main }: ProgramFiles): IncludeReader {
  const root = folderOf(main);
  return {
    all: { files, main },
    read(written, from): IncludeResult {
      if (isUnsafe(written)) return { ok: false, reason: "outside_root", searched: 0 };
      const folder = from === null ? root : folderOf(from);
      const bases = written.endsWith(".py") ? [root] : [folder, root, joined(root, "modules")];
      const places = [...new Set(bases.map((base) => joined(base, written)))];
      const inside = places.filter((place) => place !== ".." && !place.startsWith("../"));
      for (const place of inside)
        if (Object.hasOwn(files, place)) return { ok: true, identity: place, text: files[place] ?? "" };
      const reason = inside.length === 0 ? "outside_root" : "not_found";
      return { ok: false, reason, searched: inside.length };
    },
    namesIn(inner): readonly string[] {
      const place = joined(root, inner);
      const folder = place === "." ? "" : `${place}/`;
      const below = Object.keys(files).filter((path) => path.startsWith(folder) && path.endsWith(".py"));
      return [...new Set(below.map((path) => path.slice(folder.length).split("/")[0] as string))];
    },
  };
}

function isPlainPath(path: string): boolean {
  return !isUnsafe(path) && path === joined(".", path) && !path.startsWith("..") && !path.endsWith("/");
}

function isUnsafe(path: string): boolean {
  return path === "" || path === "." || path.startsWith("/") || /[\\\0]|^[A-Za-z]:/.test(path) || path.length > 512;
}

function escaped(path: string): string {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}

function folderOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "." : path.slice(0, end);
}

/** The path without segments that go nowhere; "." for none. One that leads out begins with "..". */
function joined(folder: string, path: string): string {
  const segments: string[] = [];
  for (const segment of `${folder}/${path}`.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else segments.push(segment);
  }
  return segments.length === 0 ? "." : segments.join("/");
}
