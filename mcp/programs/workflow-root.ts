/**
 * The folder of programs and documents that tools may read by path: relative paths of regular files below it, nothing hidden, nothing
 * outside, also through links. Opened once at start; nothing is ever written there.
 */

import { type FileRoot, openRoot, parsePath } from "../../adapters/guard/files/path.ts";
import { readFile } from "../../adapters/guard/files/read.ts";
import { inFolder } from "../../adapters/guard/files/walk.ts";
import { entriesOf } from "../../adapters/guard/files/write.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { readUtf8 } from "../../grammar/text/text-bytes.ts";
import { AdapterError } from "../../vm/errors/failures.ts";

export type ReadFault = {
  readonly ok: false;
  readonly error_kind:
    | "path_not_found"
    | "path_not_a_file"
    | "path_outside_root"
    | "unicode_decode_error"
    | "source_too_large";
  readonly message: string;
  /** Files of the folder that was named, at most 20. */
  readonly siblings?: readonly string[];
};
export type ReadText = { readonly ok: true; readonly text: string } | ReadFault;

type LocalTemplate = { readonly name: string; readonly type: "program" | "document"; readonly path: string };

export interface WorkflowRoot {
  /** The text of the file at `path`, whose name must end in `extension`. */
  read(path: string, extension: string, signal: AbortSignal): Promise<ReadText>;
  /** Programs and documents, by path. */
  list(): Promise<readonly LocalTemplate[]>;
}

const MAX_BYTES = 1024 * 1024;
const MAX_SIBLINGS = 20;
const MAX_LISTED = 200;
const MAX_LOOKED_AT = 10_000;
const MAX_DEPTH = 8;
const TYPES: readonly (readonly [string, LocalTemplate["type"]])[] = [
  [".wf", "program"],
  [".md", "document"],
];

/** Throws StartFault when the folder cannot be used. */
export async function openWorkflowRoot(path: string): Promise<WorkflowRoot> {
  let root: FileRoot;
  try {
    root = await openRoot(path, { setting: "WF_MCP_WORKFLOW_ROOT", stateDir: null, create: false });
  } catch (cause) {
    if (cause instanceof AdapterError) throw new StartFault(cause.message);
    throw cause;
  }
  return {
    read: (file, extension, signal) => readText(root, file, extension, signal),
    list: () => templatesBelow(root),
  };
}

async function readText(root: FileRoot, path: string, extension: string, signal: AbortSignal): Promise<ReadText> {
  try {
    const segments = parsePath(path);
    if (segments.some(isHidden)) return fault("path_not_found", "the file does not exist");
    if (!path.endsWith(extension)) return fault("path_not_a_file", `only ${extension} files can be read here`);
    const bytes = await readFile(root, segments.join("/"), MAX_BYTES, signal);
    const read = readUtf8(bytes);
    return read.ok ? read : fault("unicode_decode_error", `the file ${read.fault}`);
  } catch (cause) {
    if (!(cause instanceof AdapterError)) throw cause;
    return faultOf(cause, root, path, extension);
  }
}

async function faultOf(cause: AdapterError, root: FileRoot, path: string, extension: string): Promise<ReadFault> {
  switch (cause.code) {
    case "ADAPTER_PATH_ESCAPE":
      return fault("path_outside_root", "the path leads out of the folder of programs; give a relative one below it");
    case "ADAPTER_TOO_LARGE":
      return fault("source_too_large", "the file is larger than 1 MiB");
    case "ADAPTER_NOT_A_FILE":
      return fault("path_not_a_file", "the path is not a regular file");
    case "ADAPTER_NOT_FOUND":
    case "ADAPTER_NOT_A_DIRECTORY":
      return {
        ...fault("path_not_found", "the file does not exist"),
        siblings: await siblingsOf(root, path, extension),
      };
    default:
      return fault("path_not_found", cause.message);
  }
}

function fault(error_kind: ReadFault["error_kind"], message: string): ReadFault {
  return { ok: false, error_kind, message };
}

/** Files with the extension in the folder that the path names. */
async function siblingsOf(root: FileRoot, path: string, extension: string): Promise<readonly string[]> {
  try {
    const names: string[] = [];
    await inFolder(root, parsePath(path).slice(0, -1), { purpose: "read" }, async (folder) => {
      for await (const { name } of entriesOf(folder)) if (name.endsWith(extension) && !isHidden(name)) names.push(name);
    });
    return names.sort().slice(0, MAX_SIBLINGS);
  } catch {
    return [];
  }
}

/** Breadth first, so that what lies near the root is listed whatever lies deep in it. Links are not followed. */
async function templatesBelow(root: FileRoot): Promise<readonly LocalTemplate[]> {
  const found: LocalTemplate[] = [];
  let folders: readonly string[][] = [[]];
  let seen = 0;
  for (let depth = 0; depth < MAX_DEPTH && folders.length > 0; depth++) {
    const below: string[][] = [];
    for (const path of folders) {
      await inFolder(root, path, { purpose: "read" }, async (folder) => {
        for await (const entry of entriesOf(folder)) {
          seen += 1;
          if (seen > MAX_LOOKED_AT || isHidden(entry.name)) continue;
          if (entry.isDirectory()) below.push([...path, entry.name]);
          else if (entry.isFile()) found.push(...templateOf([...path, entry.name]));
        }
      });
    }
    folders = below;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MAX_LISTED);
}

function templateOf(path: readonly string[]): LocalTemplate[] {
  const file = path.at(-1) ?? "";
  const [extension, type] = TYPES.find(([end]) => file.endsWith(end)) ?? [];
  if (extension === undefined || type === undefined) return [];
  return [{ name: file.slice(0, -extension.length), type, path: path.join("/") }];
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}
