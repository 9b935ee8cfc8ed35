/** Entries of a cache from a file: reading them, checking each as `cache.set` would, and setting them. */
import { cacheFile, refuseLarge, settings as schemas, writable } from "../../adapters/builtin/cache/settings.ts";
import { type SettingsOf, z } from "../../adapters/definition/define.ts";
import { idName } from "../../adapters/store/names.ts";
import { pointer } from "../../compiler/ir/issues.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import type { EffectiveGrant } from "../grant/effective-grant.ts";
import { valueFault } from "../input/value-fault.ts";
import type { CallVerb } from "../run/verb-caller.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export type CacheEntry = { readonly namespace: string; readonly key: string; readonly value: Json };
/** What is wrong in a file, with a JSON pointer to it. */
type Issue = { readonly path: string; readonly message: string };

type CacheSettings = SettingsOf<typeof schemas>;

const SETTINGS = z.object(schemas);
const MAX_NOTES = 20;

/** The settings of the cache under this grant. Throws CliFault when what is put into it would end with this process. */
export function keptCache({ environment }: Session, { grant, runtime }: EffectiveGrant): CacheSettings {
  // Members that may be missing are there, as an adapter's settings have them.
  const read = { path: undefined, allow_namespaces: undefined, ...SETTINGS.parse(constraintsOf(grant, "cache")) };
  if (environment.host.databaseUrl === null && cacheFile(read, runtime.places) === null)
    throw new CliFault("no persistent cache: set WF_CACHE_PATH, WF_STATE_DIR, WF_DATABASE_URL or --cache-path", {
      error: "cache_error",
      exitCode: EXIT.usage,
    });
  return read;
}

/**
 * All entries of an object of namespaces, keys and values, as the settings permit them. Throws CliFault that names every entry which
 * cannot be set.
 */
export function readEntries(file: string, text: string, settings: CacheSettings): readonly CacheEntry[] {
  const namespaces = parsed(file, text);
  const entries: CacheEntry[] = [];
  const issues: Issue[] = [];
  for (const [namespace, keys] of Object.entries(namespaces)) {
    const place = pointer("", namespace);
    if (!isObject(keys)) {
      issues.push({ path: place, message: "a namespace is an object of keys and values" });
      continue;
    }
    const members = Object.entries(keys);
    const fault =
      nameFault(namespace) ??
      refusalOf(() => writable(settings, { namespace, key: "" })) ??
      crowded(members.length, settings.max_entries);
    if (fault !== null) issues.push({ path: place, message: fault });
    for (const [key, value] of members) {
      const entry = { namespace, key, value };
      const message = nameFault(key) ?? valueFault(value) ?? refusalOf(() => refuseLarge(value, settings));
      if (message === null) entries.push(entry);
      else issues.push({ path: pointer(place, key), message });
    }
  }
  if (issues.length > 0) throw entryFault(file, issues);
  return entries;
}

function parsed(file: string, text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
  } catch {
    throw new CliFault(`${file} is not JSON`, { error: "invalid_json", exitCode: EXIT.usage });
  }
  if (isObject(value)) return value;
  throw entryFault(file, [{ path: "", message: "expected an object of namespaces" }]);
}

function nameFault(name: string): string | null {
  const read = idName().safeParse(name);
  return read.success ? null : "a name is 1 to 512 bytes of text without U+0000";
}

/** More would push one another out. */
function crowded(count: number, most: number): string | null {
  return count > most ? `${count} entries are more than max_entries (${most})` : null;
}

function refusalOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (cause) {
    if (cause instanceof AdapterError) return cause.message;
    throw cause;
  }
}

function entryFault(file: string, issues: readonly Issue[]): CliFault {
  const [first] = issues;
  const lines = issues.map(({ path, message }) => `${path}: ${message}`);
  return new CliFault(`${file} cannot be imported: ${first?.path === "" ? first.message : lines[0]}`, {
    error: "invalid_entry",
    exitCode: EXIT.usage,
    members: { issues: issues.map((issue) => ({ ...issue })) },
    notes: lines.slice(1, MAX_NOTES),
  });
}

/** False: there is one already, which was kept. */
export async function setEntry(call: CallVerb, { namespace, key, value }: CacheEntry, over: boolean): Promise<boolean> {
  const written = await call("set", [namespace, key, value, 0, { if_absent: !over }]);
  return over || written === true;
}
