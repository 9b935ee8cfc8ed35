/**
 * The entry that tells an MCP host how to start this server, and a host's configuration file with that entry in it. The file may have
 * comments and trailing commas, as editors write it; only the text of the entry changes.
 */
import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";

/** One server by its name. */
type HostEntry = { readonly mcpServers: Readonly<Record<string, object>> };

/** `name`: of the server among those of the host. */
export function hostEntry(args: readonly string[] = [], name = "weft"): HostEntry {
  return { mcpServers: { [name]: { command: "wf", args: ["mcp", ...args], env: {} } } };
}

export type MergedConfig =
  | { readonly ok: true; readonly text: string /** The entry was there already. */; readonly unchanged: boolean }
  | { readonly ok: false; readonly message: string };

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * `existing` with the entry; null: the file does not exist yet. Every other character of the file stays as it is. Most hosts name their
 * servers `mcpServers`. VS Code names them `servers` in its file mcp.json, or `mcp.servers` in older settings: what the file has already
 * decides, else its `path`.
 */
export function mergedHostConfig(existing: string | null, entry: HostEntry, path = ""): MergedConfig {
  const mark = existing?.startsWith(BYTE_ORDER_MARK) === true ? BYTE_ORDER_MARK : "";
  const text = existing?.slice(mark.length) ?? "";
  const isEmpty = text.trim() === "";
  const errors: ParseError[] = [];
  const root = isEmpty ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  if (!isEmpty && (root?.type !== "object" || errors.length > 0))
    return { ok: false, message: "the file is not a JSON object" };
  const place = placeOf(root, path);
  if (place === null)
    return { ok: false, message: "VS Code reads its servers from mcp.json in the same folder; write to that file" };
  const [own = "weft", plain = {}] = Object.entries(entry.mcpServers)[0] ?? [];
  const server = place.isEditors ? { type: "stdio", ...plain } : plain;
  const { names } = place;
  if (root === undefined) {
    const whole = names.reduceRight<object>((inner, name) => ({ [name]: inner }), { [own]: server });
    return { ok: true, text: `${mark}${JSON.stringify(whole, null, 2)}\n`, unchanged: false };
  }
  let servers = root;
  for (const [at, name] of names.entries()) {
    const found = memberOf(servers, name);
    if (found === undefined) {
      const rest = names.slice(at + 1).reduceRight<object>((inner, one) => ({ [one]: inner }), { [own]: server });
      return { ok: true, text: mark + withMember(text, servers, name, rest), unchanged: false };
    }
    if (found.type !== "object")
      return { ok: false, message: `${names.slice(0, at + 1).join(".")} in the file is not an object` };
    servers = found;
  }
  const before = memberOf(servers, own);
  if (before === undefined) return { ok: true, text: mark + withMember(text, servers, own, server), unchanged: false };
  const unchanged = JSON.stringify(getNodeValue(before)) === JSON.stringify(server);
  return { ok: true, text: mark + (unchanged ? text : withValue(text, before, server)), unchanged };
}

/** Members that lead to the servers. `isEditors`: in the form of VS Code, whose entries say how a server is spoken to. */
type Place = { readonly names: readonly string[]; readonly isEditors: boolean };

const EDITORS_FOLDER = String.raw`(?:^|[\\/])(?:\.vscode(?:-server)?(?:[\\/]data[\\/](?:User|Machine))?|(?:Code|Code - Insiders|VSCodium)[\\/]User(?:[\\/]profiles[\\/][^\\/]+)?)[\\/]`;
const EDITORS_FILE = new RegExp(`${EDITORS_FOLDER}mcp\\.json$`);
const EDITORS_SETTINGS = new RegExp(`${EDITORS_FOLDER}settings\\.json$`);

/** null: a file whose servers nothing reads. */
function placeOf(root: Node | undefined, path: string): Place | null {
  const has = (...names: readonly string[]): boolean =>
    names.reduce<Node | undefined>((node, name) => (node === undefined ? undefined : memberOf(node, name)), root) !==
    undefined;
  if (has("mcpServers")) return { names: ["mcpServers"], isEditors: false };
  if (has("servers")) return { names: ["servers"], isEditors: true };
  if (has("mcp", "servers")) return { names: ["mcp", "servers"], isEditors: true };
  if (EDITORS_FILE.test(path)) return { names: ["servers"], isEditors: true };
  return EDITORS_SETTINGS.test(path) ? null : { names: ["mcpServers"], isEditors: false };
}

/** Of two members with one name the last one counts, as for every reader of JSON. */
function memberOf(object: Node, name: string): Node | undefined {
  return object.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

/** The text with a member at the end of `object`, on a line of its own where the others have one. */
function withMember(text: string, object: Node, name: string, value: object): string {
  const last = object.children?.at(-1);
  const layout = layoutOf(text);
  if (last === undefined) {
    const outer = /^[ \t]*/.exec(lineAt(text, object.offset))?.[0] ?? "";
    const inner = `${layout.end}${outer}${layout.unit}`;
    return inserted(text, object.offset + 1, `${inner}${member(name, value, inner, layout)}${layout.end}${outer}`);
  }
  const indent = /^[ \t]*$/.exec(lineAt(text, last.offset))?.[0];
  const start = indent === undefined ? " " : `${layout.end}${indent}`;
  return inserted(text, last.offset + last.length, `,${start}${member(name, value, start, layout)}`);
}

function withValue(text: string, { offset, length }: Node, value: object): string {
  const line = /^[ \t]*/.exec(lineAt(text, offset))?.[0] ?? "";
  const layout = layoutOf(text);
  const spread = text.slice(offset, offset + length).includes("\n");
  const written = spread ? indented(value, `${layout.end}${line}`, layout) : JSON.stringify(value);
  return text.slice(0, offset) + written + text.slice(offset + length);
}

type Layout = { readonly end: string; readonly unit: string };

function layoutOf(text: string): Layout {
  return { end: text.includes("\r\n") ? "\r\n" : "\n", unit: /\n([ \t]+)"/.exec(text)?.[1] ?? "  " };
}

/** `start` comes before the member: a line end and its indentation, or a space where all is on one line. */
function member(name: string, value: object, start: string, layout: Layout): string {
  const written = start.includes("\n") ? indented(value, start, layout) : JSON.stringify(value);
  return `${JSON.stringify(name)}: ${written}`;
}

function indented(value: object, start: string, { unit }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", start);
}

function inserted(text: string, at: number, part: string): string {
  return text.slice(0, at) + part + text.slice(at);
}

/** What is on the line before the offset. */
function lineAt(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}
