/** Durable runs on a store that is not ours, driven through the exports of the package alone (durable-2, Q-10). */
import { expect, it } from "vitest";
import { arg, defineAdapter, verbsFor, z } from "../../adapter.ts";
import { type DurableEnd, emptyHostConfig, openRuntime, type RunJournal } from "../../index.ts";
import { fakeClock } from "../support/mock-adapters.ts";
import { Engine, type Lease } from "./engine.ts";

const PROGRAM = `def main(order: str):
    ledger.charge(order)
    timer.sleep(5)
    said = signal.wait("packed", timeout=60)
    boxes = parallel(weigh, [1, 2])
    ledger.ship(order)
    return {"order": order, "by": said.data if said.received else None, "boxes": boxes}


def weigh(box):
    timer.sleep(box)
    return box * 2
`;
const RUN = "a".repeat(32);
const SHIPPED = { order: "o-1", by: "ann", boxes: [2, 4] };
/** Longer than a lease, so a run of a worker that died is free. */
const AWHILE_MS = 5000;

function worldOf() {
  const clock = fakeClock();
  /** What the ledger did, by the key of the call. */
  const entries = new Map<string, string>();
  const act = (what: string) =>
    verbsFor()({
      summary: `${what} an order.`,
      effect: "io-write",
      kind: "write",
      idempotent: "keyed",
      determinism: "external",
      args: z.tuple([arg("order", z.string())]),
      options: z.strictObject({ idempotency_key: z.string().optional() }),
      result: z.null(),
      examples: [],
      run({ args: [order], ctx }) {
        entries.set(ctx.idempotencyKey, `${what} ${order}`);
        return null;
      },
    });
  const ledger = defineAdapter({
    apiVersion: 1,
    name: "ledger",
    version: "1.0.0",
    summary: "Books orders.",
    support: "extension_ecosystem",
    lane: "noncanonical",
    privilege: "local_state",
    networkFacing: false,
    sandboxSafe: true,
    durable: true,
    maturity: "beta",
    settings: {},
    verbs: { charge: act("charged"), ship: act("shipped") },
  });
  const engine = new Engine(() => clock.wall());
  engine.begin(RUN);
  /** A worker: a process of its own as far as the run can see. `journal`: what it makes of its connection. */
  async function work(lease: Lease, journal: RunJournal = engine.journal(lease)): Promise<DurableEnd> {
    const { gateway } = openRuntime({
      config: emptyHostConfig(),
      clock,
      uuid: () => "00000000-0000-4000-8000-000000000000",
      log: () => undefined,
      definitions: [ledger],
      enable: ["ledger", "timer", "signal"],
    });
    const { ir } = gateway.host.compile(PROGRAM);
    const admission = gateway.admit({});
    if (ir === null || !admission.ok) throw new Error("the program is not valid");
    const prepared = await gateway.prepare(ir, admission);
    if (!prepared.ok) throw new Error(JSON.stringify(prepared));
    const end = await gateway.durable(prepared, {
      journal,
      frame: { order: "o-1" },
      traceId: RUN,
      why: lease.why,
      onUnknown: () => "retry",
    }).result;
    if (end.state === "ended") engine.end(lease, JSON.stringify(end.answer.ok ? end.answer.out : end.answer.error));
    return end;
  }
  /** Works as long as something is to be done or comes with the time. */
  async function workOn(): Promise<void> {
    for (let rounds = 0; engine.look(RUN).result === null && rounds < 50; rounds += 1) {
      const lease = engine.claim();
      if (lease === null) clock.advance(AWHILE_MS);
      else await work(lease);
    }
  }
  return { clock, engine, entries, work, workOn, booked: () => [...entries.values()] };
}

it("a run waits for times and signals without a worker, and ends with what came", async () => {
  const { engine, booked, workOn } = worldOf();
  engine.signal(RUN, "s-1", "packed", "ann");
  engine.signal(RUN, "s-1", "packed", "the same once more");
  await workOn();
  expect(JSON.parse(engine.look(RUN).result ?? "")).toEqual(SHIPPED);
  expect(booked()).toEqual(["charged o-1", "shipped o-1"]);
});

it("a signal that does not come ends its wait with the time", async () => {
  const { engine, workOn } = worldOf();
  await workOn();
  expect(JSON.parse(engine.look(RUN).result ?? "")).toEqual({ ...SHIPPED, by: null });
});

it("nothing is lost or booked twice, whichever write a worker dies at, before or after the store has it", async () => {
  for (const when of ["before", "after"] as const)
    for (let writes = 0, isDead = true; isDead; writes += 1) {
      const { clock, engine, booked, work, workOn } = worldOf();
      engine.signal(RUN, "s-1", "packed", "ann");
      isDead = false;
      let left = writes;
      // The process ends: it hears nothing more of its store, and says nothing more.
      const dies = (): boolean => {
        left -= 1;
        isDead ||= left < 0;
        return isDead;
      };
      while (!isDead && engine.look(RUN).result === null) {
        const lease = engine.claim();
        if (lease === null) {
          clock.advance(AWHILE_MS);
          continue;
        }
        const kept = engine.journal(lease);
        let die = (): void => {};
        const died = new Promise<void>((then) => (die = then));
        const cut = async <T>(write: () => Promise<T>): Promise<T> => {
          if (!dies()) return write();
          if (when === "after") await write();
          die();
          return new Promise<never>(() => {});
        };
        const journal: RunJournal = {
          ...kept,
          append: (records) => cut(() => kept.append(records)),
          park: (records, waits, isWhole) =>
            cut(async () => (await kept.park?.(records, waits, isWhole)) ?? { state: "stale" }),
        };
        await Promise.race([work(lease, journal), died]);
      }
      clock.advance(AWHILE_MS);
      await workOn();
      expect(JSON.parse(engine.look(RUN).result ?? ""), `${when} write ${writes}`).toEqual(SHIPPED);
      expect(booked(), `${when} write ${writes}`).toEqual(["charged o-1", "shipped o-1"]);
      expect(engine.look(RUN).kinds.filter((kind) => kind === "start")).toHaveLength(1);
    }
});

it("appends that break off are made again, and their records are kept once", async () => {
  const { engine, booked, workOn } = worldOf();
  engine.signal(RUN, "s-1", "packed", "ann");
  engine.breaks = ["after", "before", "after", "before"];
  await workOn();
  expect(JSON.parse(engine.look(RUN).result ?? "")).toEqual(SHIPPED);
  expect(booked()).toEqual(["charged o-1", "shipped o-1"]);
});

it("a worker whose lease is over makes no further call, and keeps nothing", async () => {
  const { clock, engine, booked, work, workOn } = worldOf();
  const lease = engine.claim() as Lease;
  clock.advance(AWHILE_MS);
  const other = engine.claim() as Lease;
  expect(other.epoch).toBe(lease.epoch + 1);
  expect(await work(lease)).toEqual({ state: "left", why: expect.stringMatching(/stale|stopped/) });
  expect(booked()).toEqual([]);
  expect(engine.look(RUN).kinds).toEqual([]);
  clock.advance(AWHILE_MS);
  await workOn();
  expect(booked()).toEqual(["charged o-1", "shipped o-1"]);
});
