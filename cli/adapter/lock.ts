/**
 * `wf adapter lock`: pins every plugin of the operator file to the content it has now. A plugin with another content stops the start from
 * then on. Only the list of plugins is written anew; the rest of the file keeps its values.
 */
import { resolve } from "node:path";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import {
  commandFiles,
  folderOf,
  hashOf,
  moduleFile,
  originOf,
  type PluginEntry,
  readPluginEntries,
} from "../../adapters/plugins/entries.ts";
import { writeAtomically } from "../input/files.ts";
import { readTextFile } from "../input/input.ts";
import { table } from "../output/terminal/table.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

const MAX_FILE_BYTES = 1024 * 1024;

type Locked = { readonly plugin: string; readonly sha256: string | null; readonly changed: boolean };

/** `given`: the file of --adapters-config. With `check` nothing is written. */
export async function lockPlugins(session: Session, given: string | undefined, check: boolean): Promise<number> {
  const { screen, cwd, environment } = session;
  const file = given ?? environment.host.adaptersFile;
  if (file === null) throw usageFault("missing operator file; give --adapters-config FILE or set WF_ADAPTERS_CONFIG");
  const document = readDocument(cwd, file);
  const written = Array.isArray(document["plugins"]) ? document["plugins"] : [];
  const { entries, locked } = await lockedEntries(written, folderOf(resolve(cwd, file)));
  const stale = locked.some(({ changed }) => changed);
  if (stale && !check)
    writeAtomically(cwd, file, `${JSON.stringify({ ...document, plugins: entries }, null, 2)}\n`, 0o600);
  if (screen.json) screen.document({ ok: !(stale && check), file, plugins: locked });
  else {
    const rows = locked.map(({ plugin, sha256, changed }) => [sha256 ?? "-", changed ? "new" : "same", plugin]);
    if (rows.length > 0) screen.out(`${table(rows, screen.tableWidth).join("\n")}\n`);
    else screen.note(`${file} names no plugins`);
    if (environment.host.plugins.length > 0)
      screen.note("plugins of WF_ADAPTERS cannot be pinned; name them in the file");
  }
  return stale && check ? EXIT.failed : EXIT.success;
}

function readDocument(cwd: string, file: string): { readonly [member: string]: unknown } {
  let document: unknown;
  try {
    document = JSON.parse(readTextFile(cwd, file, MAX_FILE_BYTES));
  } catch (cause) {
    if (cause instanceof CliFault) throw cause;
    throw new CliFault(`${file} is not JSON`, { error: "invalid_json", exitCode: EXIT.usage });
  }
  if (typeof document === "object" && document !== null && !Array.isArray(document)) return { ...document };
  throw new CliFault(`${file} must hold one JSON object`, { error: "invalid_configuration", exitCode: EXIT.usage });
}

/** The entries as they are to be written, each with its hash. */
async function lockedEntries(
  written: readonly unknown[],
  folder: string,
): Promise<{ readonly entries: readonly unknown[]; readonly locked: readonly Locked[] }> {
  try {
    const known = readPluginEntries(written, "/plugins");
    const hashes = await Promise.all(known.map(async (entry) => hashOf(await filesOf(entry, folder))));
    const entries = written.map((one, place) => {
      const sha256 = hashes[place] ?? null;
      if (sha256 === null) return one;
      return typeof one === "string" ? { module: one, sha256 } : { ...(one as object), sha256 };
    });
    const locked = known.map((entry, place) => {
      const sha256 = hashes[place] ?? null;
      return { plugin: originOf(entry), sha256, changed: entry.sha256 !== sha256 };
    });
    return { entries, locked };
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    throw new CliFault(cause.message, { error: "invalid_configuration", exitCode: EXIT.usage });
  }
}

async function filesOf(entry: PluginEntry, folder: string): Promise<readonly string[]> {
  return "command" in entry ? commandFiles(entry.command, folder) : [await moduleFile(entry.module, folder)];
}
