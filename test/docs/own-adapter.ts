/** The example of docs/embedding.md for an adapter of one host, word for word after this comment. */
import {
  type AdapterEntry,
  builtinAdapters,
  createCatalog,
  createHost,
  plainAdapter,
  type RunAnswer,
  systemClock,
} from "../../index.ts";

// What the compiler knows of the adapter: verbs, arguments, effects.
const entry: AdapterEntry = {
  name: "stock",
  support_tier: "extension_ecosystem",
  effect_default: "io",
  recommended_lane: "noncanonical",
  privilege_tier: "local_state",
  destructive: false,
  network_facing: false,
  sandbox_safe: true,
  durable: false,
  open_verbs: false,
  verbs: [
    {
      name: "Level",
      effect_tier: "io-read",
      kind: "read",
      destructive: false,
      idempotent: true,
      parameters: [{ name: "sku", class: "operand", optional: false, repeat: false }],
    },
  ],
  aliases: {},
};

// What a run calls. A verb may also give a promise.
const levels = new Map([["A1", 12]]);
const stock = plainAdapter("stock", { Level: ([sku]) => levels.get(String(sku)) ?? 0 }, { effectTier: "io-read" });

const host = createHost({
  clock: systemClock,
  facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
  catalog: createCatalog([...builtinAdapters, entry]),
  adapters: new Map([["stock", stock]]),
  traceId: () => crypto.randomUUID(),
});

export async function levelOf(sku: string): Promise<RunAnswer> {
  const { ir, diagnostics } = host.compile("def main(sku: str):\n    return stock.Level(sku)\n");
  if (ir === null) throw new Error(diagnostics.map((one) => `${one.span?.line}: ${one.message}`).join("\n"));
  return host.run({ ir, frame: { sku }, limits: { max_steps: 1000 }, allowedAdapters: ["stock"] });
}
