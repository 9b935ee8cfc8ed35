/** Settings of memory: what they permit, and the store they lead to. */
import { join } from "node:path";
import { MEMORY_NAMESPACES } from "../../../compiler/catalog.ts";
import type { RunScope } from "../../../vm/adapter.ts";
import { badArguments } from "../../definition/bind.ts";
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { milliseconds, name, refuseReadOnly, refuseUnlisted } from "../../store/names.ts";
import { realPlace } from "../../store/place.ts";
import type { RecordKey, RecordStore } from "../../store/record.ts";
import { storesOf } from "../../store/stores.ts";
import { timeToLive } from "./arguments.ts";

export const settings = {
  allow_namespaces: setting.list().describe("namespaces that may be used"),
  allow_write: setting.allow(true).describe("whether writing is allowed, `touch` included"),
  max_payload_bytes: setting.most(262_144).describe("size of a payload without its entries, and of one entry"),
  max_entries: setting.most(10_000).describe("entries of one log"),
  db_path: setting
    .operator(z.string().optional())
    .describe(
      "the file; without it the host's place for memory, else `memory.db` in the state directory. Without any, records end with the process, with a warning",
    ),
  extra_namespaces: setting.operator(z.array(name()).default([])).describe("further namespaces"),
  default_ttl_s: setting
    .operator(z.record(z.string(), timeToLive()).default({}))
    .describe("lifetime by namespace for records that are given none"),
  sweep_interval_s: setting
    .operator(z.number().min(0).default(0))
    .describe("expired records are removed along with writes this often; 0: only by `prune`"),
};
type Settings = SettingsOf<typeof settings>;

export function openedRecords(settings: Settings, host: HostServices, run: RunScope): RecordStore {
  if (host.sharedDatabase !== undefined) return storesOf(host).records(null);
  const { memoryDb, stateDir } = host.places;
  const path = settings.db_path ?? memoryDb ?? (stateDir === null ? null : join(stateDir, "memory.db"));
  if (path === null) run.warn("memory_not_durable: no file is configured, records end with the process");
  return storesOf(host).records(path === null ? null : realPlace(path, null));
}

export function admitted(settings: Settings, namespace: string): string {
  if (!MEMORY_NAMESPACES.includes(namespace) && !settings.extra_namespaces.includes(namespace)) {
    throw badArguments([{ path: "/0", expected: `one of ${MEMORY_NAMESPACES.join(", ")}`, got: "another text" }]);
  }
  refuseUnlisted(settings.allow_namespaces, namespace, "allow_namespaces");
  return namespace;
}

export function recordKey(settings: Settings, [namespace, kind, id]: readonly [string, string, string]): RecordKey {
  return { namespace: admitted(settings, namespace), kind, id };
}

export function writableKey(settings: Settings, args: readonly [string, string, string]): RecordKey {
  const key = recordKey(settings, args);
  refuseReadOnly(settings.allow_write);
  return key;
}

export function bounds(settings: Settings) {
  return {
    maxPayloadBytes: settings.max_payload_bytes,
    maxEntries: settings.max_entries,
    sweepIntervalMs: milliseconds(settings.sweep_interval_s),
  };
}

export function defaultTtl(settings: Settings, namespace: string): number | null {
  const defaults = settings.default_ttl_s;
  return (Object.hasOwn(defaults, namespace) ? defaults[namespace] : undefined) ?? null;
}
