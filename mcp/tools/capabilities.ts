/** wf_capabilities: the adapters with their verbs and tiers, and what this server allows of them. */
import * as z from "zod/mini";
import { nearest } from "../../grammar/nearest.ts";
import { type ServerCapability, serverCapabilities } from "../../vm/capabilities.ts";
import { failed, succeeded } from "../results.ts";
import { described, optionalText, output } from "../schemas.ts";
import { defineTool, READS_ONLY } from "../tool.ts";

export const capabilitiesTool = defineTool({
  name: "wf_capabilities",
  title: "List adapters",
  description: "List adapters with verbs, privilege tiers and whether this server allows them.",
  hints: READS_ONLY,
  input: () => z.strictObject({ adapter: described(optionalText, "only this one, in full") }),
  output: output({ adapters: "object", limits: "object", profile: "any", posture: "flag" }),
  call({ adapter }, { runtime, config }) {
    const { gateway, registry } = runtime;
    const { features: _features, adapters, ...rest } = serverCapabilities(gateway, registry.provided, []);
    const document = { ...rest, posture: config.profile === null };
    if (adapter === undefined) {
      const short = Object.entries(adapters).map(([name, entry]) => [name, withoutDetails(entry)]);
      return succeeded({ ...document, adapters: Object.fromEntries(short) });
    }
    const name = adapter.trim().toLowerCase();
    const entry = Object.hasOwn(adapters, name) ? adapters[name] : undefined;
    if (entry !== undefined) return succeeded({ ...document, adapters: { [name]: entry } });
    const near = nearest(name, Object.keys(adapters));
    return failed("unknown_adapter", {
      message: `there is no such adapter${near === null ? "" : `; did you mean ${near}?`}`,
      close_names: near === null ? [] : [near],
      known: Object.keys(adapters),
    });
  },
});

/** Without what makes the list of all of them long. */
function withoutDetails({ settings: _settings, verb_effects: _effects, ...entry }: ServerCapability): object {
  return entry;
}
