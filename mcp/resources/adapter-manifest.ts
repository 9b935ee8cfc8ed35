/**
 * wf://adapter-manifest: everything known of the adapters. Facts come from the catalog; summaries and schemas from the definitions, which
 * are loaded when somebody reads this, since no start should wait for them.
 */
import type { AdapterDefinition, VerbDefinition } from "../../adapters/definition/define.ts";
import { capabilitiesDocument } from "../../compiler/catalog/capabilities.ts";
import { type AdapterEntry, findVerb, type VerbEntry } from "../../compiler/catalog.ts";
import { findFunction, isHostCall } from "../../compiler/functions.ts";
import { settingTypes } from "../../vm/admission/capabilities.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import type { McpServices } from "../services.ts";

/** Part of the machine, so it is not in any definition. */
const CORE_SUMMARY = "Arithmetic, text, lists, JSON and time, answered by the machine itself.";

export async function adapterManifest({ runtime }: McpServices): Promise<object> {
  const { catalog, registry } = runtime;
  // The schema library comes with the definitions.
  const { z } = await import("../../adapters/definition/define.ts");
  const schemaOf: SchemaOf = (schema, io) => {
    const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
    return rest;
  };
  const adapters: [string, object][] = [];
  for (const [name, facts] of Object.entries(capabilitiesDocument(catalog, RUNTIME_VERSION).adapters)) {
    const entry = catalog.adapter(name);
    const definition = await registry.definition(name);
    const listed = (entry?.verbs ?? []).filter((verb) => verb.unlisted !== true);
    adapters.push([
      name,
      {
        ...facts,
        description: name === "core" ? CORE_SUMMARY : (definition?.summary ?? null),
        available: name === "core" || definition !== null,
        settings: settingTypes(name, registry.settings),
        verbs: listed.map((verb) => verbOf(verb, entry, definition, schemaOf)),
      },
    ]);
  }
  return { schema_version: "1.0", runtime_version: RUNTIME_VERSION, adapters: Object.fromEntries(adapters) };
}

type SchemaOf = (schema: VerbDefinition["result"], io: "input" | "output") => object;

function verbOf(
  verb: VerbEntry,
  entry: AdapterEntry | undefined,
  definition: AdapterDefinition | null,
  schemaOf: SchemaOf,
): object {
  const { name, effect_tier: effect, kind, destructive, idempotent, parameters } = verb;
  const facts = { name, effect, kind, tier: entry?.privilege_tier, destructive, idempotent, parameters };
  if (entry?.name === "core") return { ...facts, determinism: isHostVerb(name) ? "external" : "pure" };
  const defined = entry === undefined || definition === null ? undefined : definedVerb(name, entry, definition);
  if (defined === undefined) return facts;
  return {
    ...facts,
    summary: defined.summary,
    determinism: defined.determinism,
    arguments: [defined.args, ...(defined.forms ?? [])].map((form) => schemaOf(form, "input")),
    ...(defined.options === undefined ? {} : { options: schemaOf(defined.options, "input") }),
    result: schemaOf(defined.result, "output"),
  };
}

function definedVerb(name: string, entry: AdapterEntry, { verbs }: AdapterDefinition): VerbDefinition | undefined {
  const spelling = Object.keys(verbs).find((written) => findVerb(entry, written)?.name === name);
  return spelling === undefined ? undefined : verbs[spelling];
}

/** Reads clock, randomness or environment, or waits. */
function isHostVerb(verb: string): boolean {
  const name = findFunction(verb)?.name;
  return name !== undefined && (isHostCall(name, 0) || isHostCall(name, 1));
}
