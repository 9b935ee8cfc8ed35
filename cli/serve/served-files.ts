/** `wf serve PATH…`: the programs of files and folders for the service, and when they change. */
import { realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { JsonObject } from "../../compiler/json.ts";
import type { Clock } from "../../vm/run.ts";
import { Turns } from "../../vm/tasks/turns.ts";
import { projectConfig } from "../grant/project-config.ts";
import { confinedPath } from "../input/confined-path.ts";
import { type FoundFile, findFiles } from "../input/files.ts";
import { createIncludeReader } from "../input/include-reader.ts";
import { MAX_SOURCE_BYTES, openFault, readFoundFile } from "../input/input.ts";
import { folderOf } from "../input/path-kind.ts";
import { isModule, programName, settingMembers, sourceMembers } from "../programs/program-body.ts";
import { attestationNextTo } from "../programs/signing.ts";
import { CliFault, inputFault, systemCode } from "../session/faults.ts";
import { isSource } from "../watch/watch.ts";
import { watchFolders } from "../watch/watch-folders.ts";

export type ServedFile = { readonly name: string; readonly file: string } & (
  | { readonly body: JsonObject }
  | { readonly fault: string }
);

/** Throws CliFault when a path names nothing. Other work of the thread runs between files. */
export async function servedFiles(cwd: string, paths: readonly string[], clock: Clock): Promise<readonly ServedFile[]> {
  const turns = new Turns(clock, setImmediate);
  const served: ServedFile[] = [];
  for (const found of findFiles(cwd, paths)) {
    await turns.next();
    const read = servedFile(cwd, found);
    if (read !== null) served.push(read);
  }
  return served;
}

/** null: a module of other programs. */
function servedFile(cwd: string, found: FoundFile): ServedFile | null {
  const file = found.file.replace(/^\.\//, "");
  const name = programName(file);
  try {
    const path = realPlace(cwd, found, file);
    const text = readFoundFile(path, file, MAX_SOURCE_BYTES);
    if (isModule(file, text)) return null;
    const config = projectConfig(cwd, file, undefined);
    const includes = createIncludeReader(cwd, path, config?.includeRoots ?? []);
    const source = sourceMembers(path, text, includes);
    const attestation = attestationNextTo(cwd, file);
    const signed = attestation === undefined ? {} : { attestation };
    return { name, file, body: { ...source, ...settingMembers(config, name), ...signed } };
  } catch (cause) {
    if (!(cause instanceof CliFault)) throw cause;
    return { name, file, fault: cause.message };
  }
}

/** Where a file really is; `name`: what messages call it. Throws CliFault for a link that leads out of the folder in which it was found, which nothing looks at. */
function realPlace(cwd: string, { file, folder }: FoundFile, name: string): string {
  const place = resolve(cwd, file);
  try {
    if (folder === null) return realpathSync(place);
    const root = realpathSync(resolve(cwd, folder));
    const path = confinedPath(join(root, relative(resolve(cwd, folder), place)), [root]);
    if (path !== "outside") return path;
  } catch (cause) {
    throw systemCode(cause) === null ? cause : openFault(cause, place, name);
  }
  const advice = "put a copy there, or name the file itself as a PATH";
  throw inputFault("path_not_a_file", `${name} is a link that leads out of ${folder}; ${advice}`);
}

const isServed = (name: string): boolean => isSource(name) || name.endsWith(".attestation.json");

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** A folder that cannot be watched is tried again. */
const AGAIN_MS = 1000;

/** Calls `changed` after programs or configurations in the folders of the paths changed. Returns the way to stop. */
export function watchServed(cwd: string, paths: readonly string[], clock: Clock, changed: () => void): () => void {
  const folders = [...new Set(paths.map((path) => folderOf(resolve(cwd, path))))];
  let stop = (): void => undefined;
  let close = (): void => undefined;
  const noticed = (name: string | null): void => {
    if (name !== null && (name.split("/").some((part) => part.startsWith(".")) || !isServed(name))) return;
    stop();
    stop = clock.wait(SETTLE_MS, changed);
  };
  const watchAll = (): void => {
    close();
    close = (): void => undefined;
    try {
      close = watchFolders(folders, noticed, again);
    } catch {
      again();
    }
  };
  const again = (): void => {
    close();
    stop();
    stop = clock.wait(AGAIN_MS, renewed);
  };
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
