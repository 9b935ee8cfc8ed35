/**
 * Which process the extension starts: for the language server and for a run. Arguments are always a list that no shell reads,
 * because file names and labels come from the author of the program. It does not depend on the editor.
 */
import { isAbsolute, resolve } from "node:path";

export type Invocation = { readonly command: string; readonly args: readonly string[] };

/** What a run is asked to do: a file and, unless it is the first one, the label to start at. */
export type RunRequest = { readonly uri: string; readonly label: string | null };

/** The program that the setting `weft.path` names, with arguments. `folder`: where a relative path begins. */
export function invocationOf(path: string, args: readonly string[], folder: string | null): Invocation {
  const written = path.trim() === "" ? "wf" : path.trim();
  const isPath = /[\\/]/.test(written) && !isAbsolute(written) && folder !== null;
  const command = isPath ? resolve(folder, written) : written;
  return /\.[cm]?js$/i.test(command) ? { command: "node", args: [command, ...args] } : { command, args };
}

/** The arguments of `wf` for a run. The label is joined to its flag, so that an id that begins with `-` is not read as a flag. */
export function runArguments(file: string, label: string | null, more: readonly string[]): readonly string[] {
  return ["run", file, ...(label === null ? [] : [`--label=${label}`]), ...more];
}

/** Arguments of the command `weft.run`, as a code lens gives them; null when they are something else. */
export function runRequest(args: readonly unknown[]): RunRequest | null {
  const [uri, label] = args;
  if (typeof uri !== "string" || typeof label !== "string" || label === "") return null;
  return { uri, label };
}
