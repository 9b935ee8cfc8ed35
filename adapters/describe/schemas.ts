/**
 * A definition as data: its entry in the manifest, and JSON Schemas (draft 2020-12) of settings, arguments, options and results, for
 * editors, generators and people who write in other languages. A pure function of the definition.
 */
import { capabilitiesDocument } from "../../compiler/catalog/capabilities.ts";
import { createCatalog, type VerbEntry } from "../../compiler/catalog.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { COMMON_SETTINGS, limitsOf } from "../definition/bind.ts";
import { catalogEntryOf } from "../definition/catalog-entry.ts";
import { type AdapterDefinition, type VerbDefinition, z } from "../definition/define.ts";
import { SCHEMA_DIALECT, schemaOf } from "./shape.ts";

/** Members in snake_case, as on every wire. */
export function adapterSchemas(definition: AdapterDefinition): JsonObject {
  const { name, version, summary, maturity, secrets = {}, settings } = definition;
  const entry = catalogEntryOf(definition);
  const manifest = capabilitiesDocument(createCatalog([entry]), version).adapters[name];
  const verbs = Object.entries(definition.verbs).map(([word, verb]) => [
    word,
    verbSchemas(verb, entry.verbs.find((one) => one.name === word) as VerbEntry),
  ]);
  const document = {
    name,
    version,
    summary,
    maturity,
    schema_dialect: SCHEMA_DIALECT,
    manifest,
    settings: schemaOf(z.strictObject({ ...COMMON_SETTINGS, ...settings }), "input"),
    secrets,
    verbs: Object.fromEntries(verbs),
  };
  // Undefined members go, and what is left is plain JSON.
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

function verbSchemas(verb: VerbDefinition, { effect_tier, kind, destructive, idempotent }: VerbEntry) {
  const { summary, determinism, args, forms, options, result, errors = [], examples = [] } = verb;
  const { timeoutMs, maxTimeoutMs, maxResultBytes } = limitsOf(verb);
  return {
    summary,
    effect_tier,
    kind,
    destructive,
    idempotent,
    determinism,
    timeout_ms: timeoutMs,
    max_timeout_ms: maxTimeoutMs,
    max_result_bytes: maxResultBytes,
    errors,
    args: schemaOf(args, "input"),
    forms: forms?.map((form) => schemaOf(form, "input")),
    options: options === undefined ? undefined : schemaOf(options, "input"),
    result: schemaOf(result, "output"),
    examples,
  };
}
