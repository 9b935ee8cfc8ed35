/** Queues with leases: a message is taken once, in order, and again only when it was not acknowledged in time. */
import type { Json } from "../../../compiler/json.ts";
import { same } from "../suite.ts";
import { VALUES } from "./hostile.ts";
import { defineKind, listOf, memberOf, type World } from "./kind.ts";

const LEASE_S = 30;

export const queue = defineKind({
  roles: {
    put: { inputs: ["queue", "payload"], needed: true },
    /** Leases at most one message for `lease_s` seconds: a list of `{payload, receipt}`. The receipt is for ack and nack. */
    take: { inputs: ["queue", "lease_s"], needed: true },
    ack: { inputs: ["queue", "receipt"] },
    /** Gives a message back. */
    nack: { inputs: ["queue", "receipt"] },
    /** How many messages wait. */
    length: { inputs: ["queue"] },
  },
  checks: [
    {
      title: "an empty queue gives nothing",
      roles: ["take"],
      async *check(world) {
        const taken = await take(world);
        if (taken !== null) yield `gave ${JSON.stringify(taken.payload)}`;
      },
    },
    {
      title: "messages are taken in the order in which they were put, as they were",
      roles: ["put", "take"],
      async *check(world) {
        for (const payload of VALUES) await world.give("put", { queue: "a", payload });
        for (const payload of VALUES) {
          const taken = await take(world);
          if (taken === null || !same(taken.payload, payload))
            yield `${JSON.stringify(taken?.payload ?? "nothing")} in place of ${JSON.stringify(payload)}`;
        }
        if ((await take(world)) !== null) yield "more was taken than was put";
      },
    },
    {
      title: "queues share no message",
      roles: ["put", "take"],
      async *check(world) {
        await world.give("put", { queue: "a", payload: 1 });
        if ((await take(world, "b")) !== null) yield "another queue gave it";
        if ((await take(world))?.payload !== 1) yield "its own queue did not";
      },
    },
    {
      title: "a message comes again when its lease is over, and not before",
      roles: ["put", "take"],
      async *check(world) {
        await world.give("put", { queue: "a", payload: 1 });
        await take(world);
        world.advance((LEASE_S - 1) * 1000);
        if ((await take(world)) !== null) yield "it came a second before the end of its lease";
        world.advance(2_000);
        if ((await take(world))?.payload !== 1) yield "it did not come a second after the end of its lease";
      },
    },
    {
      title: "an acknowledged message never comes again",
      roles: ["put", "take", "ack"],
      async *check(world) {
        for (const payload of [1, 2]) await world.give("put", { queue: "a", payload });
        const first = await take(world);
        await world.give("ack", { queue: "a", receipt: first?.receipt ?? null });
        world.advance((LEASE_S + 1) * 1000);
        if ((await take(world))?.payload !== 2) yield "the other message did not come next";
        if ((await take(world)) !== null) yield "the acknowledged message came again";
      },
    },
    {
      title: "a message that is given back comes again at once",
      roles: ["put", "take", "nack"],
      async *check(world) {
        await world.give("put", { queue: "a", payload: 1 });
        const first = await take(world);
        await world.give("nack", { queue: "a", receipt: first?.receipt ?? null });
        if ((await take(world))?.payload !== 1) yield "it did not come";
      },
    },
    {
      title: "a taker that lost its lease cannot end the lease of another",
      roles: ["put", "take", "ack"],
      async *check(world) {
        await world.give("put", { queue: "a", payload: 1 });
        const first = await take(world);
        world.advance((LEASE_S + 1) * 1000);
        const second = await take(world);
        const late = await world.call("ack", { queue: "a", receipt: first?.receipt ?? null });
        if (late.ok) yield "acknowledged with a receipt that is over";
        const held = await world.call("ack", { queue: "a", receipt: second?.receipt ?? null });
        if (!held.ok) yield `the holder of the lease cannot acknowledge: ${held.code}`;
      },
    },
    {
      title: "the length counts what waits",
      roles: ["put", "take", "ack", "length"],
      async *check(world) {
        const expect = async (count: number, when: string): Promise<string[]> => {
          const length = await world.give("length", { queue: "a" });
          return length === count ? [] : [`${JSON.stringify(length)} ${when}`];
        };
        yield* await expect(0, "without any message");
        for (const payload of [1, 2]) await world.give("put", { queue: "a", payload });
        yield* await expect(2, "with two messages");
        const first = await take(world);
        await world.give("ack", { queue: "a", receipt: first?.receipt ?? null });
        yield* await expect(1, "after one of two was acknowledged");
      },
    },
  ],
});

type Taken = { readonly payload: Json; readonly receipt: Json };

/** The next message; null for an empty queue. */
async function take(world: World<"take">, name = "a"): Promise<Taken | null> {
  const given = await world.give("take", { queue: name, lease_s: LEASE_S });
  const [first] = listOf(given);
  if (first === undefined) return null;
  const [payload, receipt] = [memberOf(first, "payload"), memberOf(first, "receipt")];
  if (payload === undefined || receipt === undefined) throw new Error("take gives no list of {payload, receipt}");
  return { payload, receipt };
}
