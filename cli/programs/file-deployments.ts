/** The programs that operands of `wf deploy` and `wf propose` name, as a service takes them. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { projectConfig } from "../grant/project-config.ts";
import { expandFiles } from "../input/files.ts";
import { createIncludeReader } from "../input/include-reader.ts";
import { MAX_SOURCE_BYTES, readTextFile } from "../input/input.ts";
import { leftOutText } from "../input/python-files.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { isModule, programName, settingMembers, sourceMembers } from "./program-body.ts";

export type FileDeployment = { readonly name: string; readonly file: string; readonly body: object };

/** `named`: what the only program is called. Throws CliFault. */
export function fileDeployments(
  { cwd, screen }: Pick<Session, "cwd" | "screen">,
  operands: readonly string[],
  named: string | undefined,
): readonly FileDeployment[] {
  if (operands.length === 0) throw usageFault("missing FILE");
  const found: FileDeployment[] = [];
  const leftOut: string[] = [];
  const files = expandFiles(cwd, operands, (file) => leftOut.push(file));
  if (leftOut.length > 0) screen.note(leftOutText(leftOut.length));
  for (const file of files) {
    const text = readTextFile(cwd, file, MAX_SOURCE_BYTES);
    if (isModule(file, text)) continue;
    const name = named ?? programName(file);
    const path = realpathSync(resolve(cwd, file));
    const config = projectConfig(cwd, file, undefined);
    const includes = createIncludeReader(cwd, path, config?.includeRoots ?? []);
    const source = sourceMembers(path, text, includes);
    found.push({ name, file, body: { ...source, ...settingMembers(config, name) } });
  }
  if (named !== undefined && found.length > 1) throw usageFault("--name is for one FILE");
  if (found.length === 0)
    throw usageFault("no FILE holds a program of its own; modules are deployed with the programs that include them");
  return found;
}
