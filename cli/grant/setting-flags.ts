/**
 * Settings of adapters on the command line: one flag for each common setting, `--set ADAPTER.KEY=JSON` for any other. A setting for
 * an adapter enables it. The user is the operator, so settings that a request may not give are given here.
 */
import { resolve } from "node:path";
import { builtinSettings, type SettingTable } from "../../compiler/catalog/settings.ts";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { listOf } from "./limit-flags.ts";

/** How the value of a flag is read: a list, a number, a switch, a path, or `NAME=PATH`. */
type FlagKind = "list" | "number" | "switch" | "path" | "paths";
export type SettingFlag = {
  readonly flag: string;
  readonly adapter: string;
  readonly setting: string;
  readonly kind: FlagKind;
};

function flagFor(flag: string, setting: string, kind: FlagKind): SettingFlag {
  const [adapter = "", name = ""] = setting.split(".");
  return { flag, adapter, setting: name, kind };
}

export const SETTING_FLAGS = {
  httpAllowHost: flagFor("--http-allow-host", "http.allow_hosts", "list"),
  httpTimeoutS: flagFor("--http-timeout-s", "http.timeout_s", "number"),
  httpMaxResponseBytes: flagFor("--http-max-response-bytes", "http.max_response_bytes", "number"),
  sqliteDb: flagFor("--sqlite-db", "sqlite.db_path", "path"),
  sqliteAllowWrite: flagFor("--sqlite-allow-write", "sqlite.allow_write", "switch"),
  sqliteAllowTable: flagFor("--sqlite-allow-table", "sqlite.allow_tables", "list"),
  sqliteTimeoutS: flagFor("--sqlite-timeout-s", "sqlite.timeout_s", "number"),
  fsRoot: flagFor("--fs-root", "fs.sandbox_root", "path"),
  fsAllowExt: flagFor("--fs-allow-ext", "fs.allow_extensions", "list"),
  fsMaxReadBytes: flagFor("--fs-max-read-bytes", "fs.max_read_bytes", "number"),
  fsMaxWriteBytes: flagFor("--fs-max-write-bytes", "fs.max_write_bytes", "number"),
  fsAllowDelete: flagFor("--fs-allow-delete", "fs.allow_delete", "switch"),
  toolsAllow: flagFor("--tools-allow", "tools.allow_tools", "list"),
  wasmModule: flagFor("--wasm-module", "wasm.modules", "paths"),
  wasmAllowModule: flagFor("--wasm-allow-module", "wasm.module_allowlist", "list"),
  memoryDb: flagFor("--memory-db", "memory.db_path", "path"),
  agentRoot: flagFor("--agent-root", "agent.root", "path"),
  cachePath: flagFor("--cache-path", "cache.path", "path"),
} as const satisfies Readonly<Record<string, SettingFlag>>;

type SettingFlagName = keyof typeof SETTING_FLAGS;
/** As clipanion reads them: texts, lists of texts, or switches. */
export type SettingFlagValues = Readonly<
  Partial<Record<SettingFlagName, string | readonly string[] | boolean | undefined>>
>;

export type GivenSettings = {
  /** By adapter; not checked yet. */
  readonly constraints: { readonly [adapter: string]: JsonObject };
  /** The adapters that got one, sorted. */
  readonly adapters: readonly string[];
};

/** The settings that flags give. `set` are the values of `--set`. */
export function readSettingFlags(
  session: Session,
  values: SettingFlagValues,
  set: readonly string[] | undefined,
): GivenSettings {
  const { cwd } = session;
  const constraints: { [adapter: string]: { [setting: string]: Json } } = {};
  const put = (adapter: string, setting: string, value: Json): void => {
    const settings = Object.hasOwn(constraints, adapter) ? constraints[adapter] : undefined;
    if (settings !== undefined) setMember(settings, setting, value);
    else constraints[adapter] = { [setting]: value };
  };
  for (const name of Object.keys(SETTING_FLAGS) as SettingFlagName[]) {
    const given = values[name];
    if (given === undefined || given === false) continue;
    const definition = SETTING_FLAGS[name];
    put(definition.adapter, definition.setting, flagValue(cwd, definition, given));
  }
  for (const text of set ?? []) {
    const { adapter, setting, value } = readSet(session, text);
    put(adapter, setting, value);
  }
  return { constraints, adapters: Object.keys(constraints).sort() };
}

/** The flag that gives a setting. */
export function settingFlagOf(adapter: string, setting: string): string {
  const known = Object.values(SETTING_FLAGS).find((one) => one.adapter === adapter && one.setting === setting);
  return known?.flag ?? `--set ${adapter}.${setting}`;
}

function flagValue(cwd: string, { flag, kind }: SettingFlag, given: string | readonly string[] | true): Json {
  if (kind === "switch") return true;
  if (kind === "list") return listOf(typeof given === "object" ? given : [String(given)]);
  const text = String(given);
  if (kind === "path") return placeOf(cwd, text);
  if (kind === "number") {
    const value = Number(text);
    if (!/^[0-9]+(\.[0-9]+)?$/.test(text)) throw usageFault(`option ${flag} needs a number, found '${text}'`);
    return value;
  }
  const paths: { [name: string]: Json } = {};
  for (const pair of typeof given === "object" ? given : [text]) {
    const at = pair.indexOf("=");
    if (at <= 0 || at === pair.length - 1) throw usageFault(`option ${flag} needs NAME=PATH, found '${pair}'`);
    setMember(paths, pair.slice(0, at), placeOf(cwd, pair.slice(at + 1)));
  }
  return paths;
}

function placeOf(cwd: string, given: string): string {
  return given === ":memory:" ? given : resolve(cwd, given);
}

/** How the settings of all adapters merge, plugins included. */
export function settingTable({ adapters }: Pick<Session, "adapters">): SettingTable {
  return adapters?.settings ?? builtinSettings;
}

function readSet(
  session: Session,
  text: string,
): { readonly adapter: string; readonly setting: string; readonly value: Json } {
  const match = /^([A-Za-z][A-Za-z0-9_]*)\.([A-Za-z][A-Za-z0-9_]*)=(.*)$/s.exec(text);
  if (match === null) throw usageFault(`option --set needs ADAPTER.KEY=JSON, found '${text}'`);
  const [, written = "", setting = "", json = ""] = match;
  const adapter = written.toLowerCase();
  const { catalog } = session.host;
  if (catalog.adapter(adapter) === undefined) {
    const near = nearest(adapter, catalog.names());
    throw usageFault(`option --set: unknown adapter '${written}'${near === null ? "" : `; did you mean ${near}?`}`);
  }
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch {
    throw usageFault(`option --set ${adapter}.${setting}: the value is not JSON (a text needs quotes: '"text"')`);
  }
  const isPlace = settingTable(session).get(adapter)?.settings[setting]?.kind === "within";
  return { adapter, setting, value: isPlace && typeof value === "string" ? placeOf(session.cwd, value) : value };
}
