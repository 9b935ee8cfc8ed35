import { expect, it } from "vitest";
import { WaitingLine } from "../../../adapters/engine/waiting-line.ts";

const line = (waiting: number): WaitingLine<string> =>
  new WaitingLine(["a"], {
    waiting,
    busy: () => new Error("busy"),
    aborted: ({ reason }) => reason as Error,
  });

it("serves those that wait in the order in which they came", async () => {
  const slots = line(2);
  const first = await slots.take();
  const order: string[] = [];
  const waiting = ["second", "third"].map(async (name) => {
    const slot = await slots.take();
    order.push(name);
    slots.give(slot);
  });
  await expect(slots.take()).rejects.toThrow("busy");
  slots.give(first);
  await Promise.all(waiting);
  expect(order).toEqual(["second", "third"]);
});

it("hands out what is free although nothing may wait", async () => {
  expect(await line(0).take()).toBe("a");
});

it("lets a signal end the wait, and serves the next one", async () => {
  const slots = line(2);
  const first = await slots.take();
  const abort = new AbortController();
  const gone = slots.take(abort.signal);
  const next = slots.take();
  abort.abort(new Error("cancelled"));
  await expect(gone).rejects.toThrow("cancelled");
  slots.give(first);
  expect(await next).toBe("a");
  await expect(slots.take(abort.signal)).rejects.toThrow("cancelled");
});

it("refuses everybody once it is closed", async () => {
  const slots = line(2);
  await slots.take();
  const waiting = slots.take();
  slots.close();
  await expect(waiting).rejects.toThrow("busy");
  slots.give("a");
  await expect(slots.take()).rejects.toThrow("busy");
});
