/** The capabilities document of this server: the catalog in the contract's fields, and what this server adds, grants and provides. */
import { createHash } from "node:crypto";
import { capabilitiesDocument } from "../compiler/catalog/capabilities.ts";
import { builtinSettings, type MergeKind } from "../compiler/catalog/settings.ts";
import type { AdapterEntry } from "../compiler/catalog.ts";
import { IR_VERSION } from "../compiler/ir/graph.ts";
import type { Gateway } from "../vm/gateway.ts";
import { admits } from "../vm/grant/convert.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";

/** What a value of a setting looks like; the operator's alone have any shape. */
const TYPES: Readonly<Record<MergeKind, string>> = {
  intersect: "list",
  min: "number",
  and: "boolean",
  within: "path",
  server: "any",
};

const FEATURES: readonly string[] = ["batch", "idempotency", "replay", "prometheus", "openapi"];

export function serverCapabilities(gateway: Gateway, provided: readonly string[], features: readonly string[]) {
  const { catalog } = gateway.host;
  const document = capabilitiesDocument(catalog, RUNTIME_VERSION);
  const adapters = Object.entries(document.adapters).map(([name, entry]) => [
    name,
    {
      ...entry,
      available: name === "core" || provided.includes(name),
      enabled_by_default: name === "core" || gateway.server.enabled.includes(name),
      allowed: admits(gateway.grant, name, catalog),
      settings: settingsOf(name),
      verb_effects: verbEffects(catalog.adapter(name)),
    },
  ]);
  return {
    ...document,
    adapters: Object.fromEntries(adapters),
    limits: gateway.grant.limits,
    profile: gateway.server.profile?.name ?? null,
    ir_versions: [IR_VERSION],
    features: [...features, ...FEATURES],
  };
}

function settingsOf(adapter: string) {
  const settings = Object.entries(builtinSettings.get(adapter)?.settings ?? {});
  return Object.fromEntries(
    settings.map(([name, { kind, map }]) => [name, { type: map === true ? "object" : TYPES[kind], kind }]),
  );
}

function verbEffects(entry: AdapterEntry | undefined) {
  const listed = (entry?.verbs ?? []).filter((verb) => verb.unlisted !== true);
  return Object.fromEntries(listed.map((verb) => [verb.name, verb.effect_tier]));
}

/** An entity tag of a text. */
export function entityTag(text: string): string {
  return `"${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32)}"`;
}

/** Whether `If-None-Match` names the tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return (header ?? "").split(",").some((part) => ["*", tag, `W/${tag}`].includes(part.trim()));
}
