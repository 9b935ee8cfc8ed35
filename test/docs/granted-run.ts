/** The example of docs/embedding.md for callers with grants, word for word after this comment. */
import { arg, defineAdapter, verbsFor, z } from "../../adapter.ts";
import { emptyHostConfig, openRuntime, type RunAnswer, systemClock } from "../../index.ts";

const levels = new Map([["A1", 12]]);
const verb = verbsFor();
const stock = defineAdapter({
  apiVersion: 1,
  name: "stock",
  version: "1.0.0",
  summary: "What is in the store.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "local_state",
  networkFacing: false,
  sandboxSafe: true,
  durable: true,
  maturity: "beta",
  settings: {},
  verbs: {
    level: verb({
      summary: "How many there are of an article.",
      effect: "io-read",
      kind: "read",
      determinism: "state",
      args: z.tuple([arg("sku", z.string())]),
      result: z.number(),
      examples: [{ source: 'R stock.level "A1" ->n', result: 12 }],
      run: ({ args: [sku] }) => levels.get(sku) ?? 0,
    }),
  },
});

const runtime = openRuntime({
  config: emptyHostConfig(),
  clock: systemClock,
  uuid: () => crypto.randomUUID(),
  log: () => undefined,
  definitions: [stock],
  enable: ["stock"],
});

/** `wish`: what a caller asks for, as it came in. It can only be less than the runtime grants. */
export async function levelFor(
  wish: { readonly limits?: unknown; readonly policy?: unknown },
  sku: string,
): Promise<RunAnswer> {
  const { gateway } = runtime;
  const { ir } = gateway.host.compile("def main(sku: str):\n    return stock.level(sku)\n");
  const admission = gateway.admit(wish);
  if (ir === null || !admission.ok) throw new Error("the program or the wish is not valid");
  const prepared = await gateway.prepare(ir, admission);
  if (!prepared.ok) throw new Error(prepared.error);
  return gateway.run(prepared, { frame: { sku } });
}
