/** Who gets a run slot when few are free: detached runs must not keep out waiting callers. */
import { afterEach, describe, expect, it } from "vitest";
import { RunSlots } from "../../service/run/run-slots.ts";
import { realClock, type Serving, serving } from "./serving.ts";

const slotsOf = (most: number, waitingMost = 0): RunSlots =>
  new RunSlots({ most, waitingMost, waitMs: 10_000 }, realClock);

describe("run slots", () => {
  it.each([
    [8, 4, 6],
    [4, 2, 3],
    [2, 1, 2],
    [1, 1, 1],
  ])("of %i go to at most %i detached runs, and with jobs to at most %i", (most, detached, others) => {
    const slots = slotsOf(most);
    let entered = 0;
    while (slots.tryEnter(undefined, "detached") !== null) entered += 1;
    expect(entered).toBe(detached);
    while (slots.tryEnter(undefined, "job") !== null) entered += 1;
    expect(entered).toBe(others);
    while (slots.tryEnter() !== null) entered += 1;
    expect(entered).toBe(most);
  });

  it("go to the first in line that may have one", async () => {
    const slots = slotsOf(4, 4);
    const detached = [slots.tryEnter(undefined, "detached"), slots.tryEnter(undefined, "detached")];
    const callers = [slots.tryEnter(), slots.tryEnter()];
    const order: string[] = [];
    const first = slots.enter(undefined, "detached").then((slot) => {
      order.push("detached");
      return slot;
    });
    const second = slots.enter().then((slot) => {
      order.push("caller");
      return slot;
    });
    callers[0]?.leave();
    await second;
    expect(order).toEqual(["caller"]);
    detached[0]?.leave();
    await first;
    expect(slots.inFlight).toBe(4);
  });

  it("leave callers half of the waiting line", async () => {
    const slots = slotsOf(1, 4);
    const running = slots.tryEnter();
    const waiting = [slots.enter(undefined, "detached"), slots.enter(undefined, "detached")];
    await expect(slots.enter(undefined, "detached")).rejects.toMatchObject({ error: "server_busy" });
    waiting.push(slots.enter());
    running?.leave();
    for (const entered of waiting) (await entered).leave();
  });
});

describe("a service with detached runs", () => {
  let service: Serving;
  afterEach(() => service.stop());

  it("serves waiting callers, and refuses further detached runs", async () => {
    service = await serving({
      variables: { WF_MAX_CONCURRENT_RUNS: "4", WF_RUN_WAITING_MAX: "2", WF_RUN_WAIT_MS: "50" },
    });
    const code = 'L1:\n  R ext.Hold "a" ->r\n  J r\n';
    const goesOn = { "wf-on-disconnect": "continue" };
    const left = [0, 1].map(() => service.run({ code, strict: false }, goesOn));
    const held = [await service.held(), await service.held()];
    const refused = await service.run({ code, strict: false }, goesOn);
    expect(refused).toMatchObject({ status: 503, body: { error: "server_busy" } });
    expect(refused.body.message).toContain("without their callers");
    expect(await service.run({ code: "L1:\n  J 1\n" })).toMatchObject({ status: 200, body: { out: 1 } });
    for (const { release } of held) release(1);
    for (const reply of await Promise.all(left)) expect(reply.body.ok).toBe(true);
  });
});
