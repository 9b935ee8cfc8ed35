/** `wf serve PATH…`: the programs of files and folders for the service, and when they change. */
import { type FSWatcher, realpathSync, watch } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "../../compiler/json.ts";
import type { Clock } from "../../vm/run.ts";
import { projectConfig } from "../grant/project-config.ts";
import { expandFiles } from "../input/files.ts";
import { createIncludeReader } from "../input/include-reader.ts";
import { MAX_SOURCE_BYTES, readTextFile } from "../input/input.ts";
import { folderOf } from "../input/path-kind.ts";
import { isSource } from "../input/watch.ts";
import { CliFault } from "../session/faults.ts";
import { isModule, programName, settingMembers, sourceMembers } from "./program-body.ts";

export type ServedFile = { readonly name: string; readonly file: string } & (
  | { readonly body: JsonObject }
  | { readonly fault: string }
);

/** Throws CliFault when a path names nothing. */
export function servedFiles(cwd: string, paths: readonly string[]): readonly ServedFile[] {
  return expandFiles(cwd, paths).flatMap((found): ServedFile[] => {
    const file = found.replace(/^\.\//, "");
    const name = programName(file);
    try {
      const text = readTextFile(cwd, file, MAX_SOURCE_BYTES);
      if (isModule(file, text)) return [];
      const path = realpathSync(resolve(cwd, file));
      const config = projectConfig(cwd, file, undefined);
      const includes = createIncludeReader(cwd, path, config?.includeRoots ?? []);
      return [{ name, file, body: { ...sourceMembers(path, text, includes), ...settingMembers(config, name) } }];
    } catch (cause) {
      if (!(cause instanceof CliFault)) throw cause;
      return [{ name, file, fault: cause.message }];
    }
  });
}

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** A folder that cannot be watched is tried again. */
const AGAIN_MS = 1000;

/** Calls `changed` after programs or configurations in the folders of the paths changed. Returns the way to stop. */
export function watchServed(cwd: string, paths: readonly string[], clock: Clock, changed: () => void): () => void {
  const folders = [...new Set(paths.map((path) => folderOf(resolve(cwd, path))))];
  const watchers: FSWatcher[] = [];
  let stop = (): void => undefined;
  const close = (): void => {
    for (const watcher of watchers.splice(0)) watcher.close();
  };
  const noticed = (_kind: string, name: string | null): void => {
    if (name !== null && (name.split("/").some((part) => part.startsWith(".")) || !isSource(name))) return;
    stop();
    stop = clock.wait(SETTLE_MS, renewed);
  };
  const watchAll = (): void => {
    close();
    try {
      for (const folder of folders) {
        const watcher = watch(folder, { recursive: true }, noticed);
        watchers.push(watcher);
        watcher.on("error", again);
      }
    } catch {
      again();
    }
  };
  const again = (): void => {
    close();
    stop();
    stop = clock.wait(AGAIN_MS, renewed);
  };
  // A file that another one was moved over is seen no more by Node: each change is the last one that its watcher tells.
  const renewed = (): void => {
    watchAll();
    changed();
  };
  watchAll();
  return () => {
    stop();
    close();
  };
}
