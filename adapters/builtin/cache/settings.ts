/** Settings of the cache: what they permit, and the store they lead to. */

import { join } from "node:path";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { adapterError } from "../../errors.ts";
import { boundOf, opened, refuseReserved, reservedFor } from "../../guard/files/reserved.ts";
import type { EntryKey, KeyValueStore } from "../../store/key-value.ts";
import { refuseReadOnly, refuseUnlisted } from "../../store/names.ts";
import { realPlace } from "../../store/place.ts";
import { storesOf } from "../../store/stores.ts";

export const settings = {
  path: setting
    .place()
    .describe(
      "the file; without it the host's place for the cache, else `cache.db` in the state directory, else none: entries end with the process",
    ),
  allow_namespaces: setting.list().describe("namespaces that may be used"),
  allow_write: setting.allow(true).describe("whether `set`, `setex`, `incr`, `delete` and `clear` are allowed"),
  max_value_bytes: setting.most(262_144).describe("size of one value as JSON"),
  max_entries: setting.most(10_000).describe("entries of one namespace; above it the least recently used go"),
  max_bytes: setting
    .operator(z.number().int().positive().default(268_435_456))
    .describe("bytes of all entries; above it the least recently used go"),
  on_error: setting
    .operator(z.enum(["fail", "miss"]).default("fail"))
    .describe("`miss`: an entry that cannot be read counts as missing"),
};
type Settings = SettingsOf<typeof settings>;

const DATABASE_NAME = /\.(db|sqlite3?)$/;

/** The path may name any file, so only a file that looks like a database is used as a cache. */
export async function openedCache(settings: Settings, host: HostServices): Promise<KeyValueStore> {
  if (host.sharedDatabase !== undefined) return storesOf(host).keyValues(null, true);
  const path = cacheFile(settings, host.places);
  const own = settings.path === undefined || DATABASE_NAME.test(settings.path);
  if (path === null) return storesOf(host).keyValues(null, own);
  const { dataRoot, granted, reserved } = host.places;
  const real = realPlace(path, boundOf(path, granted?.get("cache.path"), dataRoot));
  if (settings.path !== undefined && reserved !== undefined)
    await refuseReserved(real, "path", await reservedFor(reserved, "cache"), opened(dataRoot));
  return storesOf(host).keyValues(real, own);
}

/** Where the cache lies; null: in memory alone. */
export function cacheFile({ path }: Pick<Settings, "path">, { cachePath, stateDir }: HostServices["places"]) {
  return path ?? cachePath ?? (stateDir === null ? null : join(stateDir, "cache.db"));
}

export function admitted(settings: Settings, place: EntryKey): EntryKey {
  refuseUnlisted(settings.allow_namespaces, place.namespace, "allow_namespaces");
  return place;
}

export function writable(settings: Settings, place: EntryKey): EntryKey {
  refuseReadOnly(settings.allow_write);
  return admitted(settings, place);
}

export function capacity(settings: Settings) {
  return { maxEntries: settings.max_entries, maxBytes: settings.max_bytes };
}

export function refuseLarge(value: unknown, settings: Settings): void {
  if (Buffer.byteLength(exactJson(value)) > settings.max_value_bytes) {
    const limit = settings.max_value_bytes;
    throw adapterError("ADAPTER_TOO_LARGE", `the value is larger than ${limit} bytes (cache.max_value_bytes)`);
  }
}

/** What `read` gives; with setting `on_error: miss` an entry that cannot be read counts as missing. */
export async function orMiss<T>(settings: Settings, missing: T, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (thrown) {
    const failed = thrown instanceof AdapterError && thrown.code !== "ADAPTER_CANCELLED";
    if (settings.on_error === "miss" && failed) return missing;
    throw thrown;
  }
}
