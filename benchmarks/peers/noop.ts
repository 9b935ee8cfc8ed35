/** A host with an adapter whose calls do nothing, so that all they take is dispatch. */
import { catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { arg, defineAdapter, verbsFor, z } from "../../adapters/definition/define.ts";
import { linkAdapter } from "../../adapters/definition/link.ts";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { createServices } from "../../adapters/services.ts";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import type { Adapter } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { createHost, type Host } from "../../vm/host.ts";

const verb = verbsFor<Record<never, never>>();
const facts = {
  summary: "Gives its argument back",
  effect: "io-read",
  kind: "unknown",
  determinism: "external",
  args: z.tuple([arg("value", z.number()), arg("unit", z.string().optional())]),
  options: z.strictObject({ timeout_s: z.number().positive().optional() }),
  result: z.number(),
} as const;

const noop = defineAdapter({
  apiVersion: 1,
  name: "noop",
  version: "1.0.0",
  summary: "Does nothing",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: false,
  maturity: "experimental",
  settings: {},
  verbs: {
    now: verb({ ...facts, run: ({ args: [value] }) => value }),
    later: verb({ ...facts, run: async ({ args: [value] }) => value }),
  },
});

/** `noop.now` answers at once, `noop.later` by a promise. */
export function noopHost(): Host {
  const places = {
    stateDir: null,
    dataRoot: null,
    agentRoot: null,
    memoryDb: null,
    cachePath: null,
    summaryRoot: null,
  };
  const { services } = createServices({ places, environment: {} });
  const linked = linkAdapter(
    noop,
    {},
    { services, secret: async () => undefined, log: () => {}, now: systemClock.wall },
  );
  if (!linked.ok) throw new Error("settings without any are valid");
  return hostOf(linked.adapter);
}

/** The same with a plain function, as a program that embeds Weft offers its own. */
export function functionHost(): Host {
  return hostOf(plainAdapter("noop", { now: ([value = null]) => value }));
}

function hostOf(adapter: Adapter): Host {
  return createHost({
    clock: systemClock,
    facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
    catalog: createCatalog([...builtinAdapters, catalogEntryOf(noop)]),
    adapters: new Map([["noop", adapter]]),
    traceId: () => crypto.randomUUID(),
  });
}
