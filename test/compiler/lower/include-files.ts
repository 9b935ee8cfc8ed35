/**
 * An include reader over files in memory: looks next to the including file first, then in the main file's folder. The only
 * reader that compiler tests use; real ones belong to the surfaces.
 */
import type { IncludeReader } from "../../../compiler/options.ts";

export function includeFiles(files: Readonly<Record<string, string>>): IncludeReader {
  return {
    read(path, from) {
      const folder = from === null ? "" : from.slice(0, from.lastIndexOf("/") + 1);
      const places = folder === "" ? [path] : [folder + path, path];
      if (path.startsWith("/") || path.includes("..")) return { ok: false, reason: "outside_root", searched: 0 };
      for (const place of places) {
        if (Object.hasOwn(files, place)) return { ok: true, identity: place, text: files[place] ?? "" };
      }
      return { ok: false, reason: "not_found", searched: places.length };
    },
  };
}
