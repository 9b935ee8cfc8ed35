/** The entry that tells an MCP host how to start this server, and a host's configuration file with that entry in it. */
import { isObject } from "../compiler/json.ts";

type HostEntry = { readonly mcpServers: Readonly<Record<string, object>> };

export function hostEntry(args: readonly string[] = []): HostEntry {
  return { mcpServers: { weft: { command: "wf", args: ["mcp", ...args], env: {} } } };
}

export type MergedConfig =
  | { readonly ok: true; readonly text: string /** The entry stood there already. */; readonly unchanged: boolean }
  | { readonly ok: false; readonly message: string };

/** `existing` with the entry; null: there is no file yet. Every other member stays as it is. */
export function mergedHostConfig(existing: string | null, entry: HostEntry): MergedConfig {
  const given = existing === null || existing.trim() === "" ? {} : parsed(existing);
  if (!isObject(given)) return { ok: false, message: "the file holds no JSON object" };
  const servers = Object.hasOwn(given, "mcpServers") ? given["mcpServers"] : {};
  if (!isObject(servers)) return { ok: false, message: "mcpServers in the file is no object" };
  const merged = { ...given, mcpServers: { ...servers, ...entry.mcpServers } };
  return {
    ok: true,
    text: `${JSON.stringify(merged, null, 2)}\n`,
    unchanged: JSON.stringify(merged) === JSON.stringify(given),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
