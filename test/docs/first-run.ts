/** The first example of docs/embedding.md, word for word after this comment. */
import { builtinCatalog, compile, createHost, type RunAnswer, systemClock } from "../../index.ts";

const source = `def main(orders: list[dict]):
    paid = [order for order in orders if order["paid"]]
    return {"paid": len(paid), "all": len(orders)}
`;

const { ir, diagnostics } = compile(source, { catalog: builtinCatalog });
if (ir === null)
  throw new Error(diagnostics.map(({ code, span, message }) => `${span?.line}: ${code} ${message}`).join("\n"));

const host = createHost({
  clock: systemClock,
  facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
  catalog: builtinCatalog,
  adapters: new Map(),
  traceId: () => crypto.randomUUID(),
});

export const paidOf = (orders: { readonly id: number; readonly paid: boolean }[]): Promise<RunAnswer> =>
  host.run({ ir, frame: { orders }, limits: { max_steps: 1000, max_time_ms: 2000 } });
