/** wf_capabilities: the adapters with their verbs and tiers, and what this server allows of them. */
import * as z from "zod/mini";
import { languageCard } from "../../compiler/guide/language-card.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { type ServerCapability, serverCapabilities } from "../../vm/admission/capabilities.ts";
import type { McpServices } from "../services.ts";
import { failed, succeeded } from "../tool/results.ts";
import { described, optionalText, output } from "../tool/schemas.ts";
import { defineTool, READS_ONLY } from "../tool/tool.ts";

export const capabilitiesTool = defineTool({
  name: "wf_capabilities",
  title: "List adapters",
  description:
    "What programs can use: all adapters with their verbs and whether this server allows them; one adapter with the arguments of its verbs; or what Weft adds to Python and which modules it has.",
  hints: READS_ONLY,
  input: () =>
    z.strictObject({
      adapter: described(optionalText, "one, with the arguments of its verbs"),
      topic: described(z.optional(z.literal("language")), "what is added to Python, and modules"),
    }),
  output: output({
    adapters: "object",
    usage: "text",
    language: "text",
    limits: "object",
    profile: "any",
    posture: "flag",
  }),
  async call({ adapter, topic }, { runtime, config }) {
    const { gateway, registry } = runtime;
    if (topic === "language") return succeeded({ language: languageCard(gateway.host.catalog) });
    const { features: _features, adapters, ...rest } = serverCapabilities(gateway, registry.provided, []);
    const document = { ...rest, posture: config.profile === null };
    if (adapter === undefined) {
      const short = Object.entries(adapters).map(([name, entry]) => [name, withoutDetails(entry)]);
      return succeeded({ ...document, adapters: Object.fromEntries(short) });
    }
    const name = adapter.trim().toLowerCase();
    const entry = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
    if (entry !== undefined)
      return succeeded({ ...document, usage: await usageOf(name, runtime), adapters: { [name]: entry } });
    const near = nearest(name, Object.keys(adapters));
    return failed("unknown_adapter", {
      message: `unknown adapter${near === null ? "" : `; did you mean ${near}?`}`,
      close_names: near === null ? [] : [near],
      known: Object.keys(adapters),
    });
  },
});

/** How its verbs are called; null for an adapter that the server knows but does not provide. */
async function usageOf(name: string, { registry }: McpServices["runtime"]): Promise<string | null> {
  if (name === "core") return CORE_USAGE;
  const definition = await registry.definition(name);
  if (definition === null) return null;
  const { adapterCard } = await import("../../adapters/describe/card.ts");
  return adapterCard(definition);
}

const CORE_USAGE =
  'core is the language itself: call its verbs as functions, upper(s). {"topic":"language"} lists them with their arguments.';

/** Without what makes the list of all of them long. */
function withoutDetails(entry: ServerCapability): object {
  const { settings: _settings, verb_effects: _effects, enabled_by_default: _default, ...short } = entry;
  return short;
}
